/** CSV by RFC 4180: CRLF, quotes only where needed, text verbatim (docs/http-api/files.md, "CSV"). */
import type { FieldValue } from './hvd/fields.js';

export const CSV_LINE_END = '\r\n';

/** Characters that would end a cell or begin quotes (RFC 4180 §2, rule 6). */
const NEEDS_QUOTES = /[",\r\n]/;

/** One cell: empty for null, `true` or `false`, the shortest digits that are parsed to the same number. */
export function csvCell(value: FieldValue): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  // An empty text is quoted, so that it is not read as null.
  if (value !== '' && !NEEDS_QUOTES.test(value)) return value;
  return `"${value.replaceAll('"', '""')}"`;
}

/** One line of cells with its line end. */
export function csvLine(values: readonly FieldValue[]): string {
  return values.map(csvCell).join(',') + CSV_LINE_END;
}

/** A whole file: the header, then a line for each record, cells in the order of `columns`. */
export function renderCsv<K extends string>(
  columns: readonly K[],
  records: readonly Readonly<Record<K, FieldValue>>[],
): string {
  const lines = records.map((record) => csvLine(columns.map((column) => record[column])));
  return csvLine(columns) + lines.join('');
}
