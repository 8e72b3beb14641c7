/** A publisher that is stopped in the middle of a change, at any step: another one goes on, and the first one notices. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { temporaryPath } from '../../../../src/files/durable-file.js';
import { WritableSnapshotStore } from '../../../../src/publishing/writable-snapshot-store.js';
import {
  FileObjects,
  type FileObjectsOptions,
} from '../../../../src/snapshot/store/file/file-objects.js';
import { spawnedAndGone } from '../../../support/service/children.js';
import { eventually, inTime } from '../../../support/service/service.js';
import { codeOf, newSnapshot } from '../../../support/stores/new-snapshot.js';

const built = (path: string) => JSON.stringify(pathToFileURL(resolve('build/src', path)).href);

/** A store whose other publishers may hold its lock for this long. */
function storeIn(root: string, more: Partial<FileObjectsOptions> = {}) {
  const address = `file:${root}`;
  const options = { address, root, keyPrefix: 'sepa', lockTimeoutMs: 100, ...more };
  return new WritableSnapshotStore(new FileObjects(options));
}

/**
 * A publisher in its own process, stopped right before it renames or links to a path with this end; `goOn` returns the
 * result of its work, an expression on `store`.
 */
async function stoppedPublisher(t: Test, root: string, at: string, work: string) {
  const script = `
    import fs from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    let isStopped = false;
    for (const name of ['rename', 'link']) {
      const original = fs[name];
      fs[name] = async (from, to) => {
        if (!isStopped && to.endsWith(${JSON.stringify(at)})) {
          isStopped = true;
          process.kill(process.pid, 'SIGSTOP');
        }
        await original(from, to);
      };
    }
    syncBuiltinESMExports();
    const { FileObjects } = await import(${built('snapshot/store/file/file-objects.js')});
    const { WritableSnapshotStore } = await import(${built('publishing/writable-snapshot-store.js')});
    const { newSnapshot } = await import(${built('../test/support/stores/new-snapshot.js')});
    const root = ${JSON.stringify(root)};
    const objects = new FileObjects({ address: 'file:' + root, root, keyPrefix: 'sepa' });
    const store = new WritableSnapshotStore(objects);
    const outcome = await (${work}).catch((error) => error.code);
    process.stdout.write(JSON.stringify(outcome?.snapshotId ?? outcome));`;
  const words = ['-u', 'NODE_OPTIONS', process.execPath, '--input-type=module', '-e', script];
  const child = spawn('/usr/bin/env', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  const { pid = 0 } = child;
  await eventually('it is stopped', async () =>
    (await readFile(`/proc/${pid}/stat`, 'latin1')).includes(') T '),
  );
  return {
    child,
    goOn: async (): Promise<unknown> => {
      child.kill('SIGCONT');
      return JSON.parse(await inTime(text(child.stdout), 'the publisher that went on'));
    },
  };
}

async function filledStore(root: string) {
  const store = storeIn(root);
  for (const id of ['a', 'b', 'c']) await store.store(newSnapshot(id));
  await store.activate('a');
  return store;
}

/** All files except the permanent ones. */
async function leftovers(root: string): Promise<readonly string[]> {
  const names = await readdir(join(root, 'sepa'), { recursive: true });
  return names.filter((name) => name.includes('.tmp') || name.startsWith('.lock'));
}

t.jobs = 4;

void t.test('one that compares and is stopped replaces nothing that came later', async (t) => {
  const name = 'archive/index.json';
  for (const at of ['.lock', 'index.json']) {
    const root = t.testdir();
    const { objects } = storeIn(root);
    t.equal(await objects.change({ name, from: undefined, to: 'first' }), true);
    const change = `objects.change({ name: '${name}', from: Buffer.from('first'), to: 'late' })`;
    const { goOn } = await stoppedPublisher(t, root, at, change);
    t.equal(await objects.change({ name, from: Buffer.from('first'), to: 'second' }), true, at);
    t.equal(await goOn(), false, `${at}: it is told`);
    t.equal(Buffer.from((await objects.read(name)) ?? []).toString(), 'second', at);
    t.strictSame(await leftovers(root), [], at);
  }
});

void t.test('one that was stopped tries again on what it finds', async (t) => {
  const root = t.testdir();
  const store = await filledStore(root);
  const { goOn } = await stoppedPublisher(t, root, 'active.json', `store.activate('b')`);
  t.equal(await store.remove('c', { withdraw: true }), true);
  t.equal(await goOn(), 'b');
  t.match(await store.readPointer(), { pointer: { snapshotId: 'b', removed: ['c'] } });
  t.strictSame(await leftovers(root), []);
});

void t.test('one that removes and is stopped removes no active snapshot', async (t) => {
  for (const [at, byThen, expected] of [
    ['.lock', 'done', 'snapshot_active'],
    ['removed.txt', 'done', 'snapshot_active'],
    // The id is retired already.
    ['gone', 'snapshot_removed', true],
  ] as const) {
    const root = t.testdir();
    const store = await filledStore(root);
    const { goOn } = await stoppedPublisher(t, root, at, `store.remove('b')`);
    t.equal(await codeOf(store.activate('b')), byThen, at);
    t.equal(await goOn(), expected, at);
    const isActive = byThen === 'done';
    t.match(await store.readPointer(), { pointer: { snapshotId: isActive ? 'b' : 'a' } }, at);
    t.equal(await store.isRemoved('b'), !isActive, at);
    t.equal((await store.objects.stat('snapshots/b.json.gz')) !== undefined, isActive, at);
    t.equal(await codeOf(store.store(newSnapshot('d'))), 'done', at);
    t.strictSame(await leftovers(root), [], at);
  }
});

void t.test('one that stores and is stopped stores nothing that was removed', async (t) => {
  const root = t.testdir();
  const store = await filledStore(root);
  const work = `store.store(newSnapshot('late'))`;
  const { goOn } = await stoppedPublisher(t, root, 'late.json.gz', work);
  t.equal(await store.remove('late'), false);
  t.equal(await goOn(), 'snapshot_removed');
  t.equal(await store.objects.stat('snapshots/late.json.gz'), undefined);
  t.strictSame(await leftovers(root), []);
});

void t.test('a publisher that is gone is not waited for, one elsewhere is', async (t) => {
  const root = t.testdir();
  const notes: string[] = [];
  const store = storeIn(root, { lockTimeoutMs: 2500, onNote: (note) => notes.push(note) });
  await store.store(newSnapshot('a'));
  const lock = join(root, 'sepa', '.lock');
  const mine = temporaryPath(lock);
  const dead = mine.replace(`-${process.pid}-`, `-${await spawnedAndGone()}-`);
  const lockedMs = async (): Promise<number> => {
    const startedMs = performance.now();
    t.equal((await store.activate('a')).snapshotId, 'a');
    return performance.now() - startedMs;
  };
  await mkdir(dead, { recursive: true });
  await lockedMs();
  t.strictSame(notes, [], 'a process that is gone is not waited for');
  await symlink('.tmp-00000000-1-000000000000', lock);
  await lockedMs();
  t.strictSame(notes, [], 'nor one of an earlier version');

  const elsewhere = mine.replace(/\.tmp-[0-9a-f]{8}/, '.tmp-00000000');
  await mkdir(elsewhere, { recursive: true });
  await writeFile(join(elsewhere, 'next'), 'half');
  const ahead = new Date(Date.now() + 24 * 3_600_000);
  for (const path of [elsewhere, lock]) await utimes(path, ahead, ahead);
  const waitedMs = await lockedMs();
  t.ok(waitedMs >= 2500, `another machine, a day ahead: ${waitedMs} ms`);
  t.strictSame(notes, [`file:${root}: another process changes it; waiting`]);
  t.strictSame(await leftovers(root), []);
});

void t.test('one that is killed at any step leaves the store to the next', async (t) => {
  for (const at of ['.lock', 'removed.txt', 'gone', 'active.json']) {
    const root = t.testdir();
    const store = await filledStore(root);
    const work = `store.remove('b', { withdraw: true })`;
    const { child } = await stoppedPublisher(t, root, at, work);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await store.activate('c');
    await store.remove('b', { withdraw: true });
    t.match(await store.readPointer(), { pointer: { snapshotId: 'c', removed: ['b'] } }, at);
    t.equal(await store.objects.stat('snapshots/b.json.gz'), undefined, at);
    await store.objects.removeOrphans();
    t.strictSame(await leftovers(root), [], at);
  }
});
