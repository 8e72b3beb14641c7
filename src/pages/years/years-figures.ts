/** The days of a year, or the months of all years: a sentence, a chart, a calendar and a table. */
import { html, type Markup } from '../../views/html.js';
import { ENOUGH_SHARE, monthOf, startOfMonth, sumOf } from '../../snapshot/domain/days.js';
import { isSameUnit, isSummed, prettyUnit } from '../../snapshot/domain/units.js';
import { dateOfHour, HOUR_MS } from '../../snapshot/domain/windows.js';
import { DAY_HOURS, DAY_MS } from '../../snapshot/domain/zone-clock.js';
import { messagesOf } from '../../texts/texts.js';
import type { DailyRow } from '../../views/hvd/archive.js';
import { dayRow } from '../../views/pages/portal/chart/local-days.js';
import { viewPlot } from '../../views/pages/portal/chart/plot.js';
import {
  colorOf,
  colorScale,
  legendOf,
  type ColorScale,
} from '../../views/pages/portal/color-scale.js';
import { formattersFor } from '../../views/pages/portal/formatters.js';
import type { ArchivedYears, yearsSeries } from './years-series.js';
import type { YearsState } from './years.js';

/** Space for the label of a month or a year below the plot, in pixels. */
const LABEL_WIDTH = 42;

type Step = 'day' | 'month';
type Series = NonNullable<ReturnType<typeof yearsSeries>>;

/** A day or a month with a value. */
interface Period {
  /** Local days since the epoch, or months since year 0. */
  readonly at: number;
  /** The mean, or the sum of amounts. */
  readonly figure: number;
  readonly row: DailyRow & { readonly minimum: number; readonly maximum: number };
}

type Shown = ReturnType<typeof shownOf>;

/** The periods of a page with values in its newest unit, and the days that they may have. */
export function shownOf(
  { language, year: requested }: YearsState,
  { years, rows }: ArchivedYears,
  { portal, component, timeZone }: Series & { readonly timeZone: string },
) {
  // Values in two units are never drawn together: only those in the newest unit are shown.
  const unitOf = (row: DailyRow): string => prettyUnit(row.unit ?? component.unit);
  const withValue = rows.filter(({ hours }) => hours > 0);
  const unit = withValue.map(unitOf).at(-1) ?? prettyUnit(component.unit);
  const others = new Map<string, number>();
  for (const other of withValue.map(unitOf)) {
    if (other !== unit) others.set(other, (others.get(other) ?? 0) + 1);
  }
  const name: 'mean' | 'sum' = isSummed({ unit }) ? 'sum' : 'mean';
  const isAll = requested === 'all';
  const step: Step = isAll ? 'month' : 'day';
  const periods = withValue
    .filter((row) => unitOf(row) === unit)
    .flatMap((row) => periodOf(row, name, step));
  const lastHour = Math.ceil(portal.header.generatedAtMs / HOUR_MS) - 1;
  const today = formattersFor(language, timeZone).local(lastHour).day;
  const days = periods.map(({ at }) => dayOf(at, step));
  const newest = Math.max(today, ...days.slice(-1));
  const shownYear = days[0] === undefined ? (years[0] ?? yearOf(today)) : yearOf(days[0]);
  const first = typeof requested === 'number' ? requested : shownYear;
  const last = isAll ? yearOf(newest) : first;
  return {
    /** Undefined: all years. */
    year: isAll ? undefined : first,
    step,
    periods,
    /** Number of periods with values in each other unit. */
    others,
    /** All months of the shown years. */
    months: Array.from({ length: 12 * (last - first + 1) }, (_, index) => 12 * first + index),
    /** First day, and the day after the newest one. */
    start: startOfMonth(isAll ? monthOf(days[0] ?? newest) : 12 * first),
    end: Math.min(startOfMonth(12 * last + 12), newest + 1),
    name,
    unit,
    texts: messagesOf(language, 'portal'),
    /** Formats local days that are written as if they were UTC. */
    format: formattersFor(language, 'UTC'),
  };
}

