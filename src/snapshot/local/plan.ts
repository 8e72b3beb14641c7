/** How the bytes of an answer are put together, decided before the first one is sent. */
import type { Coding } from './environment.js';
import type { Checksum } from './observations/gzip-member.js';

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

/** Fills `bytes` with the chunks, one after the other; ranges are read by `readInto`. Made parts are too long for that. */
export function fill(
  bytes: Uint8Array,
  chunks: readonly Chunk[],
  readInto: (bytes: Uint8Array, file: string, offset: number) => void,
): void {
  let filled = 0;
  for (const chunk of chunks) {
    const place = bytes.subarray(filled, filled + chunkBytes(chunk));
    if (chunk.kind === 'bytes') place.set(chunk.bytes);
    else if (chunk.kind === 'range') readInto(place, chunk.file, chunk.offset);
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
