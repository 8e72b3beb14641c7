/** Good requests, spoiled at random: each is refused, closed, or answered as the target that it then has. */
import t from 'tap';
import { snapshotDocument } from '../support/documents/documents.js';
import { chanceOf, scaled, type Chance } from '../support/faults/chance.js';
import { Connection, requestBytes } from '../support/service/connection.js';
import { sendRaw } from '../support/service/requests.js';
import { startServing } from '../support/service/serve-documents.js';
import type { Service } from '../support/service/service.js';

/** What is not answered by then is ended from here: how it is cut off otherwise is shown in `clients.test.ts`. */
const ANSWER_MS = 1000;

/** Longest wait for the other side's end of a connection that has ended on this one. */
const CLOSE_MS = 60_000;

const SERIES = '/measurements?organization_id=1&station_id=1&component_id=8&window=';

const GOOD = [
  ...['/meta', '/organizations', '/networks', '/stations', '/components', '/1/stations'],
  ...['/1/stations/1/meta', '/1/stations/1/measurements/last_24h', `${SERIES}1d`, `${SERIES}30d`],
  ...['/health/live', '/api/v1/metadata', '/api/v1/stations', '/api/v1/parameters'],
  ...['/api/v1/stations?bbox=19,42,23,46', '/api/v1/observations?station_id=1'],
  ...['/api/v1/observations/latest', '/api/v1/bulk', '/api/v1/bulk/stations.csv', '/legal/terms'],
].map((target) =>
  requestBytes({ target, fields: { 'User-Agent': 'mjerač/1.0', 'X-Test': 'a, b; c="d"' } }),
);

const PIECES = [
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  ' ',
  '\t',
  '\0',
  ':',
  '/',
  '?',
  '%',
  '%00',
  'HTTP/1.1',
  'ž',
];

type Mutation = (bytes: Buffer, at: number, chance: Chance) => readonly Buffer[];

const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  // A bit, a byte and a few bytes; something put in; a piece twice; the end cut off.
  (bytes, at, { integer }) => [
    bytes.subarray(0, at),
    Buffer.of((bytes[at] ?? 0) ^ (1 << integer(8))),
    bytes.subarray(at + 1),
  ],
  (bytes, at, { integer }) => [
    bytes.subarray(0, at),
    Buffer.of(integer(256)),
    bytes.subarray(at + 1),
  ],
  (bytes, at, { integer }) => [bytes.subarray(0, at), bytes.subarray(at + 1 + integer(4))],
  (bytes, at, { integer }) => [
    bytes.subarray(0, at),
    Buffer.from(PIECES[integer(PIECES.length)] ?? ''),
    bytes.subarray(at),
  ],
  (bytes, at, { integer }) => [bytes.subarray(0, at + integer(40)), bytes.subarray(at)],
  (bytes, at) => [bytes.subarray(0, at)],
];

function mutated(chance: Chance): Buffer {
  let bytes = GOOD[chance.integer(GOOD.length)] ?? Buffer.alloc(0);
  for (let times = 1 + chance.integer(3); times > 0; times -= 1) {
    const mutate = chance.oneOf(MUTATIONS);
    bytes = Buffer.concat(mutate(bytes, chance.integer(bytes.length + 1), chance));
  }
  return bytes;
}

void t.test('a mutated request is never answered with what another target is', async (t) => {
  const chance = chanceOf(t);
  const service = await startServing(t, snapshotDocument());
  const requests = Array.from({ length: scaled(400) }, () => mutated(chance));
  const wrong: string[] = [];
  const statuses: Record<string, number> = {};
  await Promise.all(
    requests.map(async (request) => {
      const { received, closed } = await sendRaw(service.port, request, {
        until: isWholeAnswer,
        endAfterMs: ANSWER_MS,
        timeoutMs: CLOSE_MS,
      });
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(received.toString('latin1'))?.[1] ?? 'closed';
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 'closed' && !closed) wrong.push(`hangs: ${shown(request)}`);
      if (status === '500') wrong.push(`500: ${shown(request)}`);
      if (status === '200' && !(await isAnswerOf(service, request, received))) {
        wrong.push(`another's answer: ${shown(request)}`);
      }
    }),
  );
  t.same(wrong, [], JSON.stringify(statuses));
  t.comment(JSON.stringify(statuses));
  t.same(await service.stop(), { code: 0, signal: null });
  t.equal(service.plainLines.length, 1, 'all that it logged is JSON');
});

function isWholeAnswer(received: Buffer): boolean {
  const end = received.indexOf('\r\n\r\n') + 4;
  const length = /content-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1];
  return end > 3 && length !== undefined && received.length >= end + Number(length);
}

/** Whether these are the bytes that a good request for the same target gets. */
async function isAnswerOf({ port }: Service, request: Buffer, received: Buffer): Promise<boolean> {
  const [method, target = ''] = request.toString('latin1').split(/[ \r\n]/);
  const connection = await Connection.open(port);
  try {
    const { status, body } = await connection.ask({ target: Buffer.from(target, 'latin1') });
    const own = received.subarray(received.indexOf('\r\n\r\n') + 4);
    return status === 200 && (method === 'HEAD' ? own.length === 0 : own.equals(body));
  } finally {
    connection.close();
  }
}

function shown(request: Buffer): string {
  return JSON.stringify(request.toString('latin1'));
}
