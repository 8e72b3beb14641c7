/** `bura build`: makes a document from a folder; the same tables give the same bytes (`docs/tables.md`). */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, lstatSync } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { WINDOWS, type Snapshot } from '../../snapshot/domain/model.js';
import { isSnapshotId } from '../../snapshot/domain/snapshot-id.js';
import { HOUR_MS, utcDateTime } from '../../snapshot/domain/windows.js';
import { parseInstant, UTC_DATE_TIME } from '../../snapshot/document/rows/dates.js';
import { FileError, systemCode } from '../../files/file-error.js';
import { Problems, unexpected } from '../../snapshot/document/problems.js';
import { readSnapshot } from '../../snapshot/document/read.js';
import { withTemporaryFolder } from '../../files/durable-file.js';
import {
  DEFAULT_SCHEMA_VERSION,
  hasNewMembers,
  NEW_MEMBERS,
  type SchemaVersion,
} from '../../snapshot/document/schema-version.js';
import { buildLists, type ListOptions, type ListTexts } from './build-lists.js';
import type { CsvTables } from './csv-tables.js';
import { withCsvTables } from './open-tables.js';
import { LISTS } from './table-columns.js';
import { hourMinuteOf, noRows, rowTexts, type WrittenRows } from './row-texts.js';

export interface BuildOptions extends ListOptions {
  /** A folder with `bura.sql`, or with the five tables, each `.csv` or `.csv.gz`. */
  readonly from: string;
  /** Path of the document; gzip, if it ends in `.gz`. An existing regular file is replaced at the end. */
  readonly out: string;
  /** ISO 8601 UTC; default: one hour after the start of the newest hour. */
  readonly generatedAt?: string;
  /** Default: `generatedAt` as `YYYYMMDDTHHMMSSZ`, a hyphen, and 12 hex digits of a digest of the content. */
  readonly snapshotId?: string;
  /** Default: 1.2.0, in which the columns of `NEW_MEMBERS` have no meaning. */
  readonly schemaVersion?: SchemaVersion;
  /** Encoding of text files beside `bura.sql` that are not UTF-8: a label of the Encoding Standard. */
  readonly encoding?: string;
  readonly demonstration?: boolean;
  /** Aborts the build; no document is then written. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: string, done: number, total: number) => void;
  /** Refuses a built document by throwing; `cut` names source files that may be cut off. Default: accepts all. */
  readonly passGates?: (snapshot: Snapshot, cut: readonly string[]) => Promise<void>;
}

export interface BuiltDocument {
  readonly snapshotId: string;
  readonly rows: number;
  readonly sizeBytes: number;
  /** Lines about columns that have a meaning only in a later schema version, and about unread files. */
  readonly notes: readonly string[];
}

/**
 * Builds a document, and verifies it by reading it before it gets its final name.
 *
 * @throws {DocumentError} with the first 20 problems, each with its place in the tables.
 * @throws {FileError} for a table that cannot be read, or where `out` cannot be written.
 * @throws {SqlError} with DuckDB's message about `bura.sql`.
 */
export async function buildDocument(options: BuildOptions): Promise<BuiltDocument> {
  const { from, out, encoding, signal, onProgress } = options;
  const problems = new Problems();
  checkOptions(options, problems);
  try {
    refuseOtherThanFile(out);
    return await withTemporaryFolder(dirname(out), async (root) => {
      const opened = { problems, root, encoding, signal, out: resolve(out), onProgress };
      return await withCsvTables(from, opened, async (tables, { notes, cut }) => {
        const built = await build(options, { tables, cut, root, problems });
        return { ...built, notes: [...built.notes, ...notes] };
      });
    });
  } catch (error) {
    // Failures of tables have no system code, as they are a `FileError`; all others concern the output.
    throw systemCode(error) === undefined ? error : new FileError(`write ${out}`, error);
  }
}