function yearOf(day: number): number {
  return Math.floor(monthOf(day) / 12);
}

/** The period of a row; empty without a value. */
function periodOf(row: DailyRow, name: 'mean' | 'sum', step: Step): readonly Period[] {
  const { [name]: figure, minimum, maximum } = row;
  if (typeof figure !== 'number' || minimum === null || maximum === null) return [];
  const day = row.date.getTime() / DAY_MS;
  const at = step === 'day' ? day : monthOf(day);
  return [{ at, figure, row: { ...row, minimum, maximum } }];
}

/** The first day of a period. */
function dayOf(at: number, step: Step): number {
  return step === 'day' ? at : startOfMonth(at);
}

/** A summary: days with values, mean or sum, highest and lowest period, and units that are not shown. */
export function sentenceOf(shown: Shown): string {
  const { step, periods, others, name, unit, texts, format } = shown;
  const isAll = step === 'month';
  const write = (value: number): string => `${format.number(value)} ${unit}`.trim();
  const full = periods.filter(
    ({ row }) => row.hours >= ENOUGH_SHARE * (row.hours_expected ?? DAY_HOURS),
  );
  const compared = full.length > 0 ? full : periods;
  const extreme = (id: 'lowest' | 'highest', choose: typeof Math.max): string => {
    const extremum = choose(...compared.map(({ figure }) => figure));
    const value = write(extremum);
    const first = compared.find(({ figure }) => figure === extremum);
    const text = texts(`years-${id}`, { value, day: labelOf(first?.at ?? 0, shown), step });
    // Periods tie if their displayed values are equal.
    const count = compared.filter(({ figure }) => write(figure) === value).length - 1;
    if (count === 0) return text;
    return `${text} ${texts(isAll ? 'years-month-ties' : 'episode-day-ties', { count })}`;
  };
  return [
    daysText(shown),
    texts(`years-${name}`, { value: write(wholeOf(shown)), step }),
    extreme('highest', Math.max),
    extreme('lowest', Math.min),
    ...(full.length > 0 && full.length < periods.length ? [texts('years-among', { step })] : []),
    ...[...others].map(([unit, count]) =>
      texts(isAll ? 'years-other-months' : 'years-other-unit', { days: count, count, unit }),
    ),
  ].join(' ');
}

/** The number of days with values, and of all days so far. */
function daysText({ year, periods, start, end, texts, format }: Shown): string {
  const all = end - start;
  if (year !== undefined) {
    const counted = { days: periods.length, all, year: String(year) };
    const isRunning = end < startOfMonth(12 * year + 12);
    return texts(isRunning ? 'years-days-so-far' : 'years-days', counted);
  }
  const days = sumOf(periods.map(({ row }) => row.days ?? 0));
  return texts('years-all-days', { days, all, from: format.dayOfYear(start * DAY_MS) });
}

/** The sum, or the mean of all hours. */
function wholeOf({ periods, name }: Shown): number {
  // Rounds away artefacts such as 0.30000000000000004.
  const tidy = (value: number): number => Number(value.toPrecision(12));
  if (name === 'sum') return sumOf(periods.map(({ figure }) => figure));
  const total = sumOf(periods.map(({ figure, row }) => tidy(figure * row.hours)));
  return tidy(total / sumOf(periods.map(({ row }) => row.hours)));
}

function labelOf(at: number, { step, format }: Shown): string {
  return (step === 'day' ? format.day : format.monthOfYear)(dayOf(at, step) * DAY_MS);
}

