/** The usual range at a station: where a value lies among those of the same local hour on other days. */
import { scaleQuantile } from 'd3-scale';
import type { HourInterval } from '../../../snapshot/domain/windows.js';
import { DAY_HOURS, localHours } from '../../../snapshot/domain/zone-clock.js';
import type { Formatters } from './formatters.js';
import type { HourlyValue, StationSeries } from './portal-model.js';

/** Least number of other days for a usual range. */
const OTHER_DAYS_MIN = 7;

const TENTHS = Array.from({ length: 10 }, (_, tenth) => tenth);

/** Limits between which 8 in 10 values lie. */
export type UsualRange = readonly [low: number, high: number];

/** Ranges by local hour; undefined if unknown. */
export type UsualRanges = readonly (UsualRange | undefined)[];

/** Numbers of lower, higher and equal values among others. */
export function countsAmong(value: number, others: readonly number[]) {
  const lower = others.filter((one) => one < value).length;
  const higher = others.filter((one) => one > value).length;
  return { lower, higher, same: others.length - lower - higher };
}

type Hours = Pick<StationSeries, 'points' | 'interval'>;

/**
 * 10th and 90th percentile by hour of the clock, with linear interpolation (R's type 7); undefined for too few days.
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

/** A value's position in the usual range, and the number of compared days; undefined if the range is unknown. */
export function usualStanding(
  { hour, value }: HourlyValue,
  hours: Hours,
  { usual, format }: { readonly usual: UsualRanges; readonly format: Pick<Formatters, 'local'> },
) {
  const { clockHour, day } = format.local(hour);
  const range = usual[clockHour];
  if (range === undefined) return undefined;
  // An hour that the clock repeats on one day does not count as another day.
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

/** Number of hours up to this one in which values rose steadily; negative if they fell. */
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
