/** One client of a feed, without its own buffer. */
import type { Feed, Listener } from '../semantics/answer.js';
import type { HttpResponse } from './uwebsockets.js';

/**
 * An extra chunk after each message: Varnish forwards a chunk only when the next one arrives. Clients ignore the empty
 * line (WHATWG HTML §9.2.6).
 */
const EMPTY_LINE = Buffer.from('\n');

/**
 * Writes events to a client. The library buffers bytes that the socket does not take at once. A client that is still
 * behind after two consecutive messages is closed when the second is written; the library also closes a client that has
 * taken no byte for ten seconds.
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

  /** Must be called after the head is written, in the same cork. */
  begin(feed: Feed, lastEventId: string): void {
    this.#res.onAborted(() => {
      feed.leave(this);
      this.#finish();
    });
    feed.join(this, lastEventId);
  }

  /** Must not be called within the handler of another response. */
  write(message: Uint8Array): void {
    if (this.#hasEnded) return;
    this.#bytes += message.byteLength + EMPTY_LINE.byteLength;
    const wasBehind = this.#isBehind;
    this.#res.cork(() => {
      this.#res.write(message);
      this.#isBehind = !this.#res.write(EMPTY_LINE);
    });
    // `close` calls the abort handler.
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