export function viewShown(shown: Shown, { portal, station, component }: Series) {
  const { step, periods, months, name, unit, format } = shown;
  const isDaily = step === 'day';
  const figures = periods.map(({ figure }) => figure);
  // Sums, and values in another unit, exceed the scale of hourly values.
  const own = { rangeOf: () => [Math.min(...figures), Math.max(...figures)] as const };
  const isToday = name === 'mean' && isSameUnit(unit, component.unit);
  const scale = colorScale(isToday ? portal : own, { ...component, unit }, isToday);
  const atOf = (month: number): number => (isDaily ? startOfMonth(month) : month);
  const [from, to] = [atOf(months[0] ?? 0), atOf((months.at(-1) ?? 0) + 1)];
  const band = Array<readonly [number, number] | undefined>(to - from);
  for (const { at, row } of periods) band[at - from] = [row.minimum, row.maximum];
  const dateOf = (at: number): string => dateOfHour(dayOf(at, step) * DAY_HOURS);
  const ids = { station_id: String(station.id), parameter_code: component.code };
  const query = new URLSearchParams({ ...ids, from: dateOf(from), to: dateOf(to) });
  return {
    name,
    step,
    plot: viewPlot({
      points: periods.map(({ at, figure }) => ({ hour: at, value: figure })),
      interval: { from, to },
      usual: isDaily && name === 'mean' ? band : [],
      axis(width) {
        const distances = isDaily ? [1, 3] : [12, 24, 60, 120];
        const distance = distances.find((one) => one * width > LABEL_WIDTH * months.length) ?? 240;
        const labelled = months.filter((month) => month % distance === 0);
        return labelled.map((month) => {
          const label = isDaily ? format.month(startOfMonth(month) * DAY_MS) : String(month / 12);
          return { hours: atOf(month) - from, label, below: '', anchor: 'start' };
        });
      },
      scale,
      format,
    }),
    calendar: viewCalendar(shown, scale),
    rows: periods.map(({ at, figure, row }) =>
      dayRow(dateOf(at).slice(0, isDaily ? 10 : 7), [
        `${isDaily ? format.weekday(at * DAY_MS) : ''} ${labelOf(at, shown)}`.trim(),
        ...[figure, row.minimum, row.maximum].map(format.number),
        `${row.hours} / ${row.hours_expected ?? DAY_HOURS}`,
      ]),
    ),
    csvHref: `/api/v1/${isDaily ? 'daily' : 'monthly'}.csv?${query.toString()}`,
  };
}

function viewCalendar(shown: Shown, scale: ColorScale) {
  const { year, step, periods, months, start, end, unit, texts, format } = shown;
  const figures = new Map(periods.map(({ at, figure }) => [at, figure]));
  const isDaily = step === 'day';
  /** The cell of a day, or of a year, in the column of a month. */
  const cellOf = (index: number, month: number): Markup => {
    const at = isDaily ? startOfMonth(month) + index : month + 12 * index;
    const [day, figure] = [dayOf(at, step), figures.get(at)];
    const isInside = day >= start && day < end && (!isDaily || monthOf(at) === month);
    if (!isInside) return html`<td class="skipped"></td>`;
    if (figure === undefined) return html`<td class="gap">–</td>`;
    return html`<td class="${colorOf(figure, scale)}">${format.shortNumber(figure)}</td>`;
  };
  const labels = Array.from({ length: isDaily ? 31 : months.length / 12 }, (_, index) => index);
  const names = months.slice(0, 12);
  const [first = 0] = names;
  return {
    title: texts('years-calendar', { year: String(year), step }),
    caption: texts('years-caption', { step }),
    unit,
    hours: names.map(
      (month) => html`<th scope="col">${format.month(startOfMonth(month) * DAY_MS)}</th>`,
    ),
    rows: labels.map(
      (index) => html`
<tr><th scope="row">${isDaily ? index + 1 : first / 12 + index}</th>${names.map((month) => cellOf(index, month))}</tr>`,
    ),
    hasGaps: periods.length < (isDaily ? end - start : monthOf(end - 1) - monthOf(start) + 1),
    legend: legendOf(scale, texts, format),
    isCompass: false,
  };
}
