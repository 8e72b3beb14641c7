/** What the chunks of a plan are, read as clients would get them. */
import { chunkBytes, fill, type Chunk } from '../../../src/snapshot/local/plan.js';
import type { SnapshotReader } from '../../../src/snapshot/local/reader.js';

/** @param chunks without parts that a worker reads. */
export function bytesOfChunks(
  chunks: readonly Chunk[],
  reader?: Pick<SnapshotReader, 'readInto'>,
): Buffer {
  const bytes = Buffer.alloc(chunks.reduce((sum, chunk) => sum + chunkBytes(chunk), 0));
  fill(bytes, chunks, (place, file, offset) => {
    if (reader === undefined) throw new TypeError('there is no copy to read from');
    reader.readInto(place, file, offset);
  });
  return bytes;
}
