/** Lines to stdout that nobody waits for: what it does not take is held up to a limit, and dropped beyond it. */
import { write } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';

/** Some thousands of access lines. */
const HELD_BYTES_MAX = 1024 * 1024;

/** Where stdout was opened not to block, it says that it takes nothing now. */
const RETRY_MS = 100;

/** What a pipe takes as a whole (PIPE_BUF of pipe(7)): longer ones of several processes would mix. */
const ATOMIC_BYTES = 4096;

const STDOUT = 1;

/** A destination of pino. Writing takes a thread of the system's pool, which a stalled stdout stops, and nothing else. */
export class LineOutput {
  readonly #onDropped: () => void;
  readonly #held: string[] = [];
  #heldBytes = 0;
  #isWriting = false;

  /** @param onDropped called for each line that is dropped. */
  constructor(onDropped: () => void) {
    this.#onDropped = onDropped;
  }

  write(line: string): void {
    // UTF-16 units: lines are mostly ASCII, and the limit is no exact one.
    if (this.#heldBytes + line.length > HELD_BYTES_MAX) {
      this.#onDropped();
      return;
    }
    this.#held.push(line);
    this.#heldBytes += line.length;
    if (!this.#isWriting) this.#writeHeld();
  }

  /** Waits until all is written, for so long at most; answers whether it is. */
  async flush(limitMs: number): Promise<boolean> {
    const deadline = performance.now() + limitMs;
    while (this.#isWriting && performance.now() < deadline) await after(5);
    return !this.#isWriting;
  }

  #writeHeld(): void {
    this.#isWriting = true;
    let bytes = 0;
    let count = 0;
    for (const line of this.#held) {
      bytes += Buffer.byteLength(line);
      if (count > 0 && bytes > ATOMIC_BYTES) break;
      count += 1;
    }
    const text = this.#held.splice(0, count).join('');
    this.#heldBytes -= text.length;
    this.#writeOn(Buffer.from(text));
  }

  #writeOn(bytes: Buffer): void {
    write(STDOUT, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => {
          this.#writeOn(bytes);
        }, RETRY_MS);
        return;
      }
      // Whoever read it is gone: there is nobody to tell.
      const rest = error === null ? bytes.subarray(written) : Buffer.alloc(0);
      if (rest.byteLength > 0) this.#writeOn(rest);
      else if (this.#held.length > 0) this.#writeHeld();
      else this.#isWriting = false;
    });
  }
}
