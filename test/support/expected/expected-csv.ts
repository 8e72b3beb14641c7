/** Expected cells of observations in CSV, from records of `ExpectedHvd`. */
import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { cellOf, type ExpectedHvd } from './expected-hvd.js';

type Plain = Readonly<Record<string, unknown>>;

/** Cells of a CSV file whose lines end in CRLF. */
export function cellsOf(csv: string): readonly (readonly string[])[] {
  assert.ok(csv.endsWith('\r\n'));
  return parse(csv, { record_delimiter: '\r\n' });
}

/** A header line, and a line for each record. */
export function longCells(
  expected: ExpectedHvd,
  records: readonly Plain[],
): readonly (readonly string[])[] {
  const names = Object.keys(expected.observations().records[0] ?? {});
  return [names, ...records.map((record) => names.map((name) => cellOf(name, record[name])))];
}

/** A header line, and a line for each hour of a station, with a column for each parameter. */
export function wideCells(
  expected: ExpectedHvd,
  records: readonly Plain[],
): readonly (readonly string[])[] {
  const codes = [...new Set(records.map((record) => String(record['parameter_code'])))].toSorted();
  const names = new Map(
    expected.stations().map((station) => [station['station_id'], String(station['station_name'])]),
  );
  const rows = new Map<string, string[]>();
  const byTime = records.toSorted(
    (a, b) =>
      Number(a['station_id']) - Number(b['station_id']) ||
      String(a['time_start_utc']).localeCompare(String(b['time_start_utc']), 'en'),
  );
  for (const record of byTime) {
    const { station_id: id, time_start_utc: start, time_end_utc: end } = record;
    const key = `${String(id)} ${String(start)}`;
    const row = rows.get(key) ?? [
      String(id),
      names.get(id) ?? '',
      String(start),
      String(end),
      ...codes.map(() => ''),
    ];
    row[4 + codes.indexOf(String(record['parameter_code']))] = cellOf('value', record['value']);
    rows.set(key, row);
  }
  const header = ['station_id', 'station_name', 'time_start_utc', 'time_end_utc', ...codes];
  return [header, ...rows.values()];
}
