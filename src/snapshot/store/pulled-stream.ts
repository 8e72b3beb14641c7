/** A byte stream that reads one chunk at a time, which tells a slow store from a reader that pauses. */
import { addAbortSignal, Readable } from 'node:stream';

export interface PulledStreamOptions {
  /** The next bytes, not empty; undefined at the end. Its failure is the stream's. */
  readonly pull: () => Promise<Uint8Array | undefined>;
  /** Called once at the end, after a failure, or when the reader gives up, even during a `pull`. */
  readonly close: () => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

export function pulledStream({ pull, close, signal }: PulledStreamOptions): Readable {
  const stream = new Readable({
    read() {
      pull().then(
        (chunk) => this.push(chunk ?? null),
        (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    },
    destroy(error, callback) {
      close().then(
        () => {
          callback(error);
        },
        () => {
          // The first failure has precedence over a failing close.
          callback(error);
        },
      );
    },
  });
  return signal === undefined ? stream : addAbortSignal(signal, stream);
}
