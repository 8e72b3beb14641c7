/** Daily values of one component, by the days of the network's clock: as a table of the panel, and as CSV. */
import { dateOfHour, HOUR_MS, utcDateTime } from '../../../../snapshot/domain/windows.js';
import { renderCsv } from '../../../csv.js';
import { escapeMarkup } from '../../../xml.js';
import type { Formatters } from '../formatters.js';
import type { HourlyValue, PortalComponent, StationSeries } from '../portal-model.js';
import { DAY_HOURS, localHours } from '../clock.js';
import { isDirection } from './direction.js';

export interface Day {
  /** Of the network's clock, since the epoch. */
  readonly key: number;
  /** The same in ISO 8601. */
  readonly date: string;
  /** Its first hour within the interval, since the epoch. */
  readonly firstHour: number;
  /** How many hours of the interval it has: 23 or 25 where clocks change. */
  readonly hours: number;
  /** Ascending by hour. */
  readonly points: readonly HourlyValue[];
}

/** Every day of an interval, the first and the last one perhaps in part. */
export function daysOf(
  { points, interval }: Pick<StationSeries, 'points' | 'interval'>,
  format: Pick<Formatters, 'local'>,
): readonly Day[] {
  const hours = localHours(interval, format);
  const days = new Map<number, Day & { hours: number; readonly points: HourlyValue[] }>();
  for (const { hour, day: key } of hours) {
    const date = dateOfHour(key * DAY_HOURS);
    const day = days.get(key) ?? { key, date, firstHour: hour, hours: 0, points: [] };
    days.set(key, day);
    day.hours += 1;
  }
  for (const point of points) {
    const key = hours[point.hour - interval.from]?.day;
    if (key !== undefined) days.get(key)?.points.push(point);
  }
  return [...days.values()];
}

export function valuesOf({ points }: Pick<Day, 'points'>): readonly number[] {
  return points.map(({ value }) => value);
}

/** The first of the hours with the highest value; undefined without one. */
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
] as const;

interface DaysOptions {
  readonly component: PortalComponent;
  readonly timeZone: string;
  readonly format: Formatters;
}

/** No mean of a direction says anything, and neither does a lowest or a highest one: these cells are empty. */
export function renderDaysCsv(series: StationSeries, options: DaysOptions): string {
  return renderCsv(DAYS_COLUMNS, dayRecords(series, options));
}

const WEEK_COLUMNS = [...DAYS_COLUMNS, { name: 'highest_hour_utc', type: 'text' }] as const;

/** The same of several stations, with the hour in which the highest value of the day begins, the first of several. */
export function renderWeekCsv(all: readonly StationSeries[], options: DaysOptions): string {
  return renderCsv(
    WEEK_COLUMNS,
    all.flatMap((series) => dayRecords(series, options)),
  );
}

function dayRecords(series: StationSeries, { component, timeZone, format }: DaysOptions) {
  const { station } = series;
  return daysOf(series, format).map((day) => {
    const values = valuesOf(day);
    const peak = isDirection(component) ? undefined : peakOf(day.points);
    return {
      station_id: station.id,
      station_name: station.name,
      component: component.code,
      unit: component.unit,
      time_zone: timeZone,
      date: day.date,
      mean: peak === undefined ? null : format.roundedMean(values),
      lowest: peak === undefined ? null : Math.min(...values),
      highest: peak?.value ?? null,
      hours_with_value: values.length,
      hours: day.hours,
      highest_hour_utc: peak === undefined ? null : utcDateTime(peak.hour * HOUR_MS),
    };
  });
}

/** Rows of the table as markup, the newest day first; without directions. */
export function viewDays(
  series: StationSeries,
  { format }: { readonly format: Formatters },
): string {
  return daysOf(series, format)
    .map(({ date, firstHour, hours, points }) => {
      const values = valuesOf({ points });
      const day = `${format.weekday(firstHour * HOUR_MS)} ${format.dayOfYear(firstHour * HOUR_MS)}`;
      const [lowest, highest] = [Math.min(...values), Math.max(...values)];
      const figures =
        values.length === 0
          ? ['–', '–', '–']
          : [format.mean(values), format.number(lowest), format.number(highest)];
      const cells = [...figures, `${values.length} / ${hours}`].map(
        (text) => `<td>${escapeMarkup(text)}</td>`,
      );
      return `\n<tr><th scope="row"><time datetime="${date}">${escapeMarkup(day)}</time></th>${cells.join('')}</tr>`;
    })
    .toReversed()
    .join('');
}
