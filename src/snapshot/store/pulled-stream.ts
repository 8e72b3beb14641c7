/** A byte stream that reads a chunk only when its reader wants one: a pausing reader is not taken for a slow store. */
import { addAbortSignal, Readable } from 'node:stream';

export interface PulledStreamOptions {
  /** Returns the next bytes, at least one; undefined at the end. If `pull` fails, the stream fails. */
  readonly pull: () => Promise<Uint8Array | undefined>;
  /** Called once: at the end, after a failure, or when the reader stops early, even during a `pull`. */
  readonly close: () => Promise<unknown>;
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
      const end = (): void => {
        callback(error);
      };
      // A failure to close is ignored: it does not affect the bytes already read.
      close().then(end, end);
    },
  });
  return signal === undefined ? stream : addAbortSignal(signal, stream);
}
