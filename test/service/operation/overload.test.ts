/**
 * Clients with many requests, which stay or go: other clients are served fairly, and jobs without clients are dropped.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { generateDocument } from '../../support/documents/documents.js';
import { Connection, fieldOf, requestBytes } from '../../support/service/connection.js';
import { get } from '../../support/service/requests.js';
import { activate, eventually, publish, type Service } from '../../support/service/service.js';
import { scrape } from '../../support/service/scrape.js';
import { activated, startServing } from '../../support/service/serve-documents.js';

const ATTACKER = '127.0.0.1';
const OTHER = '127.0.0.2';

const SIZE = { stations: 4, components: 3, hours: 48 };
const env = { ADMIN_PORT: '0', WORKER_THREADS: '1', POINTER_POLL_SECONDS: '0.05' };

/** Counters of worker jobs. */
async function jobsOf(service: Service) {
  const { samples } = await scrape(service);
  const count = (what: string): number => samples.get(`bura_jobs_${what}_total`) ?? NaN;
  return { started: count('started'), abandoned: count('abandoned') };
}

/** Asks for each target on a connection of its own, from these addresses in turn. */
async function askEach(
  service: Service,
  targets: readonly string[],
  from: readonly string[] = [ATTACKER],
): Promise<readonly Socket[]> {
  const { port } = service;
  const sockets = targets.map((_, at) => {
    const localAddress = from[at % from.length];
    const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
    return socket.on('error', () => undefined);
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const [at, socket] of sockets.entries()) {
    socket.write(requestBytes({ target: targets[at] ?? '/' }));
  }
  await untilRead(service);
  return sockets;
}

/** Asks for pages, no two the same, and resets all connections before they can be answered. */
async function askAndGo(service: Service, count: number, name: string): Promise<void> {
  const targets = Array.from({ length: count }, (_, at) => `/?q=${name}${at}`);
  for (const socket of await askEach(service, targets)) socket.resetAndDestroy();
}

/** Resolves when the service has read what was written to other connections before: it answers this at once. */
async function untilRead(service: Service): Promise<void> {
  const connection = await Connection.open(service.port, OTHER);
  await connection.ask({ target: '/meta' });
  connection.close();
}

const service = await startServing(t, generateDocument({ ...SIZE, snapshotId: 'first' }), { env });

await t.test('what varies without end takes nothing from what everybody asks for', async (t) => {
  const connection = await Connection.open(service.port, OTHER);
  const ask = async (target: string, fields = {}) => await connection.ask({ target, fields });
  const page = (await ask('/')).body.toString();
  const [map = ''] = /\/portal\/map\.svg\?theme=light&amp;v=[0-9a-f]+/.exec(page) ?? [];
  const hot = [
    '/',
    '/robots.txt',
    '/api/v1/dcat',
    '/?component_id=1',
    map.replace('&amp;', '&'),
    '/api/v1/observations.csv?layout=wide',
    '/api/v1/snapshots',
    '/portal/map.svg',
  ];
  for (const target of [...hot, ...hot, ...hot]) t.equal((await ask(target)).status, 200, target);
  const attacker = await Connection.open(service.port, ATTACKER);
  const noise: readonly ((at: number) => readonly [target: string, fields?: object])[] = [
    (at) => [`/?_=${at}`],
    (at) => [`/api/v1/stations?_=${at}`],
    (at) => ['/', { 'Accept-Language': `x-${at}` }],
    (at) => ['/', { Host: `h${at}.example` }],
    (at) => ['/robots.txt', { Host: `h${at}.example` }],
    (at) => [`/portal/map.svg?theme=light&v=${at}`],
    (at) => [`/api/v1/observations.csv?layout=wide&to=2026-01-01T00:00:00.${at}Z`],
  ];
  for (const vary of noise) {
    for (let at = 0; at < 150; at += 1) {
      const [target, fields = {}] = vary(at);
      const { status } = await attacker.ask({ target, fields: { ...fields } });
      if (status !== 200) t.fail(`${status} to ${target}`);
    }
  }
  const before = await jobsOf(service);
  for (const target of hot) t.equal((await ask(target)).status, 200);
  t.equal((await jobsOf(service)).started, before.started, 'all of it is still at hand');
  for (const one of [connection, attacker]) one.close();
});

await t.test('pages are not rendered for clients that have gone', async (t) => {
  const before = await jobsOf(service);
  await askAndGo(service, 300, 'gone');
  const connection = await Connection.open(service.port, OTHER);
  t.equal((await connection.ask({ target: '/?q=other' })).status, 200);
  const jobs = await jobsOf(service);
  const started = jobs.started - before.started;
  // Jobs whose clients went before their turn to be parsed are not counted at all.
  t.ok(jobs.abandoned > 0, JSON.stringify({ before, jobs }));
  // Three with a machine of its own: those that began before their clients went.
  t.ok(started < 150, `${started} started`);
  connection.close();
});

await t.test('beside a crowd of readers a quick answer waits for what is running', async (t) => {
  const crowd = Array.from({ length: 32 }, (_, at) => `127.0.1.${1 + at}`);
  const slow = [
    (at: number) => `/?q=crowd${at}`,
    (at: number) => `/portal/chart.png?station_id=1&width=${600 + at}`,
    (at: number) => `/portal/station-modal?station_id=1&q=crowd${at}`,
  ];
  const quick: readonly ((at: number) => string)[] = [
    (at) => `/portal/chart.svg?station_id=1&width=${500 + at}`,
    (at) => `/api/v1/observations/latest?bbox=-180,-90,${100 + at},90`,
    (at) => `/api/v1/stations?bbox=-180,-90,${100 + at},90`,
  ];
  const targets = Array.from({ length: 2 * crowd.length }, (_, at) => slow[at % 3]?.(at) ?? '/');
  let answered = 0;
  const sockets = await askEach(service, targets, crowd);
  for (const socket of sockets) {
    socket.on('data', (bytes: Buffer) => {
      if (bytes.toString('latin1').startsWith('HTTP/1.1 200 ')) answered += 1;
    });
  }
  const connection = await Connection.open(service.port, OTHER);
  const waitedFor = async (target: string): Promise<number> => {
    const before = answered;
    t.equal((await connection.ask({ target })).status, 200, target);
    return answered - before;
  };
  // A client that has had a page waits as long as others.
  await waitedFor('/?q=beside-crowd');
  for (let at = 0; at < 4; at += 1) {
    for (const target of quick) {
      const others = await waitedFor(target(at));
      // The one that is running, and another whose answer has not been read yet.
      t.ok(others <= 2, `${others} of the crowd before ${target(at)}`);
    }
  }
  t.ok(answered < targets.length, 'some of the crowd still wait');
  connection.close();
  for (const socket of sockets) socket.destroy();
  await untilRead(service);
});

await t.test(
  'who asks for the longest jobs in loops has two before an answer of another',
  async (t) => {
    const size = { stations: 40, components: 5, hours: 200 };
    for (const [seed, snapshotId] of ['long-1', 'long-2'].entries()) {
      const from = service.lines.length;
      await publish(service, generateDocument({ ...size, snapshotId, seed }));
      await activated(service, { snapshot_id: snapshotId }, from);
    }
    let asked = 0;
    /** Selects the same each time, and no answer to an earlier one is used. */
    const box = (): string => `bbox=-180,-90,180,${80 + (asked += 1) / 1e6}`;
    const longest = [
      () => `/api/v1/observations.csv?layout=wide&${box()}`,
      () => `/api/v1/changes?since=long-1&${box()}`,
    ];
    for (const target of longest) {
      const over = new AbortController();
      let answered = 0;
      // One after the other on each of six connections: first come, first served would be six before another.
      const loops = Array.from({ length: 6 }, async () => {
        const attacker = await Connection.open(service.port, ATTACKER);
        while (!over.signal.aborted) {
          const fields = { 'Accept-Encoding': 'gzip' };
          t.equal((await attacker.ask({ target: target(), fields })).status, 200);
          answered += 1;
        }
        attacker.close();
      });
      await eventually('each loop has had an answer', async () => answered >= loops.length);
      const before: number[] = [];
      for (let at = 0; at < 9; at += 1) {
        const answeredBefore = answered;
        const own = `/api/v1/observations.csv?layout=wide&station_id=1,2,3,4,5,6&${box()}`;
        t.equal((await get(service, own, { localAddress: OTHER })).status, 200);
        before.push(answered - answeredBefore);
      }
      over.abort();
      await Promise.all(loops);
      t.comment(`${before.join(', ')} of ${target()} before an answer of another`);
      const sum = before.reduce((all, count) => all + count, 0);
      t.ok(sum <= 2 * before.length, `${before.join(', ')} of ${target()}`);
    }
  },
);

await t.test('after a swap under a flood others are answered all the same', async (t) => {
  const over = new AbortController();
  const flood = (async (): Promise<void> => {
    for (let at = 0; !over.signal.aborted; at += 1) await askAndGo(service, 50, `flood-${at}-`);
  })();
  for (const id of ['first', 'long-2', 'first']) {
    const from = service.lines.length;
    await activate(service, id);
    await activated(service, { snapshot_id: id }, from);
    // A kept one is closed where a swap takes longer than connections may be silent.
    const connection = await Connection.open(service.port, OTHER);
    const answer = await connection.ask({ target: '/' });
    connection.close();
    t.strictSame([answer.status, fieldOf(answer, 'x-snapshot-id')], [200, id]);
  }
  over.abort();
  await flood;
  t.same(await service.stop(), { code: 0, signal: null });
});
