/** Requests with content, for every endpoint: each is answered as without, and nothing behind it is. In the same packet: `rules.reads.ts`. */
import t from 'tap';
import {
  askAll,
  Connection,
  fieldOf,
  fieldsWithoutDate,
  sendRaw,
  type Answer,
} from '../../support/service/connection.js';
import { sharedService } from '../../support/service/shared-service.js';
import { everyTarget } from './every-target.js';

/** A smuggled request, whose answer would hold `"live"`. */
const HIDDEN = 'GET /health/live HTTP/1.1\r\nHost: hidden\r\n\r\n';

const EVENTS = '/api/v1/events';

/** A field, content, and the rest of it where that comes after its answer. */
const FRAMINGS = [
  ['Content-Length: 5', 'hello', ''],
  ['Content-Length: 5', '', 'hello'],
  ['Transfer-Encoding: chunked', '5\r\nhello\r\n0\r\n\r\n', ''],
  ['Transfer-Encoding: chunked', '0\r\n\r\n', ''],
  ['Transfer-Encoding: chunked', '5\r\nhel', 'lo\r\n0\r\n\r\n'],
] as const;

/** Fields that shape an answer; `*` lets every answer with a tag be 304. */
const CONDITIONS = ['', 'If-None-Match: *\r\n', 'Accept: text/html\r\nAccept-Encoding: gzip\r\n'];

/** Bodies that end with their first byte, or soon after it, of a file on the disk. */
const RANGES = ['bytes=0-0', 'bytes=0-1', 'bytes=0-2', 'bytes=-1', 'bytes=100-'];
const FILE = '/api/v1/bulk/observations_hourly_preliminary_last30days.parquet';

const headOf = (method: string, target: string, fields = ''): string =>
  `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${fields}`;

void t.test('a request with content is answered, and its connection ends', async (t) => {
  const { port } = await sharedService();
  // An event stream has no end, and so no length.
  const targets = (await everyTarget({ port })).filter((target) => target !== EVENTS);
  const heads = targets.flatMap((target) => [
    ...CONDITIONS.flatMap((fields) => ['GET', 'HEAD'].map((one) => headOf(one, target, fields))),
    ...['OPTIONS', 'POST'].map((method) => headOf(method, target)),
  ]);
  heads.push(...RANGES.map((range) => headOf('GET', FILE, `Range: ${range}\r\n`)));
  const statuses = new Set<number>();
  const wrong: string[] = [];
  const take = async (connection: Connection, head: string): Promise<void> => {
    const whole = await connection.ask([Buffer.from(`${head}\r\n`)]);
    statuses.add(whole.status);
    const empty = await connection.ask([Buffer.from(`${head}Content-Length: 0\r\n\r\n`)]);
    const isKept = fieldOf(empty, 'connection') === undefined;
    if (!isKept || comparable(empty) !== comparable(whole)) wrong.push(`${head} without content`);
    for (const [field, content, rest] of FRAMINGS) {
      const own = await Connection.open(port);
      const answer = await own.ask([Buffer.from(`${head}${field}\r\n\r\n${content}`)]);
      const { received, closed } = await own.last(`${rest}${HIDDEN}`);
      const isLast = fieldOf(answer, 'connection') === 'close' && closed && received.length === 0;
      if (isLast && comparable(answer) === comparable(whole)) continue;
      wrong.push(`${head}${field} ${content}: ${comparable(answer)} ${String(received)}`);
    }
  };
  await askAll(port, heads, { connections: 16, take });
  t.same(wrong, []);
  t.same([...statuses].sort(), [200, 204, 206, 304, 308, 400, 404, 405, 422]);

  for (const method of ['GET', 'HEAD']) {
    for (const [field, content] of [FRAMINGS[0], FRAMINGS[2]]) {
      const chunks = [`${headOf(method, EVENTS, field)}\r\n\r\n${content}`, HIDDEN];
      const { received, closed } = await sendRaw(port, chunks, { gapMs: 500 });
      t.ok(closed, chunks.join(''));
      t.match(received.toString(), /^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n/);
      t.equal(received.toString().split('HTTP/1.1 ').length, 2);
    }
  }
});

/** All of an answer but the clock, and what becomes of the connection. */
function comparable(answer: Answer): string {
  const isKept = (line: string): boolean => !/^(?:Connection|uWebSockets):/.test(line);
  const fields = fieldsWithoutDate(answer).filter(isKept);
  return JSON.stringify([answer.status, fields, answer.body.toString('latin1')]);
}
