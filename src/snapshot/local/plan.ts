/** How the bytes of an answer are put together, decided before the first one is sent. */
import type { Coding } from './environment.js';
import {
  checksumOf,
  GZIP_HEADER,
  gzipTrailer,
  joinChecksums,
  storedBlock,
  type Checksum,
} from './observations/gzip-member.js';

/** A source of an answer's bytes: a buffer made for it, a range of a file in the local copy, or a part that a worker reads. */
export type Chunk =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | (MadePart & { readonly kind: 'made' })
  | {
      readonly kind: 'range';
      readonly file: string;
      readonly offset: number;
      readonly length: number;
    };

/** A part of a text that a worker has written to a file (`workers/formats/long-text.ts`). */
export interface MadePart {
  readonly path: string;
  readonly offset: number;
  /** In the file: raw DEFLATE. */
  readonly deflatedBytes: number;
  /** In the answer. */
  readonly length: number;
  /** Of its text, where the answer has it uncompressed. */
  readonly crc32: number | undefined;
}

export interface Plan {
  /** What the bytes are: a very small answer is not compressed, whoever asks. */
  readonly coding: Coding;
  /** Absent where the answer is no list. */
  readonly records?: number;
  readonly totalBytes: number;
  readonly chunks: readonly Chunk[];
  /** Of the text in `chunks`, where these are raw DEFLATE that a gzip member is still to be made of. */
  readonly checksum?: Checksum;
}

/** Bytes of the answer in one chunk. */
export function chunkBytes(chunk: Chunk): number {
  return chunk.kind === 'bytes' ? chunk.bytes.byteLength : chunk.length;
}

/** Fills `bytes` with the chunks, one after the other; ranges are read from `source`. Made parts are too long for that. */
export function fill(
  bytes: Uint8Array,
  chunks: readonly Chunk[],
  source: { readInto(bytes: Uint8Array, file: string, offset: number): void },
): void {
  let filled = 0;
  for (const chunk of chunks) {
    const place = bytes.subarray(filled, filled + chunkBytes(chunk));
    if (chunk.kind === 'bytes') place.set(chunk.bytes);
    else if (chunk.kind === 'range') source.readInto(place, chunk.file, chunk.offset);
    else throw new TypeError('a made part is read by a worker');
    filled += place.byteLength;
  }
}

/** Chunks in order; neighbours in a file become one. */
export class ChunkList {
  readonly chunks: Chunk[] = [];
  totalBytes = 0;

  addBytes(bytes: Uint8Array): void {
    this.chunks.push({ kind: 'bytes', bytes });
    this.totalBytes += bytes.byteLength;
  }

  addRange(file: string, offset: number, length: number): void {
    this.totalBytes += length;
    const last = this.chunks.at(-1);
    if (last?.kind === 'range' && last.file === file && last.offset + last.length === offset) {
      this.chunks[this.chunks.length - 1] = { ...last, length: last.length + length };
    } else {
      this.chunks.push({ kind: 'range', file, offset, length });
    }
  }
}

/** The text of one request around what many requests share: a few hundred characters each. */
export interface Envelope {
  readonly head: string;
  readonly tail: (records: number) => string;
}

/** An answer that is not longer is one chunk of bytes: sent in one piece, and cached as what it is. */
const WHOLE_BYTES_MAX = 64 * 1024;

/**
 * The whole answer; a plan in gzip without a checksum is one already. The envelope of a gzip member is stored in it as it
 * is: to compress it would take longer than all the rest of a small answer.
 *
 * @throws {SnapshotError} `copy_damaged`.
 */
export function withEnvelope(
  source: { readInto(bytes: Uint8Array, file: string, offset: number): void },
  plan: Plan,
  envelope: Envelope,
): Plan {
  const { records = 0, coding, checksum } = plan;
  if (coding === 'gzip' && checksum === undefined) return plan;
  let head: Uint8Array = Buffer.from(envelope.head);
  let tail: Uint8Array = Buffer.from(envelope.tail(records));
  if (checksum !== undefined) {
    const all = joinChecksums(joinChecksums(checksumOf(head), checksum), checksumOf(tail));
    head = Buffer.concat([GZIP_HEADER, storedBlock(head)]);
    tail = Buffer.concat([storedBlock(tail), gzipTrailer(all)]);
  }
  const totalBytes = head.byteLength + plan.totalBytes + tail.byteLength;
  const chunks: readonly Chunk[] = [
    { kind: 'bytes', bytes: head },
    ...plan.chunks,
    { kind: 'bytes', bytes: tail },
  ];
  if (totalBytes > WHOLE_BYTES_MAX) return { coding, records, totalBytes, chunks };
  const bytes = Buffer.allocUnsafeSlow(totalBytes);
  fill(bytes, chunks, source);
  return { coding, records, totalBytes, chunks: [{ kind: 'bytes', bytes }] };
}
