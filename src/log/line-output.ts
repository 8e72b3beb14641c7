/** Writes lines to stdout without waiting; buffers what stdout does not take, and drops it beyond a limit. */
import { setTimeout as after } from 'node:timers/promises';
import { pino } from 'pino';

/** Some thousands of lines. */
const HELD_BYTES_MAX = 1024 * 1024;

/** Bytes that a pipe takes as a whole (PIPE_BUF of pipe(7)): longer lines of several processes would mix. */
const ATOMIC_BYTES = 4096;

/** Delay after a write that has failed, as on a full disk. */
const RETRY_MS = 1000;

/** Time for lines that are held, at the end. */
const END_MS = 500;

/** File descriptor of the supervisor's stdout. */
const STDOUT = 1;

/** File descriptor of stdout in a front: libuv makes 0 to 2 of children blocking, for all that share the pipe. */
export const SHARED_STDOUT = 4;

/** pino's own destination, and an end that a stalled stdout does not put off. */
export class LineOutput {
  readonly #destination: ReturnType<typeof pino.destination>;
  #isOver = false;
  /** A stdout that was opened not to block says that it takes nothing now; any other one keeps the thread that writes. */
  #blocks = true;

  /** @param onDropped called for each line that is dropped. */
  constructor(file = STDOUT, onDropped = (): void => undefined) {
    this.#destination = pino.destination({
      dest: file,
      sync: false,
      // Otherwise `flush` does nothing.
      minLength: 1,
      maxLength: HELD_BYTES_MAX,
      maxWrite: ATOMIC_BYTES,
      retryEAGAIN: () => {
        this.#blocks = false;
        return !this.#isOver;
      },
    });
    this.#destination.on('drop', onDropped).on('error', () => {
      // A failure cannot be reported. While too much is held, no line begins another write.
      setTimeout(() => {
        this.#destination.flush();
      }, RETRY_MS).unref();
    });
    // pino takes it for closed: else an exit of the process waits for a stdout that takes nothing, for ever.
    this.#destination.emit('close');
  }

  write(line: string): void {
    this.#destination.write(line);
  }

  /** Waits half a second at most until all is written. Where a thread still writes, the process ends by SIGTERM. */
  async end(): Promise<void> {
    const written = new Promise<boolean>((resolve) => {
      const onEnd = (): void => {
        resolve(true);
      };
      this.#destination.once('drain', onEnd).once('error', onEnd).flush();
    });
    const isWritten = await Promise.race([written, after(END_MS, false, { ref: false })]);
    this.#isOver = true;
    if (isWritten || !this.#blocks) return;
    process.removeAllListeners('SIGTERM').kill(process.pid, 'SIGTERM');
  }
}
