/** Takes a snapshot, or tables of years past, into the archive of a store: merged with what is there, its files stored, then the index replaced. */
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { removeAbandoned, temporaryPath } from '../../files/durable-file.js';
import { digestOf } from '../../snapshot/domain/digest.js';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import {
  ARCHIVE_INDEX,
  archiveName,
  decodeArchiveIndex,
  encodeArchiveIndex,
  type ArchiveFile,
  type ArchiveIndex,
} from '../../snapshot/store/archive-index.js';
import type { WritableObjectStore } from '../../snapshot/store/objects.js';
import { Database, quoted } from '../sql/database.js';
import { fetchFile } from './archive-files.js';
import { mergeSnapshot, mergeTables, type MergeOptions, type PastTables } from './merge.js';
import { readTables, type FolderOptions } from './read-tables.js';

/** Times that the merge is done anew because another process has replaced the index meanwhile. */
const MAX_MERGES = 5;

/** With what the process itself needs, a merge stays below 300 MB. */
const MEMORY_LIMIT = '128MB';

/** The time in the index of an archive that has no snapshot yet: every one is newer. */
const NO_SNAPSHOT_MS = 0;

export interface ArchiveOptions {
  /** Aborted before the index is replaced: the archive stays as it was. */
  readonly signal: AbortSignal;
  /** Called with how much of a step is done; of `archiving`, how many of the new files are stored. */
  readonly onProgress: (step: string, done: number, total: number) => void;
}

export interface Archived {
  readonly index: ArchiveIndex;
  /** How many of its files are new. */
  readonly newFiles: number;
}

/**
 * Within the retention window of the snapshot the archive is then exactly what is shown of it; what is older stays, but of
 * stations and components that are hidden. The same snapshot again changes nothing.
 *
 * @throws {SnapshotError} `archive_conflict` for a snapshot that is older than the archive, `archive_damaged`, and what the
 * store throws.
 * @throws {SqlError} where DuckDB is not installed, or in its own words.
 */
export async function archiveSnapshot(
  objects: WritableObjectStore,
  snapshot: Snapshot,
  options: ArchiveOptions,
): Promise<Archived> {
  const generatedAtMs = Math.floor(snapshot.header.generatedAtMs / 1000) * 1000;
  return await withTemporaryFolder(async (root) => {
    return await archive(
      objects,
      { ...options, root },
      {
        generatedAt(before = -Infinity) {
          if (before <= generatedAtMs) return generatedAtMs;
          const when = `generated ${utcDateTime(generatedAtMs)}`;
          const what = `the archive has one of ${utcDateTime(before)} already`;
          const { snapshotId } = snapshot.header;
          throw new SnapshotError('archive_conflict', `${snapshotId}: ${when}, ${what}`);
        },
        merge: (merge) => mergeSnapshot(snapshot, merge),
      },
    );
  });
}

export interface TablesOptions extends ArchiveOptions, FolderOptions {
  /** Reads the snapshot that is active; undefined where there is none. What it hides is left out. */
  readonly readActive: () => Promise<Snapshot | undefined>;
}

/**
 * Adds years past, from the tables of a folder as `bura build` reads it: what the archive has from snapshots is newer. The
 * same tables again change nothing. Answers also the names of files that no statement of `bura.sql` has read.
 *
 * @throws {DocumentError} for tables that are wrong; {FileError} for what cannot be read; and as `archiveSnapshot`.
 */
export async function archiveTables(
  objects: WritableObjectStore,
  from: string,
  { readActive, ...options }: TablesOptions,
): Promise<Archived & Pick<PastTables, 'unread'>> {
  return await withTemporaryFolder(async (root) => {
    const tables = await readTables(from, { ...options, root });
    const archived = await archive(
      objects,
      { ...options, root },
      {
        generatedAt: (before = NO_SNAPSHOT_MS) => before,
        merge: async (merge, generatedAtMs) => {
          const since = generatedAtMs === NO_SNAPSHOT_MS ? undefined : generatedAtMs;
          const onProgress = (done: number, total: number): void => {
            options.onProgress('merging', done, total);
          };
          const active = await readActive();
          return await mergeTables(tables, { ...merge, since, active, onProgress });
        },
      },
    );
    return { ...archived, unread: tables.unread };
  });
}

