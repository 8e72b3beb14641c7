/** The bytes of a plan as a body: in memory where they are few, else chunks in order, whose ranges are read while they are sent. */
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import { chunkBytes, fill, type Chunk, type Plan } from '../../snapshot/local/plan.js';
import type { Answer, BodyReader, BodyReading, LongBody } from '../semantics/answer.js';
import { residentBytesOf } from './answer-cache.js';
import type { BlockCache } from './block-cache.js';
import { TextFileBody } from './text-file-body.js';

/** Where the bytes come from. */
export interface ChunkSource {
  readonly snapshot: LeasedSnapshot;
  readonly blocks: BlockCache;
}

/** A body that is not longer is sent in one piece, and cached as what it is. */
const WHOLE_BYTES_MAX = 64 * 1024;

/**
 * @param source undefined without a snapshot: then all bytes are in the plan.
 * @throws {SnapshotError} `copy_damaged`.
 */
export function bodyOf(plan: Plan, source: ChunkSource | undefined): NonNullable<Answer['body']> {
  const { textFile, totalBytes, chunks } = plan;
  const [only] = chunks;
  if (chunks.length === 1 && only?.kind === 'bytes') return only.bytes;
  if (source === undefined) throw new TypeError('without a snapshot there are no stored bytes');
  if (textFile !== undefined) return new TextFileBody(textFile, plan, source.snapshot);
  if (totalBytes > WHOLE_BYTES_MAX) return new ChunkedBody(plan, source);
  const bytes = Buffer.allocUnsafeSlow(totalBytes);
  fill(bytes, chunks, source.blocks);
  return bytes;
}

/** Holds a lease while it is read, so that the copy stays open across a swap. */
export class ChunkedBody implements LongBody {
  readonly byteLength: number;
  readonly residentBytes: number;
  readonly readingBytes = 0;
  readonly #chunks: readonly Chunk[];
  /** Where each chunk begins in the body. */
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
    // Readers go forward: the chunk that was read last is the place to look first.
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
