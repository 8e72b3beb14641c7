/** Sends large bodies at the client's pace without copies, and drops dead clients. */
import type { BodyReading } from '../semantics/answer.js';
import type { HttpResponse } from './uwebsockets.js';

/** Shorter than the library's timeout, which a failed write restarts (docs/dependencies.md, "Ten seconds"). */
const RETRY_MS = 4_000;

/** A client that takes fewer bytes within this time is dropped. */
const STALL_BYTES = 64 * 1024;
const STALL_MS = 60_000;

/** Time limit for the first bytes from a disk or store; then the client gets 503. */
const FIRST_READ_MS = 15_000;

/** Time limit of a client: a minute, plus the body's time at 16 kB/s; a slower one would hold a snapshot for hours. */
const DEADLINE_MS = 60_000;
const LEAST_BYTES_PER_MS = 16;

/** Time slice for all bodies in one iteration of the event loop, and for all new bodies between two iterations. */
const SLICE_MS = 1;

/** A body that has sent this much ends its slice. */
const ENOUGH_BYTES = 512 * 1024;

/** Least length that a chunk counts as, so that short chunks do not make too many calls in a slice. */
const LEAST_CHUNK_BYTES = 4 * 1024;

/** Bytes that a new body sends at once when the slice for new bodies is over. */
const FIRST_BYTES = 16 * 1024;

/** A byte that never reaches the client: the library accepts it only when all other bytes are out. */
const PROBE = new Uint8Array(1);

/** How a body has ended. */
export type BodyEnd = 'sent' | 'client_gone' | 'too_slow' | 'unreadable' | 'revoked';

export interface BodyOptions {
  /** Whether the connection is closed after the body. */
  readonly closes: boolean;
  /** Writes status and header fields, once and together with the first bytes: a head alone states no length. */
  readonly writeHead: () => void;
  /** Called once; without a head it is called in a cork, and sends another answer if the client is connected. */
  readonly onEnd: (end: BodyEnd, hasHead: boolean) => void;
}

/** Sends one answer; its head is sent with the first bytes of its body. */
export class BodySender {
  static readonly #stalled = new Set<BodySender>();
  /** Senders whose client can take more, in order. */
  static readonly #queue = new Set<BodySender>();
  static #isSliceDue = false;
  /** End of the slice in which new bodies send their first chunks at once. */
  static #newUntil = 0;

  readonly #res: HttpResponse;
  readonly #body: BodyReading;
  readonly #options: BodyOptions;
  #hasHead = false;
  #begunAt = 0;
  #deadlineAt = Infinity;
  #checkedAt = performance.now();
  #checkedOffset = 0;
  #ended = false;

  constructor(res: HttpResponse, body: BodyReading, options: BodyOptions) {
    this.#res = res;
    this.#body = body;
    this.#options = options;
  }

