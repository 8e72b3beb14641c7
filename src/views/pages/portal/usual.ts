/**
 * What is usual at a station: where a value stands among the other hours of the longest window, and among the same hour of
 * the clock on its other days. It compares measurements with measurements, and judges nothing.
 */
import { scaleQuantile } from 'd3-scale';
import { DAY_HOURS, localHours } from './clock.js';
import type { Formatters } from './formatters.js';
import type { HourlyValue, StationSeries } from './portal-model.js';

/** Fewer other values than a day's hours, or a week's days, say nothing of what is usual. */
const OTHER_HOURS_MIN = 24;
const OTHER_DAYS_MIN = 7;

const TENTHS = Array.from({ length: 10 }, (_, tenth) => tenth);

/** Of 10 hours, 8 are between the two. */
export type UsualRange = readonly [low: number, high: number];

/** How a value compares with others, and with how many percent of them, rounded down. */
export interface Standing {
  readonly side: 'highest' | 'lowest' | 'higher' | 'lower' | 'same';
  readonly percent: number;
}

/** Undefined among too few. */
function standingAmong(
  value: number,
  others: readonly number[],
  { least }: { readonly least: number },
): Standing | undefined {
  if (others.length < least) return undefined;
  const percentOf = (count: number): number => Math.floor((count * 100) / others.length);
  const lower = others.filter((one) => one < value).length;
  const higher = others.filter((one) => one > value).length;
  const same = others.length - lower - higher;
  if (lower === others.length) return { side: 'highest', percent: 100 };
  if (higher === others.length) return { side: 'lowest', percent: 100 };
  if (same > Math.max(lower, higher)) return { side: 'same', percent: percentOf(same) };
  return lower >= higher
    ? { side: 'higher', percent: percentOf(lower) }
    : { side: 'lower', percent: percentOf(higher) };
}

type Hours = Pick<StationSeries, 'points' | 'interval'>;

/**
 * The 10th and the 90th percentile at each hour of the clock, 0 to 23, interpolated between the two nearest values (the
 * method of NumPy and of R's type 7); undefined at an hour that has a value on too few days.
 */
export function usualRanges(
  hours: Hours,
  format: Pick<Formatters, 'local'>,
): readonly (UsualRange | undefined)[] {
  return byClockHour(hours, format).map((days) => {
    if (days.length <= OTHER_DAYS_MIN) return undefined;
    const limits = scaleQuantile<number>(
      days.map(({ value }) => value),
      TENTHS,
    ).quantiles();
    const [low, high] = [limits.at(0), limits.at(-1)];
    return low === undefined || high === undefined ? undefined : [low, high];
  });
}

/** Of hours of which it is known what is usual, how many are above and how many below it. */
export function outsideUsual(
  points: readonly HourlyValue[],
  usual: readonly (UsualRange | undefined)[],
  format: Pick<Formatters, 'local'>,
) {
  const sides = points.flatMap(({ hour, value }) => {
    const range = usual[format.local(hour).clockHour];
    return range === undefined ? [] : Number(value > range[1]) - Number(value < range[0]);
  });
  return {
    hours: sides.length,
    above: sides.filter((side) => side > 0).length,
    below: sides.filter((side) => side < 0).length,
  };
}

/** How the value of one hour compares with all other hours, and with the same hour of the other days. */
export function standingsOf(
  { hour, value }: HourlyValue,
  hours: Hours,
  format: Pick<Formatters, 'local'>,
) {
  const { clockHour, day } = format.local(hour);
  const otherHours = hours.points.filter((one) => one.hour !== hour);
  // A day on which the clock shows the hour twice is not another one for either of them.
  const otherDays = (byClockHour(hours, format)[clockHour] ?? []).filter(
    (one) => format.local(one.hour).day !== day,
  );
  const valuesOf = (points: readonly HourlyValue[]) => points.map((one) => one.value);
  return {
    amongHours: standingAmong(value, valuesOf(otherHours), { least: OTHER_HOURS_MIN }),
    amongDays: standingAmong(value, valuesOf(otherDays), { least: OTHER_DAYS_MIN }),
  };
}

function byClockHour(
  { points, interval }: Hours,
  format: Pick<Formatters, 'local'>,
): readonly (readonly HourlyValue[])[] {
  const groups = Array.from({ length: DAY_HOURS }, (): HourlyValue[] => []);
  const values = new Map(points.map((point) => [point.hour, point]));
  for (const { hour, clockHour } of localHours(interval, format)) {
    const point = values.get(hour);
    if (point !== undefined) groups[clockHour]?.push(point);
  }
  return groups;
}
