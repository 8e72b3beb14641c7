/**
 * Figures of hourly values by days and months of a local clock (`docs/http-api/files.md`, "Days and months"). An hour
 * belongs to the day in which it starts, so a day has 23 to 25 hours.
 */
import { isConcentration, isDirection, isSummed } from './units.js';
import type { HourInterval } from './windows.js';
import { DAY_HOURS, DAY_MS, type ZoneClock } from './zone-clock.js';

/** One series in one unit, ascending by hour; a value of NaN is null. */
export interface HourlySeries {
  /** Hours since the epoch; all of them may start at another minute, such as 0.5. */
  readonly hours: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly unit: string;
}

/** Figures of a day or a month with a row; null without values, and where they have no meaning for the unit. */
export interface PeriodFigures {
  /** First local day, counted from the epoch. */
  readonly firstDay: number;
  /** All hours of the period. */
  readonly interval: HourInterval;
  /** Indexes of its rows in the series. */
  readonly rows: { readonly from: number; readonly to: number };
  /** Number of hours with a value. */
  readonly hours: number;
  /** For a direction, the mean of its unit vectors; null for amounts that add up. */
  readonly mean: number | null;
  /** Only of amounts that add up. */
  readonly sum: number | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  /** The highest mean of eight hours, of which the last is in the period; only of concentrations. */
  readonly highest8hMean: number | null;
  /** Number of days with enough hours: for a day, 0 or 1. */
  readonly fullDays: number;
}

/** Least share of a day's hours with a value for comparisons of days. */
export const ENOUGH_SHARE = 3 / 4;

/** Hours of a running mean. */
export const RUNNING_HOURS = 8;
/** Least number of values in eight hours. */
const RUNNING_VALUES = 6;

/** Sums of decimals are exact up to this number of decimal places. */
const EXACT_PLACES = 9;

/** Vectors shorter than this cancel out, but for errors of rounding. */
const NO_VECTOR = 1e-9;

/**
 * Days and months of one clock.
 *
 * @param endHour the hour at which observations end: eight hours that end later have no mean yet.
 */
export function createPeriods(clock: Pick<ZoneClock, 'local'>, endHour = Infinity) {
  const firstHours = new Map<number, number>();
  /** The first hour of a local day. @param shift part of the hour at which hours start. */
  const firstHourOf = (day: number, shift = 0): number => {
    const key = day * DAY_HOURS + shift;
    const known = firstHours.get(key);
    if (known !== undefined) return known;
    // A day begins at most 14 hours before that of UTC.
    let hour = key - 15;
    while (clock.local(hour).day < day) hour += 1;
    firstHours.set(key, hour);
    return hour;
  };
  /** The hours of local days that start at the minute of an hour. */
  const intervalOf = (firstDay: number, nextDay: number, hour = 0): HourInterval => {
    const shift = hour - Math.floor(hour);
    return { from: firstHourOf(firstDay, shift), to: firstHourOf(nextDay, shift) };
  };

  const periodOf = (
    series: HourlySeries,
    period: Pick<PeriodFigures, 'firstDay' | 'interval' | 'rows'>,
  ) => {
    const { interval, rows } = period;
    const figures = figuresOf(valuesBetween(series, rows.from, rows.to), series.unit);
    const ended = { from: interval.from, to: Math.min(interval.to, endHour) };
    const highest8hMean = isConcentration(series) ? highestOf(series, ended, rows.from) : null;
    return { ...period, ...figures, highest8hMean };
  };

  const daysOf = (series: HourlySeries): readonly PeriodFigures[] => {
    const days: PeriodFigures[] = [];
    const { hours } = series;
    const last = hours.length;
    for (let from = 0; from < last;) {
      const firstDay = clock.local(hours[from] ?? 0).day;
      const interval = intervalOf(firstDay, firstDay + 1, hours[from]);
      let to = from + 1;
      while (to < last && (hours[to] ?? 0) < interval.to) to += 1;
      const day = periodOf(series, { firstDay, interval, rows: { from, to } });
      const isFull = day.hours >= ENOUGH_SHARE * (interval.to - interval.from);
      days.push({ ...day, fullDays: Number(isFull) });
      from = to;
    }
    return days;
  };

  /** @param days those of the series, or of whole months at its end. */
  const monthsOf = (series: HourlySeries, days = daysOf(series)): readonly PeriodFigures[] => {
    const ofMonths = new Map<number, PeriodFigures[]>();
    for (const day of days) {
      const month = monthOf(day.firstDay);
      ofMonths.set(month, [...(ofMonths.get(month) ?? []), day]);
    }
    return [...ofMonths].map(([month, ofMonth]) => {
      const [firstDay, nextDay] = [startOfMonth(month), startOfMonth(month + 1)];
      const interval = intervalOf(firstDay, nextDay, ofMonth[0]?.interval.from);
      const rows = { from: ofMonth[0]?.rows.from ?? 0, to: ofMonth.at(-1)?.rows.to ?? 0 };
      const fullDays = ofMonth.reduce((count, one) => count + one.fullDays, 0);
      // Eight hours with enough values can end on a day without rows, so the days do not have all means.
      return { ...periodOf(series, { firstDay, interval, rows }), fullDays };
    });
  };

  /** The first local day, since the epoch, whose first hour is this one or later. */
  const dayFrom = (hour: number): number => {
    const { day } = clock.local(hour);
    return firstHourOf(day, hour - Math.floor(hour)) === hour ? day : day + 1;
  };

  return { daysOf, monthsOf, firstHourOf, dayFrom };
}

