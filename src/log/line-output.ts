/** Lines to stdout that nobody waits for: what it does not take is held up to a limit, and dropped beyond it. */
import { write } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';

/** Some thousands of lines. */
const HELD_BYTES_MAX = 1024 * 1024;

/** Where stdout was opened not to block, it says that it takes nothing now; a pipe then takes 6 MB a second at most. */
const RETRY_MS = 10;

/** Time for lines that are held, at the end. */
const END_MS = 500;

/** What a pipe takes as a whole (PIPE_BUF of pipe(7)): longer ones of several processes would mix. */
const ATOMIC_BYTES = 4096;

/** Of the supervisor. */
const STDOUT = 1;

/** The same in a front: `uv_spawn` makes 0 to 2 block in whatever it starts, and so for all who share the pipe. */
export const SHARED_STDOUT = 4;

/** A destination of pino. Writing takes a thread of the system's pool, which a stalled stdout stops, and nothing else. */
export class LineOutput {
  readonly #file: number;
  readonly #onDropped: () => void;
  readonly #held: string[] = [];
  #heldBytes = 0;
  #isWriting = false;
  /** Whether a thread is at it, which an exit of the process would wait for. */
  #isInThread = false;
  /** Whether what is not written by now is given up. */
  #isOver = false;

  /** @param onDropped called for each line that is dropped. */
  constructor(file = STDOUT, onDropped = (): void => undefined) {
    this.#file = file;
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

  /**
   * The last thing that a process does: waits half a second at most until all is written; then nothing here keeps it.
   * Where a thread still writes, which an exit would wait for, it ends by SIGTERM.
   */
  async end(): Promise<void> {
    const deadline = performance.now() + END_MS;
    while (this.#isWriting && performance.now() < deadline) await after(5);
    // One that has only just begun may be told at once that nothing is taken; then no other one begins.
    this.#isOver = true;
    if (this.#isInThread) await after(50);
    if (this.#isInThread) process.removeAllListeners('SIGTERM').kill(process.pid, 'SIGTERM');
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
    this.#isInThread = true;
    write(this.#file, bytes, (error, written) => {
      this.#isInThread = false;
      if (error?.code === 'EAGAIN') {
        setTimeout(() => {
          if (!this.#isOver) this.#writeOn(bytes);
        }, RETRY_MS).unref();
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
