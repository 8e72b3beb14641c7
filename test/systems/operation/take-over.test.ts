/** A take-over at each of whose messages either side is killed or hangs, and those that meet another one. */
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import {
  BROKEN_OFF,
  failedTakeOver,
  faultAt,
  hasEnded,
  servedId,
  takeOver,
} from '../../support/faults/take-over.js';
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
  const service = await startServing(t, snapshotDocument({ snapshot_id: 'first' }), {
    expect: [BROKEN_OFF],
  });
  const load = startLoad(service, 2);
  for (const message of ['ready', 'confirm']) {
    const from = service.lines.length;
    const end = await failedTakeOver(t, service, faultAt(message, 'before', 'SIGKILL'));
    t.equal(end.signal, 'SIGKILL', `killed before ${message}`);
    await service.waitForLog(BROKEN_OFF, from);
  }
  await publishAndServe(service, snapshotDocument({ snapshot_id: 'second' }));
  t.equal(await servedId(service), 'second', 'it follows again');
  await load.more(20);
  await load.stop();
  t.same(load.failures, []);
});

for (const [message, time] of [
  ['paused', 'after'],
  ['proceed', 'before'],
  ['left', 'before'],
] as const) {
  void t.test(`an old one that is killed ${time} "${message}"`, BESIDE, async (t) => {
    const service = await startServing(t, snapshotDocument(), faultAt(message, time, 'SIGKILL'));
    const next = await takeOver(t, service);
    t.same(await hasEnded(service), { code: null, signal: 'SIGKILL' }, 'leaves the new one');
    await next.waitForLog('activated');
    t.equal((await get(next, '/meta')).status, 200);
    t.same(await next.stop(), { code: 0, signal: null });
  });
}

const hangs = (message: string, expect: readonly string[]) => ({
  ...faultAt(message, 'before', 'SIGSTOP'),
  expect: ['supervisor silent', ...expect],
});

void t.test('an old one that hangs before it has agreed is not left alone', BESIDE, async (t) => {
  const service = await startServing(t, snapshotDocument(), hangs('proceed', [BROKEN_OFF]));
  const end = await failedTakeOver(t, service);
  t.equal(end.code, 1);
  t.match(end.stderr, /^bura: the running instance does not answer/);
  t.equal((await get(service, '/meta')).status, 200, 'its fronts go on');
  service.signal('SIGCONT');
  await service.waitForLog(BROKEN_OFF);
  t.equal((await get(service, '/meta')).status, 200);
});

void t.test('an old one that hangs when it leaves is left to end later', BESIDE, async (t) => {
  const service = await startServing(t, snapshotDocument(), hangs('left', []));
  const late = 'has taken over, but the earlier instance does not end';
  const next = await takeOver(t, service, { expect: [late] });
  t.match(await next.waitForLog(late), { from_pid: service.pid });
  service.signal('SIGCONT');
  t.same(await hasEnded(service), { code: 0, signal: null });
  t.equal((await get(next, '/meta')).status, 200);
});

void t.test('of two at once one takes over, and the other one says why not', BESIDE, async (t) => {
  const service = await startServing(t, snapshotDocument());
  const first = takeOver(t, service, faultAt('take-over', 'after', 'SIGSTOP'));
  const { by_pid: pid } = await service.waitForLog('another instance takes over');
  await waitUntilStopped(Number(pid));
  const refused = async (running: Service): Promise<void> => {
    const end = await failedTakeOver(t, running);
    t.equal(end.code, 1);
    t.match(end.stderr, /^bura: cannot take over from .*: another one is taking over\n$/);
  };
  // They meet both of the others in an order that is random; the one that is stopped says nothing.
  await Promise.all(Array.from({ length: 4 }, () => refused(service)));
  const ordinary = await refusedService(t, { root: service.root });
  t.match(ordinary.stderr, / is in use by another instance\n$/);
  process.kill(Number(pid), 'SIGCONT');
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
  const older = createServer((socket) => socket.destroy()).listen(join(copies, '~lock-01234567'));
  await once(older, 'listening');
  t.teardown(() => older.close());
  const end = await refusedService(t, { root, args: ['--take-over'] });
  t.equal(end.code, 1);
  t.match(
    end.stderr,
    /^bura: cannot take over from .* cannot be taken over from; stop it first\n$/,
  );
});

async function waitUntilStopped(pid: number): Promise<void> {
  await eventually('it is stopped', async () => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  });
}
