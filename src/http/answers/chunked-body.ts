/**
 * A body of several chunks, in order: bytes that were made for it, ranges of files in the local copy, and parts that a
 * worker reads; the last two are read while it is sent.
 */
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import { chunkBytes, type Chunk, type MadePart, type Plan } from '../../snapshot/local/plan.js';
import { PoolBusyError, type SharedJob, type WorkerPool } from '../../workers/pool.js';
import type { BodyReader, BodyReading, LongBody } from '../semantics/answer.js';
import { residentBytesOf } from './answer-cache.js';
import type { BlockCache } from './block-cache.js';

/** Where the bytes come from. */
export interface ChunkSource {
  readonly snapshot: LeasedSnapshot;
  readonly blocks: BlockCache;
  readonly pool: WorkerPool;
}

/** Holds a lease while it is read, so that the copy stays open across a swap. */
export class ChunkedBody implements LongBody {
  readonly byteLength: number;
  readonly residentBytes: number;
  readonly readingBytes: number;
  readonly #chunks: readonly Chunk[];
  /** Where each chunk begins in the body. */
  readonly #starts: readonly number[];
  readonly #source: ChunkSource;

  constructor(plan: Pick<Plan, 'totalBytes' | 'chunks'>, source: ChunkSource) {
    this.byteLength = plan.totalBytes;
    this.residentBytes = plan.chunks.reduce((sum, chunk) => sum + residentBytesOf(chunk), 0);
    this.readingBytes = plan.chunks.reduce(
      (most, chunk) => Math.max(most, chunk.kind === 'made' ? chunk.length : 0),
      0,
    );
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
    const parts = new PartReader(this.#source.pool, reader);
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
        if (chunk.kind === 'made') return parts.bytes(chunk)?.subarray(skip);
        return this.#source.blocks.bytes(chunk.file, chunk.offset + skip, chunk.length - skip);
      },
      close: () => {
        parts.close();
        lease.release();
      },
    };
  }
}

/** The part that one reader is at: read by a worker in the turn of the reader's client. */
class PartReader {
  readonly #pool: WorkerPool;
  readonly #reader: BodyReader;
  #part: MadePart | undefined;
  #bytes: Uint8Array | undefined;
  #job: SharedJob | undefined;
  #error: Error | undefined;

  constructor(pool: WorkerPool, reader: BodyReader) {
    this.#pool = pool;
    this.#reader = reader;
  }

  /** Undefined until `onReady`. */
  bytes(part: MadePart): Uint8Array | undefined {
    if (this.#error !== undefined) throw this.#error;
    if (this.#part === part) return this.#bytes;
    this.#part = part;
    this.#bytes = undefined;
    void this.#read(part);
    return undefined;
  }

  close(): void {
    this.#job?.leave(this.#reader.client);
    this.#part = undefined;
    this.#bytes = undefined;
  }

  async #read(part: MadePart): Promise<void> {
    const { client, onReady } = this.#reader;
    const job = this.#pool.share(client);
    this.#job = job;
    try {
      const { part: bytes } = await job.run('read-part', part);
      if (this.#part !== part) return;
      this.#bytes = bytes;
    } catch (error) {
      if (this.#part !== part) return;
      if (error instanceof PoolBusyError) {
        // Whoever sends asks again in some seconds.
        this.#part = undefined;
        return;
      }
      this.#error = error instanceof Error ? error : new Error(String(error));
    }
    onReady();
  }
}
