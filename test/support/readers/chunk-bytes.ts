/** The bytes of a plan's chunks, as clients would get them. */
import { chunkBytes, fill, type Chunk } from '../../../src/snapshot/local/plan.js';
import type { SnapshotReader } from '../../../src/snapshot/local/reader.js';

const NO_COPY = {
  readInto: () => {
    throw new TypeError('there is no copy to read from');
  },
};

/** @param chunks if without `reader`, none of them is a range of a file. */
export function bytesOfChunks(
  chunks: readonly Chunk[],
  reader: Pick<SnapshotReader, 'readInto'> = NO_COPY,
): Buffer {
  const bytes = Buffer.alloc(chunks.reduce((sum, chunk) => sum + chunkBytes(chunk), 0));
  fill(bytes, chunks, reader);
  return bytes;
}
