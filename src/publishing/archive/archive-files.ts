/** The files of the archive as they lie in a store: read with their digests verified, all checked, and pruned. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Digester, digesting, digestOf, type Digest } from '../../snapshot/domain/digest.js';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import {
  ARCHIVE_INDEX,
  archiveName,
  decodeArchiveIndex,
  isArchiveName,
  type ArchiveFile,
  type ArchiveIndex,
} from '../../snapshot/store/archive-index.js';
import type { ObjectStore, WritableObjectStore } from '../../snapshot/store/objects.js';

/** How long a file that is named no more stays for those who read it. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Writes a file of the archive to a local one. @throws {SnapshotError} `archive_damaged`, and what the store throws. */
export async function fetchFile(
  objects: ObjectStore,
  file: ArchiveFile,
  { to, signal }: { readonly to: string; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const digester = new Digester();
  const bytes = await openFile(objects, file, signal);
  await pipeline(digesting(bytes, digester), createWriteStream(to));
  const damage = damageOf(file, digester.digest());
  if (damage !== undefined) throw new SnapshotError('archive_damaged', damage);
}

/**
 * Reads every file that the index names; answers what is wrong, in a line for each of them, and the index: undefined where
 * the store has no archive.
 *
 * @param options.onProgress is given the bytes of the files that have been read, and of all.
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
    try {
      const digest = await digestOf(await openFile(objects, file, options.signal));
      damages.push(...[damageOf(file, digest)].filter((one) => one !== undefined));
    } catch (error) {
      if (!(error instanceof SnapshotError) || error.code !== 'snapshot_missing') throw error;
      damages.push(`${archiveName(file)} is missing: ${error.message}`);
    }
  }
  return { index, damages };
}

/**
 * Removes files that the index does not name: those of killed publishers, and those that were replaced more than a day ago.
 * Answers how many. An index that is replaced meanwhile ends it: what it names stays.
 *
 * @throws {SnapshotError} `archive_damaged` for a malformed index, and what the store throws.
 */
export async function pruneArchive(objects: WritableObjectStore): Promise<number> {
  const from = await objects.read(ARCHIVE_INDEX);
  const files = from === undefined ? [] : decodeArchiveIndex(from).files;
  const named = new Set(files.map(archiveName));
  let removed = 0;
  for (const { name, storedAtMs } of await objects.list('archive')) {
    if (!isArchiveName(name) || named.has(name) || Date.now() - storedAtMs < KEPT_MS) continue;
    if (!(await objects.change({ name: ARCHIVE_INDEX, from, removes: name }))) break;
    removed += 1;
  }
  return removed;
}

async function openFile(objects: ObjectStore, file: ArchiveFile, signal?: AbortSignal) {
  return await objects.open(archiveName(file), { sizeBytes: file.sizeBytes, signal });
}

/** Undefined for the bytes that the index names. */
function damageOf(file: ArchiveFile, { sizeBytes, sha256 }: Digest): string | undefined {
  if (sizeBytes === file.sizeBytes && sha256 === file.sha256) return undefined;
  const expected = `the index says ${file.sizeBytes} and ${file.sha256}`;
  return `${archiveName(file)} has ${sizeBytes} bytes, SHA-256 ${sha256}; ${expected}`;
}
