/** Caches blocks of a local copy's files in this process, shared by all clients. */
import { LRUCache } from 'lru-cache';
import { SEGMENT_BYTES } from '../../snapshot/local/copy-files.js';
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import type { RecordsSource } from '../../snapshot/local/observations/records-plan.js';
import type { SeriesKey } from '../../snapshot/local/observations/series-list.js';
import type { StoredSeries } from '../../snapshot/local/observations/stored-series.js';

/** Size of a block, sent in one write; with blocks of 256 kB a stream takes a third more of the kernel's time. */
const BLOCK_BYTES = 64 * SEGMENT_BYTES;

/** Maximal number of cached blocks of a snapshot; the 33 MB of a dataset of 105,000 records fit. */
const BLOCKS_MAX = 40;

/** Maximal number of cached blocks of a retired snapshot: several may be open for late readers. */
const RETIRED_BLOCKS_MAX = 4;

/** A range up to this size, such as that of one series, is read without its block if the file exceeds the cache. */
const SHORT_BYTES = 384 * 1024;

/** Caches the blocks that were read last. Their memory is reused: garbage collection took longer than the reads. */
export class BlockCache implements RecordsSource {
  readonly #snapshot: LeasedSnapshot;
  readonly #onFailure: (error: unknown) => void;
  readonly #blocks = new LRUCache<string, Uint8Array>({ max: BLOCKS_MAX });
  #short = new Uint8Array(0);
  /** Range of the bytes in `#short`. */
  #shortRange = '';

  /** @param onFailure called with the error of a read, before the read throws it. */
  constructor(snapshot: LeasedSnapshot, onFailure: (error: unknown) => void) {
    this.#snapshot = snapshot;
    this.#onFailure = onFailure;
  }

  /**
   * Bytes of a file from `offset` on: at least one, at most `length`, valid until the next call.
   *
   * @throws {SnapshotError} `copy_damaged` when bytes are missing or not as written, `lease_ended` after close.
   */
  bytes(file: string, offset: number, length: number): Uint8Array {
    const index = Math.floor(offset / BLOCK_BYTES);
    const key = `${file}/${index}`;
    const block = this.#blocks.get(key);
    if (block === undefined && length <= SHORT_BYTES && this.#isLarge(file)) {
      return this.#range(file, offset, length);
    }
    const start = offset - index * BLOCK_BYTES;
    return (block ?? this.#load(key, file, index)).subarray(start, start + length);
  }

  readInto(bytes: Uint8Array, file: string, offset: number): void {
    for (let filled = 0; filled < bytes.byteLength;) {
      const part = this.bytes(file, offset + filled, bytes.byteLength - filled);
      bytes.set(part, filled);
      filled += part.byteLength;
    }
  }

  /** The reader's view of a series, which is not cached here. */
  series(key: SeriesKey): StoredSeries {
    return reported(this.#onFailure, () => this.#snapshot.reader.series(key));
  }

  #isLarge(file: string): boolean {
    return this.#snapshot.reader.sizeOf(file) > BLOCKS_MAX * BLOCK_BYTES;
  }

  #load(key: string, file: string, index: number): Uint8Array {
    const { isRetired, reader } = this.#snapshot;
    const offset = index * BLOCK_BYTES;
    const length = Math.min(BLOCK_BYTES, reader.sizeOf(file) - offset);
    const most = isRetired ? RETIRED_BLOCKS_MAX : BLOCKS_MAX;
    this.shrink(most);
    const last = this.#blocks.size === most ? this.#blocks.pop() : undefined;
    const memory = last?.byteLength === length ? last : Buffer.allocUnsafeSlow(length);
    this.#read(memory, file, offset);
    this.#blocks.set(key, memory);
    return memory;
  }

  /** Reads a short range. One buffer keeps the last range, since its sender requests it more than once. */
  #range(file: string, offset: number, length: number): Uint8Array {
    if (this.#short.byteLength === 0) this.#short = Buffer.allocUnsafeSlow(SHORT_BYTES);
    const bytes = this.#short.subarray(0, length);
    const range = `${file} ${offset} ${length}`;
    if (this.#shortRange === range) return bytes;
    this.#shortRange = '';
    this.#read(bytes, file, offset);
    this.#shortRange = range;
    return bytes;
  }

  #read(bytes: Uint8Array, file: string, offset: number): void {
    reported(this.#onFailure, () => {
      this.#snapshot.reader.readInto(bytes, file, offset);
    });
  }

  shrink(blocks = RETIRED_BLOCKS_MAX): void {
    while (this.#blocks.size > blocks) this.#blocks.pop();
  }
}

/** The result of a read, whose error is reported before it is thrown. */
export function reported<T>(onFailure: (error: unknown) => void, read: () => T): T {
  try {
    return read();
  } catch (error) {
    onFailure(error);
    throw error;
  }
}
