/** Requests with content, for every endpoint: each is answered as it would be without, and nothing behind it is. In the same packet: `rules.reads.ts`. */
import { createHash } from 'node:crypto';
import t from 'tap';
import {
  askAll,
  askOnce,
  fieldOf,
  fieldsWithoutDate,
  sendRaw,
  type Answer,
  type Connection,
} from '../../support/service/connection.js';
import { sharedService } from '../../support/service/shared-service.js';
import { everyTarget } from './every-target.js';

/** A smuggled request, whose answer would hold `"live"`. */
const HIDDEN = 'GET /health/live HTTP/1.1\r\nHost: hidden\r\n\r\n';

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST'];

/** Fields and content, how such a request is read, and the rest of its content where that comes after its answer. */
const FRAMINGS = {
  'a length': ['Content-Length: 5', 'hello', 'stated', ''],
  'a length without its content': ['Content-Length: 5', '', 'stated', 'hello'],
  'a length of nothing': ['Content-Length: 0', '', 'none', ''],
  chunks: ['Transfer-Encoding: chunked', '5\r\nhello\r\n0\r\n\r\n', 'stated', ''],
  'no chunks': ['Transfer-Encoding: chunked', '0\r\n\r\n', 'stated', ''],
  'half a chunk': ['Transfer-Encoding: chunked', '5\r\nhel', 'stated', 'lo\r\n0\r\n\r\n'],
} as const;

const FRAMES = Object.keys(FRAMINGS) as (keyof typeof FRAMINGS)[];
const USUAL = ['a length', 'chunks'] as const;

/** Fields that shape an answer; `*` lets every answer with a tag be 304. */
const CONDITIONS = ['', 'If-None-Match: *\r\n', 'Accept: text/html\r\nAccept-Encoding: gzip\r\n'];

/** Bodies that end with their first byte, or soon after it, of a file on the disk. */
const RANGES = ['bytes=0-0', 'bytes=0-1', 'bytes=0-2', 'bytes=-1', 'bytes=100-'];

interface Case {
  readonly name: string;
  readonly head: string;
  readonly framing: keyof typeof FRAMINGS;
}

void t.test('a request with content', async (t) => {
  const service = await sharedService();
  const targets = await everyTarget(service);
  const cases = targets.flatMap((target) =>
    METHODS.flatMap((method) => {
      const conditions = method === 'GET' || method === 'HEAD' ? CONDITIONS : [''];
      return conditions.flatMap((fields) =>
        (fields === '' ? FRAMES : USUAL).map((framing): Case => {
          const head = `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${fields}`;
          return { name: `${head.replaceAll('\r\n', ' | ')} with ${framing}`, head, framing };
        }),
      );
    }),
  );
  for (const range of RANGES) {
    const head = `GET /api/v1/bulk/observations_hourly_preliminary_last30days.parquet HTTP/1.1\r\nHost: localhost\r\nRange: ${range}\r\n`;
    cases.push(...USUAL.map((framing): Case => ({ name: `${range}, ${framing}`, head, framing })));
  }
  // An event stream has no end, and so no length.
  const ending = cases.filter(({ head }) => !/^(?:GET|HEAD) \/api\/v1\/events /.test(head));

  await t.test('is answered, and its connection ends', async (t) => {
    const expected = new Map<string, string>();
    for (const head of new Set(ending.map(({ head }) => head))) {
      expected.set(head, comparable(await askOnce(service, [Buffer.from(`${head}\r\n`)])));
    }
    const statuses = new Set<number>();
    const wrong: (readonly [name: string, what: unknown])[] = [];
    const take = async (connection: Connection, { name, head, framing }: Case): Promise<void> => {
      const [fields, content, read, rest] = FRAMINGS[framing];
      const answer = await connection.ask([Buffer.from(`${head}${fields}\r\n\r\n${content}`)]);
      statuses.add(answer.status);
      if (comparable(answer) !== expected.get(head)) wrong.push([name, comparable(answer)]);
      const end = fieldOf(answer, 'connection');
      if (end !== (read === 'none' ? undefined : 'close')) wrong.push([name, `connection: ${end}`]);
      if (read === 'none') return;
      const { received, closed } = await connection.last(`${rest}${HIDDEN}`);
      if (!closed || received.length > 0) wrong.push([name, received.toString()]);
    };
    await askAll(service.port, ending, { connections: 16, take });
    t.same(wrong, []);
    t.same([...statuses].sort(), [200, 204, 206, 304, 308, 400, 404, 405, 422]);
  });

  await t.test('for events is the last of its connection', async (t) => {
    for (const framing of USUAL) {
      for (const method of ['GET', 'HEAD']) {
        const [fields, content] = FRAMINGS[framing];
        const head = `${method} /api/v1/events HTTP/1.1\r\nHost: localhost\r\n${fields}`;
        const chunks = [`${head}\r\n\r\n${content}`, HIDDEN];
        const { received, closed } = await sendRaw(service.port, chunks, { gapMs: 500 });
        t.ok(closed, head);
        t.match(received.toString(), /^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n/, head);
        t.equal(received.toString().split('HTTP/1.1 ').length, 2, head);
      }
    }
  });
});

/** All of an answer but the clock, and what becomes of the connection. */
function comparable(answer: Answer): string {
  const fields = fieldsWithoutDate(answer).filter(
    (line) => !/^(?:Connection|uWebSockets):/.test(line),
  );
  return JSON.stringify([
    answer.status,
    fields,
    createHash('sha1').update(answer.body).digest('hex'),
  ]);
}
