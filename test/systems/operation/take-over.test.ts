/** A take-over at each of whose messages either side is killed or hangs, and those that meet another one. */
import { once } from 'node:events';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import {
  failedTakeOver,
  faultBeforeEnd,
  hasEnded,
  servedId,
  takeOver,
} from '../../support/faults/take-over.js';
import { childrenOf } from '../../support/service/children.js';
import { get } from '../../support/service/requests.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
import {
  eventually,
  makeRoot,
  refusedService,
  startService,
  type Service,
} from '../../support/service/service.js';
import { startLoad } from '../../support/service/steady-load.js';

// Most of it is waiting.
t.jobs = 3;
const BESIDE = { buffered: true };

void t.test('a new one that is killed leaves the other one as it was', BESIDE, async (t) => {
  const service = await startServing(t, snapshotDocument({ snapshot_id: 'first' }));
  const load = startLoad(service, 2);
  const end = await failedTakeOver(t, service, faultBeforeEnd('self', 'SIGKILL'));
  t.equal(end.signal, 'SIGKILL');
  await publishAndServe(service, snapshotDocument({ snapshot_id: 'second' }));
  t.equal(await servedId(service), 'second');
  await load.more(20);
  await load.stop();
  t.same(load.failures, []);
});

void t.test(
  'an old one that is killed on the way leaves the new one serving',
  BESIDE,
  async (t) => {
    const service = await startServing(t, snapshotDocument());
    const next = await takeOver(t, service, faultBeforeEnd('other', 'SIGKILL'));
    t.same(await hasEnded(service), { code: null, signal: 'SIGKILL' });
    await next.waitForLog('activated');
    t.equal((await get(next, '/meta')).status, 200);
    t.same(await next.stop(), { code: 0, signal: null });
  },
);

void t.test('an old one that hangs is not taken over from', BESIDE, async (t) => {
  const service = await startServing(t, snapshotDocument(), { expect: ['supervisor silent'] });
  service.signal('SIGSTOP');
  const end = await failedTakeOver(t, service);
  t.equal(end.code, 1);
  t.match(end.stderr, /^bura: cannot take over from .* it does not answer; end it /);
  t.equal((await get(service, '/meta')).status, 200, 'its fronts go on');
  service.signal('SIGCONT');
  t.equal((await get(service, '/meta')).status, 200);
});

void t.test('an old one that hangs when it is to leave is killed', BESIDE, async (t) => {
  const service = await startServing(t, snapshotDocument(), { expect: ['supervisor silent'] });
  const late = 'has taken over, and killed the earlier instance, which did not end';
  const fault = faultBeforeEnd('other', 'SIGSTOP');
  const next = await takeOver(t, service, { ...fault, expect: [late] });
  t.match(await next.waitForLog(late), { from_pid: service.pid });
  t.same(await hasEnded(service), { code: null, signal: 'SIGKILL' });
  t.equal((await get(next, '/meta')).status, 200);
});

void t.test('of two at once one takes over, and the other one says why not', BESIDE, async (t) => {
  const service = await startServing(t, snapshotDocument());
  const first = takeOver(t, service, faultBeforeEnd('self', 'SIGSTOP'));
  let pid = 0;
  await eventually('it is stopped, right before it ends the other one', async () => {
    pid = (await stoppedTakeOver()) ?? 0;
    return pid !== 0;
  });
  const refused = async (running: Service): Promise<void> => {
    const end = await failedTakeOver(t, running);
    t.equal(end.code, 1);
    t.match(end.stderr, /^bura: cannot take over from .*: another one is taking over\n$/);
  };
  await Promise.all(Array.from({ length: 4 }, () => refused(service)));
  const ordinary = await refusedService(t, { root: service.root });
  t.match(ordinary.stderr, / is in use by another instance\n$/);
  process.kill(pid, 'SIGCONT');
  t.equal((await get(await first, '/meta')).status, 200);
  t.same(await hasEnded(service), { code: 0, signal: null });
});

void t.test('what serves nothing is taken over from, too', BESIDE, async (t) => {
  const service = await startService(t, { expect: ['unavailable'] });
  const next = await takeOver(t, service, { expect: ['unavailable'] });
  t.equal((await get(next, '/meta')).status, 503);
  t.same(await hasEnded(service), { code: 0, signal: null });
});

void t.test('a build that cannot be taken over from is told apart', BESIDE, async (t) => {
  const root = await makeRoot(t);
  const copies = join(root, 'local', 'demo');
  await mkdir(copies, { recursive: true });
  const older = createServer((_request, response) => response.end('{"format":99}'));
  older.listen(join(copies, '~lock-01234567'));
  await once(older, 'listening');
  await symlink('~lock-01234567', join(copies, '~admin.sock'));
  t.teardown(() => older.close());
  const end = await refusedService(t, { root, args: ['--take-over'] });
  t.equal(end.code, 1);
  t.match(
    end.stderr,
    /^bura: cannot take over from .* cannot be taken over from; stop it first\n$/,
  );
});

/** The one instance of this test that was to take over and is stopped by a signal. */
async function stoppedTakeOver(): Promise<number | undefined> {
  for (const { pid } of await childrenOf(process.pid)) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const isStopped = stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
    if (isStopped && command.split('\0').includes('--take-over')) return pid;
  }
  return undefined;
}
