/** Open files that are used up, in a front and in the supervisor, and a crowd at the doors for operators that would use them up. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import t from 'tap';
import { askInstance } from '../../../src/supervisor/lock/ask-instance.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import { monthDocument } from '../../support/documents/month-document.js';
import { scaled } from '../../support/faults/chance.js';
import { descriptorsOf, frontOf } from '../../support/faults/process-figures.js';
import { Connection, fieldOf, requestBytes } from '../../support/service/connection.js';
import { get } from '../../support/service/requests.js';
import { adminPortOf, answersOf, scrape, statusOf } from '../../support/service/scrape.js';
import { activated, publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { eventually, publish } from '../../support/service/service.js';

const FILES = 256;

const SERIES = 'station_id=1&component_id=8&window=7d';
const EXPORT = `/portal/export?organization_id=1&${SERIES}&format=`;

/** Each kind of answer that a thread makes, all of them for the first time; the first ones need files. */
const TARGETS = [
  '/',
  ...['csv', 'xlsx', 'ods'].map((format) => EXPORT + format),
  '/overview?language=en',
  '/api-docs/recipes',
  '/docs',
  '/legal/terms',
  '/portal/map.svg',
  `/portal/chart.png?${SERIES}`,
  `/portal/chart.svg?${SERIES}`,
  '/api/v1/observations.csv?layout=wide',
  '/api/v1/dcat',
  '/openapi.json',
  '/sitemap.xml',
  '/api/v1/snapshots',
  '/api/v1/observations/latest',
  '/api/v1/stations?municipality=beograd',
  '/health/ready?deep=1',
];

const service = await startServing(t, snapshotDocument({ snapshot_id: 'first' }), {
  wrap: ['sh', '-c', `ulimit -n ${FILES}; exec "$@"`, 'sh'],
  nodeArguments: ['--import', resolve('build/test/support/faults/used-up-files.js')],
  env: { ADMIN_PORT: '0', WORKER_THREADS: '1', EVENT_LISTENERS: '10' },
  expect: [
    'answer cannot be made',
    'front died',
    'store unreachable',
    'import failed',
    'local copy cannot be read',
    'store status cannot be saved',
    'archive incomplete',
  ],
});
const adminPort = await adminPortOf(service);

/** Has a process open all files that it may while something is done, then now and then for a moment, and then close them. */
async function withoutFiles(pid: number, doing: () => Promise<void>): Promise<void> {
  process.kill(pid, 'SIGUSR2');
  await eventually('all are open', async () => (await descriptorsOf(pid)) >= FILES);
  await doing();
  process.kill(pid, 'SIGURG');
  await eventually('some are closed', async () => (await descriptorsOf(pid)) < FILES);
  const isThere = pid === service.pid || (await frontOf(service)) === pid;
  if (isThere) process.kill(pid, 'SIGWINCH');
}

await t.test('what a front cannot open files for is 503, and right when it can', async (t) => {
  const connections = await Promise.all(TARGETS.map(() => Connection.open(service.port)));
  const pid = await frontOf(service);
  // Its thread has begun: a front that cannot start one is replaced.
  t.equal((await get(service, '/api/v1/stations?municipality=nis')).status, 200);
  await withoutFiles(pid, async () => {
    const failed: string[] = [];
    const ask = async (target: string, at: number): Promise<void> => {
      const answer = await connections[at]?.ask({ target });
      if (answer === undefined || answer.status === 200) return;
      failed.push(target);
      t.equal(answer.status, 503, target);
      if (!target.startsWith('/health')) t.match(fieldOf(answer, 'Retry-After'), /^[1-9]\d*$/);
    };
    await Promise.all(TARGETS.map(ask));
    for (const one of TARGETS.slice(0, 4)) t.ok(failed.includes(one), `${one} needs files`);
    t.equal(await frontOf(service), pid, 'it is the same front');
    t.match(
      (await service.waitForLog('answer cannot be made'))['reason'],
      /EMFILE|too many open files/,
    );
    await service.waitForLog(
      ({ msg, route, status }) =>
        msg === 'answered with an error' && route === '/' && status === 503,
    );
    await eventually('they are counted', async () => {
      return Number(answersOf((await scrape(service)).samples, '/')['503']) > 0;
    });
    for (const connection of connections) connection.close();
  });
  // A front that cannot start a thread anew is replaced, which cuts connections.
  await eventually('all is answered again', async () => {
    const answers = TARGETS.map((target) => get(service, target).catch(() => undefined));
    return (await Promise.all(answers)).every((answer) => answer?.status === 200);
  });
});

