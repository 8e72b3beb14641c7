/** A range of a cached archive file as a body: read asynchronously at its client's pace, verified by segment. */
import { closeSync, openSync, read } from 'node:fs';
import { RECORD_BYTES, SEGMENT_BYTES, segmentOf } from '../../snapshot/archive/kept-file.js';
import type { Digest } from '../../snapshot/domain/digest.js';
import { isShortage } from '../../snapshot/local/read-failure.js';
import type { BodyReader, BodyReading, LongBody } from '../semantics/answer.js';
import type { ByteRange } from './file-answer.js';

export interface KeptFileSource extends Digest {
  readonly path: string;
  /** Called when the file is unreadable or damaged. */
  readonly onDamage: () => void;
}

/** Opens the file only when the body is sent; an open file can be read even after its removal. */
export class KeptFileBody implements LongBody {
  readonly byteLength: number;
  readonly residentBytes = 256;
  readonly readingBytes = RECORD_BYTES;
  readonly openFiles = 1;
  readonly #file: KeptFileSource;
  readonly #part: ByteRange;

  constructor(file: KeptFileSource, part: ByteRange) {
    this.byteLength = part.length;
    this.#file = file;
    this.#part = part;
  }

  /** @throws {Error} the system's error, if the file cannot be opened. */
  open({ onReady }: BodyReader): BodyReading {
    try {
      return new KeptFileReading(openSync(this.#file.path, 'r'), this.#file, {
        part: this.#part,
        onReady,
      });
    } catch (error) {
      // A shortage of open files or memory says nothing about this file.
      if (!isShortage(error)) this.#file.onDamage();
      throw error;
    }
  }
}

/** Reuses one buffer: with new ones, garbage would be most of a front's memory. */
class KeptFileReading implements BodyReading {
  readonly byteLength: number;
  readonly #fd: number;
  readonly #file: KeptFileSource;
  readonly #offset: number;
  readonly #onReady: () => void;
  readonly #record = Buffer.allocUnsafeSlow(RECORD_BYTES);
  #segment: Uint8Array = new Uint8Array(0);
  #index = -1;
  #isReading = false;
  #isClosed = false;
  #error: Error | undefined;

  /** @param fd is closed with the reading. */
  constructor(
    fd: number,
    file: KeptFileSource,
    { part, onReady }: { readonly part: ByteRange; readonly onReady: () => void },
  ) {
    this.byteLength = part.length;
    this.#fd = fd;
    this.#file = file;
    this.#offset = part.offset;
    this.#onReady = onReady;
  }

  from(offset: number): Uint8Array | undefined {
    if (this.#error !== undefined) throw this.#error;
    const at = this.#offset + offset;
    const index = Math.floor(at / SEGMENT_BYTES);
    const start = index * SEGMENT_BYTES;
    const end = this.#offset + this.byteLength - start;
    if (index === this.#index) return this.#segment.subarray(at - start, end);
    if (!this.#isReading) this.#read(index);
    return undefined;
  }

  close(): void {
    this.#isClosed = true;
    // A pending read needs the file, since the descriptor could become another file's: the read's callback closes it.
    if (!this.#isReading) closeSync(this.#fd);
  }

  #read(index: number): void {
    this.#isReading = true;
    const position = index * RECORD_BYTES;
    read(this.#fd, this.#record, 0, RECORD_BYTES, position, (error, count) => {
      this.#isReading = false;
      if (this.#isClosed) {
        closeSync(this.#fd);
        return;
      }
      try {
        if (error !== null) throw error;
        this.#segment = segmentOf(this.#record.subarray(0, count), this.#file, index);
        this.#index = index;
      } catch (damage) {
        this.#error = damage instanceof Error ? damage : new Error(String(damage));
        this.#file.onDamage();
      }
      this.#onReady();
    });
  }
}
