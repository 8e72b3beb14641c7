/** Requests that are no HTTP, or that two readers could read differently; and right ones, cut in two anywhere. */
import t from 'tap';
import { BUILD_ID } from '../../../src/build-id.js';
import { atLeast, chanceOf, type Chance } from '../../support/faults/chance.js';
import { casesOf, namedCasesOf } from '../../support/readers/cases.js';
import {
  askAll,
  askOnce,
  fieldsWithoutDate,
  requestBytes,
  sendRaw,
  type Answer,
} from '../../support/service/connection.js';
import { get, LEGACY_TARGETS } from '../../support/service/requests.js';
import type { Service } from '../../support/service/service.js';
import { sharedService } from '../../support/service/shared-service.js';

/** A smuggled request, whose answer would hold `"live"`. */
const HIDDEN = 'GET /health/live HTTP/1.1\r\nHost: hidden\r\n\r\n';

/** The library keeps a client that sends nonsense, or nothing, for some twelve seconds; a busy machine takes longer. */
const LIMIT_MS = 60_000;

/** Each a head that is malformed, or one whose content would swallow, or let out, the hidden request. */
const MALFORMED = headsOf('malformed');

/** Well-formed, with content that we have no use for: answered or closed, and its connection is not used again. */
const WITH_CONTENT = headsOf('with content');

void t.test('whatever is malformed', async (t) => {
  const service = await sharedService();
  // Most of the time is spent waiting for the other side to lose its patience.
  t.jobs = 2;
  const refused = t.test(
    'or has content, is refused or cut off in time, and hides no second request',
    { buffered: true },
    async (t) => {
      await Promise.all(
        [...MALFORMED, ...WITH_CONTENT].flatMap(([name, head]) =>
          waysToSend(head).map(async ([way, chunks]) => {
            const { text, closed } = await send(service, chunks);
            const statuses = statusesOf(text);
            t.ok(closed, `${name}, ${way}: closed`);
            t.ok(statuses.length <= 1 && !text.includes('"live"'), `${name}, ${way}: ${text}`);
            const isRefused = MALFORMED.some(([one]) => one === name);
            if (isRefused) t.match(statuses[0] ?? '400', /^(?:4\d\d|505)$/, `${name}, ${way}`);
          }),
        ),
      );
    },
  );

  const slow = t.test('or slow, or silent, is cut off in time', { buffered: true }, async (t) => {
    const heads: Readonly<Record<string, readonly string[]>> = {
      'nothing at all': [''],
      'half a request line': ['GET /me'],
      'a head without its end': ['GET /meta HTTP/1.1\r\nHost: a\r\n'],
      'a byte every second': 'GET /meta HTTP/1.1\r\nHost'.split(/(?=[^])/),
    };
    await Promise.all(
      Object.entries(heads).map(async ([name, chunks]) => {
        const { text, closed } = await send(service, chunks, 1000);
        t.ok(closed, `${name}: closed`);
        t.notMatch(text, '"schema_version"', name);
      }),
    );
  });

  await Promise.all([refused, slow]);
  t.equal((await askOnce(service, { target: '/meta' })).status, 200);
});

void t.test('a large answer lets nothing be smuggled in behind it', async (t) => {
  const service = await sharedService();
  const [, script = ''] =
    /src="([^"]+\.js)"/.exec(String((await get(service, '/docs')).body)) ?? [];
  t.ok((await get(service, script)).body.length > 200_000, script);
  const heads = [...MALFORMED, ...WITH_CONTENT]
    .filter(([name]) => /two lengths|empty length and|another coding|hidden/.test(name))
    .map(([, head]) => head.replace('/meta', script));
  t.equal(heads.length, 5);
  await Promise.all(
    heads.flatMap((head) =>
      waysToSend(head).map(async ([way, chunks]) => {
        const { text } = await send(service, chunks);
        t.notMatch(text, /"live"/, `${head}, ${way}`);
      }),
    ),
  );
});

