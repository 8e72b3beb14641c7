/** Sends a body that no socket takes at once: nothing is copied, the client's pace is the pace, a dead one is dropped. */
import type { HttpResponse } from './uwebsockets.js';
import type { BodyReading } from '../semantics/answer.js';

/** A failed write re-arms the library's ten seconds (pitfall A8), so it is tried more often than that. */
const RETRY_MS = 4_000;

/** A client that takes less than this in a minute is gone. */
const STALL_BYTES = 64 * 1024;
const STALL_MS = 60_000;

/** What all bodies together take of one turn of the event loop: so long do others wait for them. */
const TURN_MS = 1;

/** What a new body sends at once while others wait for their turn. */
const FIRST_BYTES = 16 * 1024;

/** One answer's body on its way out. */
export class BodySender {
  static readonly #stalled = new Set<BodySender>();
  /** Those whose client would take more, in the order in which they get their turn. */
  static readonly #queue = new Set<BodySender>();
  static #isTurnDue = false;
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
    this.#res.onWritable(() => this.#sendOn());
    this.#sendOn();
  }

  /** One timer of the process goes through all that wait for their client. */
  static startRetrying(): NodeJS.Timeout {
    return setInterval(() => {
      const now = performance.now();
      for (const sender of BodySender.#stalled) sender.#retry(now);
    }, RETRY_MS).unref();
  }

  /** Whether what was tried was taken, or will be tried soon: what `onWritable` is to answer. */
  #sendOn(): boolean {
    const isFirst = this.#offset() === 0;
    if (BodySender.#queue.size === 0) return this.#sendPiece();
    if (isFirst) return this.#sendPiece(FIRST_BYTES);
    this.#enqueue();
    return true;
  }

  /**
   * Sends one piece, and asks for another turn where the client took it.
   *
   * A body that cannot be read on resets its connection: a throw would end the process (pitfall A1), and a clean end
   * would be a lie (contract §6).
   */
  #sendPiece(limitBytes = Infinity): boolean {
    try {
      const piece = this.#body.from(this.#offset()).subarray(0, limitBytes);
      const [taken, done] = this.#res.tryEnd(piece, this.#body.byteLength);
      if (done) this.#end();
      else if (taken) this.#enqueue();
      else BodySender.#stalled.add(this);
      return taken || done;
    } catch {
      setImmediate(() => {
        // Fires `onAborted`, which ends this.
        if (!this.#ended) this.#res.close();
      });
      return false;
    }
  }

  #enqueue(): void {
    BodySender.#stalled.delete(this);
    BodySender.#queue.add(this);
    BodySender.#callTurn();
  }

  static #callTurn(): void {
    if (BodySender.#isTurnDue) return;
    BodySender.#isTurnDue = true;
    setImmediate(() => {
      BodySender.#isTurnDue = false;
      BodySender.#runTurn();
    });
  }

  /** Piece by piece round all that wait, however many they are; what is left over waits for the next turn. */
  static #runTurn(): void {
    const endsAt = performance.now() + TURN_MS;
    for (const sender of BodySender.#queue) {
      BodySender.#queue.delete(sender);
      sender.#res.cork(() => {
        sender.#sendPiece();
      });
      if (performance.now() >= endsAt) break;
    }
    if (BodySender.#queue.size > 0) BodySender.#callTurn();
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
    this.#enqueue();
  }

  #offset(): number {
    return this.#res.getWriteOffset() - this.#begunAt;
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    BodySender.#underWay -= 1;
    BodySender.#stalled.delete(this);
    BodySender.#queue.delete(this);
    this.#onEnd();
  }
}