/** Months since year 0 of a day since the epoch. */
export function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The first day of a month since year 0, counted from the epoch. */
export function startOfMonth(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12) / DAY_MS;
}

/** Mean or sum, and extremes, as far as a unit has them. */
export function figuresOf(
  values: readonly number[],
  unit: string,
): Pick<PeriodFigures, 'hours' | 'mean' | 'sum' | 'minimum' | 'maximum'> {
  const hours = values.length;
  if (hours === 0 || isDirection({ unit })) {
    const mean = hours === 0 ? null : meanDirection(values);
    return { hours, mean, sum: null, minimum: null, maximum: null };
  }
  const [minimum, maximum] = [Math.min(...values), Math.max(...values)];
  return isSummed({ unit })
    ? { hours, mean: null, sum: sumOf(values), minimum, maximum }
    : { hours, mean: meanOf(values), sum: null, minimum, maximum };
}

/** The sum, rounded once. */
export function sumOf(values: readonly number[]): number {
  const { total, rest, scale } = totalOf(values);
  return (total + rest) / scale;
}

/** The mean, rounded once. NaN for an empty list. */
export function meanOf(values: readonly number[]): number {
  const { total, rest, scale } = totalOf(values);
  const divisor = scale * values.length;
  const mean = total / divisor;
  if (scale > 1) return mean;
  // Products of a short number and a part of the mean are exact, and so is what is left of the total.
  const high = Math.fround(mean);
  const left = total - high * divisor - (mean - high) * divisor + rest;
  return Number.isFinite(left) ? mean + left / divisor : mean;
}

/** The sum times a power of ten that makes all values whole numbers; else times 1, with what rounding takes from it. */
function totalOf(values: readonly number[]) {
  let scale = 1;
  for (const value of values) {
    while (scale <= 10 ** EXACT_PLACES && Math.round(value * scale) / scale !== value) scale *= 10;
  }
  const whole = values.reduce((sum, value) => sum + Math.round(value * scale), 0);
  const isExact = scale <= 10 ** EXACT_PLACES && Number.isSafeInteger(whole);
  if (isExact) return { total: whole, rest: 0, scale };
  // Neumaier's sum, whose error does not grow with the number of values.
  let [total, rest] = [0, 0];
  for (const value of values) {
    const next = total + value;
    rest += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return { total, rest, scale: 1 };
}

/** The direction of the mean unit vector, in degrees; null where the vectors cancel out. */
function meanDirection(values: readonly number[]): number | null {
  const radians = values.map((value) => (value * Math.PI) / 180);
  const east = meanOf(radians.map(Math.sin));
  const north = meanOf(radians.map(Math.cos));
  if (Math.abs(east) + Math.abs(north) <= NO_VECTOR) return null;
  const degrees = ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360;
  return Number(degrees.toFixed(9)) % 360;
}

/** The highest mean of eight hours whose last hour is in an interval. @param from a row of the interval. */
function highestOf(series: HourlySeries, interval: HourInterval, from: number): number | null {
  const { hours } = series;
  let highest = -Infinity;
  // The rows of the eight hours.
  let [first, end] = [from, from];
  while (first > 0 && (hours[first - 1] ?? 0) > interval.from - RUNNING_HOURS) first -= 1;
  for (let hour = interval.from; hour < interval.to; hour += 1) {
    while (first < end && (hours[first] ?? 0) <= hour - RUNNING_HOURS) first += 1;
    while (end < hours.length && (hours[end] ?? 0) <= hour) end += 1;
    const running = valuesBetween(series, first, end);
    if (running.length >= RUNNING_VALUES) highest = Math.max(highest, meanOf(running));
  }
  return highest === -Infinity ? null : highest;
}

function valuesBetween({ values }: HourlySeries, from: number, to: number): readonly number[] {
  const between: number[] = [];
  for (let row = from; row < to; row += 1) {
    const value = values[row] ?? NaN;
    if (!Number.isNaN(value)) between.push(value);
  }
  return between;
}