void t.test('a mutated request is never answered with what another target is', async (t) => {
  const service = await sharedService();
  const chance = chanceOf(t);
  const requests = Array.from({ length: atLeast(400) }, () => mutated(chance));
  const wrong: string[] = [];
  const statuses: Record<string, number> = {};
  // Then the library gets no more bytes for half a request.
  const othersAnswered = (async (): Promise<void> => {
    for (let asked = 0; asked < 20; asked += 1) await get(service, '/legal/terms');
  })();
  const send = async (bytes: Buffer): Promise<void> => {
    const options = { ends: othersAnswered, timeoutMs: LIMIT_MS };
    const { received, closed } = await sendRaw(service.port, bytes, options);
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(received.toString('latin1'))?.[1] ?? 'closed';
    statuses[status] = (statuses[status] ?? 0) + 1;
    const isRight = status !== '200' || (await isAnswerOf(service, bytes, received));
    if (closed && status !== '500' && isRight) return;
    wrong.push(`${status}: ${JSON.stringify(bytes.toString('latin1'))}`);
  };
  await Promise.all(requests.map(send));
  t.same(wrong, [], JSON.stringify(statuses));
  t.match(Object.keys(statuses).join(), /200.*400.*closed/, JSON.stringify(statuses));
});

void t.test('a request is answered alike wherever it is cut in two', async (t) => {
  const service = await sharedService();
  for (const request of samples()) {
    const bytes = requestBytes(request);
    const label = bytes.toString().split('\r\n')[0];
    const whole = await askOnce(service, [bytes]);
    const cuts = Array.from({ length: bytes.length - 1 }, (_, index) => index + 1);
    const different: number[] = [];
    await askAll(service.port, cuts, {
      connections: 64,
      take: async (connection, cut) => {
        const answer = await connection.ask([bytes.subarray(0, cut), bytes.subarray(cut)]);
        if (comparable(answer) !== comparable(whole)) different.push(cut);
      },
    });
    t.same(different, [], `${String(label)}: ${whole.status}, ${cuts.length} cuts`);
  }
});

function samples(): readonly Parameters<typeof requestBytes>[0][] {
  const series = '/measurements?organization_id=1&station_id=1&component_id=8&window=';
  return [
    { target: '/meta' },
    { target: '/meta', method: 'HEAD' },
    { target: '/meta', fields: { 'If-None-Match': `W/"20260910T000000Z-test-${BUILD_ID}"` } },
    { target: '/meta', fields: { 'If-Modified-Since': 'Thu, 10 Sep 2026 00:00:00 GMT' } },
    { target: '/meta', method: 'OPTIONS', fields: { Origin: 'https://primer.example' } },
    { target: '/meta', method: 'DELETE' },
    { target: '/stations', fields: { 'Accept-Encoding': 'gzip;q=0.5, identity;q=0.1' } },
    { target: '/stations', fields: { 'Content-Length': '0' } },
    { target: '/1/stations/1/meta' },
    { target: '/%31/stations/1/measurements/last%5F24h' },
    { target: `${series}30d`, fields: { 'User-Agent': 'mjerač/1.0', 'X-Empty': '' } },
    { target: `${series}2d` },
    { target: `${series}1h`, method: 'HEAD' },
    { target: '/1/stations/99/meta' },
    { target: '/jedan/stations' },
    { target: '/nema/ničega' },
    { target: '/health/live' },
    { target: '/health/ready?deep=1' },
  ];
}

/** Each by its name, with the length of the hidden request where one is stated. */
function headsOf(list: string): readonly (readonly [name: string, head: string])[] {
  const cases = [...namedCasesOf('malformed', list)];
  return cases.map(([name, head]) => [name, head.replaceAll('<length>', `${HIDDEN.length}`)]);
}

