/** What is read at the moment of a scrape, as metrics: the snapshot, the store, the disk, and every process. */
import { DELAY_BUCKETS, type DistributionCells } from '../../ipc/distribution.js';
import { histogram, metric, type Labels, type MetricValues } from './metric-values.js';
import type { ProcessUsage } from './process-usage.js';

/** What is read, each with its metric; one that cannot be read, or of which there is none, is absent. */
const READ = {
  served: {
    type: 'gauge',
    name: 'bura_snapshot_served',
    help: 'Whether a snapshot is served',
  },
  generatedAtSeconds: {
    type: 'gauge',
    name: 'bura_snapshot_generated_at_seconds',
    help: 'generated_at of the served snapshot, since the epoch',
  },
  activatedAtSeconds: {
    type: 'gauge',
    name: 'bura_snapshot_activated_at_seconds',
    help: 'activated_at of the served snapshot, since the epoch',
  },
  ageSeconds: {
    type: 'gauge',
    name: 'bura_snapshot_age_seconds',
    help: 'Seconds since generated_at of the served snapshot',
  },
  graceSeconds: {
    type: 'gauge',
    name: 'bura_store_grace_seconds',
    help: 'How long the local copy is served without the store: STORE_GRACE_SECONDS',
  },
  graceLeftSeconds: {
    type: 'gauge',
    name: 'bura_store_grace_remaining_seconds',
    help: 'How long the local copy would still be served without the store',
  },
  importing: {
    type: 'gauge',
    name: 'bura_import_running',
    help: 'Whether an import runs',
  },
  diskSizeBytes: {
    type: 'gauge',
    name: 'bura_local_disk_size_bytes',
    help: 'Size of the disk of LOCAL_DIR',
  },
  diskFreeBytes: {
    type: 'gauge',
    name: 'bura_local_disk_free_bytes',
    help: 'Free bytes on the disk of LOCAL_DIR',
  },
  copyBytes: {
    type: 'gauge',
    name: 'bura_local_copy_bytes',
    help: 'Bytes on the disk of the local copy that is served',
  },
  fronts: {
    type: 'gauge',
    name: 'bura_fronts',
    help: 'Front processes that there are to be: FRONT_PROCESSES',
  },
  frontsAlive: {
    type: 'gauge',
    name: 'bura_fronts_alive',
    help: 'Front processes that are alive',
  },
  frontsReplaced: {
    type: 'counter',
    name: 'bura_fronts_replaced_total',
    help: 'Front processes that died and were replaced',
  },
  frontsHung: {
    type: 'counter',
    name: 'bura_fronts_hung_total',
    help: 'Front processes that hung and were killed',
  },
  connectionsMax: {
    type: 'gauge',
    name: 'bura_connections_max',
    help: 'Connections that all fronts together may have',
  },
  largeAnswersMax: {
    type: 'gauge',
    name: 'bura_large_answers_max',
    help: 'Large answers that all fronts together may have on their way',
  },
} as const satisfies Readonly<
  Record<
    string,
    { readonly type: 'counter' | 'gauge'; readonly name: string; readonly help: string }
  >
>;

type ReadName = keyof typeof READ;

const READ_NAMES = Object.keys(READ) as readonly ReadName[];

/** In seconds, bytes or pieces; a condition is 1 or 0. */
export type Readings = Readonly<Record<ReadName, number | undefined>>;

/** A process of the service as metrics name it: `supervisor`, `front-1`, `import`. */
export interface ProcessReadings {
  readonly process: string;
  /** Undefined where it is gone. */
  readonly usage: ProcessUsage | undefined;
  /** Undefined where it counts none, or has not told. */
  readonly loopDelays?: DistributionCells | undefined;
}

const USAGE = {
  cpuSeconds: {
    type: 'counter',
    name: 'bura_process_cpu_seconds_total',
    help: 'User and system time of all threads, by process',
  },
  residentBytes: {
    type: 'gauge',
    name: 'bura_process_resident_memory_bytes',
    help: 'Memory in RAM, by process; pages of the mapped local copy count in it',
  },
  anonymousBytes: {
    type: 'gauge',
    name: 'bura_process_anonymous_memory_bytes',
    help: 'Memory in RAM that no file stands behind, by process',
  },
  openFiles: {
    type: 'gauge',
    name: 'bura_process_open_fds',
    help: 'Open files and connections, by process',
  },
  startedAtSeconds: {
    type: 'gauge',
    name: 'bura_process_start_time_seconds',
    help: 'Start of each process, since the epoch',
  },
} as const satisfies Readonly<
  Record<
    keyof ProcessUsage,
    { readonly type: 'counter' | 'gauge'; readonly name: string; readonly help: string }
  >
>;

export function readMetrics(
  readings: Readings,
  processes: readonly ProcessReadings[],
): readonly MetricValues[] {
  const valuesOf = (value: number | undefined, labels: Labels) =>
    value === undefined ? [] : [{ value, labels }];
  return [
    ...READ_NAMES.map((name) => metric(READ[name], valuesOf(readings[name], {}))),
    ...(Object.keys(USAGE) as (keyof ProcessUsage)[]).map((name) =>
      metric(
        USAGE[name],
        processes.flatMap(({ process, usage }) => valuesOf(usage?.[name], { process })),
      ),
    ),
    histogram({
      name: 'bura_event_loop_delay_seconds',
      help: 'The longest delay of the event loop in each second, by process',
      buckets: DELAY_BUCKETS,
      rows: processes.flatMap(({ process, loopDelays: cells }) =>
        cells === undefined ? [] : [{ labels: { process }, cells }],
      ),
    }),
  ];
}
