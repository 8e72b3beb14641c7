/** Metrics of following the pointer: what the follower and its imports report, counted since the start. */
import type { SnapshotErrorCode } from '../../snapshot/domain/snapshot-error.js';
import type { FollowEvent } from '../../snapshot/follow/follow-event.js';
import { CounterTable } from '../../ipc/counter-table.js';
import { IMPORT_PHASES, type ImportUsage } from '../../workers/messages.js';

/** All codes: one without a cell of its own would be counted in another metric's. */
const FAILURES = {
  store_unreachable: true,
  store_full: true,
  store_read_only: true,
  store_unsupported: true,
  pointer_malformed: true,
  snapshot_missing: true,
  snapshot_conflict: true,
  snapshot_active: true,
  snapshot_removed: true,
  document_corrupt: true,
  document_invalid: true,
  schema_version: true,
  copy_damaged: true,
  copy_unreadable: true,
  history_damaged: true,
  disk_full: true,
  import_failed: true,
  lease_ended: true,
} as const satisfies Readonly<Record<SnapshotErrorCode, true>>;

const CODES = Object.keys(FAILURES);

/** In seconds. An import of a hundred thousand rows takes a second or two, and ten minutes is the limit. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

const TABLE = new CounterTable({
  swaps: { type: 'counter', name: 'bura_swaps_total', help: 'Snapshots put into service' },
  failures: {
    type: 'counter',
    name: 'bura_failures_total',
    help: 'Failed imports, pointers and local copies, by code',
    labels: { code: CODES },
  },
  imports: {
    type: 'histogram',
    name: 'bura_import_seconds',
    help: 'Successful imports',
    buckets: BUCKETS,
  },
  phases: {
    type: 'histogram',
    name: 'bura_import_phase_seconds',
    help: 'Phases that imports have come to the end of',
    labels: { phase: IMPORT_PHASES },
    buckets: BUCKETS,
  },
  superseded: {
    type: 'counter',
    name: 'bura_imports_overtaken_total',
    help: 'Imports overtaken by a newer pointer, by what became of them',
    labels: { import: ['ended', 'finished'] },
  },
  importCpu: {
    type: 'counter',
    name: 'bura_import_cpu_seconds_total',
    help: 'User and system time of imports that have ended',
  },
  importPeak: {
    type: 'gauge',
    name: 'bura_import_peak_memory_bytes',
    help: 'Most resident memory that the last import took',
  },
  visible: {
    type: 'histogram',
    name: 'bura_publish_to_visible_seconds',
    help: 'From the move of the pointer until the last front served its snapshot',
    buckets: BUCKETS,
  },
  storeReachable: {
    type: 'gauge',
    name: 'bura_store_reachable',
    help: 'Whether the store answers',
  },
});

export class FollowMetrics {
  readonly #cells = Array.from({ length: TABLE.length }, () => 0);

  record(event: FollowEvent): void {
    const cells = this.#cells;
    switch (event.kind) {
      case 'activated': {
        const { importMs, publishToVisibleMs: visibleMs } = event;
        TABLE.add(cells, 'swaps');
        if (importMs !== undefined) TABLE.observe(cells, 'imports', importMs / 1000);
        if (visibleMs !== undefined) {
          TABLE.observe(cells, 'visible', Math.max(0, visibleMs) / 1000);
        }
        break;
      }
      case 'superseded':
        TABLE.add(cells, 'superseded', { series: event.finishes ? 1 : 0 });
        break;
      case 'failed':
        TABLE.add(cells, 'failures', { series: CODES.indexOf(event.code) });
        break;
      case 'store':
        TABLE.set(cells, 'storeReachable', event.reachable ? 1 : 0);
        break;
      case 'importing':
      case 'pointer_older':
      case 'unavailable':
      case 'foreign_entries':
      case 'store_status_not_written':
        break; // logged
    }
  }

  /** What an import process has told of itself before its end; one that was killed tells nothing. */
  recordImport({ phases, cpuSeconds, peakMemoryBytes }: ImportUsage): void {
    TABLE.add(this.#cells, 'importCpu', { by: cpuSeconds });
    TABLE.set(this.#cells, 'importPeak', peakMemoryBytes);
    for (const [series, phase] of IMPORT_PHASES.entries()) {
      const seconds = phases[phase];
      if (seconds !== undefined) TABLE.observe(this.#cells, 'phases', seconds, series);
    }
  }

  render(): string {
    return TABLE.render(this.#cells);
  }
}
