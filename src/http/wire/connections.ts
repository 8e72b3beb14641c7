/** Takes connections up to a limit: a process that may open no more files would try to accept the next one for ever. */
import { clientOf } from '../semantics/client-address.js';
import { hasPlace } from '../semantics/fair-share.js';
import { addressOf, type HttpResponse } from './uwebsockets.js';

/** As long as the library keeps a connection on which nothing is requested (docs/dependencies.md, "Connections"). */
const IDLE_MS = 10_000;

/**
 * Counts connections, and closes at once those that have no place.
 *
 * The library does not tell whose connection has ended, so a client is counted by the connections that it has opened
 * lately: idle ones do not last longer.
 */
export class Connections {
  readonly #max: number;
  readonly #onRefused: () => void;
  #open = 0;
  #opened = new Map<string, number>();
  #openedBefore = new Map<string, number>();
  #since = performance.now();

  constructor(options: { readonly max: number; readonly onRefused: () => void }) {
    this.#max = options.max;
    this.#onRefused = options.onRefused;
  }

  /** Connections that are open. */
  get open(): number {
    return this.#open;
  }

  /** To be called for each connection: with 1 when it begins, and with -1 when it has ended. */
  onChange(res: HttpResponse, change: number): void {
    this.#open += change;
    if (change < 0) return;
    const client = clientOf({
      socketAddress: addressOf(res),
      forwardedFor: '',
      trustProxy: false,
    });
    const held = this.#openedLately(client);
    if (hasPlace({ max: this.#max, taken: this.#open - 1, held })) {
      this.#opened.set(client, (this.#opened.get(client) ?? 0) + 1);
      return;
    }
    this.#onRefused();
    // Calls `onChange` again, with -1.
    res.close();
  }

  /** Within ten seconds at least, and within twenty at most. */
  #openedLately(client: string): number {
    const now = performance.now();
    const pastMs = now - this.#since;
    if (pastMs >= IDLE_MS) {
      this.#openedBefore = pastMs < 2 * IDLE_MS ? this.#opened : new Map<string, number>();
      this.#opened = new Map<string, number>();
      this.#since = now;
    }
    return (this.#opened.get(client) ?? 0) + (this.#openedBefore.get(client) ?? 0);
  }
}
