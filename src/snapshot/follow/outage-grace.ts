/** How long the last verified copy may still be served while the store cannot be reached (`docs/operations.md, "Store outages"`). */
import type { Clock } from '../domain/clock.js';

/** Counts down from the store's last answer: by the monotonic clock within one process, by the wall clock across a restart. */
export class OutageGrace {
  readonly #graceMs: number;
  readonly #clock: Clock;
  /** On the monotonic clock; may lie before the start of this process. */
  #answeredAt: number;

  /** `lastAnswerMs`: epoch milliseconds, UTC, as an earlier process stored it. */
  constructor(options: {
    readonly graceMs: number;
    readonly clock: Clock;
    readonly lastAnswerMs: number | undefined;
  }) {
    this.#graceMs = options.graceMs;
    this.#clock = options.clock;
    // An answer in the future means that the wall clock was set back: then it counts from now.
    const ageMs =
      options.lastAnswerMs === undefined
        ? Infinity
        : Math.max(0, options.clock.wallMs() - options.lastAnswerMs);
    this.#answeredAt = options.clock.elapsedMs() - ageMs;
  }

  /** The store has answered. */
  renew(): void {
    this.#answeredAt = this.#clock.elapsedMs();
  }

  /** Milliseconds that are left; the grace is over at zero and below. */
  leftMs(): number {
    return this.#graceMs - (this.#clock.elapsedMs() - this.#answeredAt);
  }

  /** Epoch milliseconds, UTC, of the last answer; -Infinity where there was none. */
  lastAnswerMs(): number {
    return this.#clock.wallMs() - (this.#clock.elapsedMs() - this.#answeredAt);
  }
}
