/** Whether something grows over time: a straight line through samples, with how sure its slope is. */

/** A sample: a time in hours, and a value. */
export type Sample = readonly [hours: number, value: number];

/** Change of the value in an hour. */
export interface Slope {
  readonly perHour: number;
  /** The ends of the interval that holds the true slope with a confidence of 95 %. */
  readonly low: number;
  readonly high: number;
  readonly samples: number;
}

/** Beyond this, neighbouring samples say nothing new. */
const MAX_CORRELATION = 0.95;

/**
 * The slope that several series of samples have in common, by least squares; each series has a level of its own, as a
 * process has after each start.
 *
 * A heap that grows and is collected again makes neighbours alike, which would make the interval too narrow: it is
 * widened by `sqrt((1 + r) / (1 - r))`, r being the correlation of neighbouring residuals.
 *
 * @returns undefined for fewer than three samples more than series.
 */
export function commonSlope(series: readonly (readonly Sample[])[]): Slope | undefined {
  const used = series.filter((samples) => samples.length > 0).map(aroundMean);
  const all = used.flat();
  const degrees = all.length - used.length - 1;
  if (degrees < 2) return undefined;
  const sxx = sum(all.map(([x]) => x * x));
  if (sxx === 0) return undefined;
  const slope = sum(all.map(([x, y]) => x * y)) / sxx;
  const residuals = used.map((samples) => samples.map(([x, y]) => y - slope * x));
  const squares = sum(residuals.flat().map((one) => one * one));
  const neighbours = sum(
    residuals.flatMap((own) => own.slice(1).map((one, at) => one * (own[at] ?? 0))),
  );
  const r = squares === 0 ? 0 : Math.min(MAX_CORRELATION, Math.max(0, neighbours / squares));
  const error = Math.sqrt((squares / degrees / sxx) * ((1 + r) / (1 - r)));
  const half = studentQuantile(degrees) * error;
  return { perHour: slope, low: slope - half, high: slope + half, samples: all.length };
}

function aroundMean(samples: readonly Sample[]): readonly Sample[] {
  const meanX = sum(samples.map(([x]) => x)) / samples.length;
  const meanY = sum(samples.map(([, y]) => y)) / samples.length;
  return samples.map(([x, y]) => [x - meanX, y - meanY]);
}

/** The 97.5 % quantile of Student's distribution: Cornish and Fisher's expansion, to 1 % from three degrees on. */
export function studentQuantile(degrees: number): number {
  const z = 1.959964;
  const n = degrees;
  return (
    z +
    (z ** 3 + z) / (4 * n) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * n ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * n ** 3)
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
