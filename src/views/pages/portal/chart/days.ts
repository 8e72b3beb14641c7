/** Daily values of one component, by the days of the network's clock: as a table of the panel, and as CSV. */
import { dateOfHour, HOUR_MS } from '../../../../snapshot/domain/windows.js';
import { renderCsv } from '../../../csv.js';
import { escapeMarkup } from '../../../xml.js';
import type { Formatters } from '../formatters.js';
import type { HourlyValue, PortalComponent, StationSeries } from '../portal-model.js';
import { DAY_HOURS, localHours } from '../clock.js';
import { isDirection } from './direction.js';

interface Day {
  /** ISO 8601, of the network's clock. */
  readonly date: string;
  /** Its first hour within the interval, since the epoch. */
  readonly firstHour: number;
  /** How many hours of the interval it has: 23 or 25 where clocks change. */
  readonly hours: number;
  /** Ascending by hour. */
  readonly values: readonly number[];
}

/** Every day of an interval, the first and the last one perhaps in part. */
function daysOf(
  { points, interval }: Pick<StationSeries, 'points' | 'interval'>,
  format: Pick<Formatters, 'local'>,
): readonly Day[] {
  const values = new Map<number, HourlyValue>(points.map((point) => [point.hour, point]));
  const days = new Map<number, Omit<Day, 'hours'> & { hours: number; readonly values: number[] }>();
  for (const { hour, day: key } of localHours(interval, format)) {
    const day = days.get(key) ?? {
      date: dateOfHour(key * DAY_HOURS),
      firstHour: hour,
      hours: 0,
      values: [],
    };
    days.set(key, day);
    day.hours += 1;
    const point = values.get(hour);
    if (point !== undefined) day.values.push(point.value);
  }
  return [...days.values()];
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

/** No mean of a direction says anything, and neither does a lowest or a highest one: these cells are empty. */
export function renderDaysCsv(
  series: StationSeries,
  {
    component,
    timeZone,
    format,
  }: {
    readonly component: PortalComponent;
    readonly timeZone: string;
    readonly format: Formatters;
  },
): string {
  const { station } = series;
  return renderCsv(
    DAYS_COLUMNS,
    daysOf(series, format).map(({ date, hours, values }) => {
      const hasFigures = values.length > 0 && !isDirection(component);
      return {
        station_id: station.id,
        station_name: station.name,
        component: component.code,
        unit: component.unit,
        time_zone: timeZone,
        date,
        mean: hasFigures ? format.roundedMean(values) : null,
        lowest: hasFigures ? Math.min(...values) : null,
        highest: hasFigures ? Math.max(...values) : null,
        hours_with_value: values.length,
        hours,
      };
    }),
  );
}

/** Rows of the table as markup, the newest day first; without directions. */
export function viewDays(
  series: StationSeries,
  { format }: { readonly format: Formatters },
): string {
  return daysOf(series, format)
    .map(({ date, firstHour, hours, values }) => {
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