await t.test(
  'a supervisor that cannot open files goes on, and starts what it could not',
  async (t) => {
    const from = service.lines.length;
    await withoutFiles(service.pid, async () => {
      await publish(service, snapshotDocument({ snapshot_id: 'second' }));
      t.match((await service.waitForLog('store unreachable', from))['detail'], /EMFILE/);
      process.kill(await frontOf(service), 'SIGKILL');
      await service.waitForLog(
        ({ msg, reason }) =>
          msg === 'front died' && /cannot be started .*EMFILE/.test(String(reason)),
        from,
      );
    });
    await activated(service, { snapshot_id: 'second' }, from);
    await service.waitForLog('front replaced', from);
    t.equal((await get(service, '/meta')).headers['x-snapshot-id'], 'second');
    // A connection that comes while a file is missing for it is reset.
    const series = 'bura_process_starts_failed_total{process="front"}';
    await eventually('fronts that could not be started are counted', async () => {
      const scraped = await scrape(service).catch(() => undefined);
      return Number(scraped?.samples.get(series)) > 0;
    });
    await eventually('what has failed is said', async () => {
      const status = await statusOf(service).catch(() => undefined);
      const kinds = status?.failures.map(({ kind }) => kind) ?? [];
      return kinds.includes('front_died') && kinds.includes('store_unreachable');
    });
  },
);

await t.test('answers that are read from files leave room for connections', async (t) => {
  // Their bytes are more than the kernel holds for a client that does not read.
  const name = 'Merna stanica '.repeat(700);
  const document = monthDocument('texts');
  const stations = (document['stations'] as readonly object[]).map((station, at) => {
    return { ...station, station_name: `${name}${at}` };
  });
  await publishAndServe(service, { ...document, stations });
  const most = Number((await service.waitForLog('listening'))['file_answers_max']);
  const front = await frontOf(service);
  const target = '/api/v1/observations.csv?layout=wide';
  const whole = await get(service, target);
  const before = await descriptorsOf(front);

  const sockets = Array.from({ length: 160 }, (_, at) =>
    connect({ host: '127.0.0.1', port: service.port, localAddress: `127.0.0.${1 + (at % 20)}` })
      .on('error', () => undefined)
      .pause(),
  );
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  const heads = await Promise.all(
    sockets.map(async (socket) => {
      socket.write(requestBytes({ target }));
      await once(socket, 'readable');
      return String(socket.read());
    }),
  );
  const count = (head: RegExp): number => heads.filter((one) => head.test(one)).length;
  t.equal(count(/^HTTP\/1\.1 200 /), most, 'as many as there may be');
  const refused = count(/^HTTP\/1\.1 503 [^]*\r\nRetry-After: \d/i);
  t.equal(refused, heads.length - most, 'and the others are refused');
  t.ok((await descriptorsOf(front)) < FILES, 'some files are left');
  t.equal((await get(service, '/meta', { localAddress: '127.0.0.99' })).status, 200);

  for (const socket of sockets) socket.destroy();
  await eventually('files are closed', async () => (await descriptorsOf(front)) <= before);
  t.ok((await get(service, target)).body.equals(whole.body), 'all is answered again');
  t.equal(await frontOf(service), front, 'it is the same front');
});

await t.test('a crowd of silent connections keeps no operator out', async (t) => {
  const port = { host: '127.0.0.1', port: adminPort };
  const socket = { path: join(service.copies, '~admin.sock') };
  const crowd: Socket[] = [];
  t.teardown(() => {
    for (const one of crowd) one.destroy();
  });
  for (const [to, says] of [
    [port, ''],
    [port, 'GET /status HTTP/1.1\r\n'],
    [socket, ''],
    [socket, 'GET /sta'],
  ] as const) {
    let before: readonly Socket[] = [];
    for (let count = 0; count < scaled(200); count += 20) {
      const few = Array.from({ length: 20 }, () => connect(to).on('error', () => undefined));
      for (const one of few) if (one.connecting) await once(one, 'connect');
      for (const one of few) one.resume().write(says);
      // All of these are accepted when all earlier ones are cut.
      const earlier = before;
      await eventually('earlier ones are cut', async () => earlier.every(({ closed }) => closed));
      before = few;
      crowd.push(...few);
    }
  }
  const open = crowd.filter(({ closed }) => !closed).length;
  t.ok(open > 0 && open <= 4 * 20, `${open} are left`);
  t.equal((await askInstance(service.copies, '/status', 10_000)).kind, 'reply');
  t.equal((await get(port, '/health')).status, 200);

  await publishAndServe(service, snapshotDocument({ snapshot_id: 'third' }));
  const from = service.lines.length;
  process.kill(await frontOf(service), 'SIGKILL');
  await service.waitForLog('front replaced', from);
  t.equal((await get(service, '/meta')).headers['x-snapshot-id'], 'third');
});
