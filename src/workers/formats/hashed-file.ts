/** New files that are hashed while they are written. They are read again by the same import, so none is flushed. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { errorNumberName } from '../../snapshot/store/file/file-failure.js';

export interface FileDigest {
  readonly sizeBytes: number;
  /** 64 hex digits, lower case. */
  readonly sha256: string;
}

/**
 * Writes a new file from its pieces, each of which is done with before the next one is asked for.
 *
 * Synchronous, because it is a worker thread that writes, and has nothing else to do. A failure leaves no file.
 *
 * @throws {SnapshotError} `disk_full`.
 * @throws whatever making a piece throws, and other failures of the disk as Node tells them.
 */
export function writeHashedFile(path: string, pieces: Iterable<Uint8Array>): FileDigest {
  const file = openSync(path, 'wx');
  try {
    try {
      return writePieces(file, pieces);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    rmSync(path, { force: true });
    throw isFull(error) ? diskFull(path, error) : error;
  }
}

function writePieces(file: number, pieces: Iterable<Uint8Array>): FileDigest {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for (const piece of pieces) {
    // With a descriptor this appends, and goes on until all is written.
    writeFileSync(file, piece);
    hash.update(piece);
    sizeBytes += piece.byteLength;
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(errorNumberName(error));
}

function diskFull(path: string, cause: unknown): SnapshotError {
  return new SnapshotError('disk_full', `no room to write ${path}`, { cause });
}
