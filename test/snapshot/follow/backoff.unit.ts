/** When a pointer that could not be taken is tried again. */
import fc from 'fast-check';
import t from 'tap';
import { Backoff } from '../../../src/snapshot/follow/backoff.js';
import { OutageGrace } from '../../../src/snapshot/follow/store-status.js';
import type { Clock } from '../../../src/snapshot/domain/clock.js';
import type { Pointer } from '../../../src/snapshot/store/store.js';

/** Both clocks at the same moment; nobody waits. */
function standingClock(): Clock & { now: number } {
  const clock = {
    now: 0,
    wallMs: () => clock.now,
    elapsedMs: () => clock.now,
    wait: () => Promise.resolve(),
  };
  return clock;
}

const pointer: Pointer = {
  snapshotId: 'a',
  schemaVersion: '1.2.0',
  document: 'snapshots/a.json.gz',
  sizeBytes: 1,
  sha256: '0'.repeat(64),
  activatedAtMs: 0,
};

void t.test('waits a second, twice as long each time, at most a minute', (t) => {
  const clock = standingClock();
  const attempts = new Backoff(clock);
  const delays: number[] = [];
  for (let failures = 0; failures < 9; failures++) {
    attempts.failed(pointer);
    const dueMs = attempts.dueInMs(pointer);
    delays.push(dueMs);
    clock.now += dueMs;
    t.equal(attempts.dueInMs(pointer), 0);
  }
  t.same(delays, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  t.end();
});

void t.test('tries at once when the pointer moves, also to the same document', (t) => {
  const attempts = new Backoff(standingClock());
  attempts.failed(pointer);
  attempts.failed(pointer);
  const moved = { ...pointer, activatedAtMs: 1 };
  t.equal(attempts.dueInMs(moved), 0);
  attempts.failed(moved);
  t.equal(attempts.dueInMs(moved), 1000, 'and begins to count anew');
  attempts.forget();
  t.equal(attempts.dueInMs(moved), 0);
  t.end();
});

void t.test(
  'the grace ends its length after the last contact, however the wall clock jumps',
  (t) => {
    fc.assert(
      fc.property(
        fc.record({
          graceMs: fc.nat(1e9),
          ageMs: fc.nat(2e9),
          jumpMs: fc.integer({ min: -1e9, max: 1e9 }),
          passedMs: fc.nat(2e9),
        }),
        ({ graceMs, ageMs, jumpMs, passedMs }) => {
          const clock = { ...standingClock(), wall: 5e9, mono: 0 };
          clock.wallMs = () => clock.wall;
          clock.elapsedMs = () => clock.mono;
          const grace = new OutageGrace({ graceMs, clock, lastAnswerMs: clock.wall - ageMs });
          clock.wall += jumpMs;
          clock.mono += passedMs;
          return grace.leftMs() === graceMs - ageMs - passedMs;
        },
      ),
    );
    t.end();
  },
);

void t.test('a contact in the future counts from now, none at all is long ago', (t) => {
  const clock = standingClock();
  t.equal(new OutageGrace({ graceMs: 10, clock, lastAnswerMs: 1000 }).leftMs(), 10);
  t.equal(new OutageGrace({ graceMs: 10, clock, lastAnswerMs: undefined }).leftMs(), -Infinity);
  t.end();
});
