/** Behaviour of the file store alone: layout, orphans, and codes of failures (common behaviour: `stores.unit.ts`). */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import t from 'tap';
import { temporaryPath } from '../../../../src/files/durable-file.js';
import { codeOf, newSnapshot } from '../../../support/stores/new-snapshot.js';
import { writableStore } from '../../../support/stores/open-writable.js';
import { spawnedAndGone } from '../../../support/service/children.js';

const storeIn = (root: string) => writableStore({ address: `file:${root}`, keyPrefix: 'sepa' });

const inNamespace = (root: string, ...path: string[]) => join(root, 'sepa', ...path);

void t.test('a root that goes and comes back has no moment without its pointer', async (t) => {
  const root = join(t.testdir(), 'store');
  const store = storeIn(root);
  await store.store(newSnapshot('a'));
  await store.activate('a');
  const found = new Set<string>();
  const read = async (): Promise<void> => {
    const code = await codeOf(store.readPointer().then(({ kind }) => found.add(kind)));
    if (code !== 'done') found.add(code);
  };
  for (let round = 0; round < 60; round += 1) {
    const reads = Array.from({ length: 8 }, read);
    await rename(root, `${root}.away`);
    reads.push(...Array.from({ length: 8 }, read));
    await rename(`${root}.away`, root);
    await Promise.all(reads);
  }
  // How many find it away is luck, but none may find it there and empty.
  found.delete('store_unreachable');
  t.strictSame([...found], ['pointer']);
});

void t.test('stores documents and the pointer in the documented layout', async (t) => {
  const root = t.testdir();
  const store = storeIn(root);
  const snapshot = newSnapshot('a');
  await store.store(snapshot);
  const pointer = await store.activate('a');
  t.strictSame(JSON.parse(await readFile(inNamespace(root, 'active.json'), 'utf8')), {
    snapshot_id: 'a',
    schema_version: '1.2.0',
    document: 'snapshots/a.json.gz',
    size_bytes: snapshot.sizeBytes,
    sha256: snapshot.sha256,
    activated_at: new Date(pointer.activatedAtMs).toISOString(),
  });
  const bytes = await readFile(inNamespace(root, 'snapshots/a.json.gz'));
  t.strictSame(bytes, await buffer(snapshot.open()));
  t.strictSame(await readdir(inNamespace(root)), ['active.json', 'snapshots']);
  t.strictSame(await readdir(inNamespace(root, 'snapshots')), ['a.json.gz']);
});

void t.test('files of the dead and of long ago are orphans', async (t) => {
  const root = t.testdir();
  const store = storeIn(root);
  await store.store(newSnapshot('a'));
  const snapshots = inNamespace(root, 'snapshots');
  const mine = temporaryPath(snapshots);
  const dead = mine.replace(`-${process.pid}-`, `-${await spawnedAndGone()}-`);
  const elsewhere = mine.replace(/\.tmp-[0-9a-f]{8}/, '.tmp-00000000');
  const old = elsewhere.replace(/[0-9a-f]{12}$/, '0'.repeat(12));
  for (const path of [mine, dead, elsewhere, old]) await writeFile(path, 'half');
  const twoHoursAgo = Date.now() / 1000 - 7200;
  await utimes(old, twoHoursAgo, twoHoursAgo);
  // A publisher that died between naming its document and forgetting the temporary name.
  const linked = mine.replace(`-${process.pid}-`, `-${await spawnedAndGone()}-`).replace(/.$/, 'f');
  await link(join(snapshots, 'a.json.gz'), linked);
  await writeFile(inNamespace(root, '.tmp-not-one-of-ours'), 'kept');

  const ids = (await store.list()).map(({ snapshotId }) => snapshotId);
  t.strictSame(ids, ['a']);
  t.equal(await store.objects.removeOrphans(), 3);
  const left = (await readdir(snapshots)).map((name) => join(snapshots, name)).sort();
  t.strictSame(left, [mine, elsewhere, join(snapshots, 'a.json.gz')].sort());
  t.equal(await store.objects.removeOrphans(), 0);
});

void t.test('what cannot be read is unreachable, not absent', async (t) => {
  const root = t.testdir({ file: 'not a directory' });
  const notDirectory = storeIn(join(root, 'file'));
  t.equal(await codeOf(notDirectory.readPointer()), 'store_unreachable');
  t.equal(await codeOf(notDirectory.list()), 'store_unreachable');
  t.equal(await codeOf(notDirectory.store(newSnapshot('a'))), 'store_unreachable');
  const missing = storeIn(join(root, 'not-there'));
  t.equal(await codeOf(missing.readPointer()), 'store_unreachable');
  await missing.objects.prepare();
  t.strictSame(await missing.readPointer(), { kind: 'absent' }, 'until it is made');
});

void t.test('a document that is cut while it is read is unreachable', async (t) => {
  const root = t.testdir();
  const path = inNamespace(root, 'snapshots/a.json.gz');
  await mkdir(inNamespace(root, 'snapshots'), { recursive: true });
  await writeFile(path, Buffer.alloc(1_000_000));
  const stream = await storeIn(root).openDocument({ snapshotId: 'a' });
  await once(stream, 'readable');
  await truncate(path, 500_000);
  await t.rejects(buffer(stream), { code: 'store_unreachable', message: /was cut/ });
});

void t.test('what is no file, or too large a one, is not read', async (t) => {
  const root = t.testdir();
  const store = storeIn(root);
  await store.store(newSnapshot('a'));
  const pointer = await store.activate('a');
  const document = inNamespace(root, pointer.document);
  await truncate(document, 10_000_000_000);
  t.equal((await buffer(await store.openDocument(pointer))).length, pointer.sizeBytes + 1);
  const path = inNamespace(root, 'active.json');
  await truncate(path, 10_000_000_000);
  t.equal(await codeOf(store.readPointer()), 'pointer_malformed');
  await truncate(path, 0);
  t.equal(await codeOf(store.readPointer()), 'pointer_malformed', 'empty');
  const others = {
    'a FIFO': (at: string) => execFileSync('mkfifo', [at]),
    'a device': (at: string) => symlink('/dev/zero', at),
    'a folder': (at: string) => mkdir(at),
  };
  for (const [name, make] of Object.entries(others)) {
    for (const at of [path, document]) {
      await rm(at, { recursive: true, force: true });
      await make(at);
    }
    t.equal(await codeOf(store.readPointer()), 'store_unreachable', name);
    t.equal(await codeOf(store.openDocument(pointer)), 'store_unreachable', name);
  }
});

void t.test('a reader that gives up closes the file', async (t) => {
  const root = t.testdir();
  const store = storeIn(root);
  await store.store(newSnapshot('a'));
  const pointer = await store.activate('a');
  const descriptors = async () => (await readdir('/proc/self/fd')).length;
  const before = await descriptors();
  for (let turn = 0; turn < 20; turn += 1) {
    const unread = await store.openDocument(pointer);
    unread.destroy();
    await once(unread, 'close');
    const controller = new AbortController();
    const aborted = await store.openDocument(pointer, controller.signal);
    const failed = once(aborted, 'error');
    controller.abort();
    t.match((await failed)[0], { name: 'AbortError' });
    if (!aborted.closed) await once(aborted, 'close');
  }
  t.equal(await descriptors(), before);
});
