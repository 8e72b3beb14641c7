/** Values of one component by local days: a table of the panel, and CSV. */
import { html, type Markup } from '../../../html.js';
import { ENOUGH_SHARE, figuresOf } from '../../../../snapshot/domain/days.js';
import { isDirection } from '../../../../snapshot/domain/units.js';
import {
  dateOfHour,
  HOUR_MS,
  utcDateTime,
  type HourInterval,
} from '../../../../snapshot/domain/windows.js';
import { renderCsv } from '../../../csv.js';
import type { Formatters } from '../formatters.js';
import type { HourlyValue, PortalComponent, StationSeries } from '../portal-model.js';
import { DAY_HOURS, localHours } from '../../../../snapshot/domain/zone-clock.js';
import { aggregateOf } from '../statistics.js';

/** An hour of the clock on one day: it occurs twice where the clock goes back, never where it goes forward. */
export interface ClockHour {
  /** Hours since the epoch, UTC. */
  readonly hour: number;
  /** Milliseconds of the local hour before the UTC hour begins: 0, except in zones with half-hour offsets. */
  readonly pastMs: number;
  /** Whether the hour is in the interval. */
  readonly isInside: boolean;
  readonly value: number | undefined;
}

/** A local day, and its part of an interval. */
export interface Day {
  readonly date: string;
  /** First hour of the day, in hours since the epoch, UTC. */
  readonly firstHour: number;
  /** Number of the day's hours in the interval: at most 24, or 23 or 25 on a day of a clock change. */
  readonly hours: number;
  /** All hours of the day, also those outside of the interval. */
  readonly whole: HourInterval;
  /** Hours of the interval with a value, ascending. */
  readonly points: readonly HourlyValue[];
  /** The hours at each hour of the clock, also those outside of the interval. */
  readonly cells: readonly (readonly ClockHour[])[];
}

/** Days with at least one hour in the interval, ascending. */
export function daysOf(
  { points, interval }: Pick<StationSeries, 'points' | 'interval'>,
  format: Pick<Formatters, 'local'>,
): readonly Day[] {
  const values = new Map(points.map(({ hour, value }) => [hour, value]));
  const days = new Map<number, ReturnType<typeof emptyDay>>();
  // Includes the rest of the first and the last day, so that skipped hours differ from those outside of the interval.
  const around = { from: interval.from - DAY_HOURS, to: interval.to + DAY_HOURS };
  for (const { hour, clockHour, pastMs, day: key } of localHours(around, format)) {
    const day = days.get(key) ?? emptyDay(key, hour);
    days.set(key, day);
    day.whole.to = hour + 1;
    const isInside = hour >= interval.from && hour < interval.to;
    const value = isInside ? values.get(hour) : undefined;
    if (isInside) day.hours += 1;
    if (value !== undefined) day.points.push({ hour, value });
    day.cells[clockHour]?.push({ hour, pastMs, isInside, value });
  }
  return [...days.values()].filter(({ hours }) => hours > 0);
}

/** @param day local day, counted from the epoch. */
function emptyDay(day: number, firstHour: number) {
  return {
    date: dateOfHour(day * DAY_HOURS),
    firstHour,
    hours: 0,
    whole: { from: firstHour, to: firstHour },
    points: [] as HourlyValue[],
    cells: Array.from({ length: DAY_HOURS }, (): ClockHour[] => []),
  };
}

export function valuesOf({ points }: Pick<Day, 'points'>): readonly number[] {
  return points.map(({ value }) => value);
}

/** The first hour with the highest value; undefined without values. */
export function peakOf(points: readonly HourlyValue[]): HourlyValue | undefined {
  return points.reduce<HourlyValue | undefined>(
    (peak, point) => (peak !== undefined && peak.value >= point.value ? peak : point),
    undefined,
  );
}

const DAYS_COLUMNS = [
  { name: 'station_id', type: 'integer' },
  { name: 'station_name', type: 'text' },
  { name: 'component', type: 'text' },
  { name: 'unit', type: 'text' },
  { name: 'time_zone', type: 'text' },
  { name: 'date', type: 'text' },
  { name: 'mean', type: 'decimal' },
  { name: 'lowest', type: 'decimal' },
  { name: 'highest', type: 'decimal' },
  { name: 'hours_with_value', type: 'integer' },
  { name: 'hours', type: 'integer' },
  { name: 'sum', type: 'decimal' },
] as const;

/** Columns with the hour in which the highest value of the day first occurs. */
export const WEEK_COLUMNS = [...DAYS_COLUMNS, { name: 'highest_hour_utc', type: 'text' }] as const;

interface DaysOptions {
  readonly component: PortalComponent;
  readonly timeZone: string;
  readonly format: Formatters;
}

/** Daily values of one station or several: lowest, highest, and the sum of amounts such as rain, else the mean; cells of directions are empty. */
export function renderDaysCsv(
  all: readonly StationSeries[],
  options: DaysOptions,
  columns: typeof DAYS_COLUMNS | typeof WEEK_COLUMNS = DAYS_COLUMNS,
): string {
  const records = all.flatMap((series) => recordsOf(series, options));
  return renderCsv(columns, records);
}

/** Whether a day has enough hours with a value for comparisons. */
export function isFull({ points, whole }: Pick<Day, 'points' | 'whole'>): boolean {
  return points.length >= ENOUGH_SHARE * (whole.to - whole.from);
}

function recordsOf(series: StationSeries, { component, timeZone, format }: DaysOptions) {
  const { station } = series;
  return daysOf(series, format).map((day) => {
    const points = isDirection(component) ? [] : day.points;
    const values = valuesOf({ points });
    const { mean, sum, minimum, maximum } = figuresOf(values, component.unit);
    const peak = peakOf(points);
    return {
      station_id: station.id,
      station_name: station.name,
      component: component.code,
      unit: component.unit,
      time_zone: timeZone,
      date: day.date,
      mean: mean && format.roundedMean(values),
      lowest: minimum,
      highest: maximum,
      hours_with_value: day.points.length,
      hours: day.hours,
      sum: sum && format.roundedSum(values),
      highest_hour_utc: peak === undefined ? null : utcDateTime(peak.hour * HOUR_MS),
    };
  });
}

/** Rows of the table, the newest day first; not for directions. */
export function viewDays(
  days: readonly Day[],
  { component, format }: { readonly component: PortalComponent; readonly format: Formatters },
): readonly Markup[] {
  const { write } = aggregateOf(component, format);
  return days
    .map(({ date, firstHour, hours, points }) => {
      const values = valuesOf({ points });
      const day = `${format.weekday(firstHour * HOUR_MS)} ${format.dayOfYear(firstHour * HOUR_MS)}`;
      const { minimum, maximum } = figuresOf(values, component.unit);
      const figures =
        minimum === null || maximum === null
          ? ['–', '–', '–']
          : [write(values), format.number(minimum), format.number(maximum)];
      return dayRow(date, [day, ...figures, `${values.length} / ${hours}`]);
    })
    .toReversed();
}

export function dayRow(date: string, [day, ...figures]: readonly string[]): Markup {
  return html`
<tr><th scope="row"><time datetime="${date}">${day}</time></th>${figures.map((text) => html`<td>${text}</td>`)}</tr>`;
}
