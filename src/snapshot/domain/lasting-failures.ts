/** Decides when lasting failures are reported: at their beginning, and once an hour. */
import type { Clock } from './clock.js';

const AGAIN_MS = 60 * 60 * 1000;

/** Limit of stored failures, since messages can vary without end; the one reported longest ago is dropped. */
const FAILURES_MAX = 100;

export class LastingFailures {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #saidAt = new Map<string, number>();

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock;
  }

  /** Records a failure. @returns whether to report it now. */
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

  /** Ends all failures. @returns whether there were any, so that the end is reported. */
  end(): boolean {
    const isOver = this.#saidAt.size > 0;
    this.#saidAt.clear();
    return isOver;
  }
}
