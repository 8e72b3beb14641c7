/** One scrape: counters of fronts and of following, and gauges of the system. */
import { BUILD_ID } from '../../build-id.js';
import { renderMetric } from '../../ipc/counter-table.js';
import { LOOP_DELAY } from '../../ipc/front-counters.js';
import { failedStarts } from '../child-process.js';
import { archiveFigures, processesOf, sizeOf, type Instance } from './instance.js';

/** The text of all metrics; waits half a second at most for a hung front. */
export async function scrape(instance: Instance): Promise<string> {
  const { fronts, board } = instance;
  // Called first, as it also updates the event loop delays.
  const counted = await fronts.renderCounters();
  return [
    counted,
    board.metrics.render(),
    ...renderServing(instance),
    ...renderFigures(instance),
    ...renderArchive(instance),
    ...renderInstance(instance),
    renderMetric(
      LOOP_DELAY,
      processesOf(instance).flatMap(({ name, loopDelays: cells }) =>
        cells === undefined ? [] : [{ labels: `process="${name}"`, cells }],
      ),
    ),
  ].join('');
}

function renderServing({ fronts, following, settings }: Instance): readonly string[] {
  const { serving, generatedAtMs } = fronts;
  const copy = serving?.kind === 'snapshot' ? serving : undefined;
  const ageMs = generatedAtMs === undefined ? undefined : Date.now() - generatedAtMs;
  const activatedAtMs = copy?.lastModified;
  return [
    gauge('bura_snapshot_served', 'Whether a snapshot is active', ageMs === undefined ? 0 : 1),
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
      'Seconds since generated_at of the active snapshot',
      seconds(ageMs),
    ),
    gauge(
      'bura_store_grace_seconds',
      'Time for which the local copy is served without the store: STORE_GRACE_SECONDS',
      settings.storeGraceSeconds,
    ),
    gauge(
      'bura_store_grace_remaining_seconds',
      'Remaining time for which the local copy is served without the store',
      Math.min(settings.storeGraceSeconds, following.graceLeftSeconds),
    ),
  ];
}

/** Figures of the active snapshot; without values when its rows are not in the history. */
function renderFigures({ fronts, readings }: Instance): readonly string[] {
  const { serving, history } = fronts;
  const snapshotId = serving?.kind === 'snapshot' ? serving.snapshotId : undefined;
  const figures = readings.figures(snapshotId, history);
  const series = [...(figures?.series ?? [])].map(([code, count]) => ({
    labels: `parameter="${code.replaceAll(/["\\\n]/g, (one) => (one === '\n' ? '\\n' : `\\${one}`))}"`,
    cells: [count],
  }));
  return [
    gauge('bura_snapshot_rows', 'Rows of the active document', figures?.rows),
    gauge('bura_snapshot_previous_rows', 'Rows of the document before', figures?.previousRows),
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

/** Figures of the cached archive; without values where the archive is off or its state unknown. */
function renderArchive({ following }: Instance): readonly string[] {
  const { kept, leftOut } = archiveFigures(following.archive?.state);
  return [
    gauge('bura_archive_files', 'Files of the archive that are cached', kept?.length),
    gauge('bura_archive_bytes', 'Bytes of these files', kept && sizeOf(kept)),
    gauge(
      'bura_archive_files_left_out',
      'Files of the archive that do not fit: ARCHIVE_DISK_MB, or the disk',
      leftOut,
    ),
  ];
}

function renderInstance({ fronts, settings: { frontProcesses }, limits, following }: Instance) {
  const { importing } = following;
  return [
    gauge('bura_import_running', 'Whether an import runs', importing === undefined ? 0 : 1),
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
        help: 'Processes that failed to start, for want of open files, memory or processes',
      },
      Object.entries(failedStarts).map(([role, count]) => ({
        labels: `process="${role}"`,
        cells: [count],
      })),
    ),
    gauge(
      'bura_connections_max',
      'Limit of connections of all fronts together',
      limits.connectionsMax * frontProcesses,
    ),
    gauge(
      'bura_large_answers_max',
      'Limit of concurrent large answers of all fronts together',
      limits.largeBodiesMax * frontProcesses,
    ),
    gauge(
      'bura_build_info',
      'Build of the service, and its version of Node; always 1',
      1,
      `build="${BUILD_ID}",node="${process.version}"`,
    ),
  ];
}

/** A gauge; without a value when it is unknown. */
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
