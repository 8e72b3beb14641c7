/** Imports that the pointer has moved away from: which of them are shown, and which are ended. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { encodePointer } from '../../../src/snapshot/store/pointer.js';
import {
  activePointer,
  copiesIn,
  POLL_MS,
  served,
  startFollowing,
  writePointer,
} from './following.js';
import { forkWithoutHooks } from '../../support/service/plain-node.js';
import { activate, makeRoot, publish } from '../../support/service/service.js';

await forkWithoutHooks(await makeRoot(t));

/** Serves `first`, and has the import of `second` go on though `third` has come. */
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
  await following.clock.advance(2 * POLL_MS);
  t.equal(following.count('import_ended'), 0);
  return { following, release };
}

void t.test('follows a pointer that moves faster than an import runs', async (t) => {
  const { following, release } = await startBehind(t);
  await publish(following, snapshotDocument({ snapshot_id: 'fourth' }));
  await following.clock.advance(2 * POLL_MS);
  release();
  t.match(await following.next('activated'), { snapshotId: 'second', importMs: Number });
  t.match(await following.next('importing'), { snapshotId: 'fourth' }, 'the newest one');
  t.match(await following.next('activated'), { snapshotId: 'fourth' });
  t.same(following.serving(), served(following.copies, 'fourth'));
  t.equal(following.count('failed'), 0);
});

void t.test('shows no import whose snapshot is removed meanwhile', async (t) => {
  const { following, release } = await startBehind(t);
  const pointer = await activePointer(following.root);
  await writePointer(following.root, encodePointer({ ...pointer, removed: ['second'] }));
  following.follower.poll();
  t.match(await following.next('import_ended'), { snapshotId: 'second' });
  t.match(await following.next('importing'), { snapshotId: 'third' });
  release();
  t.match(await following.next('activated'), { snapshotId: 'third' });
  t.equal(following.count('activated'), 2);
});

void t.test('shows no superseded import once the pointer has gone elsewhere', async (t) => {
  for (const where of ['back', 'away']) {
    const { following, release } = await startBehind(t);
    if (where === 'back') {
      await activate(following, 'first');
      t.match(await following.next('import_ended'), { snapshotId: 'second' });
    } else {
      await rm(join(following.root, 'store', 'demo', 'active.json'));
      following.follower.poll();
      t.match(await following.next('unavailable'), { reason: 'pointer_absent' });
    }
    release();
    await following.clock.advance(2 * POLL_MS);
    if (where === 'away') t.match(following.serving(), { kind: 'unavailable' });
    else t.same(following.serving(), served(following.copies, 'first'));
    t.equal(following.count('activated'), 1);
    if (where === 'back') t.same(await copiesIn(following.copies), ['first']);
  }
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
