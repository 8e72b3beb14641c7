/** Segments of a local copy's files in the memory of this process, shared by all clients that read them. */
import { LRUCache } from 'lru-cache';
import { SEGMENT_BYTES } from '../../snapshot/local/files.js';
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';

/** Per snapshot: a whole dataset of 105,000 records fits; a larger one streams through it. */
const LIMIT_BYTES = 64 * 1024 * 1024;

/** Per snapshot that only late readers still use: there may be several of them. */
const RETIRED_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * The segments that streams have read last.
 *
 * A segment that is written to a socket from here is copied once, by the kernel, for any number of clients.
 */
export class SegmentCache {
  readonly #snapshot: LeasedSnapshot;
  readonly #onFailure: (error: unknown) => void;
  readonly #segments = new LRUCache<string, Uint8Array>({ max: LIMIT_BYTES / SEGMENT_BYTES });

  /** @param onFailure called with what a read has thrown, before the reader gets it. */
  constructor(snapshot: LeasedSnapshot, onFailure: (error: unknown) => void) {
    this.#snapshot = snapshot;
    this.#onFailure = onFailure;
  }

  /** @throws {SnapshotError} `copy_damaged` where the file has no such segment or a damaged one, `lease_ended` after close. */
  segment(file: string, index: number): Uint8Array {
    const key = `${file}/${index}`;
    const cached = this.#segments.get(key);
    if (cached !== undefined) return cached;
    const segment = this.#read(file, index);
    this.#segments.set(key, segment);
    if (this.#snapshot.isRetired) this.shrink();
    return segment;
  }

  #read(file: string, index: number): Uint8Array {
    try {
      return this.#snapshot.reader.segment(file, index);
    } catch (error) {
      this.#onFailure(error);
      throw error;
    }
  }

  /** To what late readers need. */
  shrink(): void {
    while (this.#segments.size > RETIRED_LIMIT_BYTES / SEGMENT_BYTES) this.#segments.pop();
  }
}
