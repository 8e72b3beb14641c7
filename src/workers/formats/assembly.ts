/** Puts an answer together from finished chunks and text made for it: as text, or as one gzip member. */
import { chunkFile, type Form, type SeriesChunk } from '../../snapshot/local/chunks.js';
import type { Coding } from '../../snapshot/local/environment.js';
import type { FileReader } from '../../snapshot/local/files.js';
import { chunkBytes, type Chunk, type Plan } from '../messages.js';
import {
  deflateText,
  EMPTY_CHECKSUM,
  GZIP_HEADER,
  gzipTrailer,
  joinChecksums,
  type Checksum,
} from './gzip-members.js';

export interface Finish {
  readonly records: number;
  /** An answer that is not longer becomes one chunk of bytes. */
  readonly wholeBytesMax: number;
}

/** An answer in the making; both implementations take the same chunks and texts in the same order. */
export interface Assembly {
  addText(text: Uint8Array): void;
  addChunk(chunk: SeriesChunk): void;
  /** `[start, end)` of the chunk's text. */
  addSlice(chunk: SeriesChunk, start: number, end: number): void;
  /** Takes back the last `length` bytes of what was added as chunks. */
  dropLast(length: number): void;
  finish(finish: Finish): Plan;
}

export class TextAssembly implements Assembly {
  readonly #chunks: Chunks;
  readonly #file: string;

  constructor(files: FileReader, form: Form) {
    this.#chunks = new Chunks(files);
    this.#file = chunkFile.text(form);
  }

  addText(text: Uint8Array): void {
    this.#chunks.addBytes(text);
  }

  addChunk(chunk: SeriesChunk): void {
    this.#chunks.addRange(this.#file, chunk.textOffset, chunk.textBytes);
  }

  addSlice(chunk: SeriesChunk, start: number, end: number): void {
    this.#chunks.addRange(this.#file, chunk.textOffset + start, end - start);
  }

  dropLast(length: number): void {
    this.#chunks.dropLast(length);
  }

  finish(finish: Finish): Plan {
    return this.#chunks.finish('identity', finish);
  }
}

export class GzipAssembly implements Assembly {
  readonly #chunks: Chunks;
  readonly #files: FileReader;
  readonly #form: Form;
  #checksum: Checksum = EMPTY_CHECKSUM;
  /** Text that waits to be compressed together with what comes next, until a finished chunk comes. */
  #waiting: Uint8Array[] = [];
  /** The last whole chunk: held back, because `dropLast` would cut it. */
  #heldChunk: SeriesChunk | undefined;

  constructor(files: FileReader, form: Form) {
    this.#chunks = new Chunks(files);
    this.#files = files;
    this.#form = form;
    this.#chunks.addBytes(GZIP_HEADER);
  }

  addText(text: Uint8Array): void {
    this.#releaseHeld();
    this.#waiting.push(text);
  }

  addChunk(chunk: SeriesChunk): void {
    this.#releaseHeld();
    this.#heldChunk = chunk;
  }

  addSlice(chunk: SeriesChunk, start: number, end: number): void {
    this.#releaseHeld();
    this.#waiting.push(this.#readText(chunk, start, end));
  }

  dropLast(length: number): void {
    const chunk = this.#heldChunk;
    this.#heldChunk = undefined;
    const last = chunk ? this.#readText(chunk, 0, chunk.textBytes) : this.#waiting.pop();
    if (last) this.#waiting.push(last.subarray(0, last.byteLength - length));
  }

  finish(finish: Finish): Plan {
    this.#releaseHeld();
    this.#compressWaiting();
    this.#chunks.addBytes(gzipTrailer(this.#checksum));
    return this.#chunks.finish('gzip', finish);
  }

  #releaseHeld(): void {
    const chunk = this.#heldChunk;
    if (chunk === undefined) return;
    this.#heldChunk = undefined;
    this.#compressWaiting();
    const { offset, bytes, crc32 } = chunk.deflate[this.#form];
    this.#chunks.addRange(chunkFile.deflate(this.#form), offset, bytes);
    this.#checksum = joinChecksums(this.#checksum, { crc32, textBytes: chunk.textBytes });
  }

  #compressWaiting(): void {
    if (this.#waiting.length === 0) return;
    const { bytes, checksum } = deflateText(Buffer.concat(this.#waiting));
    this.#waiting = [];
    this.#chunks.addBytes(bytes);
    this.#checksum = joinChecksums(this.#checksum, checksum);
  }

  #readText(chunk: SeriesChunk, start: number, end: number): Uint8Array {
    return this.#files.read(chunkFile.text(this.#form), chunk.textOffset + start, end - start);
  }
}

/** Chunks in order; neighbours in a file become one. */
class Chunks {
  readonly #files: FileReader;
  readonly #chunks: Chunk[] = [];

  constructor(files: FileReader) {
    this.#files = files;
  }

  addBytes(bytes: Uint8Array): void {
    this.#chunks.push({ kind: 'bytes', bytes });
  }

  addRange(file: string, offset: number, length: number): void {
    const last = this.#chunks.at(-1);
    if (last?.kind === 'range' && last.file === file && last.offset + last.length === offset) {
      this.#chunks[this.#chunks.length - 1] = { ...last, length: last.length + length };
    } else {
      this.#chunks.push({ kind: 'range', file, offset, length });
    }
  }

  dropLast(length: number): void {
    const last = this.#chunks.pop();
    if (last?.kind === 'range') {
      this.#chunks.push({ ...last, length: last.length - length });
    } else if (last) {
      this.#chunks.push({ ...last, bytes: last.bytes.subarray(0, -length) });
    }
  }

  finish(coding: Coding, { records, wholeBytesMax }: Finish): Plan {
    const totalBytes = this.#chunks.reduce((sum, chunk) => sum + chunkBytes(chunk), 0);
    if (totalBytes > wholeBytesMax) {
      return { coding, records, totalBytes, chunks: this.#chunks.map(withOwnMemory) };
    }
    const bytes = Buffer.concat(this.#chunks.map((chunk) => this.#read(chunk)));
    return { coding, records, totalBytes, chunks: [withOwnMemory({ kind: 'bytes', bytes })] };
  }

  #read(chunk: Chunk): Uint8Array {
    return chunk.kind === 'bytes'
      ? chunk.bytes
      : this.#files.read(chunk.file, chunk.offset, chunk.length);
  }
}

/** A slice of Node's pool, or of zlib's 16 KB, would travel whole to the other thread, and stay there. */
function withOwnMemory(chunk: Chunk): Chunk {
  return chunk.kind === 'bytes' ? { kind: 'bytes', bytes: Uint8Array.from(chunk.bytes) } : chunk;
}
