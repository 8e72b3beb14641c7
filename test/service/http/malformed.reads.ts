/** Right requests, mutated, and cut in two anywhere. What is malformed by a rule: `rules.reads.ts`. */
import t from 'tap';
import { atLeast, chanceOf, type Chance } from '../../support/faults/chance.js';
import { casesOf } from '../../support/readers/cases.js';
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

/** The library keeps a client that sends nonsense, or nothing, for some twelve seconds; a busy machine takes longer. */
const LIMIT_MS = 60_000;

void t.test('a mutated request is never answered with what another target is', async (t) => {
  const service = await sharedService();
  const chance = chanceOf(t);
  const requests = Array.from({ length: atLeast(400) }, () => mutated(chance));
  const wrong: string[] = [];
  const statuses = new Set<string>();
  // Then the library gets no more bytes for half a request.
  const othersAnswered = (async (): Promise<void> => {
    for (let asked = 0; asked < 20; asked += 1) await get(service, '/legal/terms');
  })();
  const send = async (bytes: Buffer): Promise<void> => {
    const options = { ends: othersAnswered, timeoutMs: LIMIT_MS };
    const { received, closed } = await sendRaw(service.port, bytes, options);
    const status = /^HTTP\/1\.1 (\d{3}) /.exec(received.toString('latin1'))?.[1] ?? 'closed';
    statuses.add(status);
    const isRight = status !== '200' || (await isAnswerOf(service, bytes, received));
    if (closed && status !== '500' && isRight) return;
    wrong.push(`${status}: ${JSON.stringify(bytes.toString('latin1'))}`);
  };
  await Promise.all(requests.map(send));
  t.same(wrong, []);
  t.match([...statuses].toSorted().join(), /200.*400.*closed/);
});

void t.test('a request is answered alike wherever it is cut in two', async (t) => {
  const service = await sharedService();
  for (const text of casesOf('rules', 'cut in two')) {
    const bytes = Buffer.from(text, 'latin1');
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
    t.same(different, [], `${text}: ${whole.status}, ${cuts.length} cuts`);
  }
});

/** All of an answer but the clock. */
function comparable(answer: Answer): string {
  const { status, body } = answer;
  return JSON.stringify([status, fieldsWithoutDate(answer), body.toString('latin1')]);
}

const GOOD = [...LEGACY_TARGETS, ...casesOf('targets', 'to mutate')].map((target) =>
  requestBytes({ target, fields: { 'User-Agent': 'mjerač/1.0', 'X-Test': 'a, b; c="d"' } }),
);

const PIECES = casesOf('odd', 'put into a request');

/** The bytes that follow those before `at`. */
type Mutation = (bytes: Buffer, at: number, chance: Chance) => readonly Buffer[];

const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  // A byte and a few bytes; something put in; a piece twice; the end cut off.
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
