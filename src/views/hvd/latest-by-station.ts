/** The newest values by station, as CSV and as GeoJSON (docs/http-api/files.md, "Newest values of a station"). */
import { compareCodes } from '../../snapshot/domain/observation-order.js';
import { csvLine } from '../csv.js';
import type { FieldValue, ObservationRecord, StationRecord } from './fields.js';
import { renderGeoJson } from './geojson.js';

/** A station with the newest observation of each series, at least one. */
export interface NewestOfStation {
  readonly station: StationRecord;
  readonly newest: readonly ObservationRecord[];
}

const STATION_COLUMNS = [
  'station_id',
  'station_name',
  'municipality',
  'latitude',
  'longitude',
] as const satisfies readonly (keyof StationRecord)[];

/** CSV: a line for each station; each parameter has two columns, the value and the UTC start of its hour. */
export function latestWideCsv(stations: readonly NewestOfStation[]): string {
  const codes = [
    ...new Set(stations.flatMap(({ newest }) => newest.map((one) => one.parameter_code))),
  ].sort(compareCodes);
  const header = csvLine([...STATION_COLUMNS, ...codes.flatMap((code) => [code, timeName(code)])]);
  const lines = stations.map(({ station, newest }) => {
    const byCode = new Map(newest.map((one) => [one.parameter_code, one]));
    const cells = codes.flatMap((code) => {
      const { value = null, time_start_utc: time = null } = byCode.get(code) ?? {};
      return [value, time];
    });
    return csvLine([...STATION_COLUMNS.map((column) => station[column]), ...cells]);
  });
  return header + lines.join('');
}

/** GeoJSON (RFC 7946): a feature for each station, and a member `units` with the unit of each parameter code. */
export function latestGeoJson(stations: readonly NewestOfStation[]): string {
  const byId = new Map(stations.map(({ station, newest }) => [station.station_id, newest]));
  const all = stations.flatMap(({ newest }) => newest);
  return renderGeoJson(
    stations.map(({ station }) => station),
    { units: Object.fromEntries(all.map((one) => [one.parameter_code, one.unit])) },
    (station) => propertiesOf(station, byId.get(station.station_id) ?? []),
  );
}

function propertiesOf(
  station: StationRecord,
  newest: readonly ObservationRecord[],
): Readonly<Record<string, FieldValue>> {
  const { station_id, station_name, municipality } = station;
  const values = newest.flatMap(({ parameter_code: code, value, time_start_utc: time }) => [
    [code, value] as const,
    [timeName(code), time] as const,
  ]);
  return { station_id, station_name, municipality, ...Object.fromEntries<FieldValue>(values) };
}

function timeName(code: string): string {
  return `${code}_time_utc`;
}
