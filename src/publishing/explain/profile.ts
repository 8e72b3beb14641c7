/** What the cells of a table look like: the first rows of each column. */
import { Problems } from '../../snapshot/document/problems.js';
import type { TableFile } from '../tables/table-file.js';
import { findForm, withoutQuoted, type TableForm } from '../tables/table-form.js';
import type { FormOptions } from '../tables/table-options.js';
import { readTableLines } from '../tables/table-reader.js';

/** Rows that are looked at. */
const ROWS = 5000;
/** A header stands among so many lines. */
const HEADER_LINES = 30;

export interface ColumnProfile {
  readonly title: string;
  /** Not blank, in their order. */
  readonly cells: readonly string[];
  readonly distinct: ReadonlySet<string>;
}

export interface TableProfile {
  readonly file: TableFile;
  readonly form: TableForm;
  /** 1 where the header is followed by rows at once. */
  readonly headerLine: number;
  readonly columns: readonly ColumnProfile[];
}

/** @throws {DocumentError} for what is no table. */
export async function profile(file: TableFile, options: FormOptions): Promise<TableProfile> {
  const problems = new Problems();
  const first = await findForm(file, { ...options, problems });
  const headerLine = first.encoding === 'xlsx' ? 1 : headerOf(first.sample);
  const form = await findForm(file, { ...options, headerLine, problems });
  let header: readonly string[] | undefined;
  const rows: (readonly string[])[] = [];
  for await (const { cells } of readTableLines(file, { form, problems })) {
    if (header === undefined) header = cells;
    else if (rows.push(cells) === ROWS) break;
  }
  const columns = (header ?? []).map((title, position) => {
    const cells = rows.flatMap((row) => row[position]?.trim() || []);
    return { title: title.trim(), cells, distinct: new Set(cells) };
  });
  return { file, form, headerLine, columns };
}

/** The first line with as many cells as most of the lines after it, which are more than one. */
function headerOf(sample: string): number {
  const lines = sample.split(/\r\n|\r|\n/).slice(0, 200);
  const counts = [',', ';', '\t', '|'].map((delimiter) =>
    lines.map((line) => withoutQuoted(line).split(delimiter).length),
  );
  const best = counts
    .map((cells) => ({ cells, usual: median(cells.filter((count) => count > 1)) }))
    .reduce((a, b) => (b.usual > a.usual ? b : a));
  const at = best.cells.findIndex((count) => count === best.usual);
  return at > 0 && at < HEADER_LINES ? at + 1 : 1;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const NUMBER = /^[-+]?\d*[.,]?\d+(?:[eE][-+]?\d+)?$/;

/** Nearly all cells are numbers, if any are there. */
export function isNumeric({ cells }: ColumnProfile): boolean {
  return cells.length > 0 && cells.filter((cell) => NUMBER.test(cell)).length >= cells.length * 0.7;
}

const DATE = /^(?:\d{4}[-/.]?\d{1,2}[-/.]?\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})\.?/;

export function isDate({ cells }: ColumnProfile): boolean {
  return cells.length > 0 && cells.every((cell) => DATE.test(cell));
}

/** A date with a time of the day after it. */
export function isTime(column: ColumnProfile): boolean {
  return (
    isDate(column) &&
    column.cells.some((cell) => /[T ]\d{1,2}[:.]\d{2}|^\d{10}(?:\d{2})?$/.test(cell))
  );
}

export function isHour({ cells }: ColumnProfile): boolean {
  return (
    cells.length > 0 && cells.every((cell) => /^(?:[01]?\d|2[0-4])(?:[:.]00(?::00)?)?$/.test(cell))
  );
}
