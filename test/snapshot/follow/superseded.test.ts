/** Imports that a newer pointer overtakes: which of them are ended, and which are shown. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { generateDocument, snapshotDocument } from '../../support/documents/documents.js';
import { copiesIn, POLL_MS, served, startFollowing } from '../../support/service/following.js';
import { forkWithoutHooks } from '../../support/service/plain-node.js';
import { activate, makeRoot, publish } from '../../support/service/service.js';

await forkWithoutHooks(await makeRoot(t));

/** Serves `first`, has ended the import of `second` for `third`, and finishes that one though `fourth` has come. */
async function startBehind(t: Test) {
  const following = await startFollowing(t);
  await publish(following, snapshotDocument({ snapshot_id: 'first' }));
  await following.next('activated');
  let release = (): void => undefined;
  following.holdImport = new Promise<void>((resolve) => {
    release = resolve;
  });
  await publish(following, snapshotDocument({ snapshot_id: 'second' }));
  t.match(await following.next('importing'), { snapshotId: 'second' });
  await publish(following, snapshotDocument({ snapshot_id: 'third' }));
  t.match(await following.next('superseded'), { snapshotId: 'second', finishes: false });
  t.match(await following.next('importing'), { snapshotId: 'third' });
  await publish(following, snapshotDocument({ snapshot_id: 'fourth' }));
  t.match(await following.next('superseded'), { snapshotId: 'third', finishes: true });
  return { following, release };
}

void t.test('calls off an import that a newer pointer overtakes', async (t) => {
  const following = await startFollowing(t);
  const large = generateDocument({ stations: 40, hours: 180, snapshotId: 'large' });
  await publish(following, large);
  await following.next('importing');
  await publish(following, snapshotDocument({ snapshot_id: 'newer' }));
  t.match(await following.next('superseded'), { snapshotId: 'large' });
  t.match(await following.next('activated'), { snapshotId: 'newer' });
  await following.clock.idle();
  t.same(await copiesIn(following.copies), ['newer']);
  t.equal(following.count('failed'), 0);
});

void t.test('follows a pointer that moves faster than an import runs', async (t) => {
  const { following, release } = await startBehind(t);
  await publish(following, snapshotDocument({ snapshot_id: 'fifth' }));
  await following.clock.advance(2 * POLL_MS);
  t.equal(following.count('superseded'), 2, 'said once of each');
  release();
  t.match(await following.next('activated'), { snapshotId: 'third', importMs: Number });
  t.same(following.serving(), served(following.copies, 'third'));
  t.match(await following.next('importing'), { snapshotId: 'fifth' }, 'the newest one');
  t.match(await following.next('activated'), { snapshotId: 'fifth' });
  t.equal(following.count('failed'), 0);

  await following.clock.idle();
  following.holdImport = new Promise(() => undefined);
  await publish(following, snapshotDocument({ snapshot_id: 'sixth' }));
  await following.next('importing');
  following.holdImport = undefined;
  await publish(following, snapshotDocument({ snapshot_id: 'seventh' }));
  const superseded = await following.next('superseded');
  t.match(superseded, { snapshotId: 'sixth', finishes: false }, 'as long as it can be followed');
  t.match(await following.next('activated'), { snapshotId: 'seventh' });
});

void t.test('shows no superseded import over what the pointer has gone back to', async (t) => {
  const { following, release } = await startBehind(t);
  await activate(following, 'first');
  t.match(await following.next('superseded'), { snapshotId: 'third', finishes: false });
  release();
  await following.clock.advance(2 * POLL_MS);
  t.same(following.serving(), served(following.copies, 'first'));
  t.equal(following.count('activated'), 1);
  t.same(await copiesIn(following.copies), ['first']);
});

void t.test('shows no superseded import once the pointer is withdrawn', async (t) => {
  const { following, release } = await startBehind(t);
  await rm(join(following.root, 'store', 'demo', 'active.json'));
  following.follower.poll();
  t.match(await following.next('unavailable'), { reason: 'pointer_absent' });
  release();
  await following.clock.advance(2 * POLL_MS);
  t.match(following.serving(), { kind: 'unavailable' });
  t.equal(following.count('activated'), 1);
});

void t.test('goes on without one that cannot be ended, and begins none beside it', async (t) => {
  const following = await startFollowing(t);
  await publish(following, snapshotDocument({ snapshot_id: 'first' }));
  await following.next('activated');
  let release = (): void => undefined;
  following.hangImport = new Promise<void>((resolve) => {
    release = resolve;
  });
  await publish(following, snapshotDocument({ snapshot_id: 'second' }));
  await following.next('importing');
  await publish(following, snapshotDocument({ snapshot_id: 'third' }));
  t.match(await following.next('superseded'), { snapshotId: 'second', finishes: false });
  await following.clock.advance(3 * POLL_MS);
  t.equal(following.count('importing'), 2, 'none beside it');
  await rm(join(following.root, 'store', 'demo', 'active.json'));
  await following.clock.advance(3 * POLL_MS);
  t.match(await following.next('unavailable'), { reason: 'pointer_absent' });
  await activate(following, 'third');
  await following.clock.advance(3 * POLL_MS);
  t.equal(following.count('importing'), 2, 'not now either');
  following.hangImport = undefined;
  release();
  t.match(await following.next('importing'), { snapshotId: 'third' });
  t.match(await following.next('activated'), { snapshotId: 'third' });
  t.equal(following.count('failed'), 0);
});
