/** Expected answers of further forms (`form-paths.ts`), and their readers. */
import { parse } from 'csv-parse/sync';
import readWorkbook from 'read-excel-file/universal';
import { cellOf } from '../support/expected/expected-hvd.js';
import { readOds, readXlsx, type Cell } from '../support/readers/spreadsheets.js';
import type { Answer } from '../support/service/connection.js';
import { cell, exportCells, hvdParameter, hvdStation, utc, type Found } from './compare.js';
import {
  expectedDescriptor,
  readDescriptor,
  expectedCatalogue,
  expectedIndex,
  files,
  list,
  object,
  readCatalogue,
  readIndex,
  sumLines,
} from './descriptions.js';
import { textOf } from './network.js';
import { expectedDays, expectedWeek, expectedWorkbook } from './oracle-days.js';
import type { Expected, Oracle, Row } from './oracle.js';
import type { Asked } from './request.js';

export async function expectedForm(
  asked: Asked,
  place: { readonly oracle: Oracle; readonly earlier: Oracle; readonly timeZone: string },
): Promise<Expected> {
  const { oracle, earlier } = place;
  switch (asked.choices.endpoint) {
    case 'latest-wide':
    case 'latest-geojson':
      return await newestOfStations(asked, oracle);
    case 'bulk-stations-csv':
    case 'bulk-stations-geojson':
      return await oracle.hvdStations({});
    case 'bulk-parameters-csv':
    case 'bulk-parameters-json':
      return { status: 200, rows: await oracle.rows('FROM parameters ORDER BY code_rank') };
    case 'export-xlsx':
    case 'export-ods':
      return await oracle.expected(
        { ...asked, choices: { ...asked.choices, endpoint: 'export' } },
        earlier,
      );
    case 'days':
      return await expectedDays(asked, place);
    case 'week':
      return await expectedWeek(asked, place);
    case 'workbook':
      return await expectedWorkbook(asked, place);
    default:
      return { status: 200, rows: [] };
  }
}

/** A row for each station with a newest value: its description, and the records of its series. */
async function newestOfStations(asked: Asked, oracle: Oracle): Promise<Expected> {
  const latest = await oracle.latest(asked);
  const stations = await oracle.hvdStations({});
  if (latest.status !== 200 || stations.status !== 200) return latest;
  const rows = stations.rows.flatMap((station): readonly Row[] => {
    const series = latest.rows.filter((one) => one['station_id'] === station['station_id']);
    return series.length === 0 ? [] : [{ ...station, series }];
  });
  const codes = new Set(latest.rows.map((row) => textOf(row['parameter_code'])));
  return { status: 200, rows, codes: [...codes].toSorted((a, b) => (a < b ? -1 : 1)) };
}

/** A reader of further forms. @param ask for other documents of the service, by their paths. */
export function formReader(ask: (path: string) => Promise<Answer>) {
  return async (body: Buffer, compared: Found): Promise<readonly [unknown, unknown]> => {
    const { asked, expected, oracle, snapshotId } = compared;
    const { rows } = expected;
    const text = body.toString();
    switch (asked.choices.endpoint) {
      case 'latest-wide':
        return [parse(text), wideCells(compared)];
      case 'latest-geojson':
        return [JSON.parse(text), newestFeatures(compared)];
      case 'bulk-stations-csv':
        return [
          parse(text),
          table(
            hvdStation({}, oracle),
            rows.map((row) => hvdStation(row, oracle)),
          ),
        ];
      case 'bulk-stations-geojson':
        return [JSON.parse(text), stationFeatures(compared)];
      case 'bulk-parameters-csv':
        return [parse(text), table(hvdParameter({}), rows.map(hvdParameter))];
      case 'bulk-parameters-json':
        return [JSON.parse(text), rows.map(hvdParameter)];
      case 'bulk-readme':
        return [
          /^- Snapshot: `(.*)`\n- Made: (.*)$/m.exec(text)?.slice(1),
          [snapshotId, utc(oracle.generatedAtMs)],
        ];
      case 'bulk-sums':
        return [text.split('\n').toSorted(), ['', ...sumLines(await files(ask))].toSorted()];
      case 'index':
        return [readIndex(text), expectedIndex(compared, await files(ask))];
      case 'catalogue':
        return [readCatalogue(text), expectedCatalogue(compared, await files(ask))];
      case 'descriptor':
        return [readDescriptor(text), expectedDescriptor(compared)];
      case 'export-xlsx':
        return [readXlsx(body), sheetCells(compared)];
      case 'export-ods':
        return [readOds(body), sheetCells(compared)];
      case 'workbook':
        return await workbookRows(body, compared);
      default:
        return dayCells(parse(text), compared);
    }
  };
}

/** A line of names and a line for each record. @param record with every name. */
function table(record: Row, records: readonly Row[]): readonly (readonly string[])[] {
  const names = Object.keys(record);
  return [names, ...records.map((one) => names.map((name) => cellOf(name, one[name])))];
}

function wideCells({ expected: { rows, codes = [] } }: Found): readonly (readonly string[])[] {
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
function newestFeatures({ expected: { rows } }: Found): unknown {
  const all = rows.flatMap((row) => list(row['series']));
  return {
    ...collection(rows),
    units: Object.fromEntries(all.map((one) => [textOf(one['parameter_code']), one['unit']])),
    features: rows.map((row) =>
      feature(row, {
        station_id: row['station_id'],
        station_name: row['name'],
        municipality: row['municipality'],
        ...Object.fromEntries(
          list(row['series']).flatMap((one) => {
            const code = textOf(one['parameter_code']);
            return [
              [code, one['value']],
              [`${code}_time_utc`, utc(one['start_ms'])],
            ];
          }),
        ),
      }),
    ),
  };
}

function stationFeatures({ expected: { rows }, oracle }: Found): unknown {
  return {
    ...collection(rows),
    features: rows.map((row) => feature(row, hvdStation(row, oracle))),
  };
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
function sheetCells(compared: Found): readonly (readonly Cell[])[] {
  const numbers = [0, 2, 5, 9, 12];
  return exportCells(compared).map((row, line) =>
    row.map((text, at) => ({
      type: line > 0 && numbers.includes(at) ? 'number' : 'text',
      text: String(text),
    })),
  );
}

/** Hours with the clock's time, its offset and their values, whose columns have names in words. */
async function workbookRows(
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
    const minutes = (localMs - Number(row['start_ms'])) / 60_000;
    const size = new Date(Math.abs(minutes) * 60_000).toISOString().slice(11, 16);
    const found: unknown = row['found'];
    return [
      localMs,
      `${minutes < 0 ? '-' : '+'}${size}`,
      inOrder(Array.isArray(found) ? found : []),
    ];
  });
  return [
    { columns: head.length, rows: got },
    { columns: 2 + codes.length, rows: want },
  ];
}

const DAY_COLUMNS =
  'station_id,station_name,component,unit,time_zone,date,mean,lowest,highest,hours_with_value,hours,sum'.split(
    ',',
  );

/** Means and sums are compared as far as their digits go, everything else exactly. */
function dayCells(
  got: readonly (readonly string[])[],
  { asked, expected: { rows } }: Found,
): readonly [unknown, unknown] {
  const isWeek = asked.choices.endpoint === 'week';
  const names = isWeek ? [...DAY_COLUMNS, 'highest_hour_utc'] : DAY_COLUMNS;
  const want = rows.map((row, line) => {
    const peak = row['highest_ms'] ?? null;
    const cells = { ...row, highest_hour_utc: peak === null ? null : utc(peak) };
    return names.map((name, at) => {
      const value = object(cells)[name] ?? null;
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
