/** Leases of a snapshot: what keeps it open, and when it closes. */
import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { LeasedSnapshot } from '../../../src/snapshot/local/lease.js';
import { SnapshotReader } from '../../../src/snapshot/local/reader.js';
import { writeSmallCopy } from '../../support/documents/local-copy.js';

/** A snapshot that can be read, and a check of whether it is closed two turns later. */
async function openSnapshot(t: Test) {
  let closed = 0;
  const reader = new SnapshotReader(await writeSmallCopy(t));
  const snapshot = new LeasedSnapshot(reader, () => (closed += 1));
  const isClosed = async (): Promise<boolean> => {
    await turn();
    await turn();
    if (closed === 0) t.equal(reader.seriesList().length, 1);
    return closed === 1;
  };
  return { snapshot, isClosed };
}

void t.test('asks the holders who can be asked to end their leases', async (t) => {
  const { snapshot, isClosed } = await openSnapshot(t);
  const asked: string[] = [];
  const short = snapshot.lease();
  const first = snapshot.lease(() => asked.push('first'));
  const second = snapshot.lease(() => {
    asked.push('second');
    second.release();
  });
  first.release();
  snapshot.retire();
  snapshot.revoke();
  snapshot.revoke();
  t.same(asked, ['second'], 'not one whose lease has ended');
  t.equal(snapshot.leases, 1);
  t.notOk(await isClosed(), 'it is open until the last one has ended');
  short.release();
  t.ok(await isClosed());
});

void t.test('can be leased or active again in the turn in which it would close', async (t) => {
  const { snapshot, isClosed } = await openSnapshot(t);
  const planning = snapshot.lease();
  snapshot.retire();
  planning.release();
  const sending = await Promise.resolve().then(() => snapshot.lease());
  t.notOk(await isClosed());
  sending.release();
  snapshot.revive();
  const late = snapshot.lease();
  t.notOk(await isClosed());
  snapshot.retire();
  late.release();
  t.ok(await isClosed());
  t.throws(() => {
    snapshot.revive();
  });
});
