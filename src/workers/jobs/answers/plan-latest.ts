/** `GET /api/v1/observations/latest` and `latest.csv`: the newest value of every series that the selection leaves. */
import type { SeriesFilter } from '../../../snapshot/local/observations/series-list.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { LatestObservation } from '../../../snapshot/local/records.js';
import { renderCsv } from '../../../views/csv.js';
import { fieldNames, type ObservationRecord } from '../../../views/hvd/fields.js';
import { listEnvelope } from '../../../views/hvd/window.js';
import { planText } from '../../formats/answers.js';
import type { PlanLatestTask } from '../../messages.js';
import { openSnapshot, seriesFilterOf } from '../../open-snapshot.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function planLatest({ location, gzip, selection, form }: PlanLatestTask): Plan {
  const snapshot = openSnapshot(location);
  const { reader } = snapshot;
  const texts = selected(reader.record('latest'), seriesFilterOf(snapshot, selection)).map(
    ({ text }) => text,
  );
  if (form === 'csv') return planText(csvOf(texts), { gzip, records: texts.length });
  const { head, tail } = listEnvelope(reader.header, {});
  const text = head + texts.join(',') + tail(texts.length);
  return planText(text, { gzip, records: texts.length });
}

/** The same records as CSV. */
function csvOf(texts: readonly string[]): string {
  // Each was made of a record, at import.
  return renderCsv(
    fieldNames('observations'),
    texts.map((text) => JSON.parse(text) as ObservationRecord),
  );
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
