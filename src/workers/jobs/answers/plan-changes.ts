/** `GET /api/v1/changes`: what differs between a past snapshot and the one that is served (`docs/http-api.md, "Changes"`). */
import { selectedCodes, stationsMatching } from '../../../snapshot/domain/selection.js';
import { compareRows, type ChangeCounts, type Rows } from '../../../snapshot/history/changes.js';
import { readPast } from '../../../snapshot/history/past-files.js';
import type { PastSnapshot } from '../../../snapshot/history/past-snapshot.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import { changesMetaLine, createChangeLines } from '../../../views/history/changes.js';
import { planText } from '../../formats/text-plan.js';
import type { ChangesTask, PlanChangesTask } from '../../messages.js';

/** @throws {SnapshotError} `history_damaged`. */
export function planChanges(task: PlanChangesTask): Plan {
  const { folder, since, snapshotId, generatedAtMs, gzip } = task;
  const lines: string[] = [];
  const render = createChangeLines();
  const rowsOf = (id: string): Rows => selected(readPast(folder, id), task);
  const counts =
    since === snapshotId
      ? { added: 0, changed: 0, withdrawn: 0 }
      : compareRows(rowsOf(since), rowsOf(snapshotId), (...change) => {
          lines.push(render(...change));
        });
  const head = changesMetaLine({ since, snapshotId, generatedAtMs, counts });
  return planText(head + lines.join(''), { gzip, records: lines.length });
}

/**
 * How many rows differ, whatever a client selects.
 *
 * @throws {SnapshotError} `history_damaged`.
 */
export function countChanges({ folder, since, snapshotId }: ChangesTask): ChangeCounts {
  return compareRows(readPast(folder, since), readPast(folder, snapshotId));
}

/** The rows that a selection leaves, by the stations and parameters of their own snapshot. */
function selected(past: PastSnapshot, { selection, parameterCodes }: PlanChangesTask): Rows {
  const { generatedAtMs } = past;
  const stations = new Set(stationsMatching(past.stations, selection).map(({ id }) => id));
  const known = new Set(past.parameterCodes);
  const codes = parameterCodes ? new Set(selectedCodes(parameterCodes, known)) : known;
  const series = past.series.filter(
    (one) => stations.has(one.stationId) && codes.has(one.parameterCode),
  );
  return { generatedAtMs, series };
}