/** @param head bytes as latin-1 characters. */
function waysToSend(head: string): readonly (readonly [string, readonly Buffer[]])[] {
  const [bytes, hidden] = [Buffer.from(head, 'latin1'), Buffer.from(HIDDEN)];
  return [
    ['hidden in the same packet', [Buffer.concat([bytes, hidden])]],
    ['hidden in the next packet', [bytes, hidden]],
  ];
}

async function send(
  { port }: Service,
  chunks: readonly (string | Buffer)[],
  gapMs = 50,
): Promise<{ readonly text: string; readonly closed: boolean }> {
  const { received, closed } = await sendRaw(port, chunks, { gapMs, timeoutMs: LIMIT_MS });
  return { text: received.toString('latin1'), closed };
}

function statusesOf(text: string): readonly string[] {
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => status ?? '');
}

/** All of an answer but the clock. */
function comparable(answer: Answer): string {
  const { status, body } = answer;
  return JSON.stringify([status, fieldsWithoutDate(answer), body.toString('latin1')]);
}

const GOOD = [
  ...LEGACY_TARGETS,
  '/measurements?organization_id=1&station_id=1&component_id=8&window=30d',
  '/health/live',
  '/api/v1/metadata',
  '/api/v1/stations',
  '/api/v1/parameters',
  '/api/v1/stations?bbox=19,42,23,46',
  '/api/v1/observations?station_id=1',
  '/api/v1/observations/latest',
  '/api/v1/bulk',
  '/api/v1/bulk/stations.csv',
  '/legal/terms',
].map((target) =>
  requestBytes({ target, fields: { 'User-Agent': 'mjerač/1.0', 'X-Test': 'a, b; c="d"' } }),
);

const PIECES = casesOf('odd', 'put into a request');

/** The bytes that follow those before `at`. */
type Mutation = (bytes: Buffer, at: number, chance: Chance) => readonly Buffer[];

const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  // A bit, a byte and a few bytes; something put in; a piece twice; the end cut off.
  (bytes, at, { integer }) => [
    Buffer.of((bytes[at] ?? 0) ^ (1 << integer(8))),
    bytes.subarray(at + 1),
  ],
  (bytes, at, { integer }) => [Buffer.of(integer(256)), bytes.subarray(at + 1)],
  (bytes, at, { integer }) => [bytes.subarray(at + 1 + integer(4))],
  (bytes, at, { integer }) => [
    Buffer.from(PIECES[integer(PIECES.length)] ?? ''),
    bytes.subarray(at),
  ],
  (bytes, at, { integer }) => [bytes.subarray(at, at + integer(40)), bytes.subarray(at)],
  () => [],
];

function mutated(chance: Chance): Buffer {
  let bytes = GOOD[chance.integer(GOOD.length)] ?? Buffer.alloc(0);
  for (let times = 1 + chance.integer(3); times > 0; times -= 1) {
    const mutate = chance.oneOf(MUTATIONS);
    const at = chance.integer(bytes.length + 1);
    bytes = Buffer.concat([bytes.subarray(0, at), ...mutate(bytes, at, chance)]);
  }
  return bytes;
}

/** Whether these are the bytes that a good request for the same target gets. */
async function isAnswerOf(service: Service, request: Buffer, received: Buffer): Promise<boolean> {
  const [method, target = ''] = request.toString('latin1').split(/[ \r\n]/);
  const { status, body } = await askOnce(service, { target: Buffer.from(target, 'latin1') });
  const own = received.subarray(received.indexOf('\r\n\r\n') + 4);
  const rest = own.subarray(method === 'HEAD' ? 0 : body.length).toString('latin1');
  // Bytes after the request may be refused in the same packet.
  const isAlone = rest === '' || /^HTTP\/1\.1 (400|431|505) /.test(rest);
  // A long answer is cut off where more than its request has come: its length says so.
  const isOwn =
    method === 'HEAD' || own.subarray(0, body.length).equals(body.subarray(0, own.length));
  return status === 200 && isOwn && isAlone;
}
