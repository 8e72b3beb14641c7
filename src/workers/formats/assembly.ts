/** Puts an answer together from finished runs and text made for it: as text, or as one gzip member. */
import { blockFile, type Form, type Run } from '../../snapshot/local/blocks.js';
import type { Coding } from '../../snapshot/local/environment.js';
import type { FileReader } from '../../snapshot/local/files.js';
import type { Piece, Plan } from '../messages.js';
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
  /** An answer that is not longer becomes one piece of bytes. */
  readonly wholeBytesMax: number;
}

/** Both ways take the same parts in the same order. */
export interface Assembly {
  addText(text: Uint8Array): void;
  addRun(run: Run): void;
  /** `[start, end)` of the run's text. */
  addPartOfRun(run: Run, start: number, end: number): void;
  /** Takes back the last `length` bytes of what was added as runs. */
  dropLast(length: number): void;
  finish(finish: Finish): Plan;
}

export class TextAssembly implements Assembly {
  readonly #pieces: Pieces;
  readonly #file: string;

  constructor(files: FileReader, form: Form) {
    this.#pieces = new Pieces(files);
    this.#file = blockFile.text(form);
  }

  addText(text: Uint8Array): void {
    this.#pieces.addBytes(text);
  }

  addRun(run: Run): void {
    this.#pieces.addRange(this.#file, run.textOffset, run.textBytes);
  }

  addPartOfRun(run: Run, start: number, end: number): void {
    this.#pieces.addRange(this.#file, run.textOffset + start, end - start);
  }

  dropLast(length: number): void {
    this.#pieces.dropLast(length);
  }

  finish(finish: Finish): Plan {
    return this.#pieces.finish('identity', finish);
  }
}

export class GzipAssembly implements Assembly {
  readonly #pieces: Pieces;
  readonly #files: FileReader;
  readonly #form: Form;
  #checksum: Checksum = EMPTY_CHECKSUM;
  /** Text that waits to be compressed together with what comes next, until a finished run comes. */
  #waiting: Uint8Array[] = [];
  /** The last whole run: held back, because `dropLast` would cut it. */
  #heldRun: Run | undefined;

  constructor(files: FileReader, form: Form) {
    this.#pieces = new Pieces(files);
    this.#files = files;
    this.#form = form;
    this.#pieces.addBytes(GZIP_HEADER);
  }

  addText(text: Uint8Array): void {
    this.#releaseHeld();
    this.#waiting.push(text);
  }

  addRun(run: Run): void {
    this.#releaseHeld();
    this.#heldRun = run;
  }

  addPartOfRun(run: Run, start: number, end: number): void {
    this.#releaseHeld();
    this.#waiting.push(this.#readText(run, start, end));
  }

  dropLast(length: number): void {
    const run = this.#heldRun;
    this.#heldRun = undefined;
    const last = run ? this.#readText(run, 0, run.textBytes) : this.#waiting.pop();
    if (last) this.#waiting.push(last.subarray(0, last.byteLength - length));
  }

  finish(finish: Finish): Plan {
    this.#releaseHeld();
    this.#compressWaiting();
    this.#pieces.addBytes(gzipTrailer(this.#checksum));
    return this.#pieces.finish('gzip', finish);
  }

  #releaseHeld(): void {
    const run = this.#heldRun;
    if (run === undefined) return;
    this.#heldRun = undefined;
    this.#compressWaiting();
    const { offset, bytes, crc32 } = run.deflate[this.#form];
    this.#pieces.addRange(blockFile.deflate(this.#form), offset, bytes);
    this.#checksum = joinChecksums(this.#checksum, { crc32, textBytes: run.textBytes });
  }

  #compressWaiting(): void {
    if (this.#waiting.length === 0) return;
    const { bytes, checksum } = deflateText(Buffer.concat(this.#waiting));
    this.#waiting = [];
    this.#pieces.addBytes(bytes);
    this.#checksum = joinChecksums(this.#checksum, checksum);
  }

  #readText(run: Run, start: number, end: number): Uint8Array {
    return this.#files.read(blockFile.text(this.#form), run.textOffset + start, end - start);
  }
}

/** Pieces in order; neighbours in a file become one. */
class Pieces {
  readonly #files: FileReader;
  readonly #pieces: Piece[] = [];

  constructor(files: FileReader) {
    this.#files = files;
  }

  addBytes(bytes: Uint8Array): void {
    this.#pieces.push({ kind: 'bytes', bytes });
  }

  addRange(file: string, offset: number, length: number): void {
    const last = this.#pieces.at(-1);
    if (last?.kind === 'range' && last.file === file && last.offset + last.length === offset) {
      this.#pieces[this.#pieces.length - 1] = { ...last, length: last.length + length };
    } else {
      this.#pieces.push({ kind: 'range', file, offset, length });
    }
  }

  dropLast(length: number): void {
    const last = this.#pieces.pop();
    if (last?.kind === 'range') {
      this.#pieces.push({ ...last, length: last.length - length });
    } else if (last) {
      this.#pieces.push({ ...last, bytes: last.bytes.subarray(0, -length) });
    }
  }

  finish(coding: Coding, { records, wholeBytesMax }: Finish): Plan {
    const totalBytes = this.#pieces.reduce((sum, piece) => sum + pieceBytes(piece), 0);
    if (totalBytes > wholeBytesMax) {
      return { coding, records, totalBytes, pieces: this.#pieces.map(withOwnMemory) };
    }
    const bytes = Buffer.concat(this.#pieces.map((piece) => this.#read(piece)));
    return { coding, records, totalBytes, pieces: [withOwnMemory({ kind: 'bytes', bytes })] };
  }

  #read(piece: Piece): Uint8Array {
    return piece.kind === 'bytes'
      ? piece.bytes
      : this.#files.read(piece.file, piece.offset, piece.length);
  }
}

/** A slice of Node's pool, or of zlib's 16 KB, would travel whole to the other thread, and stay there. */
function withOwnMemory(piece: Piece): Piece {
  return piece.kind === 'bytes' ? { kind: 'bytes', bytes: Uint8Array.from(piece.bytes) } : piece;
}

function pieceBytes(piece: Piece): number {
  return piece.kind === 'bytes' ? piece.bytes.byteLength : piece.length;
}
