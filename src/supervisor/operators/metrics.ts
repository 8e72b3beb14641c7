/**
 * The metrics of the service in the exposition format of Prometheus: what following the pointer brings, counted here, and
 * what fronts have counted and what is read at the moment of a scrape. The door to prom-client.
 */
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { SnapshotErrorCode } from '../../snapshot/domain/snapshot-error.js';
import type { FollowEvent } from '../../snapshot/follow/follow-event.js';
import { IMPORT_PHASES, type ImportUsage } from '../../workers/messages.js';
import type { MetricValues } from './metric-values.js';

/** Codes of failures, each with whether following the pointer can meet it: others are met by commands, or by requests. */
const FAILURES = {
  store_unreachable: true,
  store_full: false,
  store_read_only: false,
  store_unsupported: false,
  pointer_malformed: true,
  snapshot_missing: true,
  snapshot_conflict: true,
  snapshot_active: false,
  document_corrupt: true,
  document_invalid: true,
  schema_version: true,
  copy_damaged: true,
  history_damaged: true,
  disk_full: true,
  import_failed: true,
  lease_ended: false,
} as const satisfies Readonly<Record<SnapshotErrorCode, boolean>>;

/** In seconds. An import of a hundred thousand rows takes a second or two, and ten minutes is the limit. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600];

export class Metrics {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #swaps = new Counter({
    name: 'bura_swaps_total',
    help: 'Snapshots put into service',
    registers: this.#registers,
  });
  readonly #failures = new Counter({
    name: 'bura_failures_total',
    help: 'Failed imports, pointers and local copies, by code',
    labelNames: ['code'],
    registers: this.#registers,
  });
  readonly #imports = new Histogram({
    name: 'bura_import_seconds',
    help: 'Successful imports',
    buckets: BUCKETS,
    registers: this.#registers,
  });
  readonly #phases = new Histogram({
    name: 'bura_import_phase_seconds',
    help: 'Phases that imports have come to the end of',
    labelNames: ['phase'],
    buckets: BUCKETS,
    registers: this.#registers,
  });
  readonly #overtaken = new Counter({
    name: 'bura_imports_overtaken_total',
    help: 'Imports overtaken by a newer pointer, by what became of them',
    labelNames: ['import'],
    registers: this.#registers,
  });
  readonly #importCpu = new Counter({
    name: 'bura_import_cpu_seconds_total',
    help: 'User and system time of imports that have ended',
    registers: this.#registers,
  });
  readonly #importPeak = new Gauge({
    name: 'bura_import_peak_memory_bytes',
    help: 'Most resident memory that the last import took',
    registers: this.#registers,
  });
  readonly #visible = new Histogram({
    name: 'bura_publish_to_visible_seconds',
    help: 'From the move of the pointer until the last front served its snapshot',
    buckets: BUCKETS,
    registers: this.#registers,
  });
  readonly #storeReachable = new Gauge({
    name: 'bura_store_reachable',
    help: 'Whether the store answers',
    registers: this.#registers,
  });

  /** @param build what the service renders answers by. */
  constructor(build: string) {
    const info = new Gauge({
      name: 'bura_build_info',
      help: 'Build of the service, and the Node that runs it; always 1',
      labelNames: ['build', 'node'],
      registers: this.#registers,
    });
    info.set({ build, node: process.version }, 1);
    // A counter that begins with its first failure would show no increase.
    for (const [code, isFollowing] of Object.entries(FAILURES)) {
      if (isFollowing) this.#failures.inc({ code }, 0);
    }
    for (const end of ['ended', 'finished']) this.#overtaken.inc({ import: end }, 0);
    for (const phase of IMPORT_PHASES) this.#phases.zero({ phase });
  }

  record(event: FollowEvent): void {
    switch (event.kind) {
      case 'activated':
        this.#swaps.inc();
        if (event.importMs !== undefined) this.#imports.observe(event.importMs / 1000);
        if (event.publishToVisibleMs !== undefined) {
          this.#visible.observe(Math.max(0, event.publishToVisibleMs) / 1000);
        }
        break;
      case 'overtaken':
        this.#overtaken.inc({ import: event.finishes ? 'finished' : 'ended' });
        break;
      case 'failed':
        this.#failures.inc({ code: event.code });
        break;
      case 'store':
        this.#storeReachable.set(event.reachable ? 1 : 0);
        break;
      case 'importing':
      case 'pointer_older':
      case 'unavailable':
      case 'strangers':
      case 'store_status_not_written':
        break; // logged
    }
  }

  /** What an import process has told of itself before its end; one that was killed tells nothing. */
  recordImport({ phases, cpuSeconds, peakMemoryBytes }: ImportUsage): void {
    this.#importCpu.inc(cpuSeconds);
    this.#importPeak.set(peakMemoryBytes);
    for (const phase of IMPORT_PHASES) {
      const seconds = phases[phase];
      if (seconds !== undefined) this.#phases.observe({ phase }, seconds);
    }
  }

  /** @param others metrics that are not counted here; no two of all have one name. */
  async render(others: readonly MetricValues[]): Promise<string> {
    const own = await this.#registry.getMetricsAsJSON();
    return await AggregatorRegistry.aggregate([own, others]).metrics();
  }
}
