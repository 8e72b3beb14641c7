/** The life of the service: it starts, loses a front, its supervisor, its port; it ends without cutting an answer. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { childrenOf, waitForChild, waitUntilGone } from '../../support/service/children.js';
import {
  generateDocument,
  snapshotDocument,
  type PlainDocument,
} from '../../support/documents/documents.js';
import { get, getJson } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';
import {
  eventually,
  inTime,
  makeRoot,
  publish,
  refusedService,
  startService,
  type Service,
} from '../../support/service/service.js';

const UNAVAILABLE = { detail: 'Active snapshot is not available or incompatible.' };

/** Answers of `/organizations` that no socket's buffers hold: some 12 MB. */
function largeDocument(): PlainDocument {
  const { organizations } = snapshotDocument();
  const list: readonly unknown[] = Array.isArray(organizations) ? organizations : [];
  const description = 'šumadija '.repeat(1000);
  const more = Array.from({ length: 1200 }, (_, index) => ({
    organization_id: 100 + index,
    name: `Organizacija ${index}`,
    short_name: `O${index}`,
    description,
  }));
  return snapshotDocument({ snapshot_id: 'large', organizations: [...list, ...more] });
}

const frontsOf = async ({ pid }: Service): Promise<readonly number[]> =>
  (await childrenOf(pid)).filter(({ script }) => script === 'front.js').map((child) => child.pid);

