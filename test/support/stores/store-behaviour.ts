/** What every store that can be written does alike, on whichever kind of store a test file hands in. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import {
  activateSnapshot,
  listSnapshots,
  newestFirst,
  storeSnapshot,
} from '../../../src/publishing/stored-snapshots.js';
import type { NewSnapshot } from '../../../src/snapshot/store/store.js';
import { eventually } from '../service/service.js';
import { codeOf, newSnapshot } from './new-snapshot.js';
import { openWritable } from './open-writable.js';

/** An empty store, and what lies in it. */
export interface StorePlace {
  readonly address: string;
  /** All that is stored but the pointer, as names of files or keys. */
  readonly names: () => Promise<readonly string[]>;
  readonly writePointer: (text: string) => Promise<void>;
}

/** Registers the tests of one kind of store; each gets an empty place of its own. */
export function testStore(kind: string, makePlace: (t: Test) => Promise<StorePlace>): void {
  const test = (
    name: string,
    body: (
      t: Test,
      place: StorePlace & { open: () => ReturnType<typeof openWritable> },
    ) => Promise<void>,
  ): void => {
    void t.test(`${kind}: ${name}`, async (t) => {
      const place = await makePlace(t);
      await body(t, { ...place, open: () => openWritable(t, place.address) });
    });
  };

  test('an empty store has no pointer and no snapshots', async (t, { open }) => {
    const store = open();
    await store.prepare();
    t.strictSame(await store.readPointer(), { kind: 'absent' });
    t.strictSame(await store.list(), []);
    t.equal(await store.removeOrphans(), 0);
  });

  test('gives back what was put, and the pointer that was moved', async (t, { open }) => {
    const store = open();
    const snapshot = newSnapshot('a', 'x'.repeat(100));
    t.equal(await storeSnapshot(store, snapshot), true);
    t.strictSame(await store.readPointer(), { kind: 'absent' });
    const pointer = await activateSnapshot(store, 'a');
    const { sizeBytes, sha256 } = snapshot;
    t.match(pointer, { snapshotId: 'a', sizeBytes, sha256, schemaVersion: '1.2.0' });
    t.strictSame(await open().readPointer(), { kind: 'pointer', pointer });
    for (const at of [pointer, { snapshotId: 'a' }]) {
      t.strictSame(await buffer(await open().openDocument(at)), await buffer(snapshot.open()));
    }
  });

  test('activates what another process has stored, from its bytes alone', async (t, { open }) => {
    const snapshot = newSnapshot('a');
    await storeSnapshot(open(), snapshot);
    const { sizeBytes, sha256, schemaVersion } = await activateSnapshot(open(), 'a');
    t.strictSame(
      { sizeBytes, sha256, schemaVersion },
      { sizeBytes: snapshot.sizeBytes, sha256: snapshot.sha256, schemaVersion: '1.2.0' },
    );
  });

  test('lists newest first and marks the active one', async (t, { open }) => {
    const store = open();
    for (const id of ['c', 'a', 'b']) await storeSnapshot(store, newSnapshot(id));
    await activateSnapshot(store, 'a');
    const listed = await listSnapshots(store);
    t.strictSame(listed, listed.toSorted(newestFirst));
    t.strictSame(new Set(listed.map(({ snapshotId }) => snapshotId)), new Set(['a', 'b', 'c']));
    const active = listed.filter((one) => one.active).map(({ snapshotId }) => snapshotId);
    t.strictSame(active, ['a']);
    t.equal(listed[0]?.sizeBytes, newSnapshot('a').sizeBytes);
    t.ok(Date.now() - (listed[0]?.storedAtMs ?? 0) < 60_000);
  });

  test('the same bytes again are no error, other bytes are refused', async (t, { open }) => {
    const store = open();
    await storeSnapshot(store, newSnapshot('a'));
    t.equal(await storeSnapshot(store, newSnapshot('a')), false);
    t.equal(await codeOf(storeSnapshot(store, newSnapshot('a', 'other'))), 'snapshot_conflict');
    const stored = await buffer(await store.openDocument({ snapshotId: 'a' }));
    t.strictSame(stored, await buffer(newSnapshot('a').open()));
  });

  test('of several that store one id at once, one wins', async (t, { open, names }) => {
    const same = await Promise.all([1, 2, 3, 4].map(() => storeSnapshot(open(), newSnapshot('a'))));
    t.ok(same.includes(true));
    const outcomes = await Promise.all(
      ['x', 'y', 'z'].map((filler) => codeOf(storeSnapshot(open(), newSnapshot('b', filler)))),
    );
    t.strictSame(outcomes.sort(), ['done', 'snapshot_conflict', 'snapshot_conflict']);
    const ids = (await open().list()).map(({ snapshotId }) => snapshotId);
    t.strictSame(ids.sort(), ['a', 'b']);
    t.notMatch((await names()).join(), /tmp|publishing/);
  });

  test('bytes that are not the promised ones are not stored', async (t, { open, names }) => {
    const snapshot = { ...newSnapshot('a'), open: () => Readable.from([Buffer.from('other')]) };
    t.equal(await codeOf(storeSnapshot(open(), snapshot)), 'document_corrupt');
    t.strictSame(await names(), []);
  });

  test('a failing source, and an interruption, leave nothing behind', async (t, {
    open,
    names,
  }) => {
    const failing = async function* () {
      yield await Promise.resolve(Buffer.alloc(600_000));
      throw new Error('the disk of the source');
    };
    const snapshot = { ...newSnapshot('a'), open: () => Readable.from(failing()) };
    await t.rejects(storeSnapshot(open(), snapshot), /the disk of the source/);
    await t.rejects(storeSnapshot(open(), newSnapshot('a'), AbortSignal.abort()), {
      name: 'AbortError',
    });
    const abort = new AbortController();
    const aborting: NewSnapshot = {
      ...newSnapshot('a'),
      open: () =>
        Readable.from(
          (function* () {
            yield Buffer.alloc(600_000);
            abort.abort();
            yield Buffer.alloc(600_000);
          })(),
        ),
    };
    await t.rejects(storeSnapshot(open(), aborting, abort.signal), { name: 'AbortError' });
    t.strictSame(await names(), []);
  });

  test('the active snapshot is never removed, others are', async (t, { open, names }) => {
    const store = open();
    await storeSnapshot(store, newSnapshot('a'));
    const before = await names();
    await storeSnapshot(store, newSnapshot('b'));
    await activateSnapshot(store, 'a');
    t.equal(await codeOf(store.remove('a')), 'snapshot_active');
    await store.remove('b');
    const ids = (await store.list()).map(({ snapshotId }) => snapshotId);
    t.strictSame(ids, ['a']);
    t.strictSame(await names(), before);
    t.equal(await codeOf(store.remove('b')), 'snapshot_missing');
    t.equal(await codeOf(activateSnapshot(store, 'b')), 'snapshot_missing');
    t.equal(await codeOf(store.openDocument({ snapshotId: 'b' })), 'snapshot_missing');
    t.equal(await codeOf(store.remove('../active')), 'snapshot_missing');
    t.equal(await codeOf(activateSnapshot(store, '../../etc/passwd')), 'snapshot_missing');
  });

  test('with a malformed pointer all but a removal goes on', async (t, { open, writePointer }) => {
    const store = open();
    await storeSnapshot(store, newSnapshot('a'));
    for (const text of ['', '{', 'x'.repeat(100_000), JSON.stringify({ snapshot_id: '../x' })]) {
      await writePointer(text);
      t.equal(await codeOf(store.readPointer()), 'pointer_malformed');
      t.strictSame(
        (await listSnapshots(store)).map(({ active }) => active),
        [false],
      );
      t.equal(await codeOf(store.remove('a')), 'pointer_malformed');
    }
    await activateSnapshot(store, 'a');
    t.equal((await store.readPointer()).kind, 'pointer');
  });

  test('tells of every move of the pointer', async (t, { open }) => {
    const store = open();
    await storeSnapshot(store, newSnapshot('a'));
    await activateSnapshot(store, 'a');
    let calls = 0;
    const watching = store.watch(() => {
      calls += 1;
    });
    t.teardown(() => {
      watching.close();
    });
    if (kind === 'redis') await eventually('it listens', () => Promise.resolve(calls > 0));
    for (let moves = 0; moves < 3; moves += 1) {
      const before = calls;
      await activateSnapshot(open(), 'a');
      await eventually('it has been told', () => Promise.resolve(calls > before));
    }
    watching.close();
  });
}
