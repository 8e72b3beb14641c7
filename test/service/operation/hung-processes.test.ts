/** Processes that hang, shown with SIGSTOP: a front, the supervisor, and a front that outlives its supervisor. */
import t from 'tap';
import { childrenOf, waitUntilGone } from '../../support/service/children.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import { get } from '../../support/service/requests.js';
import { activated, publishAndServe, startServing } from '../../support/service/serve-documents.js';
import { startService, storeOf, type Service } from '../../support/service/service.js';

const TWO_FRONTS = { FRONT_PROCESSES: '2', ADMIN_PORT: '0' };

const frontsOf = async ({ pid }: Service): Promise<readonly number[]> =>
  (await childrenOf(pid)).filter(({ script }) => script === 'front.js').map((child) => child.pid);

void t.test('a front that hangs is replaced, and no swap waits for it', async (t) => {
  const [first, second] = ['first', 'second'].map((id) => snapshotDocument({ snapshot_id: id }));
  const service = await startServing(t, first ?? {}, {
    env: TWO_FRONTS,
    expect: ['front hung', 'front died'],
  });
  await publishAndServe(service, second ?? {});
  const [victim = 0, other = 0] = await frontsOf(service);
  const from = service.lines.length;
  process.kill(victim, 'SIGSTOP');
  await storeOf(service).activate('first');
  const swap = await activated(service, first ?? {}, from);
  const hung = await service.waitForLog('front hung', from);
  t.equal(hung['front_pid'], victim);
  t.ok(service.lines.indexOf(swap) < service.lines.indexOf(hung), 'the swap was done before');
  t.match(await service.waitForLog('front died', from), { front_pid: victim, reason: 'SIGKILL' });
  await service.waitForLog('front replaced', from);
  await waitUntilGone([victim]);
  const fronts = await frontsOf(service);
  t.equal(fronts.length, 2);
  t.ok(fronts.includes(other), 'the other one is the same');
  for (let request = 0; request < 20; request += 1) {
    const { headers } = await get(service, '/meta');
    t.equal(headers['x-snapshot-id'], 'first', 'on a new connection each');
  }
  const { port } = await service.waitForLog('metrics listening');
  const metrics = (await get({ port: Number(port) }, '/metrics')).body.toString();
  t.match(metrics, 'bura_fronts_hung_total 1\n');
  t.same(await service.stop(), { code: 0, signal: null });
});

void t.test(
  'fronts serve on while the supervisor is stopped, and it kills none after',
  async (t) => {
    const service = await startServing(t, snapshotDocument(), {
      env: TWO_FRONTS,
      expect: ['supervisor silent'],
    });
    const before = await frontsOf(service);
    service.signal('SIGSTOP');
    await service.waitForLog('supervisor silent');
    t.equal((await get(service, '/meta')).status, 200);
    const from = service.lines.length;
    service.signal('SIGCONT');
    await service.waitForLog('supervisor heard again', from);
    const { port } = await service.waitForLog('metrics listening');
    const metrics = (await get({ port: Number(port) }, '/metrics')).body.toString();
    t.match(metrics, /bura_supervisor_silences_total [12]\n/);
    t.match(metrics, 'bura_fronts_hung_total 0\n');
    t.same(await frontsOf(service), before);
  },
);

void t.test('a supervisor ends the stopped front of one that was killed', async (t) => {
  const first = await startServing(t, snapshotDocument(), { env: TWO_FRONTS });
  const fronts = await frontsOf(first);
  const [stopped = 0] = fronts;
  process.kill(stopped, 'SIGSTOP');
  first.signal('SIGKILL');
  await waitUntilGone([first.pid]);

  const second = await startService(t, {
    root: first.root,
    env: { ...TWO_FRONTS, PORT: String(first.port) },
    expect: ['leftover front killed'],
  });
  t.match(await second.waitForLog('leftover front killed'), { front_pid: stopped });
  await waitUntilGone(fronts);
  await second.waitForLog('activated');
  for (let request = 0; request < 20; request += 1) {
    t.equal((await get(second, '/meta')).status, 200, 'on a new connection each');
  }
  t.same(await second.stop(), { code: 0, signal: null });
});
