/** `GET /api/v1/changes`: how the active snapshot differs from a past one (`docs/http-api/changes.md, "Changes"`). */
import { selectedCodes, stationsMatching } from '../../../snapshot/domain/selection.js';
import type { DocumentName } from '../../../snapshot/domain/snapshot-id.js';
import {
  compareSeries,
  countChanges,
  seriesOfBoth,
  type ChangeCounts,
  type SnapshotRows,
} from '../../../snapshot/history/changes.js';
import { readPast } from '../../../snapshot/history/past-files.js';
import type { PastSnapshot } from '../../../snapshot/history/past-snapshot.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import { changesMetaLine, createChangeLines } from '../../../views/history/change-records.js';
import { planLongText } from '../../formats/long-text.js';
import type { ChangesTask, PlanChangesTask } from '../../messages.js';
import { inTurns } from '../../short-jobs.js';

/** @throws {SnapshotError} `history_damaged`. */
export async function planChanges(task: PlanChangesTask): Promise<Plan> {
  const { location, since, current, gzip, selection, parameterCodes } = task;
  const { directory } = location;
  const digests = [since.documentSha256, current.documentSha256];
  const key = `changes ${JSON.stringify([...digests, selection, parameterCodes])}`;
  return await planLongText((write) => writeChanges(write, task), { gzip, directory, key });
}

/** Writes the line of counts, then the changes of each series. */
function* writeChanges(
  write: (text: string) => void,
  task: PlanChangesTask,
): Generator<void, number, undefined> {
  const { folder, generatedAtMs } = task;
  const { snapshotId } = task.current;
  const since = task.since.snapshotId;
  const rowsOf = (name: DocumentName): SnapshotRows => selected(readPast(folder, name), task);
  const now = rowsOf(task.current);
  const before = since === snapshotId ? now : rowsOf(task.since);
  yield;
  const counts = yield* countChanges(before, now);
  write(changesMetaLine({ since, snapshotId, generatedAtMs, counts }));
  const render = createChangeLines();
  for (const series of seriesOfBoth(before, now)) {
    compareSeries(series, (...change) => {
      write(render(...change));
    });
    yield;
  }
  return counts.added + counts.changed + counts.withdrawn;
}

/** Counts all rows that differ, without a selection. @throws {SnapshotError} `history_damaged`. */
export async function countAllChanges(task: ChangesTask): Promise<ChangeCounts> {
  const { folder, since, current } = task;
  const steps = countChanges(readPast(folder, since), readPast(folder, current));
  return await inTurns(steps, false);
}

/** The rows that the selection names among the snapshot's own stations and parameters. */
function selected(
  past: PastSnapshot,
  { selection, parameterCodes }: PlanChangesTask,
): SnapshotRows {
  const { generatedAtMs } = past;
  const stations = new Set(stationsMatching(past.stations, selection).map(({ id }) => id));
  const known = new Set(past.parameterCodes);
  const codes = parameterCodes ? new Set(selectedCodes(parameterCodes, known)) : known;
  const series = past.series.filter(
    (one) => stations.has(one.stationId) && codes.has(one.parameterCode),
  );
  return { generatedAtMs, series };
}
