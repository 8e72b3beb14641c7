/** The life of the service: it starts, is refused what others have, and ends without cutting an answer. */
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { frontsOf } from '../../support/faults/process-figures.js';
import { waitUntilGone } from '../../support/service/children.js';
import { largeOrganizations, snapshotDocument } from '../../support/documents/documents.js';
import { beginAnswer, get, getJson } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';
import {
  eventually,
  inTime,
  publish,
  refusedService,
  startService,
} from '../../support/service/service.js';

t.jobs = 2;

void t.test('says once that it listens, and logs each step of its life', async (t) => {
  const service = await startService(t, { expect: ['unavailable'] });
  t.same((await getJson(service, '/health/live')).body, { status: 'ok', check: 'live' });
  await service.waitForLog('unavailable');
  await publish(service, snapshotDocument());
  t.match(await service.waitForLog('activated'), {
    snapshot_id: '20260910T000000Z-test',
    import_ms: Number,
    publish_to_visible_ms: Number,
  });
  t.equal((await getJson(service, '/health/ready')).status, 200);
  t.same(await service.stop(), { code: 0, signal: null });
  const said = service.lines.map(({ msg }) => msg);
  t.notOk(said.includes('request'), 'no access is logged by default');
  t.same(said.slice(-2), ['draining', 'stopped']);
  t.same(service.plainLines, [`bura listening on ${service.url}`]);
  t.equal(service.stderr(), '');
});

void t.test('lets answers finish when it is told to end, and takes no new ones', async (t) => {
  const service = await startServing(t, largeOrganizations());
  const whole = await get(service, '/organizations');
  t.ok(whole.body.length > 8_000_000);
  const headers = { Connection: 'keep-alive' };
  const answer = await beginAnswer(service, '/organizations', { headers });
  service.signal('SIGTERM');
  await service.waitForLog('draining');
  await eventually('nobody listens', async () =>
    get(service, '/health/live').then(
      () => false,
      () => true,
    ),
  );
  t.ok((await frontsOf(service)).length > 0, 'whoever has an answer under way stays');
  const received = await inTime(buffer(answer), 'the end of a large answer');
  t.ok(received.equals(whole.body), 'to the last byte');
  t.same(await inTime(service.ended, 'the end'), { code: 0, signal: null });
});

void t.test('a second signal ends it at once', async (t) => {
  const service = await startServing(t, largeOrganizations());
  const fronts = await frontsOf(service);
  const answer = await beginAnswer(service, '/organizations');
  answer.on('error', () => undefined);
  service.signal('SIGTERM');
  await service.waitForLog('draining');
  service.signal('SIGINT');
  t.same(await inTime(service.ended, 'the end'), { code: 1, signal: null });
  await waitUntilGone(fronts);
});

void t.test('refuses a port and a directory that others have, until they are dead', async (t) => {
  const first = await startService(t, { expect: ['unavailable'] });
  const { root } = first;
  const taken = `cannot listen on 127.0.0.1:${first.port}: the port is taken`;
  const second = await refusedService(t, { env: { PORT: String(first.port) } });
  t.same(second, { code: 1, signal: null, stderr: `bura: ${taken}\n` });
  t.match(await refusedService(t, { root }), {
    code: 1,
    stderr: /^bura: .*\/local\/demo is in use by another instance\n$/,
  });
  t.equal((await get(first, '/health/live')).status, 200);
  await first.kill();
  const third = await startService(t, { root, expect: ['unavailable'] });
  t.same(await third.stop(), { code: 0, signal: null });
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
