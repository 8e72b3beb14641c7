/** A body of chunks in order; chunks that are ranges of files are read while the body is sent. */
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import { chunkBytes, type Chunk, type Plan } from '../../snapshot/local/plan.js';
import type { BodyReader, BodyReading, LongBody } from '../semantics/answer.js';
import type { BlockCache } from './block-cache.js';

export interface ChunkSource {
  readonly snapshot: LeasedSnapshot;
  readonly blocks: BlockCache;
}

/** Each reading holds a lease, so that the copy stays open. */
export class ChunkedBody implements LongBody {
  readonly byteLength: number;
  readonly residentBytes: number;
  readonly readingBytes = 0;
  readonly openFiles = 0;
  readonly #chunks: readonly Chunk[];
  readonly #starts: readonly number[];
  readonly #source: ChunkSource;

  constructor(plan: Pick<Plan, 'totalBytes' | 'chunks'>, source: ChunkSource) {
    this.byteLength = plan.totalBytes;
    this.residentBytes = plan.chunks.reduce((sum, chunk) => sum + residentBytesOf(chunk), 0);
    this.#chunks = plan.chunks;
    this.#source = source;
    let start = 0;
    this.#starts = plan.chunks.map((chunk) => {
      const startsAt = start;
      start += chunkBytes(chunk);
      return startsAt;
    });
  }

  open(reader: BodyReader): BodyReading {
    const lease = this.#source.snapshot.lease(reader.onRevoked);
    // Readers move forward, so the search begins at the chunk of the last read.
    let at = 0;
    return {
      byteLength: this.byteLength,
      from: (offset) => {
        if (offset < (this.#starts[at] ?? 0)) at = 0;
        while ((this.#starts[at + 1] ?? Infinity) <= offset) at += 1;
        const chunk = this.#chunks[at];
        if (chunk === undefined) throw new RangeError(`no byte ${offset} in this body`);
        const skip = offset - (this.#starts[at] ?? 0);
        if (chunk.kind === 'bytes') return chunk.bytes.subarray(skip);
        return this.#source.blocks.bytes(chunk.file, chunk.offset + skip, chunk.length - skip);
      },
      close: () => {
        lease.release();
      },
    };
  }
}

/** Approximate memory of a chunk in a body: an object, its start in the body, and its bytes. */
export function residentBytesOf(chunk: Chunk): number {
  return chunk.kind === 'bytes' ? 256 + chunk.bytes.byteLength : 80;
}
