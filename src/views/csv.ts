/** CSV by RFC 4180: CRLF, quotes only where needed, text verbatim (docs/http-api/files.md, "CSV"). */
import type { FieldValue } from './hvd/fields.js';

export const CSV_LINE_END = '\r\n';

/** Characters that need quotes (RFC 4180 §2, rule 6). */
const NEEDS_QUOTES = /[",\r\n]/;

/** One cell: null is empty, a boolean is `true` or `false`, and a number has a decimal point. */
export function csvCell(value: FieldValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return csvDecimal(value);
  if (typeof value !== 'string') return String(value);
  // Quotes distinguish an empty text from null.
  if (value !== '' && !NEEDS_QUOTES.test(value)) return value;
  return `"${value.replaceAll('"', '""')}"`;
}

/** The shortest exact decimal, always with a point: readers that guess types from the first rows would cut decimals. */
export function csvDecimal(value: number): string {
  const text = `${value}`;
  if (text.includes('.')) return text;
  return text.includes('e') ? text.replace('e', '.0e') : `${text}.0`;
}

export function csvLine(values: readonly FieldValue[]): string {
  return values.map(csvCell).join(',') + CSV_LINE_END;
}

/** A CSV file: a header and records, with cells in the order of `columns`; only integers have no point. */
export function renderCsv<K extends string>(
  columns: readonly { readonly name: K; readonly type: string }[],
  records: readonly Readonly<Record<K, FieldValue>>[],
): string {
  const lines = records.map((record) =>
    csvLine(columns.map(({ name, type }) => typedValue(record[name], type))),
  );
  return csvLine(columns.map(({ name }) => name)) + lines.join('');
}

/** The value of a cell: integers have no point. */
export function typedValue(value: FieldValue, type: string): FieldValue {
  return type === 'integer' && value !== null ? String(value) : value;
}
