/** Daily values of one component, by the days of the network's clock: as a table of the panel, and as CSV. */
import { dateOfHour, HOUR_MS } from '../../../../snapshot/domain/windows.js';
import { renderCsv } from '../../../csv.js';
import { escapeMarkup } from '../../../xml.js';
import type { Formatters } from '../formatters.js';
import type { PortalComponent, StationSeries } from '../portal-model.js';
import { DAY_HOURS, localHours } from '../clock.js';
import { aggregateOf } from '../statistics.js';
import { isDirection } from './direction.js';

/** One hour of the clock on one day; twice where clocks go back, never where they go forward. */
export interface ClockHour {
  /** Since the epoch. */
  readonly hour: number;
  /** How long its hour has lasted on the clock when it begins: nothing but where clocks are half an hour from UTC. */
  readonly pastMs: number;
  /** Whether it is one of the interval's. */
  readonly isInside: boolean;
  readonly value: number | undefined;
}

interface Day {
  /** ISO 8601, of the network's clock. */
  readonly date: string;
  /** Its first hour, since the epoch. */
  readonly firstHour: number;
  /** For each hour of the clock, also before and after the interval. */
  readonly cells: readonly (readonly ClockHour[])[];
}

/** Local days that the interval has an hour of, ascending. */
export function localDays(
  { points, interval }: Pick<StationSeries, 'points' | 'interval'>,
  format: Pick<Formatters, 'local'>,
): readonly Day[] {
  const values = new Map(points.map(({ hour, value }) => [hour, value]));
  const days = new Map<number, Day & { isShown: boolean; readonly cells: ClockHour[][] }>();
  // With the rest of the first and of the last day, so that an hour that there is not is known.
  const around = { from: interval.from - DAY_HOURS, to: interval.to + DAY_HOURS };
  for (const { hour, clockHour, pastMs, day: key } of localHours(around, format)) {
    const day = days.get(key) ?? {
      date: dateOfHour(key * DAY_HOURS),
      firstHour: hour,
      isShown: false,
      cells: Array.from({ length: DAY_HOURS }, (): ClockHour[] => []),
    };
    days.set(key, day);
    const isInside = hour >= interval.from && hour < interval.to;
    if (isInside) day.isShown = true;
    day.cells[clockHour]?.push({ hour, pastMs, isInside, value: values.get(hour) });
  }
  return [...days.values()].filter(({ isShown }) => isShown);
}

/** How many of its hours the interval has, 23 or 25 where clocks change, and their values. */
function figuresOf({ cells }: Day) {
  const inside = cells.flat().filter(({ isInside }) => isInside);
  return { hours: inside.length, values: inside.flatMap(({ value }) => value ?? []) };
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

/**
 * No mean of a direction says anything, and neither does a lowest or a highest one: these cells are empty. Amounts, such
 * as rain, have a sum instead of a mean.
 */
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
  const aggregate = aggregateOf(component, format);
  return renderCsv(
    DAYS_COLUMNS,
    localDays(series, format).map((day) => {
      const { hours, values } = figuresOf(day);
      const hasFigures = values.length > 0 && !isDirection(component);
      return {
        station_id: station.id,
        station_name: station.name,
        component: component.code,
        unit: component.unit,
        time_zone: timeZone,
        date: day.date,
        mean: hasFigures && aggregate.name === 'mean' ? aggregate.valueOf(values) : null,
        lowest: hasFigures ? Math.min(...values) : null,
        highest: hasFigures ? Math.max(...values) : null,
        hours_with_value: values.length,
        hours,
        sum: hasFigures && aggregate.name === 'sum' ? aggregate.valueOf(values) : null,
      };
    }),
  );
}

/** Rows of the table as markup, the newest day first; without directions. */
export function viewDays(
  series: StationSeries,
  { component, format }: { readonly component: PortalComponent; readonly format: Formatters },
): string {
  const { write } = aggregateOf(component, format);
  return localDays(series, format)
    .map((one) => {
      const { date, firstHour } = one;
      const { hours, values } = figuresOf(one);
      const day = `${format.weekday(firstHour * HOUR_MS)} ${format.dayOfYear(firstHour * HOUR_MS)}`;
      const [lowest, highest] = [Math.min(...values), Math.max(...values)];
      const figures =
        values.length === 0
          ? ['–', '–', '–']
          : [write(values), format.number(lowest), format.number(highest)];
      const cells = [...figures, `${values.length} / ${hours}`].map(
        (text) => `<td>${escapeMarkup(text)}</td>`,
      );
      return `\n<tr><th scope="row"><time datetime="${date}">${escapeMarkup(day)}</time></th>${cells.join('')}</tr>`;
    })
    .toReversed()
    .join('');
}
