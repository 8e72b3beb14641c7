/** When a pointer that could not be imported is tried again. */
import t from 'tap';
import { Failures } from '../../../src/snapshot/follow/failures.js';
import type { Pointer } from '../../../src/snapshot/store/pointer.js';

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
  const clock = {
    now: 0,
    wallMs: () => clock.now,
    elapsedMs: () => clock.now,
    wait: () => Promise.resolve(),
  };
  const failures = new Failures(() => undefined, clock);
  const delays = Array.from({ length: 9 }, () => {
    failures.reportImport(failure, pointer);
    const dueMs = failures.dueInMs(pointer);
    clock.now += dueMs;
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
