/** The answer to `bura status` (`docs/operations/monitoring.md`, "Looking at an instance"); times in ISO 8601, UTC. */
import { BUILD_ID } from '../../build-id.js';
import { readPointer } from '../../snapshot/follow/read-pointer.js';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import type { PointerStore } from '../../snapshot/store/snapshot-store.js';
import { VERSION } from '../../version.js';
import { describeAddress } from '../port.js';
import { archiveFigures, processesOf, sizeOf, type Instance } from './instance.js';
import { readMemory } from './processes.js';
import type { SnapshotFigures } from './snapshot-figures.js';

/** Incremented when a member is removed or changes its meaning; additions need no change. */
const STATUS_FORMAT = 1;

/** Time limit for the pointer, so that status answers within a second in an outage. */
const POINTER_MS = 700;

export type InstanceStatus = Awaited<ReturnType<typeof describeStatus>>;

/** Whether the answer has this format, which other builds may not have. */
export function isInstanceStatus(value: unknown): value is InstanceStatus {
  return (
    typeof value === 'object' &&
    value !== null &&
    'format' in value &&
    value.format === STATUS_FORMAT
  );
}

/** The present state, with the store's pointer if it answers in time. */
export async function describeStatus(instance: Instance) {
  const { settings, directory, store, board } = instance;
  const pointer = await describePointer(store);
  const running = instance.following.importing;
  const nowMs = Date.now();
  return {
    format: STATUS_FORMAT,
    instance: {
      pid: process.pid,
      version: VERSION,
      build: BUILD_ID,
      started_at: utcDateTime(board.startedMs),
      uptime_seconds: Math.max(0, Math.floor((nowMs - board.startedMs) / 1000)),
      url: `http://${describeAddress(settings)}`,
      local_copies: directory,
    },
    serving: describeServing(instance, nowMs),
    store: {
      address: store.address,
      /** At the last poll; null before the first. */
      reachable: board.store?.reachable ?? null,
      detail: board.store?.detail ?? null,
      /** Time of the last change of `reachable`. */
      since: board.store === undefined ? null : utcDateTime(board.store.sinceMs),
      pointer,
    },
    import:
      running === undefined
        ? null
        : {
            snapshot_id: running.snapshotId,
            size_bytes: running.sizeBytes,
            since: utcDateTime(running.sinceMs),
          },
    archive: describeArchive(instance),
    processes: processesOf(instance).map(({ role, pid }) => ({ role, pid, ...readMemory(pid) })),
    failures: board.failures.newestFirst.map((failure) => ({
      first_at: utcDateTime(failure.firstMs),
      last_at: utcDateTime(failure.lastMs),
      times: failure.times,
      kind: failure.kind,
      code: failure.code ?? null,
      snapshot_id: failure.snapshotId ?? null,
      message: failure.message,
    })),
  };
}

/** The state of the archive; null for ARCHIVE=off. */
function describeArchive({ following }: Instance) {
  const keeping = following.archive;
  if (keeping === undefined) return null;
  const { kept = [], leftOut = 0 } = archiveFigures(keeping.state);
  return {
    /** `unknown` before the first answer, `none`, or `there`. */
    state: keeping.state.kind,
    kept_files: kept.length,
    kept_bytes: sizeOf(kept),
    /** Files that do not fit. */
    left_out_files: leftOut,
    problem: keeping.problem ?? null,
  };
}

function describeServing({ board: { serving }, fronts, readings }: Instance, nowMs: number) {
  const { generatedAtMs, history } = fronts;
  const since = utcDateTime(serving.sinceMs);
  if ('reason' in serving) {
    const { reason, detail } = serving;
    return { snapshot_id: null, since, reason, detail };
  }
  return {
    snapshot_id: serving.snapshotId,
    since,
    generated_at: generatedAtMs === undefined ? null : utcDateTime(generatedAtMs),
    age_seconds: generatedAtMs === undefined ? null : Math.floor((nowMs - generatedAtMs) / 1000),
    holds: describeFigures(readings.figures(serving.snapshotId, history)),
  };
}

/** Figures of the active snapshot; null where the history lacks its rows. */
function describeFigures(figures: SnapshotFigures | undefined) {
  if (figures === undefined) return null;
  const { rows, previousRows, newestMs, stations, series } = figures;
  return {
    rows,
    rows_before: previousRows ?? null,
    newest_hour: newestMs === undefined ? null : utcDateTime(newestMs),
    stations_in_newest_hour: stations,
    series_in_newest_hour: Object.fromEntries(series),
  };
}

/** The pointer as stored now; the instance may not have followed it yet. */
async function describePointer(store: PointerStore) {
  const reading = await readPointer(store, { limitMs: POINTER_MS });
  switch (reading.kind) {
    case 'pointer': {
      const { snapshotId, schemaVersion, sizeBytes, activatedAtMs } = reading.pointer;
      return {
        kind: 'pointer' as const,
        snapshot_id: snapshotId,
        schema_version: schemaVersion,
        size_bytes: sizeBytes,
        activated_at: utcDateTime(activatedAtMs),
      };
    }
    case 'absent':
      return { kind: 'absent' as const, detail: 'no snapshot is active in the store' };
    case 'malformed':
    case 'unreachable':
      return { kind: reading.kind, detail: reading.message };
  }
}
