/** Following the pointer: a real file store, real imports in their own process, and a clock that the test moves. */
import { once } from 'node:events';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { FollowEvent } from '../../../src/snapshot/follow/follow-event.js';
import { follow, type Follower } from '../../../src/snapshot/follow/follow.js';
import { SnapshotError } from '../../../src/snapshot/domain/snapshot-error.js';
import type { ModificationDate, Serving } from '../../../src/snapshot/domain/serving-state.js';
import { encodePointer } from '../../../src/snapshot/store/pointer.js';
import type { Pointer } from '../../../src/snapshot/store/store.js';
import { importSnapshot } from '../../../src/workers/importer.js';
import { TestClock } from '../../support/documents/manual-clock.js';
import { generateDocument, snapshotDocument } from '../../support/documents/documents.js';
import { forkWithoutHooks } from '../../support/service/plain-node.js';
import { inTime, makeRoot, publish, storeOf } from '../../support/service/service.js';

await forkWithoutHooks(await makeRoot(t));

const POLL_MS = 2000;
const HOUR_MS = 3_600_000;
const BUILD = 'abcd0123';

type EventOf<K extends FollowEvent['kind']> = Extract<FollowEvent, { kind: K }>;

interface Following {
  readonly root: string;
  readonly copies: string;
  readonly clock: TestClock;
  readonly follower: Follower;
  readonly events: readonly FollowEvent[];
  /** What is served now; its date apart. */
  serving(): Serving | undefined;
  date(): ModificationDate | undefined;
  inUse: ReadonlySet<string>;
  /** What every import fails with, instead of being made. */
  failImport: SnapshotError | undefined;
  /** What every import waits for before it is made. */
  holdImport: Promise<unknown> | undefined;
  /** The next event of a kind that nobody has taken yet. */
  next<K extends FollowEvent['kind']>(kind: K): Promise<EventOf<K>>;
  count(kind: FollowEvent['kind']): number;
}

interface Start {
  readonly root?: string;
  readonly clock?: TestClock;
  readonly graceMs?: number;
  readonly build?: string;
}

async function startFollowing(t: Test, start: Start = {}): Promise<Following> {
  const { root = await makeRoot(t), clock = new TestClock() } = start;
  const { graceMs = HOUR_MS, build = BUILD } = start;
  const copies = join(root, 'local', 'demo');
  const store = storeOf({ root });
  const events: FollowEvent[] = [];
  const untaken: FollowEvent[] = [];
  let hear = (): void => undefined;
  let served: Serving | undefined;
  let date: ModificationDate | undefined;
  const following: Omit<Following, 'follower'> = {
    root,
    copies,
    clock,
    events,
    serving: () => served,
    date: () => date,
    inUse: new Set(),
    failImport: undefined,
    holdImport: undefined,
    next: async (kind) => {
      const found = new Promise<EventOf<typeof kind>>((resolve) => {
        hear = () => {
          const index = untaken.findIndex((event) => event.kind === kind);
          const event = untaken[index];
          if (event === undefined || !isOf(event, kind)) return;
          untaken.splice(0, index + 1);
          hear = () => undefined;
          resolve(event);
        };
        hear();
      });
      return await inTime(found, `the event ${kind}; so far ${JSON.stringify(events)}`);
    },
    count: (kind) => events.filter((event) => event.kind === kind).length,
  };
  const follower = await follow({
    store,
    expectedSchemaVersion: '1.2.0',
    build,
    directory: copies,
    pollMs: POLL_MS,
    graceMs,
    clock,
    importSnapshot: async (pointer, signal) => {
      if (following.failImport) throw following.failImport;
      await Promise.race([following.holdImport, once(signal, 'abort')]);
      await importSnapshot(
        {
          store: `file:${join(root, 'store')}`,
          keyPrefix: 'demo',
          pointer,
          expectedSchemaVersion: '1.2.0',
          build,
          directory: copies,
          threads: 1,
        },
        { deadlineMs: 60_000, signal },
      );
    },
    apply: (serving) => {
      if (serving.kind === 'unavailable') served = serving;
      else ({ lastModified: date, ...served } = serving);
      return Promise.resolve(true);
    },
    inUse: () => following.inUse,
    report: (event) => {
      events.push(event);
      untaken.push(event);
      hear();
    },
  });
  t.teardown(() => follower.stop());
  return Object.assign(following, { follower });
}

