/** Metrics of following the pointer and of imports, since the start. */
import { SNAPSHOT_ERROR_CODES } from '../../snapshot/domain/snapshot-error.js';
import { counter, CounterTable, gauge, histogram } from '../../ipc/counter-table.js';
import { IMPORT_PHASES, type ImportUsage } from '../../workers/messages.js';

/** Seconds: an import of a hundred thousand rows takes one or two, the limit is 600. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

const TABLE = new CounterTable({
  swaps: counter('bura_swaps_total', 'Activated snapshots'),
  failures: {
    ...counter('bura_failures_total', 'Failed imports, pointers and local copies, by code'),
    labels: { code: SNAPSHOT_ERROR_CODES },
  },
  imports: histogram('bura_import_seconds', 'Successful imports', BUCKETS),
  phases: {
    ...histogram('bura_import_phase_seconds', 'Completed phases of imports', BUCKETS),
    labels: { phase: IMPORT_PHASES },
  },
  importCpu: counter('bura_import_cpu_seconds_total', 'User and system time of ended imports'),
  importPeak: gauge('bura_import_peak_memory_bytes', 'Peak of resident memory of the last import'),
  visible: histogram(
    'bura_publish_to_visible_seconds',
    'From the move of the pointer until the last front has activated its snapshot',
    BUCKETS,
  ),
  storeReachable: gauge('bura_store_reachable', 'Whether the store answers'),
});

type FollowMetric = Parameters<typeof TABLE.cell>[0];

export class FollowMetrics {
  readonly #cells = Array.from({ length: TABLE.length }, () => 0);

  /** @param series index of the label's value; default: no label. */
  add(name: FollowMetric, by = 1, series = 0): void {
    TABLE.add(this.#cells, name, { by, series });
  }

  set(name: FollowMetric, value: number): void {
    TABLE.set(this.#cells, name, value);
  }

  /** Adds a duration to a histogram; ignores an unknown one. */
  observe(name: FollowMetric, milliseconds: number | undefined, series = 0): void {
    if (milliseconds === undefined) return;
    TABLE.observe(this.#cells, name, Math.max(0, milliseconds / 1000), series);
  }

  /** Records the figures of an import process at its end; a killed one reports none. */
  recordImport({ phases, cpuSeconds, peakMemoryBytes }: ImportUsage): void {
    this.add('importCpu', cpuSeconds);
    this.set('importPeak', peakMemoryBytes);
    for (const [series, phase] of IMPORT_PHASES.entries()) {
      this.observe('phases', phases[phase], series);
    }
  }

  render(): string {
    return TABLE.render(this.#cells);
  }
}
