/** How long the last verified copy may still be served while the store cannot be reached (`docs/operations.md, "Store outages"`). */
import type { Clock } from '../domain/clock.js';

/** Counts down from the store's last answer: by the monotonic clock within a run, by the wall clock from one run to the next. */
export class OutageGrace {
  readonly #graceMs: number;
  readonly #clock: Clock;
  /** On the monotonic clock; may lie before this run began. */
  #answeredAt: number;

  /** `lastAnswerMs`: epoch milliseconds, UTC, from an earlier run. */
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

  /** Not above zero: over. */
  leftMs(): number {
    return this.#graceMs - (this.#clock.elapsedMs() - this.#answeredAt);
  }

  /** Epoch milliseconds, UTC, of the last answer; -Infinity where there was none. */
  lastAnswerMs(): number {
    return this.#clock.wallMs() - (this.#clock.elapsedMs() - this.#answeredAt);
  }
}
