/** `GET /api/v1/observations/latest`, `latest.csv` and `latest.geojson`: the newest value of every selected series. */
import { compareCodes } from '../../../snapshot/domain/observation-order.js';
import { distanceM, type Circle } from '../../../snapshot/domain/selection.js';
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
  const latest = reader.record('latest');
  const found = selected(latest, seriesFilterOf(snapshot, selection));
  const { circle } = selection;
  const texts =
    isNearest && circle
      ? nearestTexts(found, newestHours(latest), distances(snapshot.stations(), circle))
      : found.map(textOf);
  if (form === 'csv') return planText(csvOf(texts), { gzip, records: texts.length });
  if (form !== 'json') {
    const stations = newestByStation(texts, snapshot.stations());
    const render = form === 'wide' ? latestWideCsv : latestGeoJson;
    return planText(render(stations), { gzip, records: stations.length });
  }
  const { head, tail } = listEnvelope(reader.header, {});
  const text = head + texts.join(',') + tail(texts.length);
  return planText(text, { gzip, records: texts.length });
}

function csvOf(texts: readonly string[]): string {
  return renderCsv(fieldsOf('observations'), recordsOf(texts));
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

/** The newest hour of each parameter in which any station has a value of it. */
function newestHours(latest: readonly LatestObservation[]): ReadonlyMap<string, string> {
  const hours = new Map<string, string>();
  for (const { parameter_code: code, time_start_utc: hour } of recordsOf(latest.map(textOf))) {
    if (hour > (hours.get(code) ?? '')) hours.set(code, hour);
  }
  return hours;
}

/** Metres from the position, by station id. */
function distances(
  stations: readonly FilterableStation[],
  from: Circle,
): ReadonlyMap<string, number> {
  return new Map(stations.map((one) => [String(one.id), distanceM(one, from) ?? Infinity]));
}

/** For each parameter, by code, the found value of its newest hour at the nearest station; of equal ones the first. */
function nearestTexts(
  found: readonly LatestObservation[],
  hours: ReadonlyMap<string, string>,
  metresOf: ReadonlyMap<string, number>,
): readonly string[] {
  const nearest = new Map<string, { readonly text: string; readonly metres: number }>();
  for (const { stationId, parameterCode: code, text } of found) {
    const metres = metresOf.get(stationId) ?? Infinity;
    const [record] = recordsOf([text]);
    if (record?.time_start_utc !== hours.get(code)) continue;
    if (metres < (nearest.get(code)?.metres ?? Infinity)) nearest.set(code, { text, metres });
  }
  return [...nearest]
    .sort(([a], [b]) => compareCodes(a, b))
    .map(([, { text, metres }]) => withDistance(text, metres));
}

function textOf({ text }: LatestObservation): string {
  return text;
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
