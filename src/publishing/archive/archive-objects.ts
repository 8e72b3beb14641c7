/** The archive's files in a store: reading with verified digests, checking, pruning. */
import { createWriteStream } from 'node:fs';
import { devNull } from 'node:os';
import { pipeline } from 'node:stream/promises';
import { expectedBytes } from '../../snapshot/domain/digest.js';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import {
  ARCHIVE_INDEX,
  archiveName,
  decodeArchiveIndex,
  isArchiveName,
  isDamage,
  REPLACED_MS,
  type ArchiveFile,
  type ArchiveIndex,
} from '../../snapshot/store/archive-index.js';
import type { ObjectStore, WritableObjectStore } from '../../snapshot/store/objects.js';

/**
 * Why the store does not have a file with its digest; undefined if it has.
 *
 * @throws {SnapshotError} what the store throws, except `snapshot_missing`.
 */
export async function damageOf(
  objects: ObjectStore,
  file: ArchiveFile,
  signal?: AbortSignal,
): Promise<string | undefined> {
  try {
    await fetchFile(objects, file, { to: devNull, signal });
    return undefined;
  } catch (error) {
    if (!isDamage(error)) throw error;
    const { code, message } = error;
    return code === 'archive_damaged' ? message : `${archiveName(file)} is missing: ${message}`;
  }
}

/** Least age of an unnamed file that is removed: a running publisher may not have named it in the index yet. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Downloads a file. @throws {SnapshotError} `archive_damaged`, and what the store throws. */
export async function fetchFile(
  objects: ObjectStore,
  file: ArchiveFile,
  { to, signal }: { readonly to: string; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const bytes = await objects.open(archiveName(file), { sizeBytes: file.sizeBytes, signal });
  const expected = expectedBytes(bytes, file, (actual) => {
    const what = `${archiveName(file)} has ${actual}`;
    const why = `the index says ${file.sizeBytes} and ${file.sha256}`;
    throw new SnapshotError('archive_damaged', `${what}; ${why}`);
  });
  await pipeline(expected, createWriteStream(to));
}

/**
 * Verifies every file that the index names.
 *
 * @param options.onProgress gets the bytes of the files read so far, and of all.
 * @returns one line for each fault, and the index; undefined without an archive.
 * @throws {SnapshotError} `archive_damaged` for a malformed index, and what the store throws.
 */
export async function verifyArchive(
  objects: ObjectStore,
  options: {
    readonly signal?: AbortSignal;
    readonly onProgress: (doneBytes: number, totalBytes: number) => void;
  },
): Promise<{ readonly index: ArchiveIndex; readonly damages: readonly string[] } | undefined> {
  const content = await objects.read(ARCHIVE_INDEX, options.signal);
  if (content === undefined) return undefined;
  const index = decodeArchiveIndex(content);
  const totalBytes = index.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const damages: string[] = [];
  let doneBytes = 0;
  for (const file of index.files) {
    options.onProgress(doneBytes, totalBytes);
    doneBytes += file.sizeBytes;
    const damage = await damageOf(objects, file, options.signal);
    if (damage !== undefined) damages.push(damage);
  }
  return { index, damages };
}

/**
 * Removes files that the index does not name, and replaced files after a day; stops when the index changes meanwhile.
 *
 * @returns the number of removed files.
 * @throws {SnapshotError} `archive_damaged` for a malformed index, and what the store throws.
 */
export async function pruneArchive(objects: WritableObjectStore): Promise<number> {
  const from = await objects.read(ARCHIVE_INDEX);
  const { files = [], replaced = [] } = from === undefined ? {} : decodeArchiveIndex(from);
  const recent = replaced.filter(({ replacedAtMs }) => replacedAtMs + REPLACED_MS > Date.now());
  const named = new Set([...files, ...recent].map(archiveName));
  let removed = 0;
  for (const { name, storedAtMs } of await objects.list('archive')) {
    if (!isArchiveName(name) || named.has(name) || Date.now() - storedAtMs < KEPT_MS) continue;
    if (!(await objects.change({ name: ARCHIVE_INDEX, from, removes: name }))) break;
    removed += 1;
  }
  return removed;
}