/** Refuses to replace a device, a link or anything else that is not a regular file. */
function refuseOtherThanFile(out: string): void {
  if (lstatSync(out, { throwIfNoEntry: false })?.isFile() === false) {
    throw new FileError(`write ${out}`, new Error('not a regular file'));
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

interface Work {
  readonly tables: CsvTables;
  readonly cut: readonly string[];
  readonly root: string;
  readonly problems: Problems;
}

async function build(options: BuildOptions, work: Work): Promise<BuiltDocument> {
  const { tables, cut, root, problems } = work;
  const temporary = { rows: join(root, 'rows'), out: join(root, 'out') };
  const { schemaVersion = DEFAULT_SCHEMA_VERSION } = options;
  const lists = await buildLists(tables, options, problems);
  const hash = createHash('sha256');
  const rows = noRows();
  await pipeline(rowTexts(tables.rows(), rows, hash), createWriteStream(temporary.rows));
  problems.throwIfAny();
  const generatedAt = options.generatedAt ?? afterNewest(rows.newestHour, problems);
  const { demonstration = false } = options;
  const rest = restOfDocument({ generatedAt, demonstration, rows, lists });
  const digest = hash.update(rest).update(schemaVersion).digest('hex');
  const snapshotId = options.snapshotId ?? defaultId(generatedAt, digest);
  const head = `{"schema_version":"${schemaVersion}","snapshot_id":${JSON.stringify(snapshotId)},${rest}`;
  const file = createWriteStream(temporary.out, { flush: true });
  const document = wholeDocument(head, temporary.rows);
  await (options.out.endsWith('.gz')
    ? pipeline(document, createGzip(), file)
    : pipeline(document, file));
  const snapshot = await readSnapshot(createReadStream(temporary.out));
  await options.passGates?.(snapshot, cut);
  await rename(temporary.out, options.out);
  const { size: sizeBytes } = await stat(options.out);
  const notes = unusedColumns(tables.read, schemaVersion);
  return { snapshotId, rows: rows.count, sizeBytes, notes };
}
/** Notes about columns that have a meaning only in a later schema version. */
function unusedColumns(read: CsvTables['read'], version: SchemaVersion): readonly string[] {
  if (hasNewMembers(version)) return [];
  return (['components', 'measurements'] as const).flatMap((name) => {
    const table = read.get(name);
    const columns = NEW_MEMBERS[name].filter((column) => table?.titles.includes(column));
    const why = 'has no meaning before schema version 1.3.0 (--schema-version)';
    return columns.map((column) => `${table?.name ?? name}: ${column} ${why}`);
  });
}

function afterNewest(newestHour: number | undefined, problems: Problems): string {
  if (newestHour === undefined) {
    return problems.fail('measurements', 'no row with a date and a time: give --generated-at');
  }
  return utcDateTime((newestHour + 1) * HOUR_MS);
}

/** JSON text of the document between its id and its rows. */
export function restOfDocument(content: {
  generatedAt: string;
  demonstration: boolean;
  rows: WrittenRows;
  lists: ListTexts;
}): string {
  const { generatedAt, demonstration, rows, lists } = content;
  const hourMinute = hourMinuteOf(rows);
  const counts = {
    organizations: lists.organizations.length,
    networks: lists.networks.length,
    stations: lists.stations.length,
    components: lists.components.length,
    measurement_rows: rows.count,
  };
  return [
    `"generated_at":${JSON.stringify(generatedAt)}`,
    ...(demonstration ? ['"demonstration":true'] : []),
    ...(hourMinute === 0 ? [] : [`"hour_minute":${hourMinute}`]),
    `"supported_windows":${JSON.stringify(WINDOWS)}`,
    `"counts":${JSON.stringify(counts)}`,
    ...LISTS.map((list) => `"${list}":[\n${lists[list].join(',\n')}\n]`),
    `"measurements":[`,
  ].join(',\n');
}

function defaultId(generatedAt: string, digest: string): string {
  const time = utcDateTime(parseInstant(generatedAt) ?? 0).replace(/[-:]/g, '');
  return `${time}-${digest.slice(0, 12)}`;
}

async function* wholeDocument(head: string, rows: string): AsyncGenerator<string | Buffer> {
  yield head;
  for await (const chunk of createReadStream(rows) as AsyncIterable<Buffer>) yield chunk;
  yield '\n]}\n';
}
