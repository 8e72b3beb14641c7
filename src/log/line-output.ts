/** Writes lines to stdout without waiting; buffers lines while stdout is blocked, and drops lines beyond a limit. */
import { setTimeout as after } from 'node:timers/promises';
import { pino } from 'pino';

const HELD_BYTES_MAX = 1024 * 1024;

/** Bytes that a pipe takes at once (PIPE_BUF of pipe(7)): longer lines of several processes would mix. */
const ATOMIC_BYTES = 4096;

/** Delay after a failed write, such as on a full disk. */
const RETRY_MS = 1000;

/** Time for buffered lines at the end. */
const END_MS = 500;

const STDOUT = 1;

/** File descriptor of stdout in a front: libuv makes 0 to 2 of a child blocking, for all processes on that pipe. */
export const SHARED_STDOUT = 4;

/** pino's destination, with an end that a blocked stdout cannot delay. */
export class LineOutput {
  readonly #destination: ReturnType<typeof pino.destination>;
  #isOver = false;
  /** Whether stdout blocks the thread that writes; a non-blocking stdout refuses the write instead. */
  #blocks = true;

  /** @param onDropped called for each line that is dropped. */
  constructor(file = STDOUT, onDropped = (): void => undefined) {
    this.#destination = pino.destination({
      dest: file,
      sync: false,
      // Otherwise `flush` has no effect.
      minLength: 1,
      maxLength: HELD_BYTES_MAX,
      maxWrite: ATOMIC_BYTES,
      retryEAGAIN: () => {
        this.#blocks = false;
        return !this.#isOver;
      },
    });
    this.#destination.on('drop', onDropped).on('error', () => {
      // The failure cannot be reported. With a full buffer no new line triggers another write.
      setTimeout(() => {
        this.#destination.flush();
      }, RETRY_MS).unref();
    });
    // Makes pino regard it as closed: otherwise an exit would wait for a blocked stdout.
    this.#destination.emit('close');
  }

  write(line: string): void {
    this.#destination.write(line);
  }

  /** Waits half a second at most until all is written. If a write still blocks a thread, SIGTERM ends the process. */
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
