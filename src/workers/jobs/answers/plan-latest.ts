/** `GET /api/v1/observations/latest`, `latest.csv` and `latest.geojson`: the newest value of every selected series. */
import { compareCodes } from '../../../snapshot/domain/observation-order.js';
import { distanceM, type Selection } from '../../../snapshot/domain/selection.js';
import type { SeriesFilter } from '../../../snapshot/local/observations/series-list.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { FilterableStation, LatestObservation } from '../../../snapshot/local/records.js';
import { renderCsv } from '../../../views/csv.js';
import { fieldsOf, type ObservationRecord, type StationRecord } from '../../../views/hvd/fields.js';
import {
  latestGeoJson,
  latestWideCsv,
  type NewestOfStation,
} from '../../../views/hvd/latest-by-station.js';
import { listEnvelope } from '../../../views/hvd/window.js';
import { planText } from '../../formats/answers.js';
import type { PlanLatestTask } from '../../messages.js';
import { openSnapshot, seriesFilterOf } from '../../open-snapshot.js';
import { withDistance } from './plan-stations.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function planLatest({ location, gzip, selection, form, isNearest }: PlanLatestTask): Plan {
  const snapshot = openSnapshot(location);
  const { reader } = snapshot;
  const all = isNearest ? ofNewestHours(reader.record('latest')) : reader.record('latest');
  const latest = selected(all, seriesFilterOf(snapshot, selection));
  const texts = isNearest
    ? nearestTexts(latest, snapshot.stations(), selection)
    : latest.map(({ text }) => text);
  if (form === 'csv') {
    const csv = renderCsv(fieldsOf('observations'), recordsOf(texts));
    return planText(csv, { gzip, records: texts.length });
  }
  if (form !== 'json') {
    const stations = newestByStation(texts, snapshot.stations());
    const render = form === 'wide' ? latestWideCsv : latestGeoJson;
    return planText(render(stations), { gzip, records: stations.length });
  }
  const { head, tail } = listEnvelope(reader.header, {});
  const text = head + texts.join(',') + tail(texts.length);
  return planText(text, { gzip, records: texts.length });
}

/** The records by station, in the order of the stations. */
function newestByStation(
  texts: readonly string[],
  stations: readonly FilterableStation[],
): readonly NewestOfStation[] {
  const byId = new Map<string, ObservationRecord[]>();
  for (const record of recordsOf(texts)) {
    const newest = byId.get(record.station_id);
    if (newest) newest.push(record);
    else byId.set(record.station_id, [record]);
  }
  return stations.flatMap(({ id, text }) => {
    const newest = byId.get(String(id));
    return newest ? [{ station: JSON.parse(text) as StationRecord, newest }] : [];
  });
}

/** The observations of each parameter in the newest hour in which any station has a value of it. */
function ofNewestHours(latest: readonly LatestObservation[]): readonly LatestObservation[] {
  const newest = new Map<string, number>();
  for (const { parameterCode: code, hour } of latest) {
    newest.set(code, Math.max(hour, newest.get(code) ?? hour));
  }
  return latest.filter(({ parameterCode: code, hour }) => hour === newest.get(code));
}

/** For each parameter, by code, the observation that is nearest to the position; of equally near ones the first. */
function nearestTexts(
  latest: readonly LatestObservation[],
  stations: readonly FilterableStation[],
  { circle }: Selection,
): readonly string[] {
  const metres = new Map(stations.map((one) => [`${one.id}`, circle && distanceM(one, circle)]));
  return latest
    .map((one) => ({ ...one, metres: metres.get(one.stationId) ?? Infinity }))
    .sort((a, b) => compareCodes(a.parameterCode, b.parameterCode) || a.metres - b.metres)
    .filter(({ parameterCode: code }, at, sorted) => code !== sorted[at - 1]?.parameterCode)
    .map(({ text, metres }) => withDistance(text, metres));
}

/** Parses texts that the import has rendered from records. */
function recordsOf(texts: readonly string[]): readonly ObservationRecord[] {
  return texts.map((text) => JSON.parse(text) as ObservationRecord);
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
