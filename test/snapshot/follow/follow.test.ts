/** Following the pointer: a real file store, real imports in their own process, and a clock that the test moves. */
import { rm, truncate, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import t, { type Test } from 'tap';
import { SnapshotError } from '../../../src/snapshot/domain/snapshot-error.js';
import { encodePointer } from '../../../src/snapshot/store/pointer.js';
import { TestClock } from './manual-clock.js';
import { snapshotDocument } from '../../support/documents/documents.js';
import { chanceOf } from '../../support/faults/chance.js';
import { COPY_FAULTS, makeUnreadable } from '../spoiled-copy.js';
import { copyFolder } from '../../support/service/copy-folders.js';
import { activate, makeRoot, publish, storeOf } from '../../support/service/service.js';
import { forkWithoutHooks } from '../../support/service/plain-node.js';
import {
  restart,
  startFollowing,
  activePointer,
  writePointer,
  breakStore,
  copiesIn,
  served,
  OUTAGE_POLL_MS,
  FORMER_MS,
  POLL_MS,
  HOUR_MS,
} from './following.js';

await forkWithoutHooks(await makeRoot(t));

void t.test(
  'imports what the pointer names, and keeps the copies of the last 15 minutes and one before',
  async (t) => {
    const root = await makeRoot(t);
    await publish({ root }, snapshotDocument({ snapshot_id: 'first' }));
    const following = await startFollowing(t, { root });
    t.match(await following.next('store'), { reachable: true });
    t.match(await following.next('importing'), { snapshotId: 'first' });
    t.match(await following.next('activated'), { snapshotId: 'first', importMs: Number });
    t.same(following.serving(), served(following.copies, 'first'));

    following.inUse = new Set([copyFolder(following.copies, 'first')]);
    for (const snapshotId of ['second', 'third']) {
      await publish(following, snapshotDocument({ snapshot_id: snapshotId }));
      t.match(await following.next('activated'), { snapshotId });
      t.same(following.serving(), served(following.copies, snapshotId));
    }
    await following.clock.idle();
    t.same(await copiesIn(following.copies), ['first', 'second', 'third'], 'one reads the first');

    following.inUse = new Set();
    const formerOf = () => following.former().map((path) => basename(path).replace(/~.*/, ''));
    t.same(formerOf(), ['second', 'first']);
    await following.clock.advance(FORMER_MS - POLL_MS);
    t.same(await copiesIn(following.copies), ['first', 'second', 'third']);
    await following.clock.advance(2 * POLL_MS);
    t.same(formerOf(), ['second'], 'the fronts hear of it');
    t.same(await copiesIn(following.copies), ['second', 'third']);

    await storeOf(following).remove('second', { withdraw: true });
    await following.clock.advance(POLL_MS);
    t.same(
      [formerOf(), await copiesIn(following.copies)],
      [[], ['third']],
      'none of a removed one',
    );
  },
);

void t.test('goes back to the copy before without an import, over a restart too', async (t) => {
  const first = await startFollowing(t);
  const { root, copies } = first;
  await first.publish('second', 'first');
  await activate({ root }, 'second');
  t.match(await first.next('activated'), { snapshotId: 'second', importMs: undefined });
  t.same(first.serving(), served(copies, 'second'));
  t.equal(first.count('importing'), 2);
  const second = await restart(t, first);
  t.match(await second.next('activated'), { snapshotId: 'second' });
  await second.clock.idle();
  t.same(await copiesIn(copies), ['first', 'second']);
  await activate({ root }, 'first');
  t.match(await second.next('activated'), { snapshotId: 'first', importMs: undefined });
  t.equal(second.count('importing'), 0);
});

void t.test('dates what it serves by the pointer, once its time has come', async (t) => {
  const root = await makeRoot(t);
  await publish({ root }, snapshotDocument({ snapshot_id: 'first' }));
  const pointer = await activePointer(root);
  const clock = new TestClock();
  const startMs = clock.wallMs();
  const activate = async (activatedAtMs: number): Promise<void> => {
    await writePointer(root, encodePointer({ ...pointer, activatedAtMs }));
  };
  await activate(startMs - 4400);
  const first = await startFollowing(t, { root, clock });
  await first.next('activated');
  t.same(first.date(), startMs - 5000);
  await activate(startMs - 60_000);
  await clock.advance(POLL_MS);
  t.same(first.date(), startMs - 60_000, 'by an older pointer');
  t.match(await first.next('pointer_older'), { snapshotId: 'first', olderByMs: 55_600 });
  await clock.advance(POLL_MS);
  t.equal(first.count('pointer_older'), 1, 'reported once');
  const soonMs = clock.wallMs() + 3 * POLL_MS;
  await activate(soonMs);
  await clock.advance(POLL_MS);
  t.same(first.date(), undefined, 'by a pointer of the future');
  await clock.advance(3 * POLL_MS);
  t.same(first.date(), soonMs);
  await first.follower.stop();
  const mend = await breakStore(root);
  const second = await restart(t, first);
  await second.next('activated');
  t.same(second.date(), soonMs, 'over a restart without the store');
  await mend();
  const third = await restart(t, second, { afterMs: -61_000 });
  await third.next('activated');
  t.same(third.date(), undefined, 'by a clock that was set back');
});

void t.test('gives up the copy before when the disk has no room for the next one', async (t) => {
  const following = await startFollowing(t);
  for (const snapshotId of ['first', 'second', 'third']) {
    if (snapshotId === 'third') following.failImport = new SnapshotError('disk_full', 'full');
    await publish(following, snapshotDocument({ snapshot_id: snapshotId }));
    await following.next(snapshotId === 'third' ? 'failed' : 'activated');
  }
  await following.clock.idle();
  t.same(await copiesIn(following.copies), ['second']);
  t.same(following.serving(), served(following.copies, 'second'));
});

void t.test('says what fails when it begins, once an hour, and when it is over', async (t) => {
  const following = await startFollowing(t, { graceMs: 10 * HOUR_MS });
  const { root, clock, events } = following;
  await following.publish('first');
  await clock.idle();
  const good = encodePointer(await activePointer(root));
  /** Log lines of some polls with these pointers. */
  const saidOf = async (...pointers: readonly string[]): Promise<readonly string[]> => {
    const from = events.length;
    for (const pointer of pointers) {
      await writePointer(root, pointer);
      await clock.advance(POLL_MS);
    }
    return events
      .slice(from)
      .flatMap((event) => (event.kind === 'failed' && event.repeated ? [] : event.kind));
  };
  t.same(await saidOf('{', '[]', '{', '[]', '{'), ['failed', 'failed'], 'two, in turns');
  await clock.advance(HOUR_MS);
  t.same(await saidOf('{', '{'), [], 'said again within the hour that has passed');
  t.equal(events.filter((event) => event.kind === 'failed' && !event.repeated).length, 3);
  t.same(await saidOf(good, good), ['recovered']);
  t.same(await saidOf('{', good, good), ['failed', 'recovered'], 'as one that is new');

  const mend = await breakStore(root);
  for (let polls = 0; polls < 3; polls += 1) await clock.advance(OUTAGE_POLL_MS);
  const { sinceMs } = await following.next('store');
  t.equal(following.count('store'), 2);
  for (let hours = 1; hours < 3; hours += 1) {
    await clock.advance(HOUR_MS);
    t.match(await following.next('store'), { reachable: false, sinceMs });
  }
  await mend();
  await clock.advance(OUTAGE_POLL_MS);
  t.match(await following.next('store'), { reachable: true });
  t.equal(following.count('store'), 5);

  const mendAgain = await breakStore(root);
  for (let polls = 0; polls < 3; polls += 1) await clock.advance(OUTAGE_POLL_MS);
  t.match(await following.next('store'), { reachable: false }, 'another one within the hour');
  await mendAgain();
});

void t.test('refuses other bytes under the id that is being served', async (t) => {
  const following = await startFollowing(t);
  await following.publish('first');
  const pointer = await activePointer(following.root);
  await writePointer(following.root, encodePointer({ ...pointer, sha256: '0'.repeat(64) }));
  following.follower.poll();
  t.match(await following.next('failed'), { code: 'snapshot_conflict', repeated: false });
  t.same(following.serving(), served(following.copies, 'first'));
  t.same(await copiesIn(following.copies), ['first']);
});

void t.test('a pointer that is away for a poll removes nothing, over a restart too', async (t) => {
  let following = await startFollowing(t);
  const { root, copies } = following;
  await following.publish('first', 'second');
  const pointer = encodePointer(await activePointer(root));
  for (const isRestarted of [false, true]) {
    await rm(join(root, 'store', 'demo', 'active.json'));
    following.follower.poll();
    t.match(await following.next('unavailable'), { reason: 'pointer_absent' });
    await following.clock.idle();
    if (isRestarted) {
      following = await restart(t, following);
      t.match(await following.next('unavailable'), { reason: 'pointer_absent' });
    }
    t.same(await copiesIn(copies), ['first', 'second']);
    await writePointer(root, pointer);
    following.follower.poll();
    t.match(await following.next('activated'), { snapshotId: 'second', importMs: undefined });
  }
});

void t.test('serves the last good copy after a restart, but none that was withdrawn', async (t) => {
  const first = await startFollowing(t);
  const { root, copies } = first;
  await first.publish('first');
  await first.follower.stop();
  await publish({ root }, snapshotDocument({ snapshot_id: 'second' }));
  await truncate(join(root, 'store', 'demo', 'snapshots', 'second.json.gz'), 100);
  const second = await restart(t, first);
  t.match(await second.next('failed'), { code: 'document_corrupt', snapshotId: 'second' });
  t.same(second.serving(), served(copies, 'first'), 'the new document is bad');

  await rm(join(root, 'store', 'demo', 'active.json'));
  second.follower.poll();
  await second.next('unavailable');
  await second.follower.stop();
  await breakStore(root);
  const third = await restart(t, second);
  t.match(await third.next('unavailable'), { reason: 'store_unreachable' });
  t.equal(third.count('activated'), 0);
});

void t.test('a copy that cannot be read for a moment at a start is not made anew', async (t) => {
  let last = await startFollowing(t);
  const { root, copies } = last;
  await last.publish('first');
  await last.follower.stop();
  const mend = await breakStore(root);
  for (const name of ['data.mdb', 'copy.json', 'front']) {
    const restore =
      name !== 'front' && (await makeUnreadable(join(copyFolder(copies, 'first'), name), root));
    const next = await restart(t, last, { refuses: name === 'front' });
    t.match(await next.next('failed'), { code: 'copy_unreadable', snapshotId: 'first' }, name);
    t.match(await next.next('unavailable'), { reason: 'store_unreachable' }, name);
    await next.clock.advance(3 * OUTAGE_POLL_MS);
    t.equal(next.count('unavailable'), 1, `${name}: said once`);
    t.same(await copiesIn(copies), ['first'], name);
    next.refuses = false;
    if (restore) await restore();
    await next.clock.advance(OUTAGE_POLL_MS);
    t.match(await next.next('activated'), { snapshotId: 'first' }, name);
    t.same(next.serving(), served(copies, 'first'), name);
    await next.follower.stop();
    last = next;
  }
  await mend();
});

void t.test('what is served is served on while its copy cannot be read', async (t) => {
  const following = await startFollowing(t);
  const { root, copies, clock } = following;
  await following.publish('first');
  const before = following.count('unavailable');
  const restore = await makeUnreadable(join(copyFolder(copies, 'first'), 'data.mdb'), root);
  following.follower.reverify();
  t.match(await following.next('failed'), { code: 'copy_unreadable', snapshotId: 'first' });
  await clock.advance(POLL_MS);
  t.same(following.serving(), served(copies, 'first'));
  await restore();
  await clock.advance(2 * POLL_MS);
  const failed = following.count('failed');
  await clock.advance(2 * POLL_MS);
  t.equal(following.count('failed'), failed, 'it is whole');
  t.equal(following.count('unavailable'), before);
  t.equal(following.count('importing'), 1);
});

void t.test('the copy before stays where it cannot be read and none can be imported', async (t) => {
  const following = await startFollowing(t);
  const { root, copies, clock } = following;
  await following.publish('first', 'second');
  following.failImport = new SnapshotError('store_unreachable', 'away');
  const restore = await makeUnreadable(join(copyFolder(copies, 'first'), 'copy.json'), root);
  await activate(following, 'first');
  t.match(await following.next('failed'), { code: 'copy_unreadable', snapshotId: 'first' });
  t.match(await following.next('failed'), { code: 'store_unreachable', snapshotId: 'first' });
  await clock.idle();
  t.same(await copiesIn(copies), ['first', 'second']);
  t.same(following.serving(), served(copies, 'second'));
  await restore();
  await clock.advance(HOUR_MS / 60);
  const { snapshotId, importMs } = await following.next('activated');
  t.same([snapshotId, importMs], ['first', undefined]);
});

void t.test('takes a damaged copy out of service and makes it anew', async (t) => {
  const following = await startFollowing(t);
  await following.publish('first');
  await writeFile(join(copyFolder(following.copies, 'first'), 'data.mdb'), 'x', { flag: 'a' });
  following.follower.reverify();
  t.match(await following.next('failed'), { code: 'copy_damaged', snapshotId: 'first' });
  t.match(await following.next('unavailable'), { reason: 'starting' });
  t.match(await following.next('activated'), { snapshotId: 'first' });
  t.equal(following.count('importing'), 2);
});

void t.test('makes a copy anew that was cut or altered while nothing ran', async (t) => {
  const chance = chanceOf(t);
  let last = await startFollowing(t);
  const { root, copies } = last;
  await last.publish('first');
  for (const [name, spoil] of Object.entries(COPY_FAULTS)) {
    await last.follower.stop();
    await spoil(copyFolder(copies, 'first'), chance);
    const mend = await breakStore(root);
    const next = await restart(t, last);
    t.match(await next.next('failed'), { code: 'copy_damaged' }, name);
    t.match(await next.next('unavailable'), { reason: 'store_unreachable' }, name);
    t.equal(next.count('activated'), 0, name);
    await mend();
    await next.clock.advance(POLL_MS);
    t.match(await next.next('activated'), { snapshotId: 'first', importMs: Number }, name);
    t.same(next.serving(), served(copies, 'first'), name);
    t.equal(next.count('failed'), 1, name);
    last = next;
  }
});

/** Serves `first`, and has the import of `second` go on though `third` has come. */
async function startBehind(t: Test) {
  const following = await startFollowing(t);
  await following.publish('first');
  const release = following.delay('holdImport');
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
  await following.publish('first');
  const release = following.delay('hangImport');
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
  release();
  t.match(await following.next('importing'), { snapshotId: 'third' });
  t.match(await following.next('activated'), { snapshotId: 'third' });
  t.equal(following.count('failed'), 0);
});
