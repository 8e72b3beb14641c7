/** A body of several chunks, in order: bytes that were made for it, and ranges of files in the local copy, read while it is sent. */
import type { LeasedSnapshot } from '../../snapshot/local/lease.js';
import { SEGMENT_BYTES } from '../../snapshot/local/files.js';
import type { Piece, Plan } from '../../workers/messages.js';
import type { BodyReading, LongBody } from '../semantics/answer.js';
import type { SegmentCache } from './segment-cache.js';

/** Holds a lease while it is read, so that the copy stays open across a swap. */
export class ChunkedBody implements LongBody {
  readonly byteLength: number;
  readonly residentBytes: number;
  readonly #pieces: readonly Piece[];
  /** Where each piece begins in the body. */
  readonly #starts: readonly number[];
  readonly #snapshot: LeasedSnapshot;
  readonly #segments: SegmentCache;

  constructor(
    plan: Pick<Plan, 'totalBytes' | 'pieces'>,
    source: { readonly snapshot: LeasedSnapshot; readonly segments: SegmentCache },
  ) {
    this.byteLength = plan.totalBytes;
    this.residentBytes = plan.pieces.reduce((sum, piece) => sum + residentBytesOf(piece), 0);
    this.#pieces = plan.pieces;
    this.#snapshot = source.snapshot;
    this.#segments = source.segments;
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

/** An object, a start and what it holds, roughly. */
function residentBytesOf(piece: Piece): number {
  return piece.kind === 'bytes' ? 256 + piece.bytes.byteLength : 80;
}
