/** Full and read-only disks: the active snapshot stays, stored files stay, and no partial file is left. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, rmdir, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import t, { type Test } from 'tap';
import {
  generateDocument,
  snapshotDocument,
  writeDocument,
} from '../../support/documents/documents.js';
import { serves, unfinished } from '../../support/faults/after-import.js';
import { chanceOf, scaled } from '../../support/faults/chance.js';
import { runBura } from '../../support/service/command.js';
import { leftovers, verifiedActiveId } from '../../support/service/published.js';
import { activated } from '../../support/service/serve-documents.js';
import { get } from '../../support/service/requests.js';
import {
  eventually,
  makeRoot,
  publish,
  startService,
  type LogLine,
} from '../../support/service/service.js';
import { findMountNamespace, mountRefusal } from '../../../tools/system.mjs';

const needsMount = { skip: mountRefusal() ?? false };

/** Mounts the disk, makes it read-only at the first line of input, and ends with the input. */
const SCRIPT = `mount -t tmpfs -o "size=$1" tmpfs "$0" && echo mounted &&
  read -r line && mount -o remount,bind,ro "$0" && echo read-only && read -r line`;

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

void t.test('an import on a full disk fails, and the service goes on', needsMount, async (t) => {
  const chance = chanceOf(t);
  const root = await makeRoot(t);
  const disk = await mountSmallDisk(t, '24m');
  const copies = join(disk.folder, 'demo');
  const filler = join(disk.folder, 'filler');
  await publish({ root }, snapshotDocument({ snapshot_id: 'first' }));
  const env = { LOCAL_DIR: disk.folder };
  const expect = ['import failed', 'store status cannot be saved'];
  const service = await startService(t, { root, env, expect });
  await service.waitForLog('activated');
  /** Leaves that much of the disk free; an import may take some of it meanwhile, and then it is full at once. */
  const fill = async (leftBytes: number): Promise<void> => {
    const bytes = Buffer.alloc(Math.max(0, (await freeBytes(disk.folder)) - leftBytes));
    await writeFile(filler, bytes).catch(() => undefined);
  };
  // The first one meets a disk that is too full before it begins.
  for (let turn = 0; turn <= scaled(4); turn += 1) {
    const snapshotId = `full-${turn}`;
    const leftBytes = chance.integer(1_000_000);
    if (turn === 0) await fill(leftBytes);
    // 10,000 rows, of which a copy may need 18 MB: enough is free at the check, and later not.
    const large = generateDocument({ stations: 20, hours: 100, snapshotId, seed: turn });
    await publish(service, large);
    if (turn > 0) {
      await eventually('an import has begun to write', async () => {
        const names = await readdir(copies, { recursive: true });
        return names.some((name) => /^~\d+-.*\/data\.mdb$/.test(name));
      });
      await fill(leftBytes);
    }
    const failed = await service.waitForLog(
      ({ msg, snapshot_id: id }: LogLine) => /^activated|failed$/.test(msg) && id === snapshotId,
    );
    t.match(failed, { msg: 'import failed', code: 'disk_full' }, `${leftBytes} bytes left`);
    await serves(t, service, 'first');
    await rm(filler);
    t.same(await unfinished({ copies }), []);
  }
  await publish(service, snapshotDocument({ snapshot_id: 'fits' }));
  await activated(service, { snapshot_id: 'fits' }, 0);
  await serves(t, service, 'fits');
});

void t.test('long answers give way to an import', needsMount, async (t) => {
  const root = await makeRoot(t);
  const disk = await mountSmallDisk(t, '64m');
  const copies = join(disk.folder, 'demo');
  const large = { stations: 25, components: 2, hours: 200 };
  await publish({ root }, generateDocument({ ...large, snapshotId: 'begin', seed: 9 }));
  const service = await startService(t, { root, env: { LOCAL_DIR: disk.folder } });
  await service.waitForLog('activated');
  for (const [seed, snapshotId] of ['first', 'second', 'third'].entries()) {
    const from = service.lines.length;
    await publish(service, generateDocument({ ...large, snapshotId, seed }));
    await activated(service, { snapshot_id: snapshotId }, from);
    const [copy] = (await readdir(copies)).filter((name) => name.startsWith(snapshotId));
    const texts = join(copies, copy ?? '', 'texts');
    const target = '/api/v1/observations.csv?layout=wide&radius_m=1000000&lat=44&lon=20';
    t.equal((await get(service, target)).status, 200);
    t.equal((await readdir(texts)).length, 1);
    // Many more of them, until an import cannot find the 18 MB that it looks for.
    for (let at = 0; (await freeBytes(disk.folder)) > 12_000_000; at += 1)
      await writeFile(join(texts, `${at}.gz`), Buffer.alloc(2_000_000));
    t.equal((await get(service, target)).status, 200, 'the one that is read most lately stays');
  }
});

void t.test('a publish into a full or read-only store fails', needsMount, async (t) => {
  const disk = await mountSmallDisk(t, '64k');
  const namespace = join(disk.folder, 'store/demo');
  const elsewhere = t.testdir();
  const bura = (...parameters: readonly string[]) =>
    runBura(parameters, { env: { SNAPSHOT_STORE: `file:${disk.folder}/store` } });
  const small = async (snapshotId: string): Promise<string> => {
    const path = join(elsewhere, `${snapshotId}.json.gz`);
    await writeDocument(path, snapshotDocument({ snapshot_id: snapshotId }));
    return path;
  };
  t.equal((await bura('publish', await small('old'))).code, 0);
  const large = join(elsewhere, 'large.json.gz');
  await writeDocument(large, generateDocument({ hours: 720, snapshotId: 'large' }));
  const other = ['moved', 'code', 'unit'].flatMap((name) => ['--allow', name]);
  const stderr = /^bura: cannot write snapshots\/large\.json\.gz in file:.*ENOSPC.*\n$/;
  t.match(await bura('publish', large, ...other), { code: 1, stderr });
  t.equal(await verifiedActiveId(namespace), 'old');
  t.strictSame(await leftovers(namespace), []);
  const isListed = { code: 0, stdout: /^old\t[^\n]*\n$/ };
  t.match(await bura('list'), isListed, 'and nothing else');
  await disk.makeReadOnly();
  t.match(await bura('list'), isListed);
  t.equal((await bura('verify', 'old')).code, 0);
  const refused = { code: 1, stderr: /^bura: cannot write .* in file:.*\n$/ };
  t.match(await bura('publish', await small('young')), refused);
  t.match(await bura('activate', 'old'), refused);
});

/** Mounts a disk of that size (`64k`, `4m`): a tmpfs in a mount namespace, which needs no root. */
async function mountSmallDisk(t: Test, size: string) {
  const [program = '', ...options] = findMountNamespace() ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'bura-small-'));
  const words = [...options, 'sh', '-c', SCRIPT, folder, size];
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.stdin.end();
    await ended;
    await rmdir(folder);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const said = async (line: string): Promise<void> => {
    if ((await lines.next()).value !== line) throw new Error(`the disk is not ${line}`);
  };
  await said('mounted');
  return {
    folder: `/proc/${child.pid}/root${folder}`,
    makeReadOnly: async (): Promise<void> => {
      child.stdin.write('\n');
      await said('read-only');
    },
  };
}
