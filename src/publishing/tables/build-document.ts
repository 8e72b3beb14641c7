/** `bura build`: a snapshot document from a folder of CSV tables, the same bytes for the same tables (`docs/tables.md, "CSV tables"`). */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { lstat, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { WINDOWS } from '../../snapshot/domain/model.js';
import { isSnapshotId } from '../../snapshot/domain/snapshot-id.js';
import { HOUR_MS, utcDateTime } from '../../snapshot/domain/windows.js';
import type { Snapshot } from '../../snapshot/domain/model.js';
import type { Finding, Place } from '../gates.js';
import { buildLists, type ListTexts, type ReadTable } from './build-lists.js';
import { misspelt } from './cells.js';
import { TABLES, type Table } from './table-options.js';
import { layoutRows } from './layout/layout-rows.js';
import type { TableLayout } from './layout/table-layout.js';
import { locate } from './locate.js';
import { longRows } from './long-rows.js';
import { MadeIds } from './made-ids.js';
import { findTable, findTables, type TableFile } from './table-file.js';
import type { TableForm } from './table-form.js';
import { NO_TABLE_OPTIONS, type TableOptions } from './table-options.js';
import { parseInstant, UTC_DATE_TIME } from '../../snapshot/document/rows/dates.js';
import { FileError, systemCode } from '../../snapshot/document/file-error.js';
import { DocumentError, Problems, shown, unexpected } from '../../snapshot/document/problems.js';
import { readSnapshot } from '../../snapshot/document/read.js';
import {
  DEFAULT_SCHEMA_VERSION,
  type SchemaVersion,
} from '../../snapshot/document/schema-version.js';
import { inTables } from './table-problems.js';
import { findUnusedColumns, type UnusedColumn } from './unused-columns.js';
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
  /** What is said of the tables. Default: each is `TABLE.csv`, written as RFC 4180 has it, its columns named as the members. */
  readonly tables?: Partial<TableOptions>;
  /** How to read `measurements` whose columns are not the members; default: a row a value, columns named as the members. */
  readonly layout?: TableLayout;
  /** Whether the document says of itself that it is a demonstration; default: it says nothing. */
  readonly demonstration?: boolean;
  /** Called with how many bytes of the measurements, as stored, have been read. */
  readonly onProgress?: (doneBytes: number, totalBytes: number) => void;
  /** Called with what was built before it gets its name; it refuses by throwing. Default: nothing is refused. */
  readonly examine?: (built: ExaminedDocument) => Promise<void>;
}

/** A document, and what is known of the tables that it was made from. */
interface ExaminedDocument {
  readonly snapshot: Snapshot;
  /** What looks like a mistake in the tables themselves. */
  readonly findings: readonly Finding[];
  /** File and line; undefined where there is none. */
  readonly locate: (place: Place) => Promise<string | undefined>;
}

