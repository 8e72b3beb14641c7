/** Expected contents of answers, from the oracle's rows. */
import readWorkbook from 'read-excel-file/universal';
import { EXPORT_COLUMNS } from '../support/expected/expected-export.js';
import { cellOf } from '../support/expected/expected-hvd.js';
import type { Cell } from '../support/readers/spreadsheets.js';
import type { Answer } from '../support/service/connection.js';
import {
  countsOf,
  dateAndTime,
  HOUR_MS,
  offsetOf,
  RETENTION_HOURS,
  textOf,
  WINDOWS,
} from './network.js';
import type { Expected, Oracle, Row } from './oracle.js';
import type { Asked } from './request.js';

type Cells = readonly (readonly unknown[])[];

export interface Compared {
  readonly asked: Asked;
  readonly answer: Answer;
  readonly expected: Expected;
  readonly oracle: Oracle;
  readonly snapshotId: string;
  readonly since: string;
  /** For other documents of the service, by their paths. */
  readonly ask: (path: string) => Promise<Answer>;
}

export type Found = Compared & { readonly expected: Extract<Expected, { readonly status: 200 }> };

export function utc(ms: unknown): string {
  return `${new Date(Number(ms)).toISOString().slice(0, 19)}Z`;
}

function cell(value: unknown): string {
  return cellOf('value', value ?? null);
}

export function table(rows: readonly Row[], view: (row: Row) => Row): Cells {
  const names = Object.keys(view({ start_ms: 0 }));
  return [names, ...rows.map(view).map((one) => names.map((name) => cellOf(name, one[name])))];
}

export function record(row: Row, { generatedAtMs }: Oracle): Row {
  return {
    station_id: row['station_id'] ?? null,
    parameter_code: row['parameter_code'] ?? null,
    time_start_utc: utc(row['start_ms']),
    time_end_utc: utc(Number(row['start_ms']) + HOUR_MS),
    value: row['value'] ?? null,
    unit: row['unit'] ?? null,
    data_status: 'preliminary',
    aggregation_type: 'hourly_mean',
    published_at_utc: utc(generatedAtMs),
    updated_at_utc: utc(generatedAtMs),
    coverage: null,
    ...distanceOf(row),
  };
}

export function metaOf({ asked, expected, oracle, snapshotId }: Found): Row {
  const { fromMs, toMs } = asked;
  const { period } = expected;
  const timeOf = (ms: number | undefined): string | null => (ms === undefined ? null : utc(ms));
  const isWhole = fromMs === undefined && toMs === undefined;
  return {
    snapshot_id: snapshotId,
    generated_at_utc: utc(oracle.generatedAtMs),
    retention_days: 30,
    data_status: 'preliminary',
    aggregation_type: 'hourly_mean',
    requested_window: isWhole ? null : { from: timeOf(fromMs), to: timeOf(toMs) },
    actual_window: { from: utc(period?.fromMs), to: utc(period?.toMs) },
    out_of_retention_window: period?.fromMs === period?.toMs,
  };
}

export function wideCells({ expected: { rows, codes = [] } }: Found): Cells {
  return [
    ['station_id', 'station_name', 'time_start_utc', 'time_end_utc', ...codes],
    ...rows.map((row) => {
      // DuckDB writes a MAP as objects of key and value.
      const values = new Map(list(row['cells']).map(({ key, value }) => [key, value]));
      const times = [utc(row['start_ms']), utc(Number(row['start_ms']) + HOUR_MS)];
      const cells = codes.map((code) => cell(values.get(code)));
      return [cell(row['station_id']), cell(row['name']), ...times, ...cells];
    }),
  ];
}

const STATION =
  'station_id station_name station_code latitude longitude municipality station_type operator active last_updated_utc elevation_m address start_date end_date notes network_id network_code';

export function hvdStation(row: Row, { generatedAtMs }: Oracle): Row {
  const { name: station_name, code: station_code } = row;
  const named = { station_name, station_code, last_updated_utc: utc(generatedAtMs) };
  const all: Row = { ...row, ...named, network_id: Number(row['network_id']) };
  return {
    ...Object.fromEntries(STATION.split(' ').map((name) => [name, all[name] ?? null])),
    ...distanceOf(row),
  };
}

function distanceOf({ distance }: Row): Row {
  return distance === undefined ? {} : { distance_m: Math.round(Number(distance)) };
}

