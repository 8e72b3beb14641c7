/** Behaviour of every kind of writable store. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import {
  newestFirst,
  type NewSnapshot,
  type WritableSnapshotStore,
} from '../../../src/publishing/writable-snapshot-store.js';
import type { Pointer } from '../../../src/snapshot/store/pointer.js';
import { snapshotDocument } from '../documents/documents.js';
import { codeOf, newSnapshot, storedAs } from './new-snapshot.js';
import { openWritable } from './open-writable.js';

interface StorePlace {
  readonly address: string;
  /** Names of files or keys, without those of the pointer and of removed ids. */
  readonly names: () => Promise<readonly string[]>;
  readonly writePointer: (text: string) => Promise<void>;
}

async function idsIn(store: WritableSnapshotStore): Promise<readonly string[]> {
  return (await store.list()).map(({ snapshotId }) => snapshotId);
}

async function pointerIn(store: WritableSnapshotStore): Promise<Pointer> {
  const reading = await store.readPointer();
  if (reading.kind !== 'pointer') throw new Error('there is no pointer');
  return reading.pointer;
}

/** Registers the tests of one kind of store, each with an empty one. */
export function testStore(kind: string, makePlace: (t: Test) => Promise<StorePlace>): void {
  const test = (
    name: string,
    body: (t: Test, place: StorePlace & { open: () => WritableSnapshotStore }) => Promise<void>,
  ): void => {
    void t.test(`${kind}: ${name}`, async (t) => {
      const place = await makePlace(t);
      await body(t, { ...place, open: () => openWritable(t, place.address) });
    });
  };

  test('gives back what was put, and the pointer that was moved', async (t, { open }) => {
    const store = open();
    await store.objects.prepare();
    t.strictSame([await store.list(), await store.objects.removeOrphans()], [[], 0]);
    const snapshot = newSnapshot('a', 'x'.repeat(100));
    t.ok((await store.store(snapshot)).isNew);
    t.strictSame(await store.readPointer(), { kind: 'absent' });
    // Another process knows the snapshot from its bytes alone.
    const pointer = await open().activate('a');
    const { sizeBytes, sha256 } = snapshot;
    t.match(pointer, { snapshotId: 'a', sizeBytes, sha256, schemaVersion: '1.2.0' });
    t.strictSame(await open().readPointer(), { kind: 'pointer', pointer });
    for (const at of [pointer, { snapshotId: 'a' }]) {
      t.strictSame(await buffer(await open().openDocument(at)), await buffer(snapshot.open()));
    }
    const bytes = Buffer.from(Array.from({ length: 700_000 }, (_, at) => at % 251));
    const name = 'archive/some/object';
    t.equal(await store.objects.put(name, storedAs('', bytes)), 'stored');
    t.ok((await buffer(await store.objects.open(name))).equals(bytes));
    t.equal(await codeOf(store.objects.open('archive/other')), 'snapshot_missing');
    t.match(await store.objects.list('archive'), [{ name, sizeBytes: bytes.length }]);
  });

  test('replaces a name in one step, or changes nothing', async (t, { open }) => {
    const { objects } = open();
    const [name, there, gone] = ['archive/index.json', 'archive/there', 'archive/gone'];
    await objects.put(there, storedAs('', Buffer.from('bytes')));
    const read = async () => Buffer.from((await objects.read(name)) ?? []).toString();
    const first = { name, from: undefined, to: 'first', needs: [there] };
    t.equal(await objects.change({ ...first, needs: [there, gone] }), false);
    t.equal(await objects.read(name), undefined);
    t.equal(await objects.change(first), true);
    t.equal(await read(), 'first');
    const second = { name, from: Buffer.from('first'), to: 'second', removes: there };
    t.equal(await objects.change({ ...second, from: undefined }), false);
    t.equal(await objects.change({ ...second, from: Buffer.from('other') }), false);
    t.equal((await objects.stat(there))?.sizeBytes, 5);
    t.equal(await objects.change(second), true);
    t.equal(await read(), 'second');
    t.equal(await objects.stat(there), undefined);
    // The object is not a snapshot, so its name may be used again.
    t.equal(await objects.put(there, storedAs('', Buffer.from('again'))), 'stored');
  });

  test('lists newest first and marks the active one', async (t, { open }) => {
    const store = open();
    for (const id of ['c', 'a', 'b']) await store.store(newSnapshot(id));
    await store.activate('a');
    const listed = await store.list();
    t.strictSame(listed, listed.toSorted(newestFirst));
    const marks = listed.map((one) => `${one.snapshotId} ${one.active}`);
    t.strictSame(marks.sort(), ['a true', 'b false', 'c false']);
    t.equal(listed[0]?.sizeBytes, newSnapshot('a').sizeBytes);
    t.ok(Date.now() - (listed[0]?.storedAtMs ?? 0) < 60_000);
  });

  test('the same bytes again are no error, other bytes are refused', async (t, { open, names }) => {
    const same = await Promise.all([1, 2, 3, 4].map(() => open().store(newSnapshot('a'))));
    t.ok(same.some(({ isNew }) => isNew));
    t.notOk((await open().store(newSnapshot('a'))).isNew);
    t.equal(await codeOf(open().store(newSnapshot('a', 'other'))), 'snapshot_conflict');
    const stored = await buffer(await open().openDocument({ snapshotId: 'a' }));
    t.strictSame(stored, await buffer(newSnapshot('a').open()));
    const storing = ['x', 'y', 'z'].map((filler) => codeOf(open().store(newSnapshot('b', filler))));
    const outcomes = (await Promise.all(storing)).sort();
    t.strictSame(outcomes, ['done', 'snapshot_conflict', 'snapshot_conflict']);
    t.strictSame((await idsIn(open())).toSorted(), ['a', 'b']);
    t.notMatch((await names()).join(), /tmp|publishing/);
  });

  test('a wrong, failing or interrupted source leaves nothing', async (t, { open, names }) => {
    const abort = new AbortController();
    const from = (then: () => void): NewSnapshot => ({
      ...newSnapshot('a'),
      open: () =>
        Readable.from(
          (function* () {
            yield Buffer.alloc(600_000);
            then();
            yield Buffer.alloc(600_000);
          })(),
        ),
    });
    t.equal(await codeOf(open().store(from(() => undefined))), 'document_corrupt');
    const fail = (): never => {
      throw new Error('the disk of the source');
    };
    await t.rejects(open().store(from(fail)), /the disk of the source/);
    const aborting = from(abort.abort.bind(abort));
    const aborted = { name: 'AbortError' };
    await t.rejects(open().store(aborting, { signal: abort.signal }), aborted);
    await t.rejects(open().store(newSnapshot('a'), { signal: abort.signal }), aborted);
    t.strictSame(await names(), []);
  });

  test('the active snapshot is never removed, others are', async (t, { open, names }) => {
    const store = open();
    await store.store(newSnapshot('a'));
    const before = await names();
    await store.store(newSnapshot('b'));
    await store.activate('a');
    t.equal(await codeOf(store.remove('a')), 'snapshot_active');
    t.equal(await store.isRemoved('a'), false);
    t.equal(await store.remove('b'), true);
    t.strictSame(await idsIn(store), ['a']);
    t.strictSame(await names(), before);
    t.equal(await store.remove('b'), false);
    t.equal(await codeOf(store.activate('b')), 'snapshot_missing');
    t.equal(await codeOf(store.openDocument({ snapshotId: 'b' })), 'snapshot_missing');
    t.equal(await codeOf(store.remove('../active')), 'snapshot_missing');
    t.equal(await codeOf(store.activate('../../etc/passwd')), 'snapshot_missing');
  });

  test('with a malformed pointer all but a removal goes on', async (t, { open, writePointer }) => {
    const store = open();
    await store.store(newSnapshot('a'));
    for (const text of ['', '{', 'x'.repeat(100_000), JSON.stringify({ snapshot_id: '../x' })]) {
      await writePointer(text);
      t.equal(await codeOf(store.readPointer()), 'pointer_malformed');
      t.match(await store.list(), [{ active: false }]);
      t.equal(await codeOf(store.remove('a')), 'pointer_malformed');
    }
    await store.activate('a');
    t.equal((await store.readPointer()).kind, 'pointer');
  });

  test('an id that was removed is never stored again', async (t, { open, names }) => {
    const store = open();
    await store.store(newSnapshot('active'));
    await store.activate('active');
    const before = await names();
    // The longest id, an id that is the beginning of another one, and an id that was never stored.
    const ids = ['a'.repeat(128), 'b', 'b.c', '_-.', 'never-stored'];
    for (const id of ids.slice(0, -1)) await store.store(newSnapshot(id));
    for (const [at, id] of ids.entries()) {
      t.equal(await open().remove(id, { withdraw: at % 2 === 0 }), id !== 'never-stored');
      t.equal(await open().remove(id), false, 'again');
    }
    for (const id of ids) {
      t.equal(await open().isRemoved(id), true);
      for (const filler of ['', 'other']) {
        const refused = open().store(newSnapshot(id, filler));
        await t.rejects(refused, { code: 'snapshot_removed', message: /was removed from/ });
      }
      t.equal(await codeOf(open().activate(id)), 'snapshot_missing');
    }
    for (const id of ['a', 'a'.repeat(127), 'c', 'b.', 'active']) {
      t.equal(await open().isRemoved(id), false, id);
    }
    t.ok((await open().store(newSnapshot('a'.repeat(127)))).isNew);
    await open().remove('a'.repeat(127));
    t.strictSame(await names(), before);
    const { snapshotId, removed } = await pointerIn(store);
    t.strictSame([snapshotId, removed], ['active', ['never-stored', 'b.c', ids[0]]]);
  });

  test('an id that is removed while it is stored stays removed', async (t, { open, names }) => {
    await open().store(newSnapshot('other'));
    const before = await names();
    const snapshot = newSnapshot('a');
    const bytes = await buffer(snapshot.open());
    const removedMeanwhile = async function* (): AsyncGenerator<Buffer> {
      yield bytes.subarray(0, 50);
      await open().remove('a');
      yield bytes.subarray(50);
    };
    const late = { ...snapshot, open: () => Readable.from(removedMeanwhile()) };
    t.equal(await codeOf(open().store(late)), 'snapshot_removed');
    t.strictSame(await names(), before);
  });

  test('removals and activations at once: none is undone by another', async (t, { open }) => {
    const turns = Array.from({ length: 8 }, (_, turn) => turn);
    for (const id of ['a', 'b', ...turns.map((turn) => `gone-${turn}`)]) {
      await open().store(newSnapshot(id));
    }
    await open().activate('a');
    const gone: string[] = [];
    for (const turn of turns) {
      const id = turn % 2 === 0 ? 'b' : 'a';
      const removed = [`gone-${turn}`, `more-${turn}`];
      const removing = removed.map((one) => open().remove(one, { withdraw: true }));
      await Promise.all([open().activate(id), ...removing]);
      gone.push(...removed);
      const pointer = await pointerIn(open());
      t.equal(pointer.snapshotId, id);
      t.strictSame([...(pointer.removed ?? [])].sort(), [...gone].sort());
    }
    // One snapshot is activated and removed at once: one of the two succeeds, and the other gets the reason.
    for (const turn of turns) {
      const id = `both-${turn}`;
      await open().store(newSnapshot(id));
      const work = [open().activate(id), open().remove(id)];
      const [activated, removed] = await Promise.all(work.map(codeOf));
      const isActive = (await pointerIn(open())).snapshotId === id;
      t.equal(removed, isActive ? 'snapshot_active' : 'done');
      t.match(activated, isActive ? 'done' : /^snapshot_(?:missing|removed)$/);
      t.equal((await idsIn(open())).includes(id), isActive);
      await open().activate('a');
    }
  });

  test('activates only what would be published, under its own id', async (t, { open }) => {
    const plain = JSON.stringify(snapshotDocument({ snapshot_id: 'good' }));
    const foreign = JSON.stringify(snapshotDocument({ snapshot_id: 'a', schema_version: '9.9.9' }));
    const cases = [
      ['twice', gzipSync(gzipSync(plain)), 'document_invalid', /^twice: .*UTF-8|JSON/],
      ['other', gzipSync(plain), 'document_corrupt', /^other: the document says it is good$/],
      ['a', gzipSync(foreign), 'schema_version', /^a: .*9\.9\.9.*known: 1\.2\.0/],
      ['no-rows', gzipSync('{"schema_version":"1.2.0"}'), 'document_invalid', /^no-rows: /],
      ['cut', gzipSync(plain).subarray(0, -4), 'document_invalid', /^cut: .*gzip/],
    ] as const;
    for (const [id, bytes, code, message] of cases) {
      await open().store(storedAs(id, bytes));
      await t.rejects(open().activate(id), { code, message });
    }
    t.strictSame(await open().readPointer(), { kind: 'absent' });
    await open().store(storedAs('good', gzipSync(plain)));
    t.match(await open().activate('good'), { snapshotId: 'good', schemaVersion: '1.2.0' });
  });
}
