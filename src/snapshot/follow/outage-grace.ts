/** How long the last verified copy may still be served while the store cannot be reached (`docs/operations.md, "Store outages"`). */
import type { Clock } from '../domain/clock.js';

/** Counts down from the last contact: by the monotonic clock within a run, by the wall clock from one run to the next. */
export class Grace {
  readonly #graceMs: number;
  readonly #clock: Clock;
  /** On the monotonic clock; may lie before this run began. */
  #contactAt: number;

  /** `lastContactMs`: epoch milliseconds, UTC, from an earlier run. */
  constructor(options: {
    readonly graceMs: number;
    readonly clock: Clock;
    readonly lastContactMs: number | undefined;
  }) {
    this.#graceMs = options.graceMs;
    this.#clock = options.clock;
    // A contact in the future means that the wall clock was set back: then it counts from now.
    const ageMs =
      options.lastContactMs === undefined
        ? Infinity
        : Math.max(0, options.clock.wallMs() - options.lastContactMs);
    this.#contactAt = options.clock.elapsedMs() - ageMs;
  }

  /** The store has answered. */
  renew(): void {
    this.#contactAt = this.#clock.elapsedMs();
  }

  /** Not above zero: over. */
  leftMs(): number {
    return this.#graceMs - (this.#clock.elapsedMs() - this.#contactAt);
  }

  /** Epoch milliseconds, UTC, of the last contact; -Infinity where there was none. */
  lastContactMs(): number {
    return this.#clock.wallMs() - (this.#clock.elapsedMs() - this.#contactAt);
  }
}
