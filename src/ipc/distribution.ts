/** Distributions of durations as a front counts them: plain numbers, which the supervisor makes histograms of. */

/**
 * Upper bounds of the buckets, in seconds. A finished answer takes 30 µs, a page that has to be rendered 15 ms, an export
 * or a full stream tens of milliseconds to minutes, as the client reads.
 */
export const ANSWER_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60,
] as const;

/** For a job's time in the queue and in a thread: a client waits for 15 s at most. */
export const JOB_BUCKETS = [
  0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15,
] as const;

/** For delays of the event loop: most are below the first. */
export const DELAY_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const;

/** How often each bucket was met, how often a longer duration than all of them was, and the sum in seconds. */
export type DistributionCells = readonly number[];

/** Counts durations; a message carries its cells. */
export class Distribution {
  readonly #buckets: readonly number[];
  readonly #cells: number[];

  constructor(buckets: readonly number[]) {
    this.#buckets = buckets;
    this.#cells = Array.from({ length: buckets.length + 2 }, () => 0);
  }

  get cells(): DistributionCells {
    return this.#cells;
  }

  observe(seconds: number): void {
    const buckets = this.#buckets;
    const cells = this.#cells;
    let at = 0;
    // A loop: short durations are the most frequent ones, and meet the first buckets.
    while (at < buckets.length && seconds > (buckets[at] as number)) at += 1;
    cells[at] = (cells[at] as number) + 1;
    cells[buckets.length + 1] = (cells[buckets.length + 1] as number) + seconds;
  }
}
