/** One scrape: what fronts have counted, what following the pointer has brought, and what the system says at the moment. */
import { BUILD_ID } from '../../build-id.js';
import { renderMetric, type Metric } from '../../ipc/counter-table.js';
import { LOOP_DELAY } from '../../ipc/front-counters.js';
import { failedStarts } from '../../snapshot/store/child-process.js';
import { readDiskUsage } from './disk-usage.js';
import { processesOf, type Instance, type InstanceProcess } from './instance.js';
import { readProcess, type ProcessFigures } from './processes.js';

/** Metrics of each process. */
const FIGURES = {
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
} as const satisfies Readonly<Record<keyof ProcessFigures, Metric>>;

/** The text of all metrics; waits for a front that hangs no longer than half a second. */
export async function scrape(instance: Instance): Promise<string> {
  const { fronts, followMetrics } = instance;
  // First: it has each front say how late its event loop was.
  const counted = await fronts.renderCounters();
  const processes = processesOf(instance);
  return [
    counted,
    followMetrics.render(),
    ...renderServing(instance),
    ...renderFigures(instance),
    ...(await renderInstance(instance)),
    ...renderProcesses(processes),
    renderMetric(
      LOOP_DELAY,
      processes.flatMap(({ name, loopDelays: cells }) =>
        cells === undefined ? [] : [{ labels: `process="${name}"`, cells }],
      ),
    ),
  ].join('');
}

function renderServing(instance: Instance): readonly string[] {
  const { fronts, graceSeconds } = instance;
  const { serving, generatedAtMs } = fronts;
  const copy = serving?.kind === 'snapshot' ? serving : undefined;
  const ageMs = generatedAtMs === undefined ? undefined : Date.now() - generatedAtMs;
  const activatedAtMs = copy?.lastModified?.ms;
  return [
    gauge('bura_snapshot_served', 'Whether a snapshot is served', ageMs === undefined ? 0 : 1),
    gauge(
      'bura_snapshot_generated_at_seconds',
      'generated_at of the served snapshot, since the epoch',
      seconds(generatedAtMs),
    ),
    gauge(
      'bura_snapshot_activated_at_seconds',
      'activated_at of the served snapshot, since the epoch',
      seconds(activatedAtMs),
    ),
    gauge(
      'bura_snapshot_age_seconds',
      'Seconds since generated_at of the served snapshot',
      seconds(ageMs),
    ),
    gauge(
      'bura_store_grace_seconds',
      'How long the local copy is served without the store: STORE_GRACE_SECONDS',
      graceSeconds,
    ),
    gauge(
      'bura_store_grace_remaining_seconds',
      'How long the local copy would still be served without the store',
      Math.min(graceSeconds, instance.graceLeftSeconds()),
    ),
  ];
}

/** What the served snapshot holds: absent where the history does not keep its rows. */
function renderFigures({ fronts, readings }: Instance): readonly string[] {
  const { serving, history } = fronts;
  const snapshotId = serving?.kind === 'snapshot' ? serving.snapshotId : undefined;
  const figures = readings.figures(snapshotId, history);
  const series = [...(figures?.series ?? [])].map(([code, count]) => ({
    labels: `parameter="${code.replaceAll(/["\\\n]/g, (one) => (one === '\n' ? '\\n' : `\\${one}`))}"`,
    cells: [count],
  }));
  return [
    gauge('bura_snapshot_rows', 'Rows of the served document', figures?.rows),
    gauge(
      'bura_snapshot_previous_rows',
      'Rows of the document that was served before',
      figures?.previousRows,
    ),
    gauge(
      'bura_newest_hour_start_seconds',
      'Start of the newest hour with a value, since the epoch',
      seconds(figures?.newestMs),
    ),
    gauge(
      'bura_newest_hour_stations',
      'Stations with a value in the newest hour',
      figures?.stations,
    ),
    renderMetric(
      {
        type: 'gauge',
        name: 'bura_newest_hour_series',
        help: 'Series with a value in the newest hour, by parameter',
      },
      series,
    ),
  ];
}

async function renderInstance(instance: Instance): Promise<readonly string[]> {
  const { fronts, frontProcesses, limits, directory, importing } = instance;
  const copy = fronts.serving?.kind === 'snapshot' ? fronts.serving.directory : undefined;
  const disk = await readDiskUsage(directory, copy);
  return [
    gauge('bura_import_running', 'Whether an import runs', importing.pid === undefined ? 0 : 1),
    gauge('bura_local_disk_size_bytes', 'Size of the disk of LOCAL_DIR', disk?.sizeBytes),
    gauge('bura_local_disk_free_bytes', 'Free bytes on the disk of LOCAL_DIR', disk?.freeBytes),
    gauge(
      'bura_local_copy_bytes',
      'Bytes on the disk of the local copy that is served',
      disk?.copyBytes,
    ),
    gauge('bura_fronts', 'Configured number of front processes: FRONT_PROCESSES', frontProcesses),
    gauge('bura_fronts_alive', 'Front processes that are alive', fronts.alive),
    counter(
      'bura_fronts_replaced_total',
      'Front processes that died and were replaced',
      fronts.replaced,
    ),
    counter('bura_fronts_hung_total', 'Front processes that hung and were killed', fronts.hung),
    renderMetric(
      {
        type: 'counter',
        name: 'bura_process_starts_failed_total',
        help: 'Processes that could not be started, for want of open files, memory or processes',
      },
      Object.entries(failedStarts).map(([role, count]) => ({
        labels: `process="${role}"`,
        cells: [count],
      })),
    ),
    gauge(
      'bura_connections_max',
      'Connections that all fronts together may have',
      limits.connectionsMax * frontProcesses,
    ),
    gauge(
      'bura_large_answers_max',
      'Large answers that all fronts together may have on their way',
      limits.largeBodiesMax * frontProcesses,
    ),
    gauge(
      'bura_build_info',
      'Build of the service, and the Node that runs it; always 1',
      1,
      `build="${BUILD_ID}",node="${process.version}"`,
    ),
  ];
}

function renderProcesses(processes: readonly InstanceProcess[]): readonly string[] {
  const read = processes.flatMap(({ name, pid }) => {
    const figures = readProcess(pid);
    return figures === undefined ? [] : [{ labels: `process="${name}"`, figures }];
  });
  return (Object.keys(FIGURES) as (keyof ProcessFigures)[]).map((figure) =>
    renderMetric(
      FIGURES[figure],
      read.map(({ labels, figures }) => ({ labels, cells: [figures[figure]] })),
    ),
  );
}

/** Without a value where it cannot be read, or where there is none. */
function gauge(name: string, help: string, value: number | undefined, labels = ''): string {
  const series = value === undefined ? [] : [{ labels, cells: [value] }];
  return renderMetric({ type: 'gauge', name, help }, series);
}

function counter(name: string, help: string, value: number): string {
  return renderMetric({ type: 'counter', name, help }, [{ labels: '', cells: [value] }]);
}

function seconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}
