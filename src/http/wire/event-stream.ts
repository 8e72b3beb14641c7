/** One client of a feed, without a buffer of its own. */
import type { Feed, Listener } from '../semantics/answer.js';
import type { HttpResponse } from './uwebsockets.js';

/** Ends each message: Varnish passes a chunk on only with the next one. Listeners ignore it (WHATWG HTML §9.2.6). */
const EMPTY_LINE = Buffer.from('\n');

/**
 * Writes events to a client.
 *
 * The library buffers and sends what the socket does not take at once. A client that does not take two messages in a
 * row is closed at the second one, or by the library ten seconds after the last byte that it has taken.
 */
export class EventStream implements Listener {
  readonly #res: HttpResponse;
  readonly #onEnd: (bytes: number) => void;
  #bytes = 0;
  #isBehind = false;
  #hasEnded = false;

  /** @param onEnd called once, with the number of bytes written, when the client is gone or the feed has ended. */
  constructor(res: HttpResponse, onEnd: (bytes: number) => void) {
    this.#res = res;
    this.#onEnd = onEnd;
  }

  /** Called after the head, in the same cork. */
  begin(feed: Feed, lastEventId: string): void {
    this.#res.onAborted(() => {
      feed.leave(this);
      this.#finish();
    });
    feed.join(this, lastEventId);
  }

  /** Not called within another response's handler. */
  write(message: Uint8Array): void {
    if (this.#hasEnded) return;
    this.#bytes += message.byteLength + EMPTY_LINE.byteLength;
    const wasBehind = this.#isBehind;
    this.#res.cork(() => {
      this.#res.write(message);
      this.#isBehind = !this.#res.write(EMPTY_LINE);
    });
    // Calls the abort handler.
    if (wasBehind && this.#isBehind) this.#res.close();
  }

  end(): void {
    if (this.#hasEnded) return;
    this.#finish();
    this.#res.cork(() => {
      // If told to close the connection, the library would write a header field into the last chunk.
      this.#res.end();
    });
  }

  #finish(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#onEnd(this.#bytes);
  }
}