export function hvdParameter(row: Row): Row {
  return {
    parameter_code: row['code'] ?? null,
    parameter_name: row['code'] ?? null,
    unit: row['unit'] ?? null,
    averaging_period: '1h',
    cas_number: row['cas_number'] ?? null,
    description: row['description'] ?? null,
  };
}

export function changesMeta({ expected, oracle, snapshotId, since }: Found): unknown {
  const { generatedAtMs } = oracle;
  const of = (op: string): number => expected.rows.filter((row) => row['op'] === op).length;
  const counts = { added: of('added'), changed: of('changed'), withdrawn: of('withdrawn') };
  // Rounded up: a row of a whole second before the exact time has left the window.
  const fromMs = Math.ceil((generatedAtMs - RETENTION_HOURS * HOUR_MS) / 1000) * 1000;
  return {
    meta: {
      since,
      snapshot_id: snapshotId,
      generated_at_utc: utc(generatedAtMs),
      retention_from_utc: utc(fromMs),
      ...counts,
    },
  };
}

export function hours(rows: readonly Row[]): unknown {
  const starts = [...new Set(rows.map((row) => row['start_ms']))];
  return {
    hours: starts.map((start) => ({
      ...dateAndTime(Number(start)),
      components: rows
        .filter((row) => row['start_ms'] === start)
        .map((row) => ({ component_id: row['component_id'], value: row['value'] })),
    })),
  };
}

export function series({ asked, expected: { rows } }: Found): unknown {
  const [first = {}] = rows;
  return {
    organization_id: asked.organizationId,
    station_id: asked.stationId,
    station_name: first['name'],
    component_id: asked.componentId,
    component_short_name: first['code'],
    unit: first['unit'],
    window: asked.window,
    points: rows.map((row) => ({ ...dateAndTime(Number(row['start_ms'])), value: row['value'] })),
  };
}

export function exportCells({ asked, expected: { rows } }: Found): Cells {
  const { organizationId, stationId, componentId } = asked;
  return [
    EXPORT_COLUMNS,
    ...rows.map((row) => {
      const { date, time } = dateAndTime(Number(row['start_ms']));
      const network = [`${Number(row['network_id'])}`, row['network_code']];
      const station = [`${stationId}`, row['name'], row['station_code'], ...network];
      const component = [`${componentId}`, row['code'], row['unit']];
      // Rounded to zero, a value has no sign.
      const value = Number(row['value'])
        .toFixed(2)
        .replace(/^-0\.00$/, '0.00');
      return [`${organizationId}`, row['operator'], ...station, date, time, ...component, value];
    }),
  ];
}

export function manifest({ oracle, snapshotId }: Found): Row {
  const { network } = oracle;
  return {
    schema_version: '1.2.0',
    snapshot_id: snapshotId,
    generated_at: utc(oracle.generatedAtMs),
    supported_windows: WINDOWS.filter((window) => network.supported_windows.includes(window)),
    counts: countsOf(network),
    hour_minute: network.hour_minute || undefined,
  };
}

export function latestCells({ expected: { rows, codes = [] } }: Found): Cells {
  const station = ['station_id', 'station_name', 'municipality', 'latitude', 'longitude'];
  return [
    [...station, ...codes.flatMap((code) => [code, `${code}_time_utc`])],
    ...rows.map((row) => {
      const cells = codes.flatMap((code) => {
        const one = list(row['series']).find((record) => record['parameter_code'] === code);
        return one === undefined ? ['', ''] : [cell(one['value']), utc(one['start_ms'])];
      });
      const { station_id: id, name, municipality, latitude, longitude } = row;
      return [...[id, name, municipality, latitude, longitude].map(cell), ...cells];
    }),
  ];
}

/** Properties have no members for parameters without a value. */
export function latestFeatures({ expected: { rows } }: Found): unknown {
  const all = rows.flatMap((row) => list(row['series']));
  const units = all.map((one): readonly [string, unknown] => [
    textOf(one['parameter_code']),
    one['unit'],
  ]);
  const features = rows.map((row) => {
    const { station_id, name: station_name, municipality } = row;
    const values = list(row['series']).flatMap((one) => {
      const code = textOf(one['parameter_code']);
      return Object.entries({ [code]: one['value'], [`${code}_time_utc`]: utc(one['start_ms']) });
    });
    const ofStation = { station_id, station_name, municipality };
    return feature(row, { ...ofStation, ...Object.fromEntries(values) });
  });
  return { ...collection(rows), units: Object.fromEntries<unknown>(units), features };
}

