/** Columns and rows of all export formats (docs/http-api/files.md, "Export"). */
import type { Window } from '../snapshot/domain/model.js';
import { renderCsv } from './csv.js';

export const EXPORT_FORMATS = ['csv', 'xlsx', 'ods'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Windows for export; one hour is too short. */
export const EXPORT_WINDOWS = ['1d', '7d', '14d', '30d'] as const satisfies readonly Window[];

interface Column {
  readonly name: string;
  /** `integer` and `decimal` (two places) are numbers in formats that have numbers; dates and times are texts. */
  readonly type: 'integer' | 'decimal' | 'text';
}

export const EXPORT_COLUMNS = [
  { name: 'organization_id', type: 'integer' },
  { name: 'organization_name', type: 'text' },
  { name: 'station_id', type: 'integer' },
  { name: 'station_name', type: 'text' },
  { name: 'station_code', type: 'text' },
  { name: 'network_id', type: 'integer' },
  { name: 'network_code', type: 'text' },
  { name: 'date', type: 'text' },
  { name: 'time', type: 'text' },
  { name: 'component_id', type: 'integer' },
  { name: 'component_short_name', type: 'text' },
  { name: 'unit', type: 'text' },
  { name: 'value', type: 'decimal' },
] as const satisfies readonly Column[];

export type ExportColumn = (typeof EXPORT_COLUMNS)[number];

/** One point: `date` and `time` are UTC, `value` is rounded to two places. */
export type ExportRow = {
  readonly [C in ExportColumn as C['name']]: C['type'] extends 'text' ? string : number;
};

/** Constant columns of one series. */
export type ExportSeries = Omit<ExportRow, 'date' | 'time' | 'value'>;

export type ExportPoint = Pick<ExportRow, 'date' | 'time' | 'value'>;

/** Rows in the order of `points`; values are rounded here for all formats: a spreadsheet would round 1.005 up. */
export function exportRows(
  series: ExportSeries,
  points: readonly ExportPoint[],
): readonly ExportRow[] {
  return points.map((point) => ({ ...series, ...point, value: Number(twoPlaces(point.value)) }));
}

/** The CSV file, without a byte-order mark. */
export function renderExportCsv(rows: readonly ExportRow[]): string {
  return renderCsv(
    EXPORT_COLUMNS,
    rows.map((row) => ({ ...row, value: twoPlaces(row.value) })),
  );
}

/** Text of a cell, the same in every format. */
export function cellText(row: ExportRow, { name, type }: ExportColumn): string {
  return type === 'decimal' ? twoPlaces(row[name]) : String(row[name]);
}

/** The value with two decimal places, without an exponent or a negative zero. */
function twoPlaces(value: number): string {
  const text = Math.abs(value) < 1e21 ? value.toFixed(2) : `${BigInt(value)}.00`;
  return text === '-0.00' ? '0.00' : text;
}
