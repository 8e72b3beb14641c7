/** Compares an answer of the service with the oracle's. */
import { inspect, isDeepStrictEqual } from 'node:util';
import { parse } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { STREAM_META } from '../support/expected/expected-hvd.js';
import { readOds, readXlsx } from '../support/readers/spreadsheets.js';
import * as descriptions from './descriptions.js';
import { plainBody, statusProblem } from './http-exchange.js';
import type { Row } from './oracle.js';
import { periodCells } from './periods.js';
import * as records from './records.js';
import { utc, type Compared, type Found } from './records.js';

export async function difference(compared: Compared): Promise<string | undefined> {
  const { answer, expected } = compared;
  const wrong = statusProblem(answer, expected.status);
  if (wrong !== undefined || expected.status !== 200) return wrong;
  const [got, want] = await readBoth(plainBody(answer), { ...compared, expected });
  return firstDifference(got, want);
}

async function readBoth(body: Buffer, compared: Found): Promise<readonly [unknown, unknown]> {
  const { asked, expected, oracle, snapshotId, ask } = compared;
  const { rows } = expected;
  const text = body.toString();
  const record = (row: Row): Row => records.record(row, oracle);
  const station = (row: Row): Row => records.hvdStation(row, oracle);
  switch (asked.choices.endpoint) {
    case 'stream': {
      const meta = { ...records.metaOf(compared), ...STREAM_META };
      return [linesOf(text), [{ meta }, ...rows.map(record), '']];
    }
    case 'changes': {
      const changes = rows.map(({ start_ms: startMs, ...row }) => {
        return { ...row, time_start_utc: utc(startMs) };
      });
      return [linesOf(text), [records.changesMeta(compared), ...changes, '']];
    }
    case 'csv':
    case 'latest-csv':
    case 'bulk-csv':
      return [parse(text), records.table(rows, record)];
    case 'bulk-parquet':
      return [await parquetRows(body), rows.map(record)];
    case 'wide':
      return [parse(text), records.wideCells(compared)];
    case 'latest-wide':
      return [parse(text), records.latestCells(compared)];
    case 'bulk-stations-csv':
      return [parse(text), records.table(rows, station)];
    case 'bulk-parameters-csv':
      return [parse(text), records.table(rows, records.hvdParameter)];
    case 'export':
      return [parse(text, { relax_column_count: true }), records.exportCells(compared)];
    case 'export-xlsx':
      return [readXlsx(body), records.sheetCells(compared)];
    case 'export-ods':
      return [readOds(body), records.sheetCells(compared)];
    case 'workbook':
      return await records.workbookRows(body, compared);
    case 'days':
    case 'week':
      return records.dayCells(parse(text), compared);
    case 'daily':
    case 'daily-json':
    case 'monthly':
    case 'monthly-json':
      return periodCells(text, asked, rows);
    case 'bulk-readme':
      return [
        /^- Snapshot: `(.*)`\n- Made: (.*)$/m.exec(text)?.slice(1),
        [snapshotId, utc(oracle.generatedAtMs)],
      ];
    case 'bulk-sums':
      return [text.split('\n').toSorted(), await descriptions.sumLines(ask)];
    case 'index':
      return [descriptions.readIndex(text), await descriptions.expectedIndex(compared)];
    case 'catalogue':
      return [descriptions.readCatalogue(text), await descriptions.expectedCatalogue(compared)];
    case 'descriptor':
      return [descriptions.readDescriptor(text), descriptions.expectedDescriptor(compared)];
    case 'observations':
    case 'latest': {
      const meta = { ...records.metaOf(compared), count: rows.length };
      return [JSON.parse(text), { data: rows.map(record), meta }];
    }
    case 'latest-geojson':
      return [JSON.parse(text), records.latestFeatures(compared)];
    case 'hvd-stations':
      return [JSON.parse(text), rows.map(station)];
    case 'bulk-stations-geojson':
      return [JSON.parse(text), records.stationFeatures(compared)];
    case 'hvd-parameters':
    case 'bulk-parameters-json':
      return [JSON.parse(text), rows.map(records.hvdParameter)];
    case 'last-hour':
    case 'last-24h':
      return [JSON.parse(text), records.hours(rows)];
    case 'measurements':
      return [JSON.parse(text), records.series(compared)];
    case 'station-meta':
      return [JSON.parse(text), rows[0]];
    case 'meta':
      return [JSON.parse(text), records.manifest(compared)];
    default:
      return [JSON.parse(text), rows];
  }
}

function linesOf(text: string): readonly unknown[] {
  return text.split('\n').map((line) => (line === '' ? '' : (JSON.parse(line) as unknown)));
}

async function parquetRows(body: Buffer): Promise<readonly unknown[]> {
  const rows = await parquetReadObjects({ file: Uint8Array.from(body).buffer });
  const shown = (value: unknown): unknown => (value instanceof Date ? utc(value) : value);
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, shown(value)])),
  );
}

/** The place of the first difference, with both values. Zero has no sign. */
export function firstDifference(got: unknown, want: unknown, path = ''): string | undefined {
  if (got === want || isDeepStrictEqual(got, want)) return undefined;
  if (isObject(got) && isObject(want)) {
    const names = [...new Set([...Object.keys(got), ...Object.keys(want)])];
    for (const name of names) {
      const inner = firstDifference(got[name], want[name], `${path}/${name}`);
      if (inner !== undefined) return inner;
    }
    return undefined;
  }
  const text = (value: unknown): string => inspect(value).slice(0, 300);
  return `${path}: ${text(got)}, expected ${text(want)}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
