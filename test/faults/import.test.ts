/** Imports that are killed, meet a full or a broken disk: nothing of them is served, and the next one is whole. */
import { readdir, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import t, { type Test } from 'tap';
import {
  generateDocument,
  snapshotDocument,
  writeDocument,
} from '../support/documents/documents.js';
import { chanceOf, scaled } from '../support/faults/chance.js';
import { traceInto } from '../systems/support/strace.js';
import { runBura } from '../support/service/command.js';
import { waitForChild } from '../support/service/children.js';
import { get } from '../support/service/requests.js';
import { mountSmallDisk } from '../systems/support/small-disk.js';
import { startServing } from '../support/service/serve-documents.js';
import {
  eventually,
  makeRoot,
  publish,
  startService,
  type LogLine,
  type Service,
} from '../support/service/service.js';

const FIRST = snapshotDocument({ snapshot_id: 'first' });

const LARGE = { stations: 20, hours: 240 };

const endOf =
  (snapshotId: string) =>
  ({ msg, snapshot_id: id }: LogLine): boolean =>
    (msg === 'activated' || msg === 'import failed') && id === snapshotId;

async function serves(t: Test, service: Service, snapshotId: string): Promise<void> {
  const { status, headers } = await get(service, '/stations');
  t.same([status, headers['x-snapshot-id']], [200, snapshotId]);
}

/** Folders of copies in the making. */
async function unfinished({ copies }: Pick<Service, 'copies'>): Promise<readonly string[]> {
  return (await readdir(copies)).filter((name) => /^~\d/.test(name));
}

/** Whether some import has begun to write. */
async function isBegun(copies: string): Promise<boolean> {
  const names = await readdir(copies, { recursive: true });
  return names.some((name) => /^~\d+-.*\/data\.mdb$/.test(name));
}

void t.test(
  'killed at random moments, an import leaves nothing, and the next is whole',
  async (t) => {
    const chance = chanceOf(t);
    const service = await startServing(t, FIRST, { expect: ['import failed'] });
    let from = service.lines.length;
    await publish(service, generateDocument({ ...LARGE, snapshotId: 'measured' }));
    const { import_ms: importMs } = await service.waitForLog(endOf('measured'), from);
    let active = 'measured';
    let killed = 0;
    for (let turn = 0; turn < scaled(6); turn += 1) {
      const snapshotId = `killed-${turn}`;
      from = service.lines.length;
      await publish(service, generateDocument({ ...LARGE, snapshotId, seed: turn }));
      const { pid } = await waitForChild(service.pid, 'import-process.js');
      await after(chance.number() * Number(importMs));
      // It may be gone already.
      const wasKilled = kill(pid);
      const { msg } = await service.waitForLog(endOf(snapshotId), from);
      if (msg === 'activated') active = snapshotId;
      else killed += 1;
      t.ok(wasKilled || msg === 'activated', `${snapshotId}: ${msg}`);
      await serves(t, service, active);
      if (msg !== 'activated') t.same(await unfinished(service), []);
    }
    t.comment(`${killed} of ${scaled(6)} were killed before they had ended`);
    from = service.lines.length;
    await publish(service, snapshotDocument({ snapshot_id: 'last' }));
    await service.waitForLog(
      (line) => line.msg === 'activated' && line['snapshot_id'] === 'last',
      from,
    );
    await serves(t, service, 'last');
  },
);

void t.test(
  'killed in an import, the service starts on what it served, and imports again',
  async (t) => {
    const chance = chanceOf(t);
    const { root, ...first } = await startServing(t, FIRST);
    await first.kill();
    for (let turn = 0; turn < scaled(3); turn += 1) {
      const snapshotId = `new-${turn}`;
      const killed = await startService(t, { root });
      await killed.waitForLog('activated');
      await publish({ root }, generateDocument({ ...LARGE, snapshotId, seed: turn }));
      await killed.waitForLog('importing');
      await after(chance.number() * 1000);
      await killed.kill();

      const next = await startService(t, { root });
      await next.waitForLog(
        (line) => line.msg === 'activated' && line['snapshot_id'] === snapshotId,
      );
      await serves(t, next, snapshotId);
      t.same(await unfinished(next), []);
      await next.kill();
    }
  },
);

void t.test('serves on when the disk fills up while a copy is made', async (t) => {
  const chance = chanceOf(t);
  const root = await makeRoot(t);
  const disk = await mountSmallDisk(t, '24m');
  const copies = join(disk.folder, 'demo');
  const filler = join(disk.folder, 'filler');
  await publish({ root }, FIRST);
  const service = await startService(t, {
    root,
    env: { LOCAL_DIR: disk.folder },
    expect: ['import failed', 'store status cannot be written down'],
  });
  await service.waitForLog('activated');
  for (let turn = 0; turn < scaled(4); turn += 1) {
    const snapshotId = `full-${turn}`;
    const from = service.lines.length;
    // 10,000 rows, of which a copy may need 18 MB: as much is free when that is looked at, and later is not.
    await publish(service, generateDocument({ ...LARGE, hours: 100, snapshotId, seed: turn }));
    await eventually('a copy is being made', async () => await isBegun(copies));
    const { bavail, bsize } = await statfs(disk.folder);
    const leftBytes = chance.integer(1_000_000);
    // The import may have taken some of that room meanwhile: then the disk is full at once.
    const bytes = Buffer.alloc(Math.max(0, bavail * bsize - leftBytes));
    await writeFile(filler, bytes).catch(() => undefined);
    const ended = await service.waitForLog(endOf(snapshotId), from);
    t.match(ended, { msg: 'import failed', code: 'disk_full' }, `${leftBytes} bytes left`);
    await serves(t, service, 'first');
    await writeFile(filler, '');
    t.same(await unfinished({ copies }), []);
  }
  await publish(service, snapshotDocument({ snapshot_id: 'fits' }));
  await service.waitForLog((line) => line.msg === 'activated' && line['snapshot_id'] === 'fits');
  await serves(t, service, 'fits');
});

void t.test('refuses a copy whose bytes do not reach the disk', async (t) => {
  const { root, ...first } = await startServing(t, FIRST);
  await first.stop();
  await publish({ root }, snapshotDocument({ snapshot_id: 'second' }), { activate: false });
  for (const call of ['fdatasync', 'fsync']) {
    const failing = ['-e', `trace=${call}`, '-e', `inject=${call}:error=EIO`];
    const { wrap } = traceInto(join(root, `${call}.trace`), failing);
    const service = await startService(t, { root, wrap, expect: ['import failed'] });
    await service.waitForLog('activated');
    await publish(service, snapshotDocument({ snapshot_id: `not-${call}` }));
    await service.waitForLog(endOf(`not-${call}`));
    t.equal(service.lines.filter(({ msg }) => msg === 'activated').length, 1, call);
    await serves(t, service, 'first');
    await service.stop();
  }
  const mended = await startService(t, { root });
  await mended.waitForLog(
    (line) => line.msg === 'activated' && line['snapshot_id'] === 'not-fsync',
  );
  await serves(t, mended, 'not-fsync');
});

/** Whatever gives a file its bytes, its name or its place on the disk. */
const WRITES =
  'write,writev,pwrite64,pwritev,fsync,fdatasync,rename,renameat,renameat2,link,linkat';

void t.test('a copy has its name only when all of its bytes are on the disk', async (t) => {
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
  const order = Object.values(steps);
  t.ok(Math.min(...order) >= 0, JSON.stringify(steps));
  t.same(
    order,
    order.toSorted((a, b) => a - b),
    'in this order',
  );
});

void t.test('a pointer moves only when its document is on the disk', async (t) => {
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
    pointerFlushed: last(/ fsync\(\d+<[^>]*\/demo\/\.tmp-/),
    pointerMoved: last(/ rename\w*\(.*\/active\.json"/),
    pointerKept: last(/ fsync\(\d+<[^>]*\/demo>/),
  };
  const order = Object.values(steps);
  t.ok(Math.min(...order) >= 0, JSON.stringify(steps));
  t.same(
    order,
    order.toSorted((a, b) => a - b),
    'in this order',
  );
});

function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
