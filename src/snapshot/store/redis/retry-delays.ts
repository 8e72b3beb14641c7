/** Delays between attempts to reach a server: doubled each time, with a random part, so that instances do not come back all at once. */

const FIRST_MS = 100;
const LONGEST_MS = 5000;

export class RetryDelays {
  #failures = 0;

  /** The delay after one more failure: 50 to 100 ms at first, 2.5 to 5 s at last. */
  next(): number {
    const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#failures);
    this.#failures += 1;
    return longest * (0.5 + Math.random() / 2);
  }

  reset(): void {
    this.#failures = 0;
  }
}
