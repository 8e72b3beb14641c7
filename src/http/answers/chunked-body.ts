/** A body of several chunks, in order: bytes that were made for it, and ranges of files in the local copy, read while it is sent. */
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import { chunkBytes, type Chunk, type Plan } from '../../snapshot/local/plan.js';
import type { BodyReading, LongBody } from '../semantics/answer.js';
import { residentBytesOf } from './answer-cache.js';
import type { BlockCache } from './block-cache.js';

/** Holds a lease while it is read, so that the copy stays open across a swap. */
export class ChunkedBody implements LongBody {
  readonly byteLength: number;
  readonly residentBytes: number;
  readonly #chunks: readonly Chunk[];
  /** Where each chunk begins in the body. */
  readonly #starts: readonly number[];
  readonly #snapshot: LeasedSnapshot;
  readonly #blocks: BlockCache;

  constructor(
    plan: Pick<Plan, 'totalBytes' | 'chunks'>,
    source: { readonly snapshot: LeasedSnapshot; readonly blocks: BlockCache },
  ) {
    this.byteLength = plan.totalBytes;
    this.residentBytes = plan.chunks.reduce((sum, chunk) => sum + residentBytesOf(chunk), 0);
    this.#chunks = plan.chunks;
    this.#snapshot = source.snapshot;
    this.#blocks = source.blocks;
    let start = 0;
    this.#starts = plan.chunks.map((chunk) => {
      const startsAt = start;
      start += chunkBytes(chunk);
      return startsAt;
    });
  }

  open(onRevoked: () => void): BodyReading {
    const lease = this.#snapshot.lease(onRevoked);
    // Readers go forward: the chunk that was read last is the place to look first.
    let at = 0;
    return {
      byteLength: this.byteLength,
      from: (offset) => {
        if (offset < (this.#starts[at] ?? 0)) at = 0;
        while ((this.#starts[at + 1] ?? Infinity) <= offset) at += 1;
        return this.#read(at, offset);
      },
      close: () => {
        lease.release();
      },
    };
  }

  #read(index: number, offset: number): Uint8Array {
    const chunk = this.#chunks[index];
    if (chunk === undefined) throw new RangeError(`no byte ${offset} in this body`);
    const skip = offset - (this.#starts[index] ?? 0);
    if (chunk.kind === 'bytes') return chunk.bytes.subarray(skip);
    return this.#blocks.bytes(chunk.file, chunk.offset + skip, chunk.length - skip);
  }
}
