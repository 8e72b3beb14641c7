/** Statistics of measured numbers: percentiles of latencies, medians over rounds. */

/** Buckets of a power of two: a latency is known to within 1/64, about 1.6 %. */
const STEPS = 64;
const OCTAVES = 32;

/** Latencies in microseconds, in buckets that grow with the value (as HDR histograms do). */
export class Latencies {
  readonly #counts = new Float64Array(OCTAVES * STEPS);
  #maxUs = 0;
  #total = 0;

  record(microseconds: number): void {
    const at = bucketOf(microseconds);
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#total += 1;
    if (microseconds > this.#maxUs) this.#maxUs = microseconds;
  }

  /** The value that a share `quantile` (0 to 1) of all does not exceed, in microseconds; NaN without any. */
  quantile(quantile: number): number {
    if (this.#total === 0) return Number.NaN;
    let left = Math.max(1, Math.ceil(quantile * this.#total));
    for (const [at, count] of this.#counts.entries()) {
      left -= count;
      if (left <= 0) return Math.min(upperEdge(at), this.#maxUs);
    }
    return this.#maxUs;
  }
}

/** Below `STEPS` a bucket is a microsecond wide; every doubling after that has `STEPS` buckets. */
function bucketOf(microseconds: number): number {
  const value = Math.max(0, Math.ceil(microseconds));
  if (value < STEPS) return value;
  const octave = 31 - Math.clz32(value) - Math.log2(STEPS);
  const at = (octave + 1) * STEPS + (Math.floor(value / 2 ** octave) - STEPS);
  return Math.min(at, OCTAVES * STEPS - 1);
}

/** The largest whole number of microseconds that falls into the bucket. */
function upperEdge(at: number): number {
  if (at < STEPS) return at;
  const octave = Math.floor(at / STEPS) - 1;
  return ((at % STEPS) + STEPS + 1) * 2 ** octave - 1;
}

/** The same by sorting, for a few thousand values that are kept one by one; NaN without any. */
export function quantileOf(values: readonly number[], quantile: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(quantile * sorted.length) - 1)] ?? Number.NaN;
}

/** One figure over several rounds. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Median, smallest and largest; the median of an even number is the mean of the middle two. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const low = sorted[Math.floor(middle)] ?? Number.NaN;
  const high = sorted[Math.ceil(middle)] ?? Number.NaN;
  return {
    median: (low + high) / 2,
    min: sorted[0] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
  };
}
