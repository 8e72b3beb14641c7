/** Adds a snapshot, or past years, to the archive of a store: merges, stores the files, then replaces the index. */
import { createReadStream, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { withTemporaryFolder } from '../../files/durable-file.js';
import { digestOf } from '../../snapshot/domain/digest.js';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import {
  ARCHIVE_INDEX,
  archiveName,
  decodeArchiveIndex,
  encodeArchiveIndex,
  REPLACED_MS,
  type ArchiveFile,
  type ArchiveIndex,
  type ReplacedFile,
} from '../../snapshot/store/archive-index.js';
import type { WritableObjectStore } from '../../snapshot/store/objects.js';
import { Database, quoted } from '../sql/database.js';
import { additionOf, NO_SNAPSHOT_MS, type Addition, type WorkOptions } from './addition.js';
import { damageOf, fetchFile } from './archive-objects.js';
import { mergeAddition, type MergeCounts, type MergeOptions } from './merge.js';

/** Number of attempts while other processes keep replacing the index. */
const MAX_MERGES = 5;

/** Limit of DuckDB's memory: the whole process then stays below 300 MB during a merge. */
const MEMORY_LIMIT = '128MB';

const NO_ARCHIVE: ArchiveIndex = { generatedAtMs: NO_SNAPSHOT_MS, files: [], replaced: [] };

export interface ArchiveUpdate {
  readonly files: readonly ArchiveFile[];
  readonly newFiles: number;
  readonly counts: MergeCounts;
  /** One line for each note about the input or about damaged files. */
  readonly notes: readonly string[];
}

export type ReadAddition = (options: WorkOptions) => Promise<Addition>;

/**
 * Adds a snapshot, or tables of past years, to the archive.
 *
 * Within the retention window of a snapshot the archive then equals its public part; older months stay, without hidden
 * stations and components. Past years add missing rows, and with `overwrites` replace different ones. The same input
 * again changes nothing.
 *
 * @throws {SnapshotError} `archive_conflict` for a snapshot that is older than the archive, `archive_damaged`, and what
 * the store throws.
 * @throws {SqlError} where DuckDB is not installed, or with its message; and what `added` throws.
 */
export async function addToArchive(
  objects: WritableObjectStore,
  added: Snapshot | ReadAddition,
  options: Omit<WorkOptions, 'root'>,
): Promise<ArchiveUpdate> {
  return await withTemporaryFolder(tmpdir(), async (root) => {
    const work = { ...options, root };
    const addition = await (typeof added === 'function' ? added(work) : additionOf(added, root));
    for (let merge = 0; merge < MAX_MERGES; merge += 1) {
      const archived = await mergeOnce(objects, addition, work);
      if (archived !== undefined) return archived;
    }
    const message = `the archive in ${objects.address} is replaced by others too often`;
    throw new SnapshotError('archive_conflict', message);
  });
}

/** Merges once; undefined where, meanwhile, the index was replaced or stored files were removed. */
async function mergeOnce(
  objects: WritableObjectStore,
  addition: Addition,
  options: WorkOptions,
): Promise<ArchiveUpdate | undefined> {
  const from = await objects.read(ARCHIVE_INDEX, options.signal);
  const before = from === undefined ? NO_ARCHIVE : decodeArchiveIndex(from);
  const generatedAtMs = newestOf(addition, before.generatedAtMs);
  const { timeZone } = options;
  refuseOtherZone(before.timeZone, options);
  const lost: ArchiveFile[] = [];
  for (const file of options.repairs ? before.files : []) {
    if ((await damageOf(objects, file, options.signal)) !== undefined) lost.push(file);
  }
  const isOtherZone = before.timeZone !== timeZone;
  // Days of the other clock can lie in months without hours by the new one, so none are kept.
  const files = before.files.filter(
    (file) => !lost.includes(file) && !(isOtherZone && isPeriods(file)),
  );
  const { merged, counts } = await mergeFiles(objects, addition, files, {
    ...options,
    newestMs: generatedAtMs,
    beforeMs: before.generatedAtMs,
    remakesDays: isOtherZone || lost.some(isPeriods),
  });
  const known = new Set(files.map(({ path }) => path));
  const fresh = merged.filter(({ path }) => !known.has(path));
  for (const [at, { local, ...file }] of fresh.entries()) {
    options.onProgress('archiving', at, fresh.length);
    const open = () => createReadStream(local ?? '');
    const put = () => objects.put(archiveName(file), { ...file, open }, options.signal);
    if ((await put()) !== 'present') continue;
    if ((await damageOf(objects, file, options.signal)) === undefined) continue;
    // The store never overwrites a file, so a damaged one is removed before it is stored again.
    if (!(await objects.change({ name: ARCHIVE_INDEX, from, removes: archiveName(file) }))) return;
    await put();
  }
  options.signal.throwIfAborted();
  const gone = lost.map((file) => `${archiveName(file)} is damaged or missing: left out`);
  const notes = [...addition.notes, ...gone];
  const archived = { files: merged, newFiles: fresh.length, counts, notes };
  const named = new Set(merged.map(({ path }) => path));
  const replaced = replacedBy(named, { ...before, files });
  const next = { generatedAtMs, timeZone, files: merged };
  const to = encodeArchiveIndex({ ...next, replaced });
  const same = encodeArchiveIndex({ ...next, replaced: before.replaced });
  if (from !== undefined && Buffer.from(from).toString() === same) return archived;
  const change = { name: ARCHIVE_INDEX, from, to, needs: fresh.map(archiveName) };
  return (await objects.change(change)) ? archived : undefined;
}

function isPeriods({ path }: ArchiveFile): boolean {
  return /^(?:daily|monthly)/.test(path);
}

/** Refuses days by another clock than the archive's, all of which would be made anew. */
function refuseOtherZone(before: string | undefined, { timeZone, refuse }: WorkOptions): void {
  if (before === undefined || before === timeZone) return;
  const message = `days are those of ${timeZone} here (TIME_ZONE, operator.json), and of ${before} in the archive`;
  refuse([{ gate: 'zone', message }]);
}

/** Replaced files, which readers of earlier indexes may still request; the last replaced first. */
function replacedBy(
  named: ReadonlySet<string>,
  { files, replaced }: ArchiveIndex,
): readonly ReplacedFile[] {
  const replacedAtMs = Date.now();
  const all = [...files.map((file) => ({ ...file, replacedAtMs })), ...replaced];
  return all.filter((one) => !named.has(one.path) && one.replacedAtMs + REPLACED_MS > replacedAtMs);
}

/** Generation time of the newest snapshot. @throws {SnapshotError} `archive_conflict` where the added one is older. */
function newestOf({ isNewer, publicSnapshot }: Addition, beforeMs: number): number {
  const { snapshotId, generatedAtMs } = publicSnapshot.header;
  if (!isNewer || generatedAtMs >= beforeMs) return isNewer ? generatedAtMs : beforeMs;
  const when = `generated ${utcDateTime(generatedAtMs)}`;
  const what = `the archive has one of ${utcDateTime(beforeMs)} already`;
  throw new SnapshotError('archive_conflict', `${snapshotId}: ${when}, ${what}`);
}

/** A file of the archive, with its local path if the merge has written it. */
type MergedFile = ArchiveFile & { readonly local?: string };

async function mergeFiles(
  objects: WritableObjectStore,
  addition: Addition,
  before: readonly ArchiveFile[],
  options: WorkOptions & Pick<MergeOptions, 'newestMs' | 'beforeMs' | 'remakesDays'>,
): Promise<{ readonly merged: readonly MergedFile[]; readonly counts: MergeCounts }> {
  const { root, signal } = options;
  const folders = new Map(before.map((file) => [dirname(file.path), file]));
  const fetch = async (folder: string): Promise<string | undefined> => {
    const file = folders.get(folder);
    if (file === undefined) return undefined;
    const to = join(root, basename(file.path));
    if (!existsSync(to)) await fetchFile(objects, file, { to, signal });
    return to;
  };
  const database = await Database.open({ temporary: root, paths: [], signal });
  try {
    // DuckDB's log of file reads would take 150 MB for an archive of ten years.
    await database.run(
      `SET threads = 1; SET memory_limit = '${MEMORY_LIMIT}'; CALL disable_logging()`,
    );
    const stored = { folders: [...folders.keys()], fetch };
    const merged = await mergeAddition(addition, { ...options, ...stored, database });
    const files: MergedFile[] = before.filter(({ path }) => !merged.files.has(dirname(path)));
    for (const [folder, local] of merged.files) {
      const file = await describe(database, folder, local);
      if (file !== undefined) files.push(file);
    }
    return { merged: files.sort((a, b) => (a.path < b.path ? -1 : 1)), counts: merged.counts };
  } finally {
    database.close();
  }
}

/** The index entry of a written file; undefined for a file without rows. */
async function describe(
  database: Database,
  folder: string,
  local: string,
): Promise<MergedFile | undefined> {
  const kind = folder.split('/')[0];
  const times = { observations: 'time_start_utc', daily: 'date', monthly: 'month' } as const;
  const time = Object.entries(times).find(([one]) => one === kind)?.[1] ?? 'NULL';
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
