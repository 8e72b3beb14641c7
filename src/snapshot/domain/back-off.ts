/** The delay before something that has failed is tried again. */

export interface Delays {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The delay in milliseconds, doubled with each of the failures that came before, up to the longest one. */
export function doubledDelay(before: number, { firstMs, longestMs }: Delays): number {
  return Math.min(longestMs, firstMs * 2 ** before);
}

/** Counts failures in a row. */
export class BackOff {
  readonly #delays: Delays;
  /** Failures since the last success. */
  failures = 0;

  constructor(delays: Delays) {
    this.#delays = delays;
  }

  /** Counts one more failure; answers the milliseconds until the next attempt. */
  fail(): number {
    const delayMs = doubledDelay(this.failures, this.#delays);
    this.failures += 1;
    return delayMs;
  }

  succeed(): void {
    this.failures = 0;
  }
}
