/** Clients that hurt by what they do or leave undone, a crowd of each kind: others are answered, and nothing stays. */
import { once } from 'node:events';
import { connect } from 'node:net';
import t from 'tap';
import { generateDocument, snapshotDocument } from '../support/documents/documents.js';
import { standBy } from '../support/service/steady-load.js';
import { scaled } from '../support/faults/chance.js';
import {
  anonymousBytesOf,
  descriptorsOf,
  frontOf,
  leasesOf,
} from '../support/faults/process-figures.js';
import { requestBytes } from '../support/service/connection.js';
import { get } from '../support/service/requests.js';
import { activated, startServing } from '../support/service/serve-documents.js';
import { eventually, inTime, publish, type Service } from '../support/service/service.js';

// Most of the first one is a wait for the library's own clock.
t.jobs = 2;

/** A connection on which nothing comes is closed after ten seconds, in steps of four; the test fails long after that. */
const KEPT_MS = 60_000;

const STREAM = '/api/v1/observations/stream';

/** Some 17,000 records, 5.5 MB: more than all buffers between a server and a client that does not read. */
const documentOf = (seed: number) =>
  generateDocument({ stations: 8, components: 3, hours: 720, snapshotId: `seed-${seed}`, seed });

/** Bytes of each client of a kind: at once, and then every second. */
type Slow = readonly [first: string, more: string];

const SLOW: readonly [Slow, ...Slow[]] = [
  ['', ''],
  ['GET /meta HTTP/1.1\r\nHost: h\r\n', ''],
  ['GET /meta HTTP/1.1\r\nHost: h\r\nX: ', 'a'],
  ['POST /meta HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n', 'a'],
];

void t.test('a crowd that sends nothing, or a byte a second, is cut off in time', async (t) => {
  const service = await startServing(t, snapshotDocument());
  const front = await frontOf(service);
  const [descriptors, bytes] = [await descriptorsOf(front), await anonymousBytesOf(front)];
  const bystander = standBy(service);
  const cutOff = Promise.all(
    Array.from({ length: scaled(300) }, (_, index) =>
      untilCutOff(service, SLOW[index % SLOW.length] ?? SLOW[0]),
    ),
  );
  await bystander.sees(50);
  t.ok((await descriptorsOf(front)) > descriptors, 'who asks is answered while the crowd is there');
  await inTime(cutOff, 'the last one to be cut off', KEPT_MS);
  const { answers, failures } = await bystander.end();
  t.same(failures, [], `${answers} answers to others`);
  await eventually('no socket is left', async () => (await descriptorsOf(front)) <= descriptors);
  const grown = (await anonymousBytesOf(front)) - bytes;
  t.ok(grown < 20_000_000, `${grown} bytes more than before`);
});

/** Resolves when the other side closes a connection on which that is sent. */
async function untilCutOff({ port }: Service, [first, more]: Slow): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined).resume();
  if (first !== '') socket.write(first);
  const timer = setInterval(() => {
    if (more !== '') socket.write(more);
  }, 1000);
  await new Promise((settle) => socket.once('close', settle));
  clearInterval(timer);
}

void t.test('of one front, one crowd after the other', async (t) => {
  const service = await startServing(t, documentOf(1), { env: { ADMIN_PORT: '0' } });
  const front = await frontOf(service);
  const noLease = async (): Promise<boolean> => (await leasesOf(service)) === 0;

  await t.test('crowds that read nothing hurt nobody, and cost little memory', async (t) => {
    const from = service.lines.length;
    await publish(service, documentOf(2));
    await activated(service, { snapshot_id: 'seed-2' }, from);
    const changes = '/api/v1/changes?since=seed-1&bbox=-180,-90,180,';
    const other = { localAddress: '127.0.0.2' };
    for (const [target, count] of [
      [() => STREAM, scaled(100)],
      // No two the same, so that each is made for its own client.
      [(at: number) => `${changes}${90 - at / 1000}`, scaled(50)],
    ] as const) {
      const whole = await get(service, target(0), other);
      t.ok(whole.body.length > 2_000_000, `${whole.body.length} bytes for each of them`);
      const before = await anonymousBytesOf(front);
      const sockets = Array.from({ length: count }, () =>
        connect({ host: '127.0.0.1', port: service.port })
          .on('error', () => undefined)
          .pause(),
      );
      const bystander = standBy(service);
      const statuses = await Promise.all(
        sockets.map(async (socket, at) => {
          socket.write(requestBytes({ target: target(at) }));
          await Promise.race([once(socket, 'readable'), once(socket, 'close')]);
          const head = /^HTTP\/1\.1 (?:503[^]*retry-after: \d|200)/i.exec(String(socket.read()));
          return head?.[0].slice(9, 12) ?? 'none';
        }),
      );
      t.ok(statuses.includes('200') && !statuses.includes('none'), [...new Set(statuses)].join());
      await bystander.sees(50);
      t.ok((await get(service, target(0), other)).body.equals(whole.body), 'who reads gets all');
      const { answers, failures } = await bystander.end();
      t.same(failures, [], `${answers} answers to others`);
      const grown = (await anonymousBytesOf(front)) - before;
      // The bodies themselves would be ten times as much.
      t.ok(grown < 50_000_000, `${grown} bytes more than before`);
      for (const socket of sockets) socket.destroy();
      await eventually('no lease is left', noLease);
    }
  });

  await t.test('clients that reset their connection under an answer end no front', async (t) => {
    const series = '/measurements?organization_id=1&station_id=1&component_id=1&window=30d';
    const { body } = await get(service, series);
    t.ok(body.length > 16 * 1024 && body.length < 64 * 1024, `${body.length} bytes, sent at once`);
    const request = requestBytes({ target: series });
    const resetUnderAnswer = async (): Promise<void> => {
      const socket = connect({ host: '127.0.0.1', port: service.port });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(request, () => socket.resetAndDestroy());
    };
    for (let crowd = 0; crowd < scaled(5); crowd += 1) {
      await Promise.all(Array.from({ length: 300 }, resetUnderAnswer));
    }
    t.equal((await get(service, '/health/live')).status, 200);
    t.equal(await frontOf(service), front, 'it is the same front');
  });
});
