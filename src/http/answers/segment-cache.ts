/** Segments of a local copy's files in the memory of this process, shared by all clients that read them. */
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';

/** Per snapshot: a whole dataset of 105,000 records fits; a larger one streams through it. */
const LIMIT_BYTES = 64 * 1024 * 1024;

/** Of a snapshot that only late readers still use: there may be several of them. */
const RETIRED_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * A bounded memory of what streams are reading just now, the longest unread dropped first.
 *
 * A segment that is written to a socket from here is copied once, by the kernel, for any number of clients.
 */
export class SegmentCache {
  readonly #snapshot: LeasedSnapshot;
  readonly #onDamage: (error: SnapshotError) => void;
  /** In the order of their last use. */
  readonly #segments = new Map<string, Uint8Array>();
  #bytes = 0;

  /** @param onDamage called whenever the copy does not hold what was written into it. */
  constructor(snapshot: LeasedSnapshot, onDamage: (error: SnapshotError) => void) {
    this.#snapshot = snapshot;
    this.#onDamage = onDamage;
  }

  /** @throws {SnapshotError} `copy_damaged` where the file has no such segment, `lease_ended` after close. */
  segment(file: string, index: number): Uint8Array {
    const key = `${file}/${index}`;
    const segment = this.#take(key) ?? this.#read(file, index);
    this.#segments.set(key, segment);
    this.#bytes += segment.byteLength;
    this.#dropOldest();
    return segment;
  }

  #take(key: string): Uint8Array | undefined {
    const known = this.#segments.get(key);
    if (known === undefined) return undefined;
    this.#segments.delete(key);
    this.#bytes -= known.byteLength;
    return known;
  }

  #read(file: string, index: number): Uint8Array {
    try {
      return this.#snapshot.reader.files.segment(file, index);
    } catch (error) {
      if (error instanceof SnapshotError && error.code === 'copy_damaged') this.#onDamage(error);
      throw error;
    }
  }

  #dropOldest(): void {
    const limit = this.#snapshot.isRetired ? RETIRED_LIMIT_BYTES : LIMIT_BYTES;
    for (const [key, segment] of this.#segments) {
      if (this.#bytes <= limit) return;
      this.#segments.delete(key);
      this.#bytes -= segment.byteLength;
    }
  }
}