export function stationFeatures({ expected: { rows }, oracle }: Found): unknown {
  const features = rows.map((row) => feature(row, hvdStation(row, oracle)));
  return { ...collection(rows), features };
}

/** With a bounding box (RFC 7946 §5) where a station has a position. */
function collection(rows: readonly Row[]): Row {
  const numbers = (name: string): readonly number[] =>
    rows.flatMap((row) => (typeof row[name] === 'number' ? [row[name]] : []));
  const [east, north] = [numbers('longitude'), numbers('latitude')];
  const bbox = [Math.min(...east), Math.min(...north), Math.max(...east), Math.max(...north)];
  return { type: 'FeatureCollection', ...(east.length > 0 && { bbox }) };
}

function feature({ station_id: id, longitude, latitude }: Row, properties: Row): unknown {
  const geometry =
    typeof longitude === 'number' ? { type: 'Point', coordinates: [longitude, latitude] } : null;
  return { type: 'Feature', id, geometry, properties };
}

/** Ids and values are numbers, everything else is text. */
export function sheetCells(compared: Found): readonly (readonly Cell[])[] {
  const numbers = [0, 2, 5, 9, 12];
  return exportCells(compared).map((row, line) =>
    row.map((text, at) => ({
      type: line > 0 && numbers.includes(at) ? 'number' : 'text',
      text: String(text),
    })),
  );
}

/** Hours with the clock's time, its offset and their values, whose columns have names in words. */
export async function workbookRows(
  body: Buffer,
  { expected: { rows, codes = [] } }: Found,
): Promise<readonly [unknown, unknown]> {
  const [sheet] = await readWorkbook(new Blob([new Uint8Array(body)]));
  const [head = [], ...lines] = sheet?.data ?? [];
  const inOrder = (values: readonly unknown[]): readonly unknown[] =>
    values.filter((value) => value !== null).toSorted((a, b) => Number(a) - Number(b));
  const got = lines.map(([time, offset, ...cells]) => [
    // Dates of workbooks are fractions of a day.
    Math.round(Number(time) / 60_000) * 60_000,
    offset,
    inOrder(cells),
  ]);
  const want = rows.map((row) => {
    const localMs = Number(row['local_ms']);
    const found: unknown = row['found'];
    const offset = offsetOf((localMs - Number(row['start_ms'])) / 60_000);
    return [localMs, offset, inOrder(Array.isArray(found) ? found : [])];
  });
  return [
    { columns: head.length, rows: got },
    { columns: 2 + codes.length, rows: want },
  ];
}

const DAY_COLUMNS =
  'station_id,station_name,component,unit,time_zone,date,mean,lowest,highest,hours_with_value,hours,sum';

/** Means and sums are compared as far as their digits go, everything else exactly. */
export function dayCells(
  got: readonly (readonly string[])[],
  { asked, expected: { rows } }: Found,
): readonly [unknown, unknown] {
  const isWeek = asked.choices.endpoint === 'week';
  const names = (isWeek ? `${DAY_COLUMNS},highest_hour_utc` : DAY_COLUMNS).split(',');
  const want = rows.map((row, line) => {
    const peakMs = row['highestMs'] ?? null;
    const cells: Row = { ...row, highest_hour_utc: peakMs === null ? null : utc(peakMs) };
    return names.map((name, at) => {
      const value = cells[name] ?? null;
      if (name.startsWith('hours')) return String(Number(value));
      const shown = got[line + 1]?.[at] ?? '';
      const isRounded = (name === 'mean' || name === 'sum') && value !== null && shown !== '';
      const isNear = Math.abs(Number(shown) - Number(value)) <= tolerance(name, row['found']);
      return isRounded && isNear ? shown : cell(value);
    });
  });
  return [got, [names, ...want]];
}

/** Half of the last digit, one more of a mean than of its values, and the error of a sum of floating-point numbers. */
function tolerance(name: string, found: unknown): number {
  const values: readonly number[] = Array.isArray(found) ? found.map(Number) : [];
  const places = values.map((value) => {
    const [digits = '', exponent = '0'] = String(value).split('e');
    return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
  });
  const size = values.reduce((sum, value) => sum + Math.abs(value), 0);
  const digits = Math.min(3, Math.max(0, ...places)) + (name === 'mean' ? 1 : 0);
  return 0.501 * 10 ** -digits + 1e-12 * size;
}

export function object(value: unknown): Row {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

export function list(value: unknown): readonly Row[] {
  return Array.isArray(value) ? value.map(object) : [];
}
