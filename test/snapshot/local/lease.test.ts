/** Leases of a snapshot: what keeps it open, and when it closes. */
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { LeasedSnapshot } from '../../../src/snapshot/local/lease.js';
import { SnapshotReader } from '../../../src/snapshot/local/reader.js';
import { writeSmallCopy } from '../../support/documents/local-copy.js';

t.beforeEach(async (t) => {
  const reader = new SnapshotReader(await writeSmallCopy(t));
  const closed: string[] = [];
  const snapshot = new LeasedSnapshot(reader, () => closed.push(snapshot.snapshotId));
  Object.assign(t.context, { snapshot, closed });
});

interface Context {
  readonly snapshot: LeasedSnapshot;
  readonly closed: readonly string[];
}

const contextOf = ({ context }: { readonly context: unknown }): Context => context as Context;

void t.test('asks the holders who can be asked to end their leases', async (t) => {
  const { snapshot, closed } = contextOf(t);
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
  await turn();
  t.same(closed, [], 'it is open until the last one has ended');
  short.release();
  await turn();
  await turn();
  t.same(closed, [snapshot.snapshotId]);
});

void t.test('can be leased again in the turn in which its last user leaves', async (t) => {
  const { snapshot, closed } = contextOf(t);
  const planning = snapshot.lease();
  snapshot.retire();
  planning.release();
  const sending = await Promise.resolve().then(() => snapshot.lease());
  await turn();
  await turn();
  t.equal(snapshot.reader.seriesList().length, 1);
  t.same(closed, []);
  sending.release();
  await turn();
  await turn();
  t.same(closed, [snapshot.snapshotId]);
});

void t.test('stays open for all its users when it is active again', async (t) => {
  const { snapshot, closed } = contextOf(t);
  const early = snapshot.lease();
  snapshot.retire();
  early.release();
  // In the iteration that would have closed it at its end.
  snapshot.revive();
  const late = snapshot.lease();
  await turn();
  await turn();
  t.same(closed, []);
  t.equal(snapshot.reader.seriesList().length, 1);
  snapshot.retire();
  late.release();
  await turn();
  await turn();
  t.same(closed, [snapshot.snapshotId]);
  t.throws(() => {
    snapshot.revive();
  });
});