function isOf<K extends FollowEvent['kind']>(event: FollowEvent, kind: K): event is EventOf<K> {
  return event.kind === kind;
}

const served = (copies: string, snapshotId: string): Serving => ({
  kind: 'snapshot',
  snapshotId,
  directory: join(copies, `${snapshotId}~${BUILD}`),
  build: BUILD,
});

async function activePointer(root: string): Promise<Pointer> {
  const reading = await storeOf({ root }).readPointer();
  if (reading.kind === 'absent') throw new Error('no pointer');
  return reading.pointer;
}

async function writePointer(root: string, text: string): Promise<void> {
  const path = join(root, 'store', 'demo', 'active.json');
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

/** The store as one that cannot be read: where its directory was, there is a file. */
async function breakStore(root: string): Promise<() => Promise<void>> {
  const store = join(root, 'store');
  await rename(store, `${store}.away`);
  await writeFile(store, 'not a directory');
  return async () => {
    await rm(store);
    await rename(`${store}.away`, store);
  };
}

/** Ids of the copies that are there, all of them of one build. */
const copiesIn = async (directory: string, build = BUILD): Promise<readonly string[]> =>
  (await readdir(directory))
    .filter((name) => !name.startsWith('~'))
    .map((name) => name.replace(new RegExp(`~${build}$`), ''));

void t.test(
  'imports what the pointer names, hands it over, and keeps one copy before it',
  async (t) => {
    const root = await makeRoot(t);
    await publish({ root }, snapshotDocument({ snapshot_id: 'first' }));
    const following = await startFollowing(t, { root });
    t.match(await following.next('store'), { reachable: true });
    t.match(await following.next('importing'), { snapshotId: 'first' });
    const first = await following.next('activated');
    t.equal(first.snapshotId, 'first');
    t.type(first.importMs, 'number');
    t.same(following.serving(), served(following.copies, 'first'));

    following.inUse = new Set([join(following.copies, `first~${BUILD}`)]);
    for (const snapshotId of ['second', 'third']) {
      await publish(following, snapshotDocument({ snapshot_id: snapshotId }));
      t.match(await following.next('activated'), { snapshotId });
      t.same(following.serving(), served(following.copies, snapshotId));
    }
    await following.clock.idle();
    t.same(await copiesIn(following.copies), ['first', 'second', 'third'], 'one reads the first');

    following.inUse = new Set();
    following.follower.look();
    await following.clock.idle();
    await following.clock.advance(POLL_MS);
    t.same(await copiesIn(following.copies), ['second', 'third']);
  },
);

void t.test('goes back to the copy before without an import, over a restart too', async (t) => {
  const first = await startFollowing(t);
  const { root, copies } = first;
  for (const snapshotId of ['second', 'first']) {
    await publish(first, snapshotDocument({ snapshot_id: snapshotId }));
    await first.next('activated');
  }
  await storeOf({ root }).activate('second');
  t.match(await first.next('activated'), { snapshotId: 'second', importMs: undefined });
  t.same(first.serving(), served(copies, 'second'));
  await first.follower.stop();
  t.equal(first.count('importing'), 2);

  const second = await startFollowing(t, { root, clock: first.clock.restarted(1000) });
  t.match(await second.next('activated'), { snapshotId: 'second' });
  await second.clock.idle();
  t.same(await copiesIn(copies), ['first', 'second']);
  await storeOf({ root }).activate('first');
  t.match(await second.next('activated'), { snapshotId: 'first', importMs: undefined });
  t.equal(second.count('importing'), 0);
});

void t.test(
  'makes a copy of its own where another build has left one, and serves on',
  async (t) => {
    const first = await startFollowing(t, { build: 'another0' });
    const { root, copies } = first;
    for (const snapshotId of ['before', 'first']) {
      await publish(first, snapshotDocument({ snapshot_id: snapshotId }));
      await first.next('activated');
    }
    await first.follower.stop();

    const second = await startFollowing(t, { root, clock: first.clock.restarted(1000) });
    t.match(await second.next('activated'), { snapshotId: 'first', importMs: undefined });
    const directory = join(copies, 'first~another0');
    const build = `another0-${BUILD}`;
    t.same(second.serving(), { kind: 'snapshot', snapshotId: 'first', directory, build });
    t.match(await second.next('activated'), { snapshotId: 'first', importMs: Number });
    t.same(second.serving(), served(copies, 'first'));
    await second.clock.idle();
    t.same(await copiesIn(copies), ['first'], 'nothing is left of the other build');

    await storeOf({ root }).activate('before');
    t.match(await second.next('activated'), { snapshotId: 'before', importMs: Number });
  },
);

void t.test('serves the copy of another build while the store is silent', async (t) => {
  const first = await startFollowing(t, { build: 'another0' });
  const { root, clock, copies } = first;
  await publish(first, snapshotDocument({ snapshot_id: 'first' }));
  await first.next('activated');
  await first.follower.stop();
  const mend = await breakStore(root);

  const second = await startFollowing(t, { root, clock: clock.restarted(1000) });
  t.match(await second.next('activated'), { snapshotId: 'first', importMs: undefined });
  await second.clock.advance(10 * POLL_MS);
  t.match(second.serving(), { kind: 'snapshot', build: `another0-${BUILD}` });
  t.equal(second.count('importing'), 0);

  await mend();
  await second.clock.advance(POLL_MS);
  t.match(await second.next('activated'), { snapshotId: 'first', importMs: Number });
  t.same(second.serving(), served(copies, 'first'));
});

void t.test(
  'dates what it serves by the pointer, over a restart and without the store',
  async (t) => {
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
    t.same(first.date(), { ms: startMs - 5000, isAmbiguous: false });

    await activate(startMs - 500);
    await clock.advance(POLL_MS);
    const moved = { ms: startMs - 1000, isAmbiguous: false };
    t.same(first.date(), moved, 'published again');
    await activate(startMs - 60_000);
    await clock.advance(POLL_MS);
    t.same(first.date(), moved, 'by an older pointer');
    await activate(startMs + HOUR_MS);
    await clock.advance(POLL_MS);
    const { ms: seenMs = 0 } = first.date() ?? {};
    t.ok(seenMs >= startMs && seenMs <= clock.wallMs(), 'by a pointer of the future');
    await clock.advance(POLL_MS);
    t.same(first.date()?.ms, seenMs, 'which moves the date once');
    await first.follower.stop();

    const mend = await breakStore(root);
    const second = await startFollowing(t, { root, clock: clock.restarted(1000) });
    await second.next('activated');
    t.same(second.date()?.ms, seenMs, 'without the store');
    await mend();
    await second.follower.stop();

    await activate(startMs - 60_000);
    const third = await startFollowing(t, { root, clock: clock.restarted(2000) });
    await third.next('activated');
    t.same(third.date()?.ms, seenMs, 'after a restart, by an older pointer');
    await third.follower.stop();

    const fourth = await startFollowing(t, { root, clock: clock.restarted(-HOUR_MS) });
    await fourth.next('activated');
    t.same(fourth.date(), undefined, 'no date is both past and late enough');
    await activate(startMs + 2 * HOUR_MS);
    await fourth.clock.advance(3 * HOUR_MS);
    t.same(fourth.date(), { ms: startMs + 2 * HOUR_MS, isAmbiguous: false });
  },
);

void t.test('imports anew where the copy before is damaged', async (t) => {
  const following = await startFollowing(t);
  for (const snapshotId of ['first', 'second']) {
    await publish(following, snapshotDocument({ snapshot_id: snapshotId }));
    await following.next('activated');
  }
  await writeFile(join(following.copies, `first~${BUILD}`, 'data.mdb'), 'x', { flag: 'a' });
  await storeOf(following).activate('first');
  t.match(await following.next('failed'), { code: 'copy_damaged', snapshotId: 'first' });
  t.match(await following.next('activated'), { snapshotId: 'first', importMs: Number });
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

void t.test('imports nothing when the copy is there from an earlier run', async (t) => {
  const first = await startFollowing(t);
  await publish(first, snapshotDocument({ snapshot_id: 'first' }));
  await first.next('activated');
  await first.follower.stop();
  const { root, clock } = first;

  const second = await startFollowing(t, { root, clock: clock.restarted(1000) });
  t.match(await second.next('activated'), { snapshotId: 'first', importMs: undefined });
  t.equal(second.count('importing'), 0);
});

void t.test(
  'serves nothing while no pointer is there, and the same copy when it is back',
  async (t) => {
    const following = await startFollowing(t);
    t.match(await following.next('unavailable'), { reason: 'pointer_absent' });
    await publish(following, snapshotDocument({ snapshot_id: 'first' }));
    await following.next('activated');
    const pointer = await activePointer(following.root);

    await rm(join(following.root, 'store', 'demo', 'active.json'));
    following.follower.look();
    t.match(await following.next('unavailable'), { reason: 'pointer_absent' });
    t.match(following.serving(), { kind: 'unavailable', reason: 'pointer_absent' });

    await writePointer(following.root, encodePointer(pointer));
    following.follower.look();
    await following.next('activated');
    t.equal(following.count('importing'), 1);
  },
);

void t.test(
  'serves nothing under a foreign schema version, until the pointer is ours again',
  async (t) => {
    const following = await startFollowing(t);
    await publish(following, snapshotDocument({ snapshot_id: 'first' }));
    await following.next('activated');
    const pointer = await activePointer(following.root);

    await writePointer(following.root, encodePointer({ ...pointer, schemaVersion: '9.9.9' }));
    following.follower.look();
    t.match(await following.next('unavailable'), { reason: 'schema_version', detail: /9\.9\.9/ });
    const before = following.events.length;
    await following.clock.advance(10 * POLL_MS);
    t.equal(following.events.length, before, 'said once');

    await writePointer(following.root, encodePointer(pointer));
    following.follower.look();
    await following.next('activated');
    t.same(following.serving(), served(following.copies, 'first'));
  },
);

void t.test('goes on serving under a malformed pointer, and says so once', async (t) => {
  const following = await startFollowing(t);
  await publish(following, snapshotDocument({ snapshot_id: 'first' }));
  await following.next('activated');
  for (const text of ['{', '[]', '{"snapshot_id":"../x"}', 'x'.repeat(1_000_000), '\0']) {
    await writePointer(following.root, text);
    following.follower.look();
    // One that is looked at twice is told twice, the second time as repeated.
    while ((await following.next('failed')).repeated);
  }
  const before = following.count('failed');
  await following.clock.advance(5 * POLL_MS);
  t.ok(following.count('failed') >= before + 4, 'every look is counted');
  const told = following.events.filter((event) => event.kind === 'failed' && !event.repeated);
  t.equal(told.length, 5, 'and each pointer is told of once');
  t.same(following.serving(), served(following.copies, 'first'));
});

void t.test(
  'tries a missing document again ever later, and at once when the pointer moves',
  async (t) => {
    const following = await startFollowing(t);
    await publish(following, snapshotDocument({ snapshot_id: 'first' }));
    await following.next('activated');
    const pointer = await activePointer(following.root);
    const lost = { ...pointer, snapshotId: 'lost', document: 'snapshots/lost.json.gz' };
    await writePointer(following.root, encodePointer(lost));
    following.follower.look();

    const times: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      times.push(following.clock.elapsedMs());
      const { code, repeated } = await following.next('failed');
      t.equal(code, 'snapshot_missing');
      t.equal(repeated, attempt > 0);
      await following.clock.idle();
      const imports = following.count('importing');
      while (following.count('importing') === imports) await following.clock.advance(500);
    }
    const delays = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    t.same(delays, [1000, 2000]);
    t.same(following.serving(), served(following.copies, 'first'));

    await following.next('failed');
    await publish(following, snapshotDocument({ snapshot_id: 'second' }));
    t.match(await following.next('activated'), { snapshotId: 'second' });
  },
);

void t.test('calls off an import that a newer pointer overtakes', async (t) => {
  const following = await startFollowing(t);
  const large = generateDocument({ stations: 40, hours: 720, snapshotId: 'large' });
  await publish(following, large);
  await following.next('importing');
  await publish(following, snapshotDocument({ snapshot_id: 'newer' }));
  t.match(await following.next('overtaken'), { snapshotId: 'large' });
  t.match(await following.next('activated'), { snapshotId: 'newer' });
  await following.clock.idle();
  t.same(await copiesIn(following.copies), ['newer']);
  t.equal(following.count('failed'), 0);
});

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
  t.match(await following.next('overtaken'), { snapshotId: 'second', finishes: false });
  t.match(await following.next('importing'), { snapshotId: 'third' });
  await publish(following, snapshotDocument({ snapshot_id: 'fourth' }));
  t.match(await following.next('overtaken'), { snapshotId: 'third', finishes: true });
  return { following, release };
}

void t.test('follows a pointer that moves faster than an import runs', async (t) => {
  const { following, release } = await startBehind(t);
  await publish(following, snapshotDocument({ snapshot_id: 'fifth' }));
  await following.clock.advance(2 * POLL_MS);
  t.equal(following.count('overtaken'), 2, 'said once of each');
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
  const overtaken = await following.next('overtaken');
  t.match(overtaken, { snapshotId: 'sixth', finishes: false }, 'as long as it can be followed');
  t.match(await following.next('activated'), { snapshotId: 'seventh' });
});

void t.test('shows no overtaken import over what the pointer has gone back to', async (t) => {
  const { following, release } = await startBehind(t);
  await storeOf(following).activate('first');
  t.match(await following.next('overtaken'), { snapshotId: 'third', finishes: false });
  release();
  await following.clock.advance(2 * POLL_MS);
  t.same(following.serving(), served(following.copies, 'first'));
  t.equal(following.count('activated'), 1);
  t.same(await copiesIn(following.copies), ['first']);
});

void t.test('shows no overtaken import once the pointer is withdrawn', async (t) => {
  const { following, release } = await startBehind(t);
  await rm(join(following.root, 'store', 'demo', 'active.json'));
  following.follower.look();
  t.match(await following.next('unavailable'), { reason: 'pointer_absent' });
  release();
  await following.clock.advance(2 * POLL_MS);
  t.match(following.serving(), { kind: 'unavailable' });
  t.equal(following.count('activated'), 1);
});

void t.test('refuses other bytes under the id that is being served', async (t) => {
  const following = await startFollowing(t);
  await publish(following, snapshotDocument({ snapshot_id: 'first' }));
  await following.next('activated');
  const pointer = await activePointer(following.root);
  await writePointer(following.root, encodePointer({ ...pointer, sha256: '0'.repeat(64) }));
  following.follower.look();
  t.match(await following.next('failed'), { code: 'snapshot_conflict', repeated: false });
  t.same(following.serving(), served(following.copies, 'first'));
  t.same(await copiesIn(following.copies), ['first']);
});

void t.test(
  'serves on within the grace while the store is silent, then nothing, then at once again',
  async (t) => {
    const following = await startFollowing(t, { graceMs: HOUR_MS });
    const { clock } = following;
    await publish(following, snapshotDocument({ snapshot_id: 'first' }));
    await following.next('activated');
    const mend = await breakStore(following.root);
    await clock.advance(POLL_MS);
    t.match(await following.next('store'), { reachable: false });
    await clock.advance(HOUR_MS - 2 * POLL_MS);
    t.same(following.serving(), served(following.copies, 'first'));
    t.equal(following.count('store'), 2, 'said once, and once at the start');

    await clock.advance(2 * POLL_MS);
    t.match(following.serving(), { kind: 'unavailable', reason: 'store_unreachable' });

    await mend();
    await clock.advance(POLL_MS);
    t.match(await following.next('store'), { reachable: true });
    await following.next('activated');
    t.same(following.serving(), served(following.copies, 'first'));
    t.equal(following.count('importing'), 1);
  },
);

void t.test('serves nothing without the store when the grace is zero', async (t) => {
  const following = await startFollowing(t, { graceMs: 0 });
  await publish(following, snapshotDocument({ snapshot_id: 'first' }));
  await following.next('activated');
  await breakStore(following.root);
  await following.clock.advance(POLL_MS);
  t.match(following.serving(), { kind: 'unavailable', reason: 'store_unreachable' });
});

void t.test('counts the grace on over a restart', async (t) => {
  const first = await startFollowing(t);
  const { root, clock, copies } = first;
  await publish(first, snapshotDocument({ snapshot_id: 'first' }));
  await first.next('activated');
  await first.follower.stop();
  await breakStore(root);

  const within = await startFollowing(t, { root, clock: clock.restarted(HOUR_MS - 10_000) });
  t.match(await within.next('store'), { reachable: false });
  await within.next('activated');
  t.same(within.serving(), served(copies, 'first'));
  await within.clock.advance(10_000);
  t.match(within.serving(), { kind: 'unavailable', reason: 'store_unreachable' });
  await within.follower.stop();

  const beyond = await startFollowing(t, { root, clock: clock.restarted(HOUR_MS) });
  t.match(await beyond.next('unavailable'), { reason: 'store_unreachable' });
  t.equal(beyond.count('activated'), 0);
});

void t.test('does not bring back over a restart what the store has withdrawn', async (t) => {
  const first = await startFollowing(t);
  const { root, clock } = first;
  await publish(first, snapshotDocument({ snapshot_id: 'first' }));
  await first.next('activated');
  await rm(join(root, 'store', 'demo', 'active.json'));
  first.follower.look();
  await first.next('unavailable');
  await first.follower.stop();
  await breakStore(root);

  const second = await startFollowing(t, { root, clock: clock.restarted(1000) });
  t.match(await second.next('unavailable'), { reason: 'store_unreachable' });
  t.equal(second.count('activated'), 0);
});

void t.test(
  'serves the last good copy after a restart while the new document is bad',
  async (t) => {
    const first = await startFollowing(t);
    const { root, clock, copies } = first;
    await publish(first, snapshotDocument({ snapshot_id: 'first' }));
    await first.next('activated');
    await first.follower.stop();
    await publish({ root }, snapshotDocument({ snapshot_id: 'second' }));
    const document = join(root, 'store', 'demo', 'snapshots', 'second.json.gz');
    const bytes = await readFile(document);
    await writeFile(document, bytes.subarray(0, bytes.length / 2));

    const second = await startFollowing(t, { root, clock: clock.restarted(1000) });
    t.match(await second.next('failed'), { code: 'document_corrupt', snapshotId: 'second' });
    t.same(second.serving(), served(copies, 'first'));
  },
);

void t.test('takes a damaged copy out of service and makes it anew', async (t) => {
  const following = await startFollowing(t);
  await publish(following, snapshotDocument({ snapshot_id: 'first' }));
  await following.next('activated');
  await writeFile(join(following.copies, `first~${BUILD}`, 'data.mdb'), 'x', { flag: 'a' });
  following.follower.doubt();
  t.match(await following.next('failed'), { code: 'copy_damaged', snapshotId: 'first' });
  t.match(await following.next('unavailable'), { reason: 'starting' });
  t.match(await following.next('activated'), { snapshotId: 'first' });
  t.equal(following.count('importing'), 2);
});

void t.test('never serves a damaged copy at a start, whichever byte is wrong', async (t) => {
  const first = await startFollowing(t);
  const { root, copies } = first;
  await publish(first, snapshotDocument({ snapshot_id: 'first' }));
  await first.next('activated');
  await first.follower.stop();
  await breakStore(root);
  const path = join(copies, `first~${BUILD}`, 'data.mdb');
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
  await writeFile(path, bytes);

  const second = await startFollowing(t, { root, clock: first.clock.restarted(1000) });
  t.match(await second.next('failed'), { code: 'copy_damaged' });
  t.match(await second.next('unavailable'), { reason: 'store_unreachable' });
  t.equal(second.count('activated'), 0);
});

void t.test('removes nothing that is not its own, and names it once', async (t) => {
  const root = await makeRoot(t);
  const copies = join(root, 'local', 'demo');
  // By their names copies or leftovers of them, of which they lack the mark.
  const strangers = ['backup', `old~${BUILD}`, '~12-import', '~x', '20260101T000000Z'];
  for (const name of strangers) {
    await mkdir(join(copies, name), { recursive: true });
    await writeFile(join(copies, name, 'data.mdb'), 'somebody else’s');
  }
  await writeFile(join(copies, `named~${BUILD}`), 'a file');
  await writeFile(join(copies, 'notes.txt'), 'kept');
  await mkdir(join(copies, '~13-empty'));

  const following = await startFollowing(t, { root });
  const { names } = await following.next('strangers');
  t.same(names.toSorted(), [...strangers, `named~${BUILD}`, 'notes.txt'].toSorted());
  for (const snapshotId of ['first', 'second', 'third']) {
    await publish(following, snapshotDocument({ snapshot_id: snapshotId }));
    await following.next('activated');
  }
  await following.clock.idle();
  following.follower.look();
  await following.clock.advance(POLL_MS);
  const left = (await readdir(copies)).filter((name) => !name.startsWith('~contact'));
  t.same(
    left.toSorted(),
    [...names, `second~${BUILD}`, `third~${BUILD}`].toSorted(),
    'copies of its own are removed, and nothing else',
  );
  for (const name of strangers) {
    t.equal(await readFile(join(copies, name, 'data.mdb'), 'utf8'), 'somebody else’s');
  }
  t.equal(following.count('strangers'), 1);
});

void t.test('an import whose name a stranger has fails, and removes nothing', async (t) => {
  const root = await makeRoot(t);
  const path = join(root, 'local', 'demo', `first~${BUILD}`);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, 'data.mdb'), 'somebody else’s');
  const following = await startFollowing(t, { root });
  await publish(following, snapshotDocument({ snapshot_id: 'first' }));
  const { code, message } = await following.next('failed');
  t.equal(code, 'import_failed');
  t.match(message, `${path} is in the way: it was not made by this service`);
  t.equal(await readFile(join(path, 'data.mdb'), 'utf8'), 'somebody else’s');
  await following.clock.idle();
  t.same(await readdir(path), ['data.mdb']);

  await rm(path, { recursive: true });
  await following.clock.advance(POLL_MS);
  t.match(await following.next('activated'), { snapshotId: 'first' });
});

void t.test('knows the copies of a build that left no mark', async (t) => {
  const first = await startFollowing(t);
  const { root, copies } = first;
  for (const snapshotId of ['first', 'second']) {
    await publish(first, snapshotDocument({ snapshot_id: snapshotId }));
    await first.next('activated');
  }
  await first.follower.stop();
  for (const name of [`first~${BUILD}`, `second~${BUILD}`]) {
    await rm(join(copies, name, 'made-by-bura'));
  }

  const second = await startFollowing(t, { root, clock: first.clock.restarted(1000) });
  t.match(await second.next('activated'), { snapshotId: 'second', importMs: undefined });
  await publish(second, snapshotDocument({ snapshot_id: 'third' }));
  await second.next('activated');
  await second.clock.idle();
  t.same(await copiesIn(copies), ['second', 'third']);
  t.equal(second.count('strangers'), 0);
});