async function withTemporaryFolder<T>(work: (root: string) => Promise<T>): Promise<T> {
  // What archivers that were killed have left; what cannot be removed harms nobody.
  await removeAbandoned(tmpdir()).catch(() => undefined);
  const made = temporaryPath(tmpdir());
  await mkdir(made);
  try {
    // DuckDB compares paths by their text.
    return await work(await realpath(made));
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}

/** What is taken into an archive. */
interface Source {
  /** When the newest snapshot in the archive will have been generated, by when it was. @throws {SnapshotError} */
  readonly generatedAt: (beforeMs: number | undefined) => number;
  readonly merge: (
    options: MergeOptions,
    generatedAtMs: number,
  ) => Promise<ReadonlyMap<string, string>>;
}

async function archive(
  objects: WritableObjectStore,
  options: MergeOnceOptions,
  source: Source,
): Promise<Archived> {
  for (let merge = 0; merge < MAX_MERGES; merge += 1) {
    const archived = await mergeOnce(objects, source, options);
    if (archived !== undefined) return archived;
  }
  const message = `the archive in ${objects.address} is replaced by others too often`;
  throw new SnapshotError('archive_conflict', message);
}

type MergeOnceOptions = ArchiveOptions & { readonly root: string };

/** Undefined where another process has replaced the index meanwhile, or has removed what was stored. */
async function mergeOnce(
  objects: WritableObjectStore,
  source: Source,
  options: MergeOnceOptions,
): Promise<Archived | undefined> {
  const from = await objects.read(ARCHIVE_INDEX, options.signal);
  const before = from && decodeArchiveIndex(from);
  const generatedAtMs = source.generatedAt(before?.generatedAtMs);
  const merge = (files: MergeOptions) => source.merge(files, generatedAtMs);
  const merged = await mergeFiles(objects, merge, before?.files ?? [], options);
  const known = new Set(before?.files.map(({ path }) => path));
  const fresh = merged.filter(({ path }) => !known.has(path));
  for (const [at, { local, ...file }] of fresh.entries()) {
    options.onProgress('archiving', at, fresh.length);
    const open = () => createReadStream(local ?? '');
    await objects.put(archiveName(file), { ...file, open }, options.signal);
  }
  options.signal.throwIfAborted();
  const index = { generatedAtMs, files: merged };
  const to = encodeArchiveIndex(index);
  if (from !== undefined && Buffer.from(from).toString() === to) return { index, newFiles: 0 };
  const named = new Set(merged.map(({ path }) => path));
  const isReplaced = await objects.change({
    name: ARCHIVE_INDEX,
    from,
    to,
    needs: fresh.map(archiveName),
    // From now on counts the day that they stay for their readers.
    renews: (before?.files ?? []).filter(({ path }) => !named.has(path)).map(archiveName),
  });
  return isReplaced ? { index, newFiles: fresh.length } : undefined;
}

/** Of a file that is as before there may be no local copy. */
type MergedFile = ArchiveFile & { readonly local?: string };

/** All files of the new archive, ascending by path. */
async function mergeFiles(
  objects: WritableObjectStore,
  merge: (options: MergeOptions) => Promise<ReadonlyMap<string, string>>,
  before: readonly ArchiveFile[],
  { root, signal }: MergeOnceOptions,
): Promise<readonly MergedFile[]> {
  const folders = new Map(before.map((file) => [dirname(file.path), file]));
  const fetch = async (folder: string): Promise<string | undefined> => {
    const file = folders.get(folder);
    if (file === undefined) return undefined;
    const to = join(root, basename(file.path));
    if (!existsSync(to)) await fetchFile(objects, file, { to, signal });
    return to;
  };
  const folder = process.cwd();
  const database = await Database.open({ folder, temporary: root, paths: [], signal });
  try {
    // Of ten years, cached blocks of files cost 110 MB and the log of reads 150 MB; neither saves time.
    await database.run(`SET threads = 1; SET memory_limit = '${MEMORY_LIMIT}';
      SET enable_external_file_cache = false; CALL disable_logging()`);
    const merged = await merge({ database, root, folders: [...folders.keys()], fetch });
    const files: MergedFile[] = before.filter(({ path }) => !merged.has(dirname(path)));
    for (const [folder, local] of merged) {
      const file = await describe(database, folder, local);
      if (file !== undefined) files.push(file);
    }
    return files.sort((a, b) => (a.path < b.path ? -1 : 1));
  } finally {
    database.close();
  }
}

/** Undefined for a file without a row. */
async function describe(
  database: Database,
  folder: string,
  local: string,
): Promise<MergedFile | undefined> {
  const kind = folder.split('/')[0];
  const time = kind === 'observations' ? 'time_start_utc' : kind === 'daily' ? 'date' : 'NULL';
  const text = (end: 'min' | 'max') =>
    `strftime(CAST(${end}(${time}) AS TIMESTAMP), '%Y-%m-%dT%H:%M:%SZ')`;
  const [[rows = '0', from = '', to = ''] = []] = await database.texts(
    `SELECT count(*), ${text('min')}, ${text('max')} FROM read_parquet(${quoted(local)})`,
  );
  if (rows === '0') return undefined;
  const digest = await digestOf(createReadStream(local));
  const path = `${folder}/${digest.sha256}.parquet`;
  return { path, from: from || null, to: to || null, rows: Number(rows), ...digest, local };
}
