/** Delays before failed operations are retried. */

export interface Delays {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The delay in milliseconds after `before` earlier failures: each doubles it, up to the longest delay. */
export function doubledDelay(before: number, { firstMs, longestMs }: Delays): number {
  return Math.min(longestMs, firstMs * 2 ** before);
}

export class BackOff {
  readonly #delays: Delays;
  failures = 0;

  constructor(delays: Delays) {
    this.#delays = delays;
  }

  /** Counts a failure. @returns the milliseconds until the next attempt. */
  fail(): number {
    const delayMs = doubledDelay(this.failures, this.#delays);
    this.failures += 1;
    return delayMs;
  }

  succeed(): void {
    this.failures = 0;
  }
}
