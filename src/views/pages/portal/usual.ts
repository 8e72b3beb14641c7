/**
 * What is usual at a station: where a value stands among the other hours of the longest window, and among the same hour of
 * the clock on its other days. It compares measurements with measurements, and judges nothing.
 */
import { scaleQuantile } from 'd3-scale';
import type { HourInterval } from '../../../snapshot/domain/windows.js';
import { DAY_HOURS, localHours } from './clock.js';
import type { Formatters } from './formatters.js';
import type { HourlyValue, StationSeries } from './portal-model.js';

/** Fewer other values than a day's hours, or a week's days, say nothing of what is usual. */
const OTHER_HOURS_MIN = 24;
const OTHER_DAYS_MIN = 7;

const TENTHS = Array.from({ length: 10 }, (_, tenth) => tenth);

/** Of 10 hours, 8 are between the two. */
export type UsualRange = readonly [low: number, high: number];

/** By hour of the clock; undefined where it is not known. */
export type UsualRanges = readonly (UsualRange | undefined)[];

function countsAmong(value: number, others: readonly number[]) {
  const lower = others.filter((one) => one < value).length;
  const higher = others.filter((one) => one > value).length;
  return { lower, higher, same: others.length - lower - higher };
}

/** On which side of how many percent of all other hours a value is, rounded down, and how many are the same; undefined among too few. */
export function standingOf({ hour, value }: HourlyValue, points: readonly HourlyValue[]) {
  const others = points.flatMap((one) => (one.hour === hour ? [] : one.value));
  if (others.length < OTHER_HOURS_MIN) return undefined;
  const { lower, higher, same } = countsAmong(value, others);
  const [side, count] =
    same > Math.max(lower, higher)
      ? (['same', same] as const)
      : lower >= higher
        ? ([higher === 0 ? 'highest' : 'higher', lower] as const)
        : ([lower === 0 ? 'lowest' : 'lower', higher] as const);
  return { side, percent: Math.floor((count * 100) / others.length), same };
}

type Hours = Pick<StationSeries, 'points' | 'interval'>;

/**
 * The 10th and the 90th percentile at each hour of the clock, 0 to 23, interpolated between the two nearest values (the
 * method of NumPy and of R's type 7); undefined at an hour that has a value on too few days.
 */
export function usualRanges(hours: Hours, format: Pick<Formatters, 'local'>): UsualRanges {
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

/** In each hour of an interval. */
export function usualIn(interval: HourInterval, usual: UsualRanges, format: Formatters) {
  return localHours(interval, format).map(({ clockHour }) => usual[clockHour]);
}

/** Of hours of which it is known what is usual, how many are above and how many below it. */
export function outsideUsual(
  points: readonly HourlyValue[],
  usual: UsualRanges,
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

/**
 * How the value of one hour compares with what is usual then, and with the same hour of how many other days; undefined
 * where nothing is known to be usual.
 */
export function usualStanding(
  { hour, value }: HourlyValue,
  hours: Hours,
  { usual, format }: { readonly usual: UsualRanges; readonly format: Pick<Formatters, 'local'> },
) {
  const { clockHour, day } = format.local(hour);
  const range = usual[clockHour];
  if (range === undefined) return undefined;
  // A day on which the clock shows the hour twice is not another one for either of them.
  const others = (byClockHour(hours, format)[clockHour] ?? [])
    .filter((one) => format.local(one.hour).day !== day)
    .map((one) => one.value);
  const counts = countsAmong(value, others);
  const [low, high] = range;
  const inside = counts.same > Math.max(counts.lower, counts.higher) ? 'same' : 'usual';
  const side = value > high ? 'higher' : value < low ? 'lower' : inside;
  const ends = [Math.min(value, low, ...others), Math.max(value, high, ...others)] as const;
  return { ...counts, side, days: others.length, range, ends } as const;
}

/** For how many hours the value has risen without a pause until this one; negative where it has fallen. */
export function trendHours({ hour }: HourlyValue, points: readonly HourlyValue[]): number {
  const values = new Map(points.map((point) => [point.hour, point.value]));
  const stepAt = (at: number): number =>
    Math.sign((values.get(at) ?? NaN) - (values.get(at - 1) ?? NaN)) || 0;
  const step = stepAt(hour);
  let steps = 0;
  while (step !== 0 && stepAt(hour - steps) === step) steps += 1;
  return step * steps;
}

/**
 * The clock hours that are usually the lowest and the highest, such as `05–07`, several where they are equal: by the means
 * of each two hours, to the digits that means are written with. Undefined where an hour has too few days, and where no
 * two hours stand out.
 */
export function dailyCourse(hours: Hours, format: Pick<Formatters, 'local' | 'roundedMean'>) {
  const groups = byClockHour(hours, format);
  if (groups.some((days) => days.length < OTHER_DAYS_MIN)) return undefined;
  const means = groups.map((days, at) =>
    format.roundedMean(
      [...days, ...(groups[(at + 1) % DAY_HOURS] ?? [])].map(({ value }) => value),
    ),
  );
  const lowest = clockSpans(means, Math.min(...means));
  const highest = clockSpans(means, Math.max(...means));
  return lowest === undefined || highest === undefined ? undefined : { lowest, highest };
}

/** The hours of all pairs whose mean is the given one; undefined where these are in more than two places, or everywhere. */
function clockSpans(means: readonly number[], mean: number): string | undefined {
  const isIn = (hour: number): boolean =>
    means[hour % DAY_HOURS] === mean || means[(hour + DAY_HOURS - 1) % DAY_HOURS] === mean;
  const clock = (hour: number): string => String(hour % DAY_HOURS).padStart(2, '0');
  const spans = means.flatMap((_, from) => {
    if (!isIn(from) || isIn(from + DAY_HOURS - 1)) return [];
    let to = from + 1;
    while (isIn(to)) to += 1;
    return `${clock(from)}–${clock(to)}`;
  });
  return spans.length === 1 || spans.length === 2 ? spans.join(', ') : undefined;
}

/** Of so many hours a running mean needs a value. */
const RUNNING_SHARE = 0.75;

/** The values of the last `hours` hours until the given one, and whether they are enough for a mean. */
export function runningValues(
  { hour }: HourlyValue,
  points: readonly HourlyValue[],
  hours: number,
) {
  const values = points.flatMap((one) =>
    one.hour > hour - hours && one.hour <= hour ? one.value : [],
  );
  return { values, isEnough: values.length >= RUNNING_SHARE * hours };
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
