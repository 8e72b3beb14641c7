/** New files that are hashed while they are written. They are read again by the same import, so none is flushed. */
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { Digester, type Digest } from '../../snapshot/domain/digest.js';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { fileFailure } from '../../snapshot/store/file/file-failure.js';

/**
 * Writes a new file from its chunks, each of which is written before the next one is made.
 *
 * Synchronous, because it is a worker thread that writes, and has nothing else to do. A failure leaves no file.
 *
 * @throws {SnapshotError} `disk_full`.
 * @throws whatever making a chunk throws, and other failures of the disk as Node throws them.
 */
export function writeHashedFile(path: string, chunks: Iterable<Uint8Array>): Digest {
  const file = openSync(path, 'wx');
  try {
    try {
      return writeChunks(file, chunks);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    rmSync(path, { force: true });
    const failure = fileFailure(error, `write ${path}`);
    throw failure instanceof SnapshotError && failure.code === 'disk_full' ? failure : error;
  }
}

function writeChunks(file: number, chunks: Iterable<Uint8Array>): Digest {
  const digester = new Digester();
  for (const chunk of chunks) {
    // With a descriptor this appends, and goes on until all is written.
    writeFileSync(file, chunk);
    digester.add(chunk);
  }
  return digester.digest();
}
