/** `bura build`: a snapshot document from a folder of CSV tables, the same bytes for the same tables (`docs/snapshot-format.md, "CSV tables"`). */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { WINDOWS } from '../../snapshot/domain/model.js';
import { isSnapshotId } from '../../snapshot/domain/snapshot-id.js';
import { HOUR_MS, utcDateTime } from '../../snapshot/domain/windows.js';
import { buildLists, type ListTexts } from './build-lists.js';
import { TABLES, type Table } from './cells.js';
import { findCsv, type CsvFile } from './csv-reader.js';
import { longRows } from './long-rows.js';
import { parseInstant, UTC_DATE_TIME } from '../../snapshot/document/rows/dates.js';
import { FileError, systemCode } from '../../snapshot/document/file-error.js';
import { DocumentError, Problems, unexpected } from '../../snapshot/document/problems.js';
import { readSnapshot } from '../../snapshot/document/read.js';
import {
  DEFAULT_SCHEMA_VERSION,
  type SchemaVersion,
} from '../../snapshot/document/schema-version.js';
import { inTables } from './table-problems.js';
import { findUnusedColumns, type UnusedColumn } from './unused-columns.js';
import type { WideLayout } from './wide/wide-layout.js';
import { wideRows } from './wide/wide-rows.js';
import { writeRows, type RowText } from './write-rows.js';

export interface BuildOptions {
  /** A folder with `organizations`, `networks`, `stations`, `components`, `measurements`, each `.csv` or `.csv.gz`. */
  readonly from: string;
  /** The document; gzip where its name ends in `.gz`. A regular file there is replaced when the new one is complete. */
  readonly out: string;
  /** Organization 1, where there is no `organizations.csv`. */
  readonly organizationName?: string;
  /** Its short name; also code and short name of network 1, where there is no `networks.csv`. */
  readonly organizationShortName?: string;
  /** ISO 8601 UTC; default: one hour after the newest row's hour starts. */
  readonly generatedAt?: string;
  /** Default: `YYYYMMDDTHHMMSSZ-` of `generatedAt` and 12 hex digits that depend on everything else. */
  readonly snapshotId?: string;
  /** Default 1.2.0, in which the service makes nothing of the columns of `NEW_MEMBERS`. */
  readonly schemaVersion?: SchemaVersion;
  /** How to read `measurements` that are a wide table; default: a long one, with columns named as the members. */
  readonly wide?: WideLayout;
  /** Whether the document says of itself that it is a demonstration; default: it says nothing. */
  readonly demonstration?: boolean;
  /** Called with how many bytes of the measurements, as stored, have been read. */
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void;
}

export interface BuiltDocument {
  readonly snapshotId: string;
  readonly rows: number;
  /** Of the document as it is stored. */
  readonly sizeBytes: number;
  /** Columns that would mean something in a later schema version. */
  readonly unusedColumns: readonly UnusedColumn[];
}

/**
 * Builds a document and verifies it by reading it before it gets its final name.
 *
 * @throws {DocumentError} with the first 20 problems by file, line and column.
 * @throws {FileError} for a table that cannot be read, or where `out` cannot be written.
 */
export async function buildDocument(options: BuildOptions): Promise<BuiltDocument> {
  const problems = new Problems();
  const temporary = {
    rows: `${options.out}.${process.pid}.rows`,
    out: `${options.out}.${process.pid}.new`,
  };
  const tables = new Map<Table, CsvFile>();
  try {
    checkOptions(options, problems);
    await refuseOtherThanFile(options.out);
    await findTables(options.from, { tables, problems });
    return await build(options, { tables, temporary, problems });
  } catch (error) {
    if (error instanceof DocumentError)
      throw await inTables(error, tablesOfMembers(tables, options));
    // Tables that fail have named themselves: all other files that are touched are on the way to this one.
    throw systemCode(error) === undefined ? error : new FileError(`write ${options.out}`, error);
  } finally {
    await removeLeftover(temporary.rows);
    await removeLeftover(temporary.out);
  }
}

/** What would be renamed over must be a file: a device or a pipe would be gone, and everybody's. */
async function refuseOtherThanFile(out: string): Promise<void> {
  const status = await lstat(out).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (status !== undefined && !status.isFile()) {
    throw new FileError(`write ${out}`, new Error('not a regular file'));
  }
}

async function removeLeftover(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch {
    // It could not be made either, and that is the failure to hear of.
  }
}

function checkOptions({ generatedAt, snapshotId }: BuildOptions, problems: Problems): void {
  if (generatedAt !== undefined && parseInstant(generatedAt) === undefined) {
    problems.add('--generated-at', unexpected(UTC_DATE_TIME, generatedAt));
  }
  if (snapshotId !== undefined && !isSnapshotId(snapshotId)) {
    problems.add('--snapshot-id', unexpected('1 to 128 of A-Z a-z 0-9 . _ -', snapshotId));
  }
  problems.throwIfAny();
}

