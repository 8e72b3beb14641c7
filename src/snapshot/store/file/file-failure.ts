/** Maps failed system calls on a `file:` store to error codes. */
import { systemCode } from '../../../files/file-error.js';
import { messageOf, SnapshotError, type SnapshotErrorCode } from '../../domain/snapshot-error.js';

const CODES: Readonly<Record<string, SnapshotErrorCode>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EFBIG: 'disk_full',
  EROFS: 'store_read_only',
};

/**
 * A `SnapshotError` for a failed system call; a `SnapshotError` or an abort is returned unchanged.
 *
 * @param doing completes "cannot ...", such as `write snapshots/ID.json.gz in file:./var/store`.
 */
export function fileFailure(error: unknown, doing: string): Error {
  if (error instanceof SnapshotError) return error;
  if (error instanceof Error && error.name === 'AbortError') return error;
  const code = CODES[systemCode(error) ?? ''] ?? 'store_unreachable';
  return new SnapshotError(code, `cannot ${doing}: ${messageOf(error)}`, { cause: error });
}
