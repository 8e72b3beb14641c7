/** Sends a body that no socket takes at once: nothing is copied, the client's pace is the pace, a dead one is dropped. */
import type { HttpResponse } from 'uWebSockets.js';

/** A failed write re-arms the library's ten seconds (pitfall A8), so it is tried more often than that. */
const RETRY_MS = 4_000;

/** A client that takes less than this in a minute is gone. */
const STALL_BYTES = 64 * 1024;
const STALL_MS = 60_000;

/** One answer's body on its way out. The bytes may be shared by any number of clients. */
export class LargeBody {
  static readonly #stalled = new Set<LargeBody>();

  readonly #res: HttpResponse;
  readonly #body: Uint8Array;
  readonly #onEnd: () => void;
  #begunAt = 0;
  #checkedAt = performance.now();
  #checkedOffset = 0;
  #ended = false;

  /** @param onEnd called once, when the last byte is out or the client is gone. */
  constructor(res: HttpResponse, body: Uint8Array, onEnd: () => void) {
    this.#res = res;
    this.#body = body;
    this.#onEnd = onEnd;
  }

  /** After status and header fields, in the same cork. */
  begin(): void {
    this.#res.onAborted(() => {
      this.#end();
    });
    this.#begunAt = this.#res.getWriteOffset();
    this.#res.onWritable(() => this.#pump());
    this.#pump();
  }

  /** One timer of the process calls this every `RETRY_MS`. */
  static retryStalled(now: number): void {
    for (const body of LargeBody.#stalled) body.#retry(now);
  }

  static startRetrying(): NodeJS.Timeout {
    return setInterval(() => {
      LargeBody.retryStalled(performance.now());
    }, RETRY_MS).unref();
  }

  #pump(): boolean {
    const offset = this.#offset();
    const [, done] = this.#res.tryEnd(this.#body.subarray(offset), this.#body.byteLength);
    if (done) this.#end();
    else LargeBody.#stalled.add(this);
    return done;
  }

  #retry(now: number): void {
    const offset = this.#offset();
    if (offset - this.#checkedOffset >= STALL_BYTES) {
      this.#checkedAt = now;
      this.#checkedOffset = offset;
    } else if (now - this.#checkedAt > STALL_MS) {
      // Fires `onAborted`, which ends this.
      this.#res.close();
      return;
    }
    this.#res.cork(() => {
      this.#pump();
    });
  }

  #offset(): number {
    return this.#res.getWriteOffset() - this.#begunAt;
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    LargeBody.#stalled.delete(this);
    this.#onEnd();
  }
}
