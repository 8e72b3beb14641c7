/** The usual range at a station: a value's position among the same local hour of the other days. */
import { scaleQuantile } from 'd3-scale';
import type { HourInterval } from '../../../snapshot/domain/windows.js';
import { DAY_HOURS, localHours } from './zone-clock.js';
import type { Formatters } from './formatters.js';
import type { HourlyValue, StationSeries } from './portal-model.js';

/** Least number of other days for a usual range. */
const OTHER_DAYS_MIN = 7;

const TENTHS = Array.from({ length: 10 }, (_, tenth) => tenth);

/** Limits of 8 in 10 hours. */
export type UsualRange = readonly [low: number, high: number];

/** By local hour; undefined where unknown. */
export type UsualRanges = readonly (UsualRange | undefined)[];

function countsAmong(value: number, others: readonly number[]) {
  const lower = others.filter((one) => one < value).length;
  const higher = others.filter((one) => one > value).length;
  return { lower, higher, same: others.length - lower - higher };
}

type Hours = Pick<StationSeries, 'points' | 'interval'>;

/**
 * The 10th and 90th percentile at each hour of the clock, 0 to 23, by linear interpolation (NumPy's default, R's type
 * 7); undefined at an hour with too few days.
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

/** The usual range in each hour of an interval. */
export function usualIn(interval: HourInterval, usual: UsualRanges, format: Formatters) {
  return localHours(interval, format).map(({ clockHour }) => usual[clockHour]);
}

/** A value's position in the usual range, and the number of days compared; undefined where no range is known. */
export function usualStanding(
  { hour, value }: HourlyValue,
  hours: Hours,
  { usual, format }: { readonly usual: UsualRanges; readonly format: Pick<Formatters, 'local'> },
) {
  const { clockHour, day } = format.local(hour);
  const range = usual[clockHour];
  if (range === undefined) return undefined;
  // A repeated hour of one day is not another day.
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

/** Number of hours of steady rise until this one; negative for a fall. */
export function trendHours({ hour }: HourlyValue, points: readonly HourlyValue[]): number {
  const values = new Map(points.map((point) => [point.hour, point.value]));
  const stepAt = (at: number): number =>
    Math.sign((values.get(at) ?? NaN) - (values.get(at - 1) ?? NaN)) || 0;
  const step = stepAt(hour);
  let steps = 0;
  while (step !== 0 && stepAt(hour - steps) === step) steps += 1;
  return step * steps;
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
