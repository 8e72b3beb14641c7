/** The list of the last failures, and their metrics. */
import { pino } from 'pino';
import t from 'tap';
import type { SnapshotErrorCode } from '../../../src/snapshot/domain/snapshot-error.js';
import { RecentFailures } from '../../../src/supervisor/operators/recent-failures.js';
import { StatusBoard } from '../../../src/supervisor/operators/status-board.js';
import { samplesOf, type Samples } from '../../support/service/scrape.js';

void t.test('keeps the last twenty, and counts what comes again', (t) => {
  let nowMs = 1000;
  const failures = new RecentFailures(() => (nowMs += 1000));
  for (let count = 1; count <= 30; count += 1) {
    failures.record({ kind: 'import_failed', code: 'disk_full', message: `no room ${count}` });
    failures.record({ kind: 'store_unreachable', message: 'away' });
  }
  const kept = failures.newestFirst;
  t.equal(kept.length, 20);
  const away = { kind: 'store_unreachable', message: 'away' };
  t.same(kept[0], { ...away, firstMs: 3000, lastMs: 61_000, times: 30 });
  t.same(
    kept.slice(1).map(({ message, times }) => [message, times]),
    Array.from({ length: 19 }, (_, index) => [`no room ${30 - index}`, 1]),
  );
  t.end();
});

void t.test('takes from events what has failed, and no more of a text than fits', (t) => {
  const board = new StatusBoard(pino({ level: 'silent' }));
  const { failures } = board;
  board.record({ kind: 'importing', snapshotId: 'a', sizeBytes: 1 });
  board.record({ kind: 'store', reachable: true, detail: 'answers', sinceMs: 0 });
  board.record({ kind: 'unavailable', reason: 'starting', detail: 'not yet' });
  t.same(failures.newestFirst, []);
  const failed = { kind: 'failed', snapshotId: 'a', repeated: false } as const;
  board.record({ ...failed, code: 'copy_damaged', message: 'x'.repeat(10_000) });
  board.record({ ...failed, code: 'document_corrupt', message: 'cut short' });
  board.record({ kind: 'store', reachable: false, detail: 'away', sinceMs: 0 });
  board.record({ kind: 'unavailable', reason: 'pointer_absent', detail: 'none' });
  t.same(
    failures.newestFirst.map(({ kind, code, message }) => [kind, code, message.length]),
    [
      ['unavailable', 'pointer_absent', 4],
      ['store_unreachable', undefined, 4],
      ['import_failed', 'document_corrupt', 9],
      ['copy_damaged', 'copy_damaged', 500],
    ],
  );
  t.end();
});

void t.test('a failure of any code is counted under its code, and nowhere else', (t) => {
  const counted = (...codes: readonly SnapshotErrorCode[]): Samples => {
    const board = new StatusBoard(pino({ level: 'silent' }));
    for (const code of codes) {
      board.record({ kind: 'failed', code, message: 'why', repeated: false });
    }
    return samplesOf(board.metrics.render());
  };
  const nonZero = (samples: Samples) =>
    Object.fromEntries([...samples].filter(([, value]) => value !== 0));
  const codes = [...counted().keys()].flatMap((series) => {
    const [, code] = /^bura_failures_total\{code="(\w+)"\}$/.exec(series) ?? [];
    return code === undefined ? [] : [code];
  });
  for (const code of new Set([...codes, 'store_full', 'lease_ended'] as SnapshotErrorCode[])) {
    t.same(nonZero(counted(code, code)), { [`bura_failures_total{code="${code}"}`]: 2 });
  }
  t.end();
});
