/** A byte stream that reads one chunk at a time, which tells a slow store from a reader that pauses. */
import { addAbortSignal, Readable } from 'node:stream';

export interface PulledStreamOptions {
  /** The next bytes, not empty, or undefined at the end. What it throws is what the stream fails with. */
  readonly pull: () => Promise<Uint8Array | undefined>;
  /** Called once: at the end, after a failure, or when the reader gives up, also while a `pull` is pending. */
  readonly close: () => Promise<void>;
  /** Destroys the stream with an AbortError. */
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
          // Nothing was written: a failing close loses nothing, and must not hide the first failure.
          callback(error);
        },
      );
    },
  });
  return signal === undefined ? stream : addAbortSignal(signal, stream);
}
