/** Writes to the disk and their order, as the kernel's calls show: flushes that fail, and names that come last. */
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { snapshotDocument, writeDocument } from '../../support/documents/documents.js';
import { runBura } from '../../support/service/command.js';
import { get } from '../../support/service/requests.js';
import { activated, startServing } from '../../support/service/serve-documents.js';
import { makeRoot, publish, startService } from '../../support/service/service.js';
import { traceInto } from '../support/strace.js';
import { straceRefusal } from '../../../tools/system.mjs';

const FIRST = snapshotDocument({ snapshot_id: 'first' });

const needsTrace = { skip: straceRefusal() ?? false };

void t.test('refuses a copy whose bytes do not reach the disk', needsTrace, async (t) => {
  const { root, ...first } = await startServing(t, FIRST);
  await first.stop();
  await publish({ root }, snapshotDocument({ snapshot_id: 'second' }), { activate: false });
  for (const call of ['fdatasync', 'fsync']) {
    const failing = ['-e', `trace=${call}`, '-e', `inject=${call}:error=EIO`];
    const { wrap } = traceInto(join(root, `${call}.trace`), failing);
    const service = await startService(t, { root, wrap, expect: ['import failed'] });
    await service.waitForLog('activated');
    await publish(service, snapshotDocument({ snapshot_id: `not-${call}` }));
    await service.waitForLog('import failed');
    t.equal(service.lines.filter(({ msg }) => msg === 'activated').length, 1, call);
    t.equal((await get(service, '/stations')).headers['x-snapshot-id'], 'first');
    await service.stop();
  }
  const mended = await startService(t, { root });
  await activated(mended, { snapshot_id: 'not-fsync' }, 0);
  t.equal((await get(mended, '/stations')).headers['x-snapshot-id'], 'not-fsync');
});

/** Whatever gives a file its bytes, its name or its place on the disk. */
const WRITES =
  'write,writev,pwrite64,pwritev,fsync,fdatasync,rename,renameat,renameat2,link,linkat';

void t.test('a copy is named when all of its bytes are on the disk', needsTrace, async (t) => {
  const root = await makeRoot(t);
  const trace = traceInto(join(root, 'trace'), ['-e', `trace=${WRITES}`]);
  await publish({ root }, FIRST);
  const service = await startService(t, { root, wrap: trace.wrap });
  await service.waitForLog('activated');
  await service.stop();
  const calls = await trace.lines();
  const last = (call: RegExp): number => calls.findLastIndex((line) => call.test(line));
  const named = last(/ rename\w*\("[^"]*\/~\d+-first", "[^"]*\/first~/);
  const steps = {
    written: last(/ p?write\w*\(\d+<[^>]*\/~\d+-first\/data\.mdb>/),
    flushed: last(/ fdatasync\(\d+<[^>]*\/~\d+-first\/data\.mdb>/),
    sealed: last(/ fsync\(\d+<[^>]*\/~\d+-first\/copy\.json>/),
    listed: last(/ fsync\(\d+<[^>]*\/~\d+-first>/),
    named,
    kept: last(/ fsync\(\d+<[^>]*\/local\/demo>/),
  };
  areInOrder(t, steps);
});

void t.test('a pointer moves only when its document is on the disk', needsTrace, async (t) => {
  const folder = t.testdir();
  const trace = traceInto(join(folder, 'trace'), ['-e', `trace=${WRITES}`]);
  const file = join(folder, 'document.json');
  await writeDocument(file, FIRST);
  const env = { SNAPSHOT_STORE: `file:${folder}/store` };
  t.equal((await runBura(['publish', file], { env, wrap: trace.wrap })).code, 0);
  const calls = await trace.lines();
  const last = (call: RegExp): number => calls.findLastIndex((line) => call.test(line));
  const steps = {
    written: last(/ write\w*\(\d+<[^>]*\/snapshots\/\.tmp-/),
    flushed: last(/ fsync\(\d+<[^>]*\/snapshots\/\.tmp-/),
    named: last(/ link\w*\(.*\/snapshots\/first\.json\.gz"/),
    kept: last(/ fsync\(\d+<[^>]*\/snapshots>/),
    pointerFlushed: last(/ fsync\(\d+<[^>]*\/demo\/[^>]*\/next>/),
    pointerMoved: last(/ rename\w*\(.*\/active\.json"/),
    pointerKept: last(/ fsync\(\d+<[^>]*\/demo>/),
  };
  areInOrder(t, steps);
});

/** Each step is there, by its place among the calls, and after the one before it. */
function areInOrder(t: Test, steps: Readonly<Record<string, number>>): void {
  const order = Object.values(steps);
  t.ok(Math.min(...order) >= 0, JSON.stringify(steps));
  t.strictSame(
    order,
    order.toSorted((a, b) => a - b),
    'in this order',
  );
}
