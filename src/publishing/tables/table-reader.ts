/** The one door to csv-parse: a table in a file → its records, in bounded memory; of a workbook, those of its first sheet. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { CsvError, parse, type Options } from 'csv-parse';
import { plainBytes } from '../../snapshot/document/json/bytes.js';
import { FileError, systemCode } from '../../snapshot/document/file-error.js';
import type { Problems, Refuse } from '../../snapshot/document/problems.js';
import { xlsxRecords } from '../../workers/formats/spreadsheets/xlsx-records.js';
import type { TableFile } from './table-file.js';
import type { TableForm } from './table-form.js';
import { textOf } from './text-decoder.js';

/** Longest record, in bytes: an unclosed quote would take the rest of the file. */
const MAX_RECORD_BYTES = 1024 * 1024;

export interface ReadOptions {
  readonly form: TableForm;
  readonly problems: Problems;
  /** Called with how many bytes of the table, as stored, have been read. */
  readonly onProgress?: ((bytesRead: number) => void) | undefined;
}

/**
 * Records of a table (RFC 4180), the header row first, cells as they are written. All have as many cells as the first;
 * empty lines are left out.
 *
 * @throws {DocumentError} naming the file, and the line where that is known.
 * @throws {FileError} where the file cannot be read.
 */
export async function* readTable(
  file: TableFile,
  options: ReadOptions,
): AsyncGenerator<readonly string[], void, undefined> {
  if (options.form.encoding === 'xlsx') {
    for await (const { cells } of readWorkbook(file, options)) yield cells;
  } else yield* parsed<readonly string[]>(file, { ...options, csv: {} });
}

/** A record, and the line on which it ends. */
export interface TableLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The same with lines, which takes twice the time. */
export async function* readTableLines(
  file: TableFile,
  options: ReadOptions,
): AsyncGenerator<TableLine, void, undefined> {
  if (options.form.encoding === 'xlsx') {
    yield* readWorkbook(file, options);
    return;
  }
  const csv = { info: true };
  const records = parsed<{ info: { lines: number }; record: string[] }>(file, { ...options, csv });
  for await (const { info, record } of records) yield { line: info.lines, cells: record };
}

/** Numbers have the decimal mark of the table's other ones. */
async function* readWorkbook(
  file: TableFile,
  { form, problems }: ReadOptions,
): AsyncGenerator<TableLine, void, undefined> {
  const refuse: Refuse = (message, why) => problems.fail(file.name, message, why);
  let width: number | undefined;
  for await (const { line, cells } of xlsxRecords(file.path, { ...form, refuse })) {
    if (line < form.headerLine) continue;
    width ??= cells.length;
    if (cells.length > width) {
      refuse(`line ${line} has ${cells.length} cells, and the header ${width}`);
    }
    yield { line, cells: [...cells, ...Array<string>(width - cells.length).fill('')] };
  }
}

/** `csv`: options of csv-parse, on which it depends what a record is. */
async function* parsed<Parsed>(
  file: TableFile,
  { form, problems, onProgress, csv }: ReadOptions & { readonly csv: Options },
): AsyncGenerator<Parsed, void, undefined> {
  const refuse: Refuse = (message, options) => problems.fail(file.name, message, options);
  const { encoding, delimiter, headerLine } = form;
  const parser = parse({
    ...csv,
    delimiter,
    // Before the header, lines have as many cells as they like.
    ...(headerLine > 1 && { from_line: headerLine }),
    skip_empty_lines: true,
    // Seconds of a degree are written with one.
    relax_quotes: true,
    max_record_size: MAX_RECORD_BYTES,
  });
  const bytes = plainBytes(createReadStream(file.path), refuse, onProgress);
  const text = Readable.from(textOf(bytes, { encoding, refuse }));
  text.on('error', (error) => parser.destroy(error));
  text.pipe(parser);
  try {
    for await (const record of parser as AsyncIterable<Parsed>) yield record;
  } catch (error) {
    if (systemCode(error) !== undefined) throw new FileError(`read ${file.path}`, error);
    if (!(error instanceof CsvError)) throw error;
    refuse(`not CSV: ${error.message}`, { cause: error });
  } finally {
    text.destroy();
  }
}

/**
 * The lines on which records end, for messages: line numbers by record number, the first after the header being 0.
 *
 * Reads the table again, because asking csv-parse for lines doubles the time of a reading that goes well.
 */
export async function linesOfRecords(
  file: TableFile,
  records: ReadonlySet<number>,
  options: ReadOptions,
): Promise<ReadonlyMap<number, number>> {
  const lines = new Map<number, number>();
  const last = Math.max(...records);
  let record = -1;
  for await (const { line } of readTableLines(file, options)) {
    if (records.has(record)) lines.set(record, line);
    if (record === last) break;
    record += 1;
  }
  return lines;
}
