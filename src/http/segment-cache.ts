/** Segments of a local copy's files in the memory of this process, shared by all clients that read them. */
import type { SnapshotReader } from '../snapshot/local/reader.js';

/**
 * A bounded memory of what streams are reading just now, the longest unread dropped first.
 *
 * A segment that is written to a socket from here is copied once, by the kernel, for any number of clients.
 */
export class SegmentCache {
  readonly #reader: SnapshotReader;
  readonly #limitBytes: number;
  /** In the order of their last use. */
  readonly #segments = new Map<string, Uint8Array>();
  #bytes = 0;

  constructor(reader: SnapshotReader, limitBytes: number) {
    this.#reader = reader;
    this.#limitBytes = limitBytes;
  }

  /** @throws {SnapshotError} `copy_damaged` where the file has no such segment, `lease_ended` after close. */
  segment(file: string, index: number): Uint8Array {
    const key = `${file}/${index}`;
    const known = this.#segments.get(key);
    if (known !== undefined) {
      this.#segments.delete(key);
      this.#segments.set(key, known);
      return known;
    }
    const segment = this.#reader.files.segment(file, index);
    this.#segments.set(key, segment);
    this.#bytes += segment.byteLength;
    this.#dropOldest();
    return segment;
  }

  #dropOldest(): void {
    for (const [key, segment] of this.#segments) {
      if (this.#bytes <= this.#limitBytes) return;
      this.#segments.delete(key);
      this.#bytes -= segment.byteLength;
    }
  }
}
