/** The one door to csv-parse: a table in a `.csv` or `.csv.gz` file → its records, in bounded memory. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { CsvError, parse, type Options } from 'csv-parse';
import { plainBytes } from '../../snapshot/document/json/bytes.js';
import { FileError, systemCode } from '../../snapshot/document/file-error.js';
import type { Problems, Refuse } from '../../snapshot/document/problems.js';
import { utf8Text } from '../../snapshot/document/json/text.js';

/** Longest record, in bytes: an unclosed quote would take the rest of the file. */
const MAX_RECORD_BYTES = 1024 * 1024;

export interface CsvFile {
  /** Without the folder, such as `stations.csv.gz`: what messages say. */
  readonly name: string;
  readonly path: string;
  /** As stored. */
  readonly sizeBytes: number;
}

/** The table `name` of a folder, as `.csv` or `.csv.gz`; both are a problem, and none is `undefined`. */
export async function findCsv(
  { folder, name }: { readonly folder: string; readonly name: string },
  problems: Problems,
): Promise<CsvFile | undefined> {
  const found: CsvFile[] = [];
  for (const fileName of [`${name}.csv`, `${name}.csv.gz`]) {
    const path = join(folder, fileName);
    const status = await stat(path).catch(() => undefined);
    if (status !== undefined) found.push({ name: fileName, path, sizeBytes: status.size });
  }
  if (found.length > 1) problems.fail(`${name}.csv`, `there is a ${name}.csv.gz too`);
  return found[0];
}

interface ReadOptions {
  readonly problems: Problems;
  /** Called with how many bytes of the table, as stored, have been read. */
  readonly onProgress?: (bytesRead: number) => void;
}

/**
 * Records of a table (RFC 4180, UTF-8), the header row first, cells as they are written. All have as many cells as
 * the first; empty lines are left out.
 *
 * @throws {DocumentError} naming the file, and the line where that is known.
 * @throws {FileError} where the file cannot be read.
 */
export function readCsv(
  file: CsvFile,
  options: ReadOptions,
): AsyncGenerator<readonly string[], void, undefined> {
  return parsed<readonly string[]>(file, { ...options, csv: {} });
}

/** A record, and the line on which it ends. */
export interface CsvLine {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The same with lines, which takes twice the time, and with another character between cells. */
export async function* readCsvLines(
  file: CsvFile,
  { delimiter, ...options }: ReadOptions & { readonly delimiter: string },
): AsyncGenerator<CsvLine, void, undefined> {
  const csv = { info: true, delimiter };
  const records = parsed<{ info: { lines: number }; record: string[] }>(file, { ...options, csv });
  for await (const { info, record } of records) yield { line: info.lines, cells: record };
}

/** `csv`: options of csv-parse, on which it depends what a record is. */
async function* parsed<Parsed>(
  file: CsvFile,
  { problems, onProgress, csv }: ReadOptions & { readonly csv: Options },
): AsyncGenerator<Parsed, void, undefined> {
  const refuse: Refuse = (message, options) => problems.fail(file.name, message, options);
  const parser = parse({ ...csv, skip_empty_lines: true, max_record_size: MAX_RECORD_BYTES });
  const text = Readable.from(
    utf8Text(plainBytes(createReadStream(file.path), refuse, onProgress), refuse),
  );
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
  file: CsvFile,
  records: ReadonlySet<number>,
): Promise<ReadonlyMap<number, number>> {
  const lines = new Map<number, number>();
  const last = Math.max(...records);
  const text = Readable.from(plainBytes(createReadStream(file.path), stop));
  const parser = parse({ skip_empty_lines: true, info: true });
  text.on('error', (error) => parser.destroy(error));
  text.pipe(parser);
  let record = -1;
  for await (const { info } of parser as AsyncIterable<{ info: { lines: number } }>) {
    if (records.has(record)) lines.set(record, info.lines);
    if (record === last) break;
    record += 1;
  }
  text.destroy();
  return lines;
}

function stop(message: string): never {
  throw new Error(message);
}
