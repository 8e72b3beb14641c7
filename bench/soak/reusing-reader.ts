/**
 * Cuts answers out of what a connection delivers, as `AnswerReader` does, into memory of its own that is used again for the
 * next answer: thousands of buffers a second would have the collector run all the time.
 */
import {
  bodyBytesOf,
  END_OF_HEAD,
  parseHead,
  type AnswerHead,
  type RawAnswer,
} from '../harness/exchange.js';

const FIRST_BYTES = 64 * 1024;
/** More than this is given back after the answer. */
const KEPT_BYTES = 8 * 1024 * 1024;

export class ReusingReader {
  #memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #used = 0;
  #head: AnswerHead | undefined;
  #bodyStart = 0;
  #bodyEnd = Infinity;

  /**
   * The answer, once its last byte is here; its body may be overwritten by the next call.
   *
   * @param chunk may be overwritten after the call.
   * @throws when the bytes are no answer with a Content-Length, or more came than was asked for.
   */
  read(chunk: Uint8Array): RawAnswer | undefined {
    this.#append(chunk);
    if (this.#head === undefined) this.#readHead();
    if (this.#head === undefined || this.#used < this.#bodyEnd) return undefined;
    if (this.#used > this.#bodyEnd) throw new Error('bytes after the end of the answer');
    const answer = {
      ...this.#head,
      body: this.#memory.subarray(this.#bodyStart, this.#bodyEnd),
    };
    this.#head = undefined;
    this.#used = 0;
    this.#bodyEnd = Infinity;
    if (this.#memory.length > KEPT_BYTES) this.#memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
    return answer;
  }

  #readHead(): void {
    const end = this.#memory.subarray(0, this.#used).indexOf(END_OF_HEAD);
    if (end < 0) return;
    this.#head = parseHead(this.#memory.toString('latin1', 0, end));
    this.#bodyStart = end + END_OF_HEAD.length;
    this.#bodyEnd = this.#bodyStart + bodyBytesOf(this.#head);
    this.#reserve(this.#bodyEnd);
  }

  #append(chunk: Uint8Array): void {
    this.#reserve(this.#used + chunk.length);
    this.#memory.set(chunk, this.#used);
    this.#used += chunk.length;
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#memory.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * this.#memory.length));
    this.#memory.copy(larger, 0, 0, this.#used);
    this.#memory = larger;
  }
}