/** Asks for a large answer, and reads nothing of it until told. */
async function askAndStall(service: Service, path: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: service.port });
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`);
  socket.pause();
  await once(socket, 'readable'); // its first bytes are here, so that the answer has begun
  return socket;
}

async function readToEnd(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await inTime(once(socket, 'close'), 'the end of a large answer');
  return Buffer.concat(chunks);
}

void t.test(
  'says once that it listens, answers 503 without a snapshot, 200 with one',
  async (t) => {
    const service = await startService(t, { expect: ['unavailable'] });
    t.same((await getJson(service, '/health/live')).body, { status: 'ok', check: 'live' });
    await service.waitForLog('unavailable');
    const meta = await getJson(service, '/meta');
    t.equal(meta.status, 503);
    t.same(meta.body, UNAVAILABLE);
    const ready = await getJson(service, '/health/ready');
    t.equal(ready.status, 503);
    t.match(ready.body, { status: 'error', check: 'ready', ...UNAVAILABLE });

    await publish(service, snapshotDocument());
    t.match(await service.waitForLog('activated'), {
      snapshot_id: '20260910T000000Z-test',
      import_ms: Number,
      publish_to_visible_ms: Number,
    });
    const later = await getJson(service, '/meta');
    t.equal(later.status, 200);
    t.equal(later.headers['x-snapshot-id'], '20260910T000000Z-test');
    t.match((await getJson(service, '/health/ready')).body, {
      status: 'ok',
      snapshot_id: '20260910T000000Z-test',
    });
    t.same(await service.stop(), { code: 0, signal: null });
    t.same(service.plainLines, [`bura listening on ${service.url}`]);
    t.equal(service.stderr(), '');
    t.same(
      service.lines.slice(-2).map(({ msg }) => msg),
      ['draining', 'stopped'],
    );
  },
);

void t.test('all fronts share the port and swap', async (t) => {
  const first = snapshotDocument({ snapshot_id: 'first' });
  const service = await startServing(t, first, { env: { FRONT_PROCESSES: '2' } });
  t.equal((await frontsOf(service)).length, 2);
  await publish(service, snapshotDocument({ snapshot_id: 'second' }));
  await service.waitForLog((line) => line.msg === 'activated' && line['snapshot_id'] === 'second');
  const answers = await Promise.all(Array.from({ length: 40 }, () => get(service, '/meta')));
  t.same(new Set(answers.map(({ headers }) => headers['x-snapshot-id'])), new Set(['second']));
  t.same(await service.stop(), { code: 0, signal: null });
});

void t.test('replaces a killed front within a second, while the other one answers', async (t) => {
  const service = await startServing(t, snapshotDocument(), {
    env: { FRONT_PROCESSES: '2' },
    expect: ['front died'],
  });
  const before = await frontsOf(service);
  const [victim = 0] = before;
  process.kill(victim, 'SIGKILL');
  const died = await service.waitForLog('front died');
  t.match(died, { front_pid: victim, reason: 'SIGKILL' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => get(service, '/meta')));
  t.ok(answers.every(({ status }) => status === 200));
  const replaced = await service.waitForLog('front replaced');
  const milliseconds = Number(replaced['milliseconds']);
  t.ok(milliseconds < 1000, `listens after ${milliseconds} ms`);
  const after = await frontsOf(service);
  t.equal(after.length, 2);
  t.notOk(after.includes(victim));

  const [other = 0] = before.filter((pid) => pid !== victim);
  const from = service.lines.length;
  process.kill(other, 'SIGKILL');
  await service.waitForLog('front died', from);
  t.equal((await get(service, '/meta')).status, 200, 'the new one serves the snapshot too');
  await service.waitForLog('front replaced', from);
});

void t.test('its fronts end when the supervisor is killed', async (t) => {
  const service = await startServing(t, snapshotDocument());
  const { root } = service;
  const fronts = await frontsOf(service);
  await service.kill();
  await waitUntilGone(fronts);
  await t.rejects(get(service, '/meta'), { code: 'ECONNREFUSED' });

  const next = await startService(t, { root });
  await next.waitForLog('activated');
  t.notOk(
    next.lines.some(({ msg }) => msg === 'importing'),
    'its copy is served again',
  );
});

void t.test('an import ends when the supervisor is killed, or told to end', async (t) => {
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    const service = await startService(t, { expect: ['unavailable'] });
    await publish(service, generateDocument({ stations: 20, hours: 720 }));
    await service.waitForLog('importing');
    await waitForChild(service.pid, 'import-process.js');
    const children = await childrenOf(service.pid);
    const end = await (signal === 'SIGKILL' ? service.kill() : service.stop());
    if (signal === 'SIGTERM') t.same(end, { code: 0, signal: null });
    await waitUntilGone(children.map(({ pid }) => pid));
    await publish(service, snapshotDocument());
    const next = await startService(t, { root: service.root });
    await next.waitForLog('activated');
    const left = await readdir(service.copies);
    t.notOk(
      left.some((name) => /^~\d/.test(name)),
      'nothing is left of the first one',
    );
    await next.stop();
  }
});

void t.test('lets answers finish when it is told to end, and takes no new ones', async (t) => {
  const service = await startServing(t, largeDocument());
  const whole = await get(service, '/organizations');
  t.ok(whole.body.length > 8_000_000);

  const socket = await askAndStall(service, '/organizations');
  service.signal('SIGTERM');
  await service.waitForLog('draining');
  const received = await readToEnd(socket);
  const head = received.indexOf('\r\n\r\n') + 4;
  t.ok(received.subarray(head).equals(whole.body), 'to the last byte');
  t.same(await inTime(service.ended, 'the end'), { code: 0, signal: null });
});

void t.test('a second signal ends it at once', async (t) => {
  const service = await startServing(t, largeDocument());
  const fronts = await frontsOf(service);
  const socket = await askAndStall(service, '/organizations');
  socket.on('error', () => undefined);
  service.signal('SIGTERM');
  await service.waitForLog('draining');
  service.signal('SIGINT');
  t.same(await inTime(service.ended, 'the end', 5000), { code: 1, signal: null });
  await waitUntilGone(fronts);
  socket.destroy();
});

void t.test('refuses a port that is taken, by a stranger or by another instance', async (t) => {
  const stranger = createServer().listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  t.teardown(() => stranger.close());
  const { port } = addressOf(stranger.address());
  const refused = await refusedService(t, { env: { PORT: String(port) } });
  t.equal(refused.code, 1);
  t.equal(refused.stderr, `bura: cannot listen on 127.0.0.1:${port}: the port is taken\n`);

  const first = await startService(t, { expect: ['unavailable'] });
  const second = await refusedService(t, { env: { PORT: String(first.port) } });
  t.equal(second.code, 1);
  t.match(second.stderr, /the port is taken\n$/);
  t.equal((await get(first, '/health/live')).status, 200);
});

void t.test(
  'refuses a local directory that another instance has, until that one is dead',
  async (t) => {
    const first = await startService(t, { expect: ['unavailable'] });
    const { root } = first;
    const second = await refusedService(t, { root });
    t.equal(second.code, 1);
    t.match(second.stderr, /^bura: .*\/local\/demo is in use by another instance\n$/);
    const elsewhere = await startService(t, {
      env: { LOCAL_DIR: `${root}/other` },
      root,
      expect: ['unavailable'],
    });
    await elsewhere.stop();

    await first.kill();
    const third = await startService(t, { root, expect: ['unavailable'] });
    t.same(await third.stop(), { code: 0, signal: null });
  },
);

void t.test(
  'refuses a local directory that is the store, before it removes anything',
  async (t) => {
    const root = await makeRoot(t);
    await publish({ root }, snapshotDocument());
    const refused = await refusedService(t, { root, env: { LOCAL_DIR: join(root, 'store') } });
    t.equal(refused.code, 2);
    t.match(refused.stderr, /^bura: LOCAL_DIR is ".*": expected a folder apart from .*\n$/);
    t.same(await readdir(join(root, 'store', 'demo')), ['active.json', 'snapshots']);
  },
);

void t.test('says in one line that a library was installed for another Node', async (t) => {
  for (const [library, reason] of [
    ['lmdb', 'lmdb was compiled against'],
    ['uws', 'This version of uWS.js'],
  ] as const) {
    const mismatch = `process.dlopen = ((load) => function (module, path, ...more) {
      if (path.includes('${library}') || '${library}' === 'uws' && path.includes('@uwsjs')) {
        throw new Error('${library} was compiled against a different Node.js version\\nusing another one');
      }
      return load.call(process, module, path, ...more);
    })(process.dlopen)`;
    const hook = `data:text/javascript,${encodeURIComponent(mismatch)}`;
    const refused = await refusedService(t, { env: { NODE_OPTIONS: `--import=${hook}` } });
    t.equal(refused.code, 1);
    t.match(
      refused.stderr,
      /^bura: a library cannot be loaded; run npm ci with the Node that runs the service, v.*\n$/,
    );
    t.match(refused.stderr, reason);
    t.equal(refused.stderr.split('\n').length, 2, refused.stderr);
  }
});

void t.test('counts what it does, for 127.0.0.1 only', async (t) => {
  const root = await makeRoot(t);
  await publish({ root }, snapshotDocument());
  const service = await startService(t, { root, env: { ADMIN_PORT: '0' } });
  await service.waitForLog('activated');
  await get(service, '/meta');
  await get(service, '/meta', { headers: { 'If-None-Match': '*' } });
  await get(service, '/1/stations/99/meta');
  const { port } = await service.waitForLog('metrics listening');
  const metrics = () => get({ port: Number(port) }, '/metrics');
  // What is asked for most often is planned in the background after a swap.
  await eventually('nobody reads a snapshot', async () =>
    (await metrics()).body.toString().includes('bura_leases 0\n'),
  );
  const { body, headers } = await metrics();
  t.match(headers['content-type'], /^text\/plain; version=0\.0\.4/);
  const text = body.toString();
  for (const line of [
    'bura_snapshot_served 1',
    'bura_snapshot_generated_at_seconds 1788998400',
    'bura_store_reachable 1',
    'bura_swaps_total 1',
    'bura_import_seconds_count 1',
    'bura_fronts_alive 1',
    'bura_fronts_replaced_total 0',
    'bura_http_requests_total{route="/meta",status="200"} 1',
    'bura_http_requests_total{route="/meta",status="304"} 1',
    'bura_http_requests_total{route="/{organization_id}/stations/{station_id}/meta",status="404"} 1',
  ]) {
    t.ok(text.includes(`${line}\n`), line);
  }
  t.equal((await get({ port: Number(port) }, '/')).status, 404);
});

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('not an internet address');
  return address;
}
