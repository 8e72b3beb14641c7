/** Requests at random: odd ones get the predicted status, spoiled ones never the answer of another target, and nothing breaks. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { anyText } from '../../support/documents/any-text.js';
import { variedDocument } from '../../support/documents/varied-document.js';
import { expectedAnswers } from '../../support/expected/expected-answers.js';
import { predictedStatus } from '../../support/expected/predicted-status.js';
import { atLeast, type Chance, chanceOf, seedOf } from '../../support/faults/chance.js';
import { casesOf } from '../../support/readers/cases.js';
import {
  askOnce,
  Connection,
  fieldOf,
  requestBytes,
  type Answer,
} from '../../support/service/connection.js';
import { get, sendRaw } from '../../support/service/requests.js';
import type { Service } from '../../support/service/service.js';
import { sharedService } from '../../support/service/shared-service.js';

const CLIENTS = 4;
const REQUESTS_EACH = 1_200;

const SPOILED = 400;

/** With bytes as latin-1 characters, so that a counterexample can be read. */
interface Fuzzed {
  readonly method: string;
  readonly target: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Every field that an answer of ours may have: one more was smuggled in. */
const FIELDS = new Set(
  (
    'content-type content-length content-encoding etag cache-control last-modified vary x-snapshot-id date ' +
    'access-control-allow-origin access-control-expose-headers x-content-type-options uwebsockets retry-after ' +
    'allow x-record-count link content-disposition accept-ranges connection location x-ignored-parameters ' +
    'content-language content-security-policy cross-origin-opener-policy permissions-policy referrer-policy x-frame-options'
  ).split(' '),
);

const SERIES = '/measurements?organization_id=1&station_id=1&component_id=8&window=';

const STATUSES = [200, 304, 308, 400, 404, 422, 431];

void t.test('requests at random', async (t) => {
  const service = await sharedService();
  const known = new Set(expectedAnswers(variedDocument()).keys());

  await t.test('odd requests', async (t) => {
    const seen = new Map<number, number>();
    let predictions = 0;
    const seed = seedOf(t);
    const throwRequests = async (_: unknown, client: number): Promise<void> => {
      let connection = await Connection.open(service.port);
      const property = fc.asyncProperty(request(), async ({ target, ...rest }) => {
        if (connection.isClosed) connection = await Connection.open(service.port);
        const bytes = Buffer.from(target, 'latin1');
        const predicted = predictedStatus(bytes, known);
        const answer = await connection.ask({ ...rest, target: bytes });
        checkAnswer(answer, rest, predicted);
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
        predictions += predicted === undefined ? 0 : 1;
      });
      await fc.assert(property, { numRuns: atLeast(REQUESTS_EACH), seed: seed + client });
      connection.close();
    };
    await Promise.all(Array.from({ length: CLIENTS }, throwRequests));
    const total = [...seen.values()].reduce((sum, count) => sum + count, 0);
    t.ok(total >= CLIENTS * REQUESTS_EACH, JSON.stringify(Object.fromEntries(seen)));
    t.ok(predictions > total * 0.9, `${predictions} of them predicted`);
    // A slash at the end of a known path is rare.
    const others = STATUSES.filter((status) => status !== 308 || seen.has(308));
    t.same([...seen.keys()].toSorted(), others, 'every status came up');
  });

  await t.test('a mutated request is never answered with what another target is', async (t) => {
    const chance = chanceOf(t);
    const requests = Array.from({ length: atLeast(SPOILED) }, () => mutated(chance));
    const wrong: string[] = [];
    const statuses: Record<string, number> = {};
    // Then nothing more comes to what the library takes for half a request; `malformed.reads.ts` waits for its patience.
    const othersAnswered = (async (): Promise<void> => {
      for (let asked = 0; asked < 20; asked += 1) await get(service, '/legal/terms');
    })();
    await Promise.all(
      requests.map(async (bytes) => {
        const { received, closed } = await sendRaw(service.port, bytes, {
          until: isWholeAnswer,
          ends: othersAnswered,
          timeoutMs: 60_000,
        });
        const status = /^HTTP\/1\.1 (\d{3}) /.exec(received.toString('latin1'))?.[1] ?? 'closed';
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === 'closed' && !closed) wrong.push(`hangs: ${shown(bytes)}`);
        if (status === '500') wrong.push(`500: ${shown(bytes)}`);
        if (status === '200' && !(await isAnswerOf(service, bytes, received))) {
          wrong.push(`another's answer: ${shown(bytes)}`);
        }
      }),
    );
    t.same(wrong, [], JSON.stringify(statuses));
    t.match(Object.keys(statuses).join(), /200.*400.*closed/, JSON.stringify(statuses));
  });
});

