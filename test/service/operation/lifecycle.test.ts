/** The life of the service: it starts, is refused what others have, and ends without cutting an answer. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { frontsOf } from '../../support/faults/process-figures.js';
import { waitUntilGone } from '../../support/service/children.js';
import { largeOrganizations, snapshotDocument } from '../../support/documents/documents.js';
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

t.jobs = 2;

const UNAVAILABLE = { detail: 'Active snapshot is not available or incompatible.' };

/** Requests a large answer, and reads nothing of it until told. */
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
    const ready = await getJson(service, '/health/ready');
    t.equal(ready.status, 503);
    t.match(ready.body, { status: 'error', check: 'ready', ...UNAVAILABLE });

    await publish(service, snapshotDocument());
    t.match(await service.waitForLog('activated'), {
      snapshot_id: '20260910T000000Z-test',
      import_ms: Number,
      publish_to_visible_ms: Number,
    });
    t.equal((await getJson(service, '/health/ready')).status, 200);
    t.notOk(
      service.lines.some(({ msg }) => msg === 'request'),
      'no access is logged by default',
    );
    t.same(await service.stop(), { code: 0, signal: null });
    t.same(service.plainLines, [`bura listening on ${service.url}`]);
    t.equal(service.stderr(), '');
    t.same(
      service.lines.slice(-2).map(({ msg }) => msg),
      ['draining', 'stopped'],
    );
  },
);

void t.test('lets answers finish when it is told to end, and takes no new ones', async (t) => {
  const service = await startServing(t, largeOrganizations());
  const whole = await get(service, '/organizations');
  t.ok(whole.body.length > 8_000_000);

  const socket = await askAndStall(service, '/organizations');
  service.signal('SIGTERM');
  await service.waitForLog('draining');
  await eventually('nobody listens', async () =>
    get(service, '/health/live').then(
      () => false,
      () => true,
    ),
  );
  t.ok((await frontsOf(service)).length > 0, 'whoever has an answer under way stays');
  const received = await readToEnd(socket);
  const head = received.indexOf('\r\n\r\n') + 4;
  t.ok(received.subarray(head).equals(whole.body), 'to the last byte');
  t.same(await inTime(service.ended, 'the end'), { code: 0, signal: null });
});

void t.test('a second signal ends it at once', async (t) => {
  const service = await startServing(t, largeOrganizations());
  const fronts = await frontsOf(service);
  const socket = await askAndStall(service, '/organizations');
  socket.on('error', () => undefined);
  service.signal('SIGTERM');
  await service.waitForLog('draining');
  service.signal('SIGINT');
  t.same(await inTime(service.ended, 'the end'), { code: 1, signal: null });
  await waitUntilGone(fronts);
  socket.destroy();
});

void t.test('refuses a port and a directory that others have, until they are dead', async (t) => {
  const first = await startService(t, { expect: ['unavailable'] });
  const { root } = first;
  const second = await refusedService(t, { env: { PORT: String(first.port) } });
  t.equal(second.code, 1);
  const taken = `cannot listen on 127.0.0.1:${first.port}: the port is taken`;
  t.equal(second.stderr, `bura: ${taken}\n`);
  const beside = await refusedService(t, { root });
  t.equal(beside.code, 1);
  t.match(beside.stderr, /^bura: .*\/local\/demo is in use by another instance\n$/);
  t.equal((await get(first, '/health/live')).status, 200);
  await first.kill();
  const third = await startService(t, { root, expect: ['unavailable'] });
  t.same(await third.stop(), { code: 0, signal: null });
});

void t.test('refuses a local directory that is the store, and removes nothing', async (t) => {
  const root = await makeRoot(t);
  await publish({ root }, snapshotDocument());
  const refused = await refusedService(t, { root, env: { LOCAL_DIR: join(root, 'store') } });
  t.equal(refused.code, 2);
  t.match(refused.stderr, /^bura: LOCAL_DIR is ".*": expected a folder apart from .*\n$/);
  t.same(await readdir(join(root, 'store', 'demo')), ['active.json', 'snapshots']);
});

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
