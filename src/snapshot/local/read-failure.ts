/** Classifies failed reads of local files. Transient failures say nothing about the bytes, so no file is removed. */
import { systemCode } from '../../files/file-error.js';
import { messageOf, SnapshotError } from '../domain/snapshot-error.js';

/** Whether the file is missing; other failures (EIO, EMFILE, EACCES, ENOMEM) are transient. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');
}

/** The result of `work`; undefined if it fails because the file is missing. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  return await work.catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return undefined;
  });
}

/** Whether the process has too few file descriptors or too little memory at the moment. */
export function isShortage(error: unknown): boolean {
  return ['EMFILE', 'ENFILE', 'ENOMEM'].includes(systemCode(error) ?? '');
}

/** LMDB's `MDB_READERS_FULL` (lmdb.h). */
const READERS_FULL = -30_790;

/** Whether too many threads read a copy. */
export function isReadersFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === READERS_FULL;
}

/** The error for a failed read: `ifMissing` if the file is missing, otherwise `copy_unreadable`. */
export function readFailure(
  path: string,
  cause: unknown,
  ifMissing: 'copy_damaged' | 'history_damaged',
): SnapshotError {
  const code = isMissing(cause) ? ifMissing : 'copy_unreadable';
  return new SnapshotError(code, `cannot read ${path}: ${messageOf(cause)}`, { cause });
}