async function findTables(
  folder: string,
  { tables, problems }: { tables: Map<Table, CsvFile>; problems: Problems },
): Promise<void> {
  for (const name of TABLES) {
    const file = await findCsv({ folder, name }, problems);
    if (file !== undefined) tables.set(name, file);
    else if (name !== 'organizations' && name !== 'networks') {
      problems.add(`${name}.csv`, `not found in ${folder} (nor as ${name}.csv.gz)`);
    }
  }
  problems.throwIfAny();
}

/** The tables whose columns are members: a wide one names its own cells. */
function tablesOfMembers(
  tables: ReadonlyMap<Table, CsvFile>,
  { wide }: BuildOptions,
): ReadonlyMap<Table, CsvFile> {
  const named = new Map(tables);
  if (wide !== undefined) named.delete('measurements');
  return named;
}

interface Work {
  readonly tables: ReadonlyMap<Table, CsvFile>;
  readonly temporary: { readonly rows: string; readonly out: string };
  readonly problems: Problems;
}

async function build(options: BuildOptions, work: Work): Promise<BuiltDocument> {
  const { temporary, problems } = work;
  const { schemaVersion = DEFAULT_SCHEMA_VERSION } = options;
  const unusedColumns = await findUnusedColumns(tablesOfMembers(work.tables, options), {
    schemaVersion,
    problems,
  });
  const lists = await buildLists(work.tables, { ...options, problems });
  const hash = createHash('sha256');
  const rows = await writeRows(rowsOf(options, { ...work, lists }), { path: temporary.rows, hash });
  problems.throwIfAny();
  const generatedAt = options.generatedAt ?? afterNewest(rows.newestHour, problems);
  const { demonstration = false } = options;
  const rest = restOfDocument({ generatedAt, demonstration, rows: rows.count, lists });
  const digest = hash.update(rest).update(schemaVersion).digest('hex');
  const snapshotId = options.snapshotId ?? defaultId(generatedAt, digest);
  const head = `{"schema_version":"${schemaVersion}","snapshot_id":${JSON.stringify(snapshotId)},${rest}`;
  const file = createWriteStream(temporary.out, { flush: true });
  const document = wholeDocument(head, temporary.rows);
  await (options.out.endsWith('.gz')
    ? pipeline(document, createGzip(), file)
    : pipeline(document, file));
  await readSnapshot(createReadStream(temporary.out));
  await rename(temporary.out, options.out);
  const { size: sizeBytes } = await stat(options.out);
  return { snapshotId, rows: rows.count, sizeBytes, unusedColumns };
}

/** The rows of `measurements`, in either layout. */
function rowsOf(
  { wide, onProgress }: BuildOptions,
  { tables, problems, lists }: Work & { readonly lists: ListTexts },
): AsyncIterable<RowText> {
  const file = tables.get('measurements');
  assert(file !== undefined, 'refused where it is missing');
  const options = {
    problems,
    onProgress: (bytesRead: number) => onProgress?.(bytesRead, file.sizeBytes),
  };
  return wide === undefined
    ? longRows(file, options)
    : wideRows(file, { ...options, layout: wide, lists });
}

function afterNewest(newestHour: number | undefined, problems: Problems): string {
  if (newestHour === undefined) {
    return problems.fail('measurements', 'no row with a date and a time: say --generated-at');
  }
  return utcDateTime((newestHour + 1) * HOUR_MS);
}

/** The document between its id and its rows, as JSON text. */
function restOfDocument(content: {
  generatedAt: string;
  demonstration: boolean;
  rows: number;
  lists: ListTexts;
}): string {
  const { generatedAt, demonstration, rows, lists } = content;
  const { organizations, networks, stations, components } = lists;
  const counts = {
    organizations: organizations.length,
    networks: networks.length,
    stations: stations.length,
    components: components.length,
    measurement_rows: rows,
  };
  return [
    `"generated_at":${JSON.stringify(generatedAt)}`,
    ...(demonstration ? ['"demonstration":true'] : []),
    `"supported_windows":${JSON.stringify(WINDOWS)}`,
    `"counts":${JSON.stringify(counts)}`,
    `"organizations":[\n${organizations.join(',\n')}\n]`,
    `"networks":[\n${networks.join(',\n')}\n]`,
    `"components":[\n${components.join(',\n')}\n]`,
    `"stations":[\n${stations.join(',\n')}\n]`,
    `"measurements":[`,
  ].join(',\n');
}

function defaultId(generatedAt: string, digest: string): string {
  const time = utcDateTime(parseInstant(generatedAt) ?? 0).replace(/[-:]/g, '');
  return `${time}-${digest.slice(0, 12)}`;
}

async function* wholeDocument(
  head: string,
  rows: string,
): AsyncGenerator<string | Buffer, void, undefined> {
  yield head;
  for await (const chunk of createReadStream(rows) as AsyncIterable<Buffer>) yield chunk;
  yield '\n]}\n';
}
