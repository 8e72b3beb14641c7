/** Daily values of one component, by the days of the network's clock: as a table of the panel, and as CSV. */
import { HOUR_MS } from '../../../../snapshot/domain/windows.js';
import { renderCsv } from '../../../csv.js';
import type { Formatters } from '../formatters.js';
import type { HourlyValue, PortalComponent, StationSeries } from '../portal-model.js';
import { isDirection } from './direction.js';
import { localHours } from './local-hours.js';

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
  const days = new Map<string, Omit<Day, 'hours'> & { hours: number; readonly values: number[] }>();
  for (const { hour, dayKey } of localHours(interval, format)) {
    const day = days.get(dayKey) ?? {
      date: isoDate(dayKey),
      firstHour: hour,
      hours: 0,
      values: [],
    };
    days.set(dayKey, day);
    day.hours += 1;
    const point = values.get(hour);
    if (point !== undefined) day.values.push(point.value);
  }
  return [...days.values()];
}

/** `09/02/2026, ` as `2026-02-09`. */
function isoDate(dayKey: string): string {
  const [day = '', month = '', year = ''] = dayKey.replace(', ', '').split('/');
  return `${year}-${month}-${day}`;
}

const DAYS_COLUMNS = [
  ...['station_id', 'station_name', 'component', 'unit', 'time_zone', 'date'],
  ...['mean', 'lowest', 'highest', 'hours_with_value', 'hours'],
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
        ...{ station_id: station.id, station_name: station.name, component: component.code },
        ...{ unit: component.unit, time_zone: timeZone, date },
        mean: hasFigures ? format.roundedMean(values) : null,
        lowest: hasFigures ? Math.min(...values) : null,
        highest: hasFigures ? Math.max(...values) : null,
        ...{ hours_with_value: values.length, hours },
      };
    }),
  );
}

/** Template context of the table, the newest day first; without directions. */
export function viewDays(series: StationSeries, { format }: { readonly format: Formatters }) {
  return daysOf(series, format)
    .map(({ date, firstHour, hours, values }) => ({
      date,
      label: format.dayOfYear(firstHour * HOUR_MS),
      weekday: format.weekday(firstHour * HOUR_MS),
      count: `${values.length} / ${hours}`,
      figures:
        values.length === 0
          ? undefined
          : {
              mean: format.mean(values),
              lowest: format.number(Math.min(...values)),
              highest: format.number(Math.max(...values)),
            },
    }))
    .toReversed();
}
