/** Statistics of measured numbers: percentiles of latencies, medians over rounds. */

export const PERCENTILES = [50, 95, 99, 99.9] as const;
export type Percentile = (typeof PERCENTILES)[number];

/** Latencies in milliseconds by percentile, for percentiles with enough answers beyond them. */
export type Percentiles = Readonly<Partial<Record<Percentile, number>>>;

/**
 * A percentile is stated when at least this many answers were slower: p99 from 1,000 answers on, p99.9 from 10,000 on.
 */
const BEYOND_MIN = 10;

/** Whether a number of answers is enough for a percentile. */
export function isStated(percentile: Percentile, answers: number): boolean {
  return answers * (100 - percentile) >= 100 * BEYOND_MIN - 1e-6;
}

/** Percentiles of latencies, as far as there are enough of them. */
export function percentilesOf(latenciesMs: ArrayLike<number>): Percentiles {
  const sorted = Float64Array.from(latenciesMs).sort();
  const entries = PERCENTILES.filter((one) => isStated(one, sorted.length)).map((one) => {
    return [one, quantileOfSorted(sorted, one / 100)];
  });
  return Object.fromEntries(entries) as Percentiles;
}

/** The medians of rounds, of each percentile that every round states. */
export function medianPercentiles(rounds: readonly Percentiles[]): Percentiles {
  const entries = PERCENTILES.flatMap((one) => {
    const own = rounds.flatMap((round) => round[one] ?? []);
    const isComplete = own.length > 0 && own.length === rounds.length;
    return isComplete ? [[one, spreadOf(own).median]] : [];
  });
  return Object.fromEntries(entries) as Percentiles;
}

/** The value that a share `quantile` (0 to 1) of all does not exceed; NaN without any. */
export function quantileOf(values: ArrayLike<number>, quantile: number): number {
  return quantileOfSorted(Float64Array.from(values).sort(), quantile);
}

function quantileOfSorted(sorted: Float64Array, quantile: number): number {
  return sorted[Math.max(0, Math.ceil(quantile * sorted.length - 1e-9) - 1)] ?? Number.NaN;
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
