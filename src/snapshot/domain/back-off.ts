/** The delay before something that has failed is tried again. */

/** Counts failures in a row: the delay doubles with each of them, up to the longest one. */
export class BackOff {
  readonly #firstMs: number;
  readonly #longestMs: number;
  /** Failures since the last success. */
  failures = 0;

  constructor({ firstMs, longestMs }: { readonly firstMs: number; readonly longestMs: number }) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
  }

  /** Counts one more failure; answers the milliseconds until the next attempt. */
  fail(): number {
    const delayMs = Math.min(this.#longestMs, this.#firstMs * 2 ** this.failures);
    this.failures += 1;
    return delayMs;
  }

  succeed(): void {
    this.failures = 0;
  }
}