  /** Called in a cork. @param startOffset write offset of the first byte, if the head and the first bytes are sent. */
  begin(startOffset?: number): void {
    this.#deadlineAt = performance.now() + DEADLINE_MS + this.#body.byteLength / LEAST_BYTES_PER_MS;
    this.#res.onAborted(() => {
      this.#end('client_gone');
    });
    this.#hasHead = startOffset !== undefined;
    this.#begunAt = startOffset ?? this.#res.getWriteOffset();
    if (this.#hasHead) BodySender.#stalled.add(this);
    else this.#sendOn();
    // Most bodies are sent by their first chunk.
    if (!this.#ended) this.#res.onWritable(() => this.#sendOn());
  }

  ready(): void {
    if (!this.#ended) this.#enqueue();
  }

  /** Called when the snapshot of the body is withdrawn: closes the body soon. */
  revoke(): void {
    this.#closeSoon('revoked');
  }

  /** One timer of the process retries all bodies. */
  static startRetrying(): NodeJS.Timeout {
    return setInterval(() => {
      const now = performance.now();
      for (const sender of BodySender.#stalled) sender.#retry(now);
    }, RETRY_MS).unref();
  }

  /** @returns whether the bytes were taken, or will be retried soon, as `onWritable` expects it. */
  #sendOn(): boolean {
    const isFirst = this.#offset() === 0;
    BodySender.#callSlice();
    if (isFirst) {
      return this.#sendChunks(performance.now() < BodySender.#newUntil ? Infinity : FIRST_BYTES);
    }
    // A finished body is queued, since the probe must be in a cork.
    const isOut = this.#offset() === this.#body.byteLength;
    if (BodySender.#queue.size === 0 && !isOut) return this.#sendChunks();
    this.#enqueue();
    return true;
  }

  /**
   * Sends chunks up to the limit, and queues the body again if the client took them. A body that becomes unreadable is
   * cut off: a throw would end the process, and a clean end would make the body look whole.
   */
  #sendChunks(limitBytes = Infinity): boolean {
    try {
      const { byteLength } = this.#body;
      if (this.#offset() === byteLength) return this.#closeWhenOut();
      const enough = Math.min(limitBytes, ENOUGH_BYTES);
      let sent = 0;
      while (sent < enough && this.#offset() < byteLength) {
        const statesLength = this.#options.closes && this.#offset() === 0;
        const chunk = this.#body.from(this.#offset())?.subarray(0, statesLength ? 1 : limitBytes);
        if (chunk === undefined) {
          BodySender.#stalled.add(this);
          return true;
        }
        if (!this.#hasHead) {
          this.#hasHead = true;
          this.#options.writeHead();
        }
        const [taken, done] = this.#tryEnd(chunk, statesLength);
        if (done) this.#end('sent');
        if (this.#ended) return true;
        if (!taken) {
          BodySender.#stalled.add(this);
          return false;
        }
        sent += Math.max(chunk.byteLength, LEAST_CHUNK_BYTES);
      }
      this.#enqueue();
      return true;
    } catch {
      this.#closeSoon('unreadable');
      return false;
    }
  }

  /**
   * Sends a chunk. If the connection is to be closed, the first call states the true length, and later calls give the
   * library one that is two bytes larger, since it keeps the connection of a whole answer.
   */
  #tryEnd(chunk: Uint8Array, statesLength: boolean): [taken: boolean, done: boolean] {
    const { byteLength } = this.#body;
    if (statesLength && byteLength === 1) {
      this.#res.end(chunk, true);
      return [true, true];
    }
    return this.#res.tryEnd(
      chunk,
      this.#options.closes && !statesLength ? byteLength + 2 : byteLength,
    );
  }

  /** Closes in a later iteration than the last send: the library accepts the probe only when all bytes are out. */
  #closeWhenOut(): boolean {
    const [isOut] = this.#tryEnd(PROBE, false);
    if (isOut) this.#close('sent');
    else BodySender.#stalled.add(this);
    return isOut;
  }

  #enqueue(): void {
    BodySender.#stalled.delete(this);
    BodySender.#queue.add(this);
    BodySender.#callSlice();
  }

  static #callSlice(): void {
    if (BodySender.#isSliceDue) return;
    BodySender.#isSliceDue = true;
    BodySender.#newUntil = performance.now() + SLICE_MS;
    setImmediate(() => {
      BodySender.#isSliceDue = false;
      BodySender.#runSlice();
    });
  }

  /** Sends chunks of each waiting body in turn until the slice is over. */
  static #runSlice(): void {
    const endsAt = performance.now() + SLICE_MS;
    for (const sender of BodySender.#queue) {
      BodySender.#queue.delete(sender);
      sender.#res.cork(() => {
        sender.#sendChunks();
      });
      if (performance.now() >= endsAt) break;
    }
    if (BodySender.#queue.size > 0) BodySender.#callSlice();
  }

  #retry(now: number): void {
    const offset = this.#offset();
    if (offset - this.#checkedOffset >= STALL_BYTES) {
      this.#checkedAt = now;
      this.#checkedOffset = offset;
    }
    const stalledMs = now - this.#checkedAt;
    if (!this.#hasHead && stalledMs > FIRST_READ_MS) this.#close('unreadable');
    else if (now > this.#deadlineAt || stalledMs > STALL_MS) this.#close('too_slow');
    else this.#enqueue();
  }

  /** Closes in a later iteration: neither within a cork nor within a call of the library. */
  #closeSoon(end: BodyEnd): void {
    setImmediate(() => {
      this.#close(end);
    });
  }

  #close(end: BodyEnd): void {
    if (this.#ended) return;
    if (this.#hasHead) {
      this.#end(end);
      this.#res.close();
    } else {
      this.#res.cork(() => {
        this.#end(end);
      });
    }
  }

  #offset(): number {
    return this.#res.getWriteOffset() - this.#begunAt;
  }

  #end(end: BodyEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    BodySender.#stalled.delete(this);
    BodySender.#queue.delete(this);
    this.#options.onEnd(end, this.#hasHead);
  }
}
