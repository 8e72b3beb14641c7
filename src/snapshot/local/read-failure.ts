/**
 * Meanings of failed reads of local files. Transient failures say nothing about the bytes; no file is removed for them.
 */
import { systemCode } from '../../files/file-error.js';
import { SnapshotError } from '../domain/snapshot-error.js';

/** Whether there is no file of that name; other failures (EIO, EMFILE, EACCES, ENOMEM) are transient. */
export function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');
}

/** Whether the process may have no more open files or memory at the moment: then it may be tried again. */
export function isShortage(error: unknown): boolean {
  return ['EMFILE', 'ENFILE', 'ENOMEM'].includes(systemCode(error) ?? '');
}

/** LMDB's `MDB_READERS_FULL` (lmdb.h). */
const READERS_FULL = -30_790;

/** Whether a copy has no place for one more thread that reads it: that says nothing of its bytes. */
export function isReadersFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === READERS_FULL;
}

/** The failure by code: a file that is missing is damage, one that cannot be read is `copy_unreadable`. */
export function readFailure(
  path: string,
  cause: unknown,
  ifMissing: 'copy_damaged' | 'history_damaged',
): SnapshotError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const code = isMissing(cause) ? ifMissing : 'copy_unreadable';
  return new SnapshotError(code, `cannot read ${path}: ${why}`, { cause });
}
