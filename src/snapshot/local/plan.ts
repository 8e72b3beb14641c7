/** How the bytes of an answer are composed: a plan is complete before the first byte is sent. */
import type { Coding } from './environment.js';
import {
  checksumOf,
  GZIP_HEADER,
  gzipTrailer,
  joinChecksums,
  storedBlock,
  type Checksum,
} from './observations/gzip-member.js';

/** A buffer, or a range of a file in the local copy. */
export type Chunk =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'range';
      readonly file: string;
      readonly offset: number;
      readonly length: number;
    };

/** A text that is stored in a file as one gzip member (`workers/formats/long-text.ts`). */
export interface TextFile {
  readonly path: string;
  /** Length of the member, from the beginning of the file. */
  readonly gzipBytes: number;
}

export interface Plan {
  /** Very short answers are not compressed, whatever the client accepts. */
  readonly coding: Coding;
  /** Number of records; undefined for answers without records. */
  readonly records?: number;
  readonly totalBytes: number;
  readonly chunks: readonly Chunk[];
  /** A file whose text is the answer; `chunks` is then ignored. */
  readonly textFile?: TextFile;
  /** Digest for an address at which the answer never changes. */
  readonly digest?: string;
  /** Checksum of the text in `chunks`, for raw DEFLATE that becomes a gzip member. */
  readonly checksum?: Checksum;
}

export function chunkBytes(chunk: Chunk): number {
  return chunk.kind === 'bytes' ? chunk.bytes.byteLength : chunk.length;
}

/** Fills `bytes` with the chunks; reads ranges from `source`. */
export function fill(
  bytes: Uint8Array,
  chunks: readonly Chunk[],
  source: { readInto(bytes: Uint8Array, file: string, offset: number): void },
): void {
  let filled = 0;
  for (const chunk of chunks) {
    const place = bytes.subarray(filled, filled + chunkBytes(chunk));
    if (chunk.kind === 'bytes') place.set(chunk.bytes);
    else source.readInto(place, chunk.file, chunk.offset);
    filled += place.byteLength;
  }
}

/** Chunks in order; adjacent ranges of a file are merged. */
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

/** The text before and after shared records, for one request: a few hundred characters. */
export interface Envelope {
  readonly head: string;
  readonly tail: (records: number) => string;
}

/**
 * Adds the envelope; a gzip plan without a checksum is already complete. The envelope is stored uncompressed within the
 * gzip member: compression would take longer than the rest of a small answer.
 */
export function withEnvelope(plan: Plan, envelope: Envelope): Plan {
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
  return { coding, records, totalBytes, chunks };
}