export interface BuiltDocument {
  readonly snapshotId: string;
  readonly rows: number;
  /** Of the document as it is stored. */
  readonly sizeBytes: number;
  /** Columns that would mean something in a later schema version. */
  readonly unusedColumns: readonly UnusedColumn[];
  /** How each table was read. */
  readonly forms: ReadonlyMap<TableFile, TableForm>;
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
  const read = new Map<Table, ReadTable>();
  try {
    checkOptions(options, problems);
    await refuseOtherThanFile(options.out);
    const tableOptions = { ...NO_TABLE_OPTIONS, ...options.tables };
    const files = await findFiles(options, { tableOptions, problems });
    return await build(options, { files, tableOptions, read, temporary, problems });
  } catch (error) {
    if (error instanceof DocumentError) throw await inTables(error, read);
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

type Files = Record<Table, readonly TableFile[]>;

async function findFiles(
  { from }: BuildOptions,
  { tableOptions, problems }: { tableOptions: TableOptions; problems: Problems },
): Promise<Files> {
  const files: Files = {
    organizations: [],
    networks: [],
    components: [],
    stations: [],
    measurements: [],
  };
  for (const name of TABLES) {
    const pattern = tableOptions.files.get(name);
    if (pattern === undefined) {
      const file = await findTable({ folder: from, name }, problems);
      files[name] = file === undefined ? [] : [file];
    } else files[name] = await findTables(from, pattern);
    const [, second] = files[name];
    if (second !== undefined && name !== 'measurements') {
      problems.add(
        `--files ${name}=${pattern ?? ''}`,
        `fits ${second.name} too: expected one file`,
      );
    }
    const isOptional =
      OPTIONAL.includes(name) || (name === 'components' && tableOptions.components.size > 0);
    if (files[name].length > 0 || (isOptional && pattern === undefined)) continue;
    const more = pattern === undefined ? ` (nor as ${name}.csv.gz or ${name}.xlsx)` : '';
    problems.add(pattern ?? `${name}.csv`, `not found in ${from}${more}`);
  }
  problems.throwIfAny();
  return files;
}

/** Tables that the options can stand for. */
const OPTIONAL: readonly Table[] = ['organizations', 'networks'];

interface Work {
  readonly files: Files;
  readonly tableOptions: TableOptions;
  readonly read: Map<Table, ReadTable>;
  readonly temporary: { readonly rows: string; readonly out: string };
  readonly problems: Problems;
}

async function build(options: BuildOptions, work: Work): Promise<BuiltDocument> {
  const { temporary, problems, read } = work;
  const { schemaVersion = DEFAULT_SCHEMA_VERSION } = options;
  const ids = await MadeIds.read(options.from, problems);
  const only = new Map(
    TABLES.flatMap((name) => work.files[name].slice(0, 1).map((file) => [name, file])),
  );
  const lists = await buildLists(only, { ...options, ...work, ids });
  const forms = new Map<TableFile, TableForm>();
  const rowsAgain = (again: Pick<Work, 'problems' | 'read'>) =>
    rowsOf(options, { ...work, ...again, lists, isMade: ids.areMade, forms });
  const hash = createHash('sha256');
  const rows = await writeRows(rowsAgain(work), { path: temporary.rows, hash });
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
  const snapshot = await readSnapshot(createReadStream(temporary.out));
  await options.examine?.({
    snapshot,
    findings: [...findMisspelt(read), ...findCut(forms)],
    locate: (place) =>
      locate(place, {
        ...{ read, lists },
        rows: () => rowsAgain({ problems: new Problems(), read: new Map() }),
      }),
  });
  await ids.keep();
  await rename(temporary.out, options.out);
  const { size: sizeBytes } = await stat(options.out);
  for (const { file: table, form } of read.values()) forms.set(table, form);
  const unusedColumns = findUnusedColumns(read, schemaVersion);
  return { snapshotId, rows: rows.count, sizeBytes, unusedColumns, forms };
}

/** The rows of `measurements`, in any layout. */
function rowsOf(
  { layout, onProgress }: BuildOptions,
  {
    files: { measurements },
    tableOptions,
    problems,
    lists,
    ...work
  }: Work & {
    readonly lists: ListTexts;
    /** Whether ids were made of codes, which the rows have too. */
    readonly isMade: boolean;
    readonly forms: Map<TableFile, TableForm>;
  },
): AsyncIterable<RowText> {
  const [file, second] = measurements;
  assert(file !== undefined, 'refused where it is missing');
  const totalBytes = measurements.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const options = {
    ...{ tableOptions, problems },
    onProgress: (bytesRead: number) => onProgress?.(bytesRead, totalBytes),
  };
  if (layout === undefined && second === undefined && !work.isMade) {
    const onTable = (table: ReadTable): void => void work.read.set('measurements', table);
    return longRows(file, { ...options, onTable });
  }
  return layoutRows(measurements, {
    ...options,
    ...{ lists, layout: layout ?? memberLayout(tableOptions.columns) },
    onForm: (table, form) => void work.forms.set(table, form),
  });
}

/** A row a value, with columns named as the members, or as was said. */
function memberLayout(columns: TableOptions['columns']): TableLayout {
  const column = (name: string): string => columns.get(`measurements.${name}`) ?? name;
  return {
    ...{ shape: 'long', timeZone: 'UTC', hourMarks: 'start' },
    dateColumns: [column('date')],
    hourColumn: column('time'),
    stationColumn: column('station_id'),
    componentColumn: column('component_id'),
    valueColumn: column('value'),
    ...{ components: new Map(), ignoredColumns: [] },
  };
}

/** A number that was cut is still a number. */
function findCut(forms: ReadonlyMap<TableFile, TableForm>): readonly Finding[] {
  return [...forms].flatMap(([{ name }, { isEnded }]) =>
    isEnded
      ? []
      : [
          {
            gate: 'cut' as const,
            message: `${name}: the last line has no end, so the file may have been cut`,
          },
        ],
  );
}

function findMisspelt(read: ReadonlyMap<Table, ReadTable>): readonly Finding[] {
  return [...read].flatMap(([name, { file, form, columns }]) =>
    misspelt(name, columns).map(({ column, meant }) => ({
      gate: 'columns' as const,
      message: `${file.name}, line ${form.headerLine}: column ${shown(column)} means nothing; did you mean ${meant}`,
    })),
  );
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
