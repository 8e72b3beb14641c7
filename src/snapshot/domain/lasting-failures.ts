/** When failures that last are to be said: each when it begins, and once an hour as long as it comes again. */
import type { Clock } from './clock.js';

const AGAIN_MS = 60 * 60 * 1000;

/** A store can fail in ever new words: the failure that was said longest ago is forgotten. */
const FAILURES_MAX = 100;

export class LastingFailures {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  /** When each was said last. */
  readonly #saidAt = new Map<string, number>();

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock;
  }

  /** Records that something has failed, and answers whether that is to be said now. */
  isDue(failure: string): boolean {
    const now = this.#clock.elapsedMs();
    const saidAt = this.#saidAt.get(failure) ?? -Infinity;
    if (now - saidAt < AGAIN_MS) return false;
    this.#saidAt.delete(failure);
    this.#saidAt.set(failure, now);
    const [oldest] = this.#saidAt.keys();
    if (oldest !== undefined && this.#saidAt.size > FAILURES_MAX) this.#saidAt.delete(oldest);
    return true;
  }

  /** All of it is over; answers whether there was anything, so that its end is to be said. */
  end(): boolean {
    const isOver = this.#saidAt.size > 0;
    this.#saidAt.clear();
    return isOver;
  }
}
