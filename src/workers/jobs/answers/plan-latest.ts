/** `GET /api/v1/observations/latest`: the newest value of every series that the selection leaves. */
import type { SeriesFilter } from '../../../snapshot/local/observations/series-list.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { LatestObservation } from '../../../snapshot/local/records.js';
import { viewObservationsMeta } from '../../../views/hvd/window.js';
import { planText } from '../../formats/text-plan.js';
import type { PlanLatestTask } from '../../messages.js';
import { openSnapshot, seriesFilterOf } from '../../open-snapshot.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function planLatest({ location, gzip, selection }: PlanLatestTask): Plan {
  const snapshot = openSnapshot(location);
  const { reader } = snapshot;
  const texts = selected(reader.latest(), seriesFilterOf(snapshot, selection)).map(
    ({ text }) => text,
  );
  const meta = JSON.stringify({
    ...viewObservationsMeta(reader.header, {}),
    count: texts.length,
  });
  return planText(`{"data":[${texts.join(',')}],"meta":${meta}}`, { gzip, records: texts.length });
}

function selected(
  latest: readonly LatestObservation[],
  { stationIds, parameterCodes }: SeriesFilter,
): readonly LatestObservation[] {
  const stations = stationIds && new Set(stationIds.map(String));
  const codes = parameterCodes && new Set(parameterCodes);
  return latest.filter(
    ({ stationId, parameterCode }) =>
      (stations === undefined || stations.has(stationId)) &&
      (codes === undefined || codes.has(parameterCode)),
  );
}
