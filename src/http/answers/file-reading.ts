/** A range of an open file as a body that is read at its client's pace, off this thread. */
import { closeSync, read } from 'node:fs';
import type { BodyReading } from '../semantics/answer.js';
import type { Part } from './file-answer.js';

/** Of memory that each reading has. */
export const READ_BYTES = 128 * 1024;

/** Its memory is used again: what a stream leaves as garbage would be most of the memory of a front. */
export class FileReading implements BodyReading {
  readonly byteLength: number;
  readonly #fd: number;
  readonly #offset: number;
  readonly #onReady: () => void;
  readonly #memory: Buffer;
  /** What the memory holds: bytes of the range from `start` on. */
  #start = 0;
  #filled = 0;
  #isReading = false;
  #isClosed = false;
  #error: Error | undefined;

  /** @param fd is closed with it. */
  constructor(fd: number, { offset, length }: Part, onReady: () => void) {
    this.byteLength = length;
    this.#fd = fd;
    this.#offset = offset;
    this.#onReady = onReady;
    this.#memory = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, length));
  }

  from(offset: number): Uint8Array | undefined {
    if (this.#error !== undefined) throw this.#error;
    const skip = offset - this.#start;
    if (skip >= 0 && skip < this.#filled) return this.#memory.subarray(skip, this.#filled);
    if (!this.#isReading) this.#read(offset);
    return undefined;
  }

  close(): void {
    this.#isClosed = true;
    // Its number would be that of another file while it is still read from.
    if (!this.#isReading) closeSync(this.#fd);
  }

  #read(start: number): void {
    this.#isReading = true;
    const length = Math.min(this.#memory.byteLength, this.byteLength - start);
    read(this.#fd, this.#memory, 0, length, this.#offset + start, (error, count) => {
      this.#isReading = false;
      if (this.#isClosed) {
        closeSync(this.#fd);
        return;
      }
      this.#start = start;
      this.#filled = count;
      if (error !== null || count === 0) this.#error = error ?? new RangeError('it is too short');
      this.#onReady();
    });
  }
}
