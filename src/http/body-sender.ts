/** Sends a body that no socket takes at once: nothing is copied, the client's pace is the pace, a dead one is dropped. */
import type { HttpResponse } from 'uWebSockets.js';
import type { BodyReading } from './answer.js';

/** A failed write re-arms the library's ten seconds (pitfall A8), so it is tried more often than that. */
const RETRY_MS = 4_000;

/** A client that takes less than this in a minute is gone. */
const STALL_BYTES = 64 * 1024;
const STALL_MS = 60_000;

/** A fast client gets no more in one turn of the event loop, so that others wait a fraction of a millisecond. */
const TURN_BYTES = 1024 * 1024;

/** One answer's body on its way out. */
export class BodySender {
  static readonly #stalled = new Set<BodySender>();
  static #underWay = 0;

  readonly #res: HttpResponse;
  readonly #body: BodyReading;
  readonly #onEnd: () => void;
  #begunAt = 0;
  #checkedAt = performance.now();
  #checkedOffset = 0;
  #ended = false;

  /** @param onEnd called once, when the last byte is out or the client is gone. */
  constructor(res: HttpResponse, body: BodyReading, onEnd: () => void) {
    this.#res = res;
    this.#body = body;
    this.#onEnd = onEnd;
  }

  /** Bodies on their way out, of all clients of this process. */
  static get underWay(): number {
    return BodySender.#underWay;
  }

  /** After status and header fields, in the same cork. */
  begin(): void {
    BodySender.#underWay += 1;
    this.#res.onAborted(() => {
      this.#end();
    });
    this.#begunAt = this.#res.getWriteOffset();
    this.#res.onWritable(() => this.#pump());
    this.#pump();
  }

  /** One timer of the process goes through all that wait for their client. */
  static startRetrying(): NodeJS.Timeout {
    return setInterval(() => {
      const now = performance.now();
      for (const sender of BodySender.#stalled) sender.#retry(now);
    }, RETRY_MS).unref();
  }

  /**
   * Whether everything that was tried was taken: what `onWritable` is to answer.
   *
   * A body that cannot be read on resets its connection: a throw would end the process (pitfall A1), and a clean end
   * would be a lie (contract §6).
   */
  #pump(): boolean {
    try {
      return this.#sendTurn();
    } catch {
      setImmediate(() => {
        // Fires `onAborted`, which ends this.
        if (!this.#ended) this.#res.close();
      });
      return false;
    }
  }

  #sendTurn(): boolean {
    const turnEnds = this.#offset() + TURN_BYTES;
    for (;;) {
      const offset = this.#offset();
      if (offset >= turnEnds) {
        this.#goOnInNextTurn();
        return true;
      }
      const [taken, done] = this.#res.tryEnd(this.#body.from(offset), this.#body.byteLength);
      if (done) {
        this.#end();
        return true;
      }
      if (!taken) {
        BodySender.#stalled.add(this);
        return false;
      }
    }
  }

  #goOnInNextTurn(): void {
    setImmediate(() => {
      if (this.#ended) return;
      this.#res.cork(() => {
        this.#pump();
      });
    });
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
    BodySender.#underWay -= 1;
    BodySender.#stalled.delete(this);
    this.#onEnd();
  }
}