function checkAnswer(
  answer: Answer,
  { method, fields }: Omit<Fuzzed, 'target'>,
  predicted: number | undefined,
): void {
  const { status } = answer;
  const mayBeKnown = fields !== undefined && predicted === 200;
  const allowed = mayBeKnown ? [200, 304] : predicted === undefined ? STATUSES : [predicted];
  assert(allowed.includes(status), `${status} instead of ${allowed.join(' or ')}`);
  const foreign = answer.fields.find(([name]) => !FIELDS.has(name.toLowerCase()));
  assert(foreign === undefined, `a field of its own: ${String(foreign)}`);
  // A request that is too long is refused by the library, which knows no JSON.
  if (status < 400 || status === 431 || method === 'HEAD') return;
  assert.equal(fieldOf(answer, 'content-type'), 'application/json');
  const body: unknown = JSON.parse(answer.body.toString('utf8'));
  assert(typeof body === 'object' && body !== null && 'detail' in body, 'an error without detail');
}

/** Bytes as latin-1 characters. */
const typed = (text: string): string => Buffer.from(text).toString('latin1');

const [ODD_VALUES, PUT_IN] = ['values of parameters', 'put into a path'].map((list) =>
  casesOf('odd', list).map(typed),
) as [string[], string[]];

function request(): fc.Arbitrary<Fuzzed> {
  const target = fc.oneof(
    { weight: 4, arbitrary: pathTarget() },
    { weight: 4, arbitrary: seriesTarget() },
    { weight: 1, arbitrary: readyTarget() },
    { weight: 2, arbitrary: mutatedTarget() },
  );
  const oddText = fc.string({
    unit: fc.constantFrom(...'W/ " * , ; = q 0 1 . gzip é š'.split(' '), ' '),
    maxLength: 30,
  });
  const fields = fc.record(
    {
      'If-None-Match': fc.oneof(oddText, fc.constant('*')),
      'If-Modified-Since': fc.oneof(oddText, fc.constant('Thu, 10 Sep 2026 00:00:00 GMT')),
      'Accept-Encoding': oddText,
      'User-Agent': oddText,
    },
    { requiredKeys: [] },
  );
  const method = fc.constantFrom('GET', 'GET', 'GET', 'HEAD');
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ target, fields, method }) },
    { weight: 1, arbitrary: fc.record({ target, method }) },
  );
}

/** What stands in place of one parameter: right ones, nearly right ones, and anything that can be typed. */
function word(): fc.Arbitrary<string> {
  const right = '0 1 2 7 8 9 4 -1 %31 1d 1h 7d'.split(' ');
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...right) },
    { weight: 5, arbitrary: fc.constantFrom(...ODD_VALUES) },
    { weight: 1, arbitrary: anyText({ maxLength: 12 }).map((text) => encodeURIComponent(text)) },
    { weight: 1, arbitrary: anyBytes(16) },
    { weight: 1, arbitrary: fc.bigInt().map(String) },
  );
}

