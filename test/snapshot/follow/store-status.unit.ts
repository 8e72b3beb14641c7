/** The store's status on the disk, how long may be served without it, and when a failed import is tried again. */
import fc from 'fast-check';
import t from 'tap';
import { Failures } from '../../../src/snapshot/follow/failures.js';
import { StoreStatus } from '../../../src/snapshot/follow/store-status.js';
import type { Pointer } from '../../../src/snapshot/store/pointer.js';

const WALL_MS = 5e9;

function fakeClock() {
  const times = { wall: WALL_MS, mono: 0 };
  const wait = () => Promise.resolve();
  return { times, clock: { wallMs: () => times.wall, elapsedMs: () => times.mono, wait } };
}

/** The status of a store that does not answer, after a status of this text was written. */
async function silentStatus(written: string, graceMs: number) {
  const directory = t.testdir({ '~contact.json': written });
  const { clock, times } = fakeClock();
  const report = (): void => undefined;
  const status = await StoreStatus.resume({ directory, address: 'a', graceMs, clock, report });
  await status.silent('away');
  return { status, times };
}

void t.test('the grace ends after its length, however the wall clock jumps', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        graceMs: fc.nat(1e9),
        ageMs: fc.nat(2e9),
        jumpMs: fc.integer({ min: -1e9, max: 1e9 }),
        passedMs: fc.nat(2e9),
      }),
      async ({ graceMs, ageMs, jumpMs, passedMs }) => {
        const written = JSON.stringify({ store: 'a', atMs: WALL_MS - ageMs });
        const { status, times } = await silentStatus(written, graceMs);
        times.wall += jumpMs;
        times.mono += passedMs;
        return status.leftMs === Math.max(0, graceMs - ageMs - passedMs);
      },
    ),
  );
});

void t.test('a wrong status on the disk is none, a future one counts from now', async (t) => {
  const future = JSON.stringify({ store: 'a', atMs: WALL_MS + 1000 });
  t.equal((await silentStatus(future, 10)).status.leftMs, 10);
  const ofAnother = JSON.stringify({ store: 'b', atMs: WALL_MS });
  const malformed = ['', '7', 'null', '{}', '{"store":"a"', '{"store":"a","atMs":1,"lastGood":{}}'];
  for (const text of [ofAnother, ...malformed]) {
    const { status } = await silentStatus(text, 10);
    t.same([status.leftMs, status.lastGood], [0, undefined], text);
  }
});

const failure = { code: 'import_failed', message: 'why' } as const;

const pointer: Pointer = {
  snapshotId: 'a',
  schemaVersion: '1.2.0',
  document: 'snapshots/a.json.gz',
  sizeBytes: 1,
  sha256: '0'.repeat(64),
  activatedAtMs: 0,
};

void t.test('waits a second, twice as long each time, at most a minute, until it moves', (t) => {
  const { clock, times } = fakeClock();
  const failures = new Failures(() => undefined, clock);
  const delays = Array.from({ length: 9 }, () => {
    failures.reportImport(failure, pointer);
    const dueMs = failures.dueInMs(pointer);
    times.mono += dueMs;
    t.equal(failures.dueInMs(pointer), 0);
    return dueMs;
  });
  t.same(delays, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  const moved = { ...pointer, activatedAtMs: 1 };
  t.equal(failures.dueInMs(moved), 0, 'also to the same document');
  failures.reportImport(failure, moved);
  t.equal(failures.dueInMs(moved), 1000, 'and begins to count anew');
  failures.retryNow();
  t.equal(failures.dueInMs(moved), 0);
  t.end();
});
