/** Metrics of following the pointer: each failure has its own cell. */
import { pino } from 'pino';
import t from 'tap';
import type { SnapshotErrorCode } from '../../../src/snapshot/domain/snapshot-error.js';
import { StatusBoard } from '../../../src/supervisor/operators/status-board.js';
import { samplesOf, type Samples } from '../../support/service/scrape.js';

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