/** Bytes that can stand in a request line and mean nothing in it; most are no UTF-8. */
function anyBytes(maxLength: number): fc.Arbitrary<string> {
  const byte = fc.oneof(fc.integer({ min: 0x21, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }));
  return fc.array(byte, { maxLength }).map((bytes) =>
    Buffer.from(bytes)
      .toString('latin1')
      .replaceAll(/[?&=/#]/g, ''),
  );
}

function pathTarget(): fc.Arbitrary<string> {
  const tail = fc.constantFrom('', '/meta', '/measurements/last_hour', '/measurements/last_24h');
  return fc.oneof(
    word().map((organization) => `/${organization}/stations`),
    fc.tuple(word(), word(), tail).map(([one, other, rest]) => `/${one}/stations/${other}${rest}`),
  );
}

/** One parameter and its value, now and then spelled or joined in another way. */
function pair(name: string, value: string): fc.Arbitrary<string> {
  const escaped = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
  return fc
    .tuple(
      fc.oneof(
        { weight: 30, arbitrary: fc.constant(name) },
        fc.constantFrom(escaped, name.toUpperCase(), `${name}%00`, ''),
      ),
      fc.oneof({ weight: 30, arbitrary: fc.constant('=') }, fc.constantFrom('', '==', '%3D')),
      fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, word()),
    )
    .map((parts) => parts.join(''));
}

/** Mostly the four parameters, some of them odd; in any order, repeated, absent, with others. */
function seriesTarget(): fc.Arbitrary<string> {
  const four = fc.tuple(
    pair('organization_id', '1'),
    pair('station_id', '1'),
    pair('component_id', '8'),
    pair('window', '1d'),
  );
  const other = fc.oneof(pair('window', '7d'), pair('station_id', '2'), pair('x', 'y'));
  const left = fc.oneof({ weight: 8, arbitrary: fc.constant(4) }, fc.integer({ min: 0, max: 3 }));
  return fc
    .tuple(four, fc.array(other, { maxLength: 2 }), left, fc.constantFrom('&', '&', '&&'))
    .chain(([pairs, others, count, joint]) =>
      fc
        .shuffledSubarray([...pairs.slice(0, count), ...others], { minLength: count })
        .map((parts) => `/measurements?${parts.map((part) => part + joint).join('')}`),
    );
}

function readyTarget(): fc.Arbitrary<string> {
  const deep = fc.constantFrom('true', 'TRUE', 'False', '1', '0', 'yes', '2', '');
  return fc.oneof(deep, word()).map((text) => `/health/ready?deep=${text}`);
}

/** Good paths with something put in, left out or escaped; and very long ones. */
function mutatedTarget(): fc.Arbitrary<string> {
  const good = fc.constantFrom<string>(
    '/meta',
    '/stations',
    '/components',
    '/1/stations',
    '/1/stations/1/meta',
    '/health/live',
    '/1/stations/1/measurements/last_24h',
    `${SERIES}30d`,
  );
  const inserted = fc.oneof(fc.constantFrom(...PUT_IN), anyBytes(4));
  const edit = fc.tuple(fc.nat(70), inserted, fc.nat(2));
  return fc.tuple(good, fc.array(edit, { minLength: 1, maxLength: 2 })).map(([path, edits]) =>
    edits.reduce((text, [at, put, leftOut]) => {
      // The slash at the beginning stays: without it there is no target at all.
      const from = 1 + (at % text.length);
      return text.slice(0, from) + put + text.slice(from + leftOut);
    }, path),
  );
}

const GOOD = [
  '/meta',
  '/organizations',
  '/networks',
  '/stations',
  '/components',
  '/1/stations',
  '/1/stations/1/meta',
  '/1/stations/1/measurements/last_24h',
  `${SERIES}1d`,
  `${SERIES}30d`,
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

/** What follows the bytes before `at`. */
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

function isWholeAnswer(received: Buffer): boolean {
  const end = received.indexOf('\r\n\r\n') + 4;
  const length = /content-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  return end > 3 && length !== undefined && received.length >= end + Number(length);
}

/** Whether these are the bytes that a good request for the same target gets. */
async function isAnswerOf(service: Service, request: Buffer, received: Buffer): Promise<boolean> {
  const [method, target = ''] = request.toString('latin1').split(/[ \r\n]/);
  const { status, body } = await askOnce(service, { target: Buffer.from(target, 'latin1') });
  const own = received.subarray(received.indexOf('\r\n\r\n') + 4);
  const rest = own.subarray(method === 'HEAD' ? 0 : body.length).toString('latin1');
  // What follows the request in its bytes may be refused in the same packet.
  const isAlone = rest === '' || /^HTTP\/1\.1 (400|431|505) /.test(rest);
  // A long answer is cut off where more than its request has come: its length says so.
  const isOwn =
    method === 'HEAD' || own.subarray(0, body.length).equals(body.subarray(0, own.length));
  return status === 200 && isOwn && isAlone;
}

function shown(request: Buffer): string {
  return JSON.stringify(request.toString('latin1'));
}
