/** The one door to csv-parse: a table in a `.csv` or `.csv.gz` file → its records, in bounded memory. */
import { createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { plainBytes } from '../json/bytes.js';
import { FileError, systemCode } from '../file-error.js';
import type { Problems, Refuse } from '../problems.js';
import { utf8Text } from '../json/text.js';

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
    if (!(await exists(path))) continue;
    found.push({ name: fileName, path, sizeBytes: (await stat(path)).size });
  }
  if (found.length > 1) problems.fail(`${name}.csv`, `there is a ${name}.csv.gz too`);
  return found[0];
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Records of a table (RFC 4180, UTF-8), the header row first, cells as they are written. All have as many cells as
 * the first; empty lines are left out.
 *
 * @throws {DocumentError} naming the file, and the line where that is known.
 * @throws {FileError} where the file cannot be read.
 */
export async function* readCsv(
  file: CsvFile,
  { problems, onProgress }: { problems: Problems; onProgress?: (bytesRead: number) => void },
): AsyncGenerator<readonly string[], void, undefined> {
  const refuse: Refuse = (message, options) => problems.fail(file.name, message, options);
  const parser = parse({ skip_empty_lines: true, max_record_size: MAX_RECORD_BYTES });
  const text = Readable.from(
    utf8Text(plainBytes(createReadStream(file.path), refuse, onProgress), refuse),
  );
  text.on('error', (error) => parser.destroy(error));
  text.pipe(parser);
  try {
    for await (const record of parser as AsyncIterable<string[]>) yield record;
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
