/** A planned answer's body: its pieces in order, read from the local copy as the client takes them. */
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import { SEGMENT_BYTES } from '../../snapshot/local/files.js';
import type { Piece, Plan } from '../../workers/messages.js';
import type { BodyReading, LongBody } from '../semantics/answer.js';
import type { SegmentCache } from './segment-cache.js';

/** Holds a lease while it is read, so that the copy stays open across a swap. */
export class PlannedBody implements LongBody {
  readonly byteLength: number;
  readonly #pieces: readonly Piece[];
  /** Where each piece begins in the body. */
  readonly #starts: readonly number[];
  readonly #snapshot: LeasedSnapshot;
  readonly #segments: SegmentCache;

  constructor(plan: Plan, snapshot: LeasedSnapshot, segments: SegmentCache) {
    this.byteLength = plan.totalBytes;
    this.#pieces = plan.pieces;
    this.#snapshot = snapshot;
    this.#segments = segments;
    let start = 0;
    this.#starts = plan.pieces.map((piece) => {
      const startsAt = start;
      start += pieceBytes(piece);
      return startsAt;
    });
  }

  open(): BodyReading {
    const lease = this.#snapshot.lease();
    // Readers go forward: the piece that was read last is the place to look first.
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
    const piece = this.#pieces[index];
    if (piece === undefined) throw new RangeError(`no byte ${offset} in this body`);
    const skip = offset - (this.#starts[index] ?? 0);
    if (piece.kind === 'bytes') return piece.bytes.subarray(skip);
    const inFile = piece.offset + skip;
    const segment = this.#segments.segment(piece.file, Math.floor(inFile / SEGMENT_BYTES));
    const start = inFile % SEGMENT_BYTES;
    return segment.subarray(start, start + piece.length - skip);
  }
}

function pieceBytes(piece: Piece): number {
  return piece.kind === 'bytes' ? piece.bytes.byteLength : piece.length;
}
