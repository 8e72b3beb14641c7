/** Clients that ask for much, and stay or go: others are answered in their turn, and nothing is made that nobody waits for. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { EXPORT_FORMATS, EXPORT_WINDOWS } from '../../../src/views/export-table.js';
import { generateDocument } from '../../support/documents/documents.js';
import { Connection, fieldOf, requestBytes } from '../../support/service/connection.js';
import { activate, eventually, publish, type Service } from '../../support/service/service.js';
import { scrape, sumOf } from '../../support/service/scrape.js';
import { activated, startServing } from '../../support/service/serve-documents.js';

const ATTACKER = '127.0.0.1';
const OTHER = '127.0.0.2';

const SIZE = { stations: 4, components: 3, hours: 48 };
const env = { ADMIN_PORT: '0', WORKER_THREADS: '1', POINTER_POLL_SECONDS: '0.05' };

type Jobs = Readonly<Record<'started' | 'abandoned' | 'refused', number>>;

/** Counters of worker jobs. */
async function jobsOf(service: Service): Promise<Jobs> {
  const { samples } = await scrape(service);
  const count = (what: string): number => samples.get(`bura_jobs_${what}_total`) ?? NaN;
  return { started: count('started'), abandoned: count('abandoned'), refused: count('refused') };
}

/** Connections of the attacker. */
async function connections(service: Service, count: number): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    connect({ host: '127.0.0.1', port: service.port, localAddress: ATTACKER, noDelay: true }),
  );
  for (const socket of sockets) socket.on('error', () => undefined);
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

/** Asks for a page on each connection, no two the same, and resets all of them before they can be answered. */
async function askAndGo(service: Service, count: number, name: string): Promise<void> {
  const sockets = await connections(service, count);
  for (const [at, socket] of sockets.entries()) {
    socket.write(requestBytes({ target: `/?q=${name}${at}` }));
  }
  await untilRead(service);
  for (const socket of sockets) socket.resetAndDestroy();
}

/** Resolves when the service has read what was written to other connections before: it answers this at once. */
async function untilRead(service: Service): Promise<void> {
  const connection = await Connection.open(service.port, OTHER);
  await connection.ask({ target: '/meta' });
  connection.close();
}

const service = await startServing(t, generateDocument({ ...SIZE, snapshotId: 'first' }), { env });

await t.test('pages are not rendered for clients that have gone', async (t) => {
  const before = await jobsOf(service);
  await askAndGo(service, 300, 'gone');
  const connection = await Connection.open(service.port, OTHER);
  t.equal((await connection.ask({ target: '/?q=other' })).status, 200);
  const jobs = await jobsOf(service);
  const started = jobs.started - before.started;
  // Those whose clients went before their turn to be parsed are not counted at all.
  t.ok(jobs.abandoned > 0, JSON.stringify({ before, jobs }));
  // Three where the cores are its own: those that were begun before their clients went.
  t.ok(started < 150, `${started} started`);
  connection.close();
});

await t.test('who asks for much delays nobody else by more than his turn', async (t) => {
  const pages = Array.from({ length: 100 }, (_, at) => `/?q=much${at}`);
  const files = Array.from({ length: SIZE.stations * SIZE.components }, (_, at) =>
    EXPORT_WINDOWS.flatMap((window) =>
      EXPORT_FORMATS.map(
        (format) =>
          `/portal/export?organization_id=1&station_id=${1 + (at % SIZE.stations)}` +
          `&component_id=${1 + Math.floor(at / SIZE.stations)}&window=${window}&format=${format}`,
      ),
    ),
  ).flat();
  for (const [name, targets] of Object.entries({ pages, files })) {
    const sockets = await connections(service, targets.length);
    let answered = 0;
    for (const [at, target] of targets.entries()) {
      sockets[at]?.on('data', (bytes: Buffer) => {
        if (bytes.toString('latin1').startsWith('HTTP/1.1 200 ')) answered += 1;
      });
      sockets[at]?.write(requestBytes({ target }));
    }
    await untilRead(service);
    const connection = await Connection.open(service.port, OTHER);
    const before = answered;
    t.equal((await connection.ask({ target: `/?q=beside-${name}` })).status, 200);
    t.ok(answered - before < 20, `${answered - before} of the ${name} meanwhile`);
    connection.close();
    for (const socket of sockets) socket.destroy();
    await untilRead(service);
  }
  await eventually('no job is under way', async () => {
    const { samples } = await scrape(service);
    return sumOf(samples, 'bura_job_run_seconds_count') === samples.get('bura_jobs_started_total');
  });
});

await t.test('after a swap under a flood others are answered all the same', async (t) => {
  await publish(service, generateDocument({ ...SIZE, snapshotId: 'second', seed: 2 }));
  await activated(service, { snapshot_id: 'second' }, 0);
  const connection = await Connection.open(service.port, OTHER);
  const over = new AbortController();
  const flood = (async (): Promise<void> => {
    for (let at = 0; !over.signal.aborted; at += 1) await askAndGo(service, 50, `flood-${at}-`);
  })();
  for (const id of ['first', 'second', 'first', 'second']) {
    const from = service.lines.length;
    await activate(service, id);
    await activated(service, { snapshot_id: id }, from);
    const answer = await connection.ask({ target: '/' });
    t.equal(answer.status, 200);
    t.equal(fieldOf(answer, 'x-snapshot-id'), id);
  }
  over.abort();
  await flood;
  connection.close();
  t.same(await service.stop(), { code: 0, signal: null });
});
