/** A year of one component at one station, by UTC days, from the archive. */
import { html, type Markup } from '../../views/html.js';
import { isSameUnit, isSummed, prettyUnit } from '../../snapshot/domain/units.js';
import { dateOfHour } from '../../snapshot/domain/windows.js';
import type { Messages } from '../../texts/fluent-messages.js';
import { messagesOf } from '../../texts/texts.js';
import { ARCHIVE_PATH, type DailyRow } from '../../views/hvd/archive.js';
import { pageLink } from '../../views/pages/page.js';
import { ENOUGH_SHARE } from '../../snapshot/domain/days.js';
import { dayRow } from '../../views/pages/portal/chart/local-days.js';
import { viewPlot } from '../../views/pages/portal/chart/plot.js';
import { DAY_HOURS, DAY_MS } from '../../snapshot/domain/zone-clock.js';
import {
  colorOf,
  colorScale,
  legendOf,
  type ColorScale,
} from '../../views/pages/portal/color-scale.js';
import { formattersFor, type Formatters } from '../../views/pages/portal/formatters.js';
import { unavailable } from '../../views/pages/portal/freshness.js';
import { nameOf } from '../../views/pages/portal/notation.js';
import {
  rankedComponent,
  rankedComponents,
  type Portal,
  type PortalStation,
} from '../../views/pages/portal/portal-model.js';
import type { YearsState } from './years.js';

/** Least width of a plot with the names of all months, in pixels. */
const ALL_MONTHS = 500;

/** A day with a value: `day` counts from the epoch, UTC; `figure` is the mean, or the sum of amounts. */
type Day = Readonly<Record<'day' | 'mean' | 'minimum' | 'maximum' | 'hours' | 'figure', number>>;

export interface ArchivedYears {
  /** The archive's station, if the snapshot lacks it. */
  readonly station?: Pick<PortalStation, 'id' | 'name'> | undefined;
  /** Years of the archive, descending. */
  readonly years: readonly number[];
  /** Rows of the shown year; empty without a value. */
  readonly rows: readonly DailyRow[];
}

interface Year extends NonNullable<ReturnType<typeof yearsSeries>> {
  readonly year: number;
  readonly days: readonly Day[];
  /** Number of days with values in each other unit, which are not shown. */
  readonly others: ReadonlyMap<string, number>;
  /** The day after the year, or after its last day so far. */
  readonly end: number;
  readonly name: 'mean' | 'sum';
  readonly unit: string;
  readonly texts: Messages;
  readonly format: Formatters;
}

/**
 * The station and component of a page, by default the first station of the component. Undefined for an unknown station,
 * and if all components are directions.
 *
 * @param archived the requested station, if only the archive has it.
 */
export function yearsSeries(
  portal: Portal,
  { stationId, componentId }: YearsState,
  archived?: Pick<PortalStation, 'id' | 'name'>,
) {
  const { stations } = portal;
  const first = rankedComponent(portal, componentId);
  const current =
    stationId === undefined
      ? (stations.find(({ componentIds }) => first && componentIds.includes(first.id)) ??
        stations[0])
      : stations.find(({ id }) => id === stationId);
  const component = current ? rankedComponent(portal, componentId, current) : first;
  const station: Pick<PortalStation, 'id' | 'name'> | undefined = current ?? archived;
  return station && component && { portal, station, current, component };
}

export function yearsParameters({ stationId, componentId, year }: YearsState) {
  return { station_id: stationId, component_id: componentId, year };
}

/** A year of a station; a notice if no series can be shown. */
export function viewYears(
  requested: YearsState,
  { station: archived, years, rows }: ArchivedYears,
  portal: Portal | undefined,
) {
  const texts = messagesOf(requested.language, 'portal');
  const series = portal && yearsSeries(portal, requested, archived);
  if (series === undefined) return { title: texts('years'), notice: unavailable(texts) };
  const { station, current, component } = series;
  const state = { ...requested, stationId: station.id };
  const format = formattersFor(state.language, 'UTC');
  const newest = years[0] ?? format.yearOf(series.portal.header.generatedAtMs);
  const year = rows[0]?.date.getUTCFullYear() ?? state.year ?? newest;
  // Values in two units are never drawn together: only those in the newest unit are shown.
  const unitOf = (row: DailyRow): string => prettyUnit(row.unit ?? component.unit);
  const withValue = rows.filter(({ hours }) => hours > 0);
  const unit = withValue.map(unitOf).at(-1) ?? prettyUnit(component.unit);
  const others = new Map<string, number>();
  for (const other of withValue.map(unitOf)) {
    if (other !== unit) others.set(other, (others.get(other) ?? 0) + 1);
  }
  const name = isSummed({ unit }) ? 'sum' : 'mean';
  const days = withValue.filter((row) => unitOf(row) === unit).flatMap((row) => dayOf(row, name));
  const newestDay = Math.ceil(series.portal.header.generatedAtMs / DAY_MS);
  const end = Math.min(startOf(year, 12), Math.max(newestDay, (days.at(-1)?.day ?? 0) + 1));
  const all: Year = { ...series, year, days, others, end, name, unit, texts, format };
  const { label } = nameOf(component, texts);
  const link = (text: string, change: Partial<YearsState>, isCurrent: boolean) => {
    const parameters = yearsParameters({ ...state, componentId: component.id, ...change });
    return { label: text, href: pageLink('/years', state, parameters), isCurrent };
  };
  return {
    title: texts('chart-label', { component: label, station: station.name, window: String(year) }),
    sentence:
      days.length > 0
        ? sentenceOf(all)
        : texts('years-none', { component: label, year: String(year) }),
    years: years.map((one) => link(String(one), { year: one }, one === year)),
    components: rankedComponents(series.portal)
      .filter(({ id }) => current?.componentIds.includes(id) !== false || id === component.id)
      .map((one) =>
        link(nameOf(one, texts).label, { componentId: one.id }, one.id === component.id),
      ),
    /** Undefined where the snapshot lacks the station. */
    stationHref:
      current && pageLink('/', state, { station_id: station.id, component_id: component.id }),
    shown: days.length > 0 ? { label, ...viewYear(all) } : undefined,
  };
}

/** The day of a row; empty without a value. */
function dayOf({ date, ...row }: DailyRow, name: Year['name']): readonly Day[] {
  const { mean, minimum, maximum, hours } = row;
  if (mean === null || minimum === null || maximum === null) return [];
  // Rounds away artefacts such as 0.30000000000000004.
  const figure = name === 'sum' ? Number((mean * hours).toPrecision(12)) : mean;
  return [{ day: date.getTime() / DAY_MS, mean, minimum, maximum, hours, figure }];
}

/** A summary of the year: days with values, mean or sum, highest and lowest day, and units that are not shown. */
function sentenceOf({ year, days, others, end, name, unit, texts, format }: Year): string {
  const write = (value: number): string => `${format.number(value)} ${unit}`.trim();
  const sum = days.reduce((all, { mean, hours }) => all + mean * hours, 0);
  const hours = name === 'sum' ? 1 : days.reduce((all, one) => all + one.hours, 0);
  const full = days.filter((one) => one.hours >= ENOUGH_SHARE * DAY_HOURS);
  const compared = full.length > 0 ? full : days;
  const extreme = (id: 'lowest' | 'highest', choose: typeof Math.max): string => {
    const extremum = choose(...compared.map(({ figure }) => figure));
    const value = write(extremum);
    const first = compared.find(({ figure }) => figure === extremum);
    const text = texts(`years-${id}`, { value, day: format.day((first?.day ?? 0) * DAY_MS) });
    // Days tie if their displayed values are equal.
    const count = compared.filter(({ figure }) => write(figure) === value).length - 1;
    return count === 0 ? text : `${text} ${texts('episode-day-ties', { count })}`;
  };
  const isRunning = end < startOf(year, 12);
  const counted = { days: days.length, all: end - startOf(year, 0), year: String(year) };
  return [
    texts(isRunning ? 'years-days-so-far' : 'years-days', counted),
    texts(`years-${name}`, { value: write(sum / hours) }),
    extreme('highest', Math.max),
    extreme('lowest', Math.min),
    ...(full.length > 0 && full.length < days.length ? [texts('years-among')] : []),
    ...[...others].map(([other, count]) => texts('years-other-unit', { days: count, unit: other })),
  ].join(' ');
}

function viewYear(series: Year) {
  const { portal, station, component, year, days, name, unit, format } = series;
  const figures = days.map(({ figure }) => figure);
  // Daily sums, and values in another unit, exceed the scale of hourly values.
  const own = { rangeOf: () => [Math.min(...figures), Math.max(...figures)] as const };
  const isToday = name === 'mean' && isSameUnit(unit, component.unit);
  const scale = colorScale(isToday ? portal : own, { ...component, unit }, isToday);
  const starts = Array.from({ length: 12 }, (_, month) => startOf(year, month));
  const interval = { from: startOf(year, 0), to: startOf(year, 12) };
  const band = Array<readonly [number, number] | undefined>(interval.to - interval.from);
  for (const { day, minimum, maximum } of days) band[day - interval.from] = [minimum, maximum];
  const query = new URLSearchParams({
    station_id: String(station.id),
    parameter_code: component.code,
    from: `${year}-01-01`,
    to: `${year + 1}-01-01`,
  });
  const plot = viewPlot({
    points: days.map(({ day, figure }) => ({ hour: day, value: figure })),
    interval,
    usual: name === 'mean' ? band : [],
    axis: (width) =>
      starts
        .filter((_, month) => width > ALL_MONTHS || month % 3 === 0)
        .map((day) => {
          const label = format.month(day * DAY_MS);
          return { hours: day - interval.from, label, below: '', anchor: 'start' };
        }),
    scale,
    format,
  });
  return {
    name,
    plot,
    calendar: viewYearCalendar(series, starts, scale),
    rows: days.map(({ day, figure, minimum, maximum, hours }) =>
      dayRow(dateOfHour(day * DAY_HOURS), [
        `${format.weekday(day * DAY_MS)} ${format.day(day * DAY_MS)}`,
        ...[figure, minimum, maximum].map(format.number),
        `${hours} / ${DAY_HOURS}`,
      ]),
    ),
    csvHref: `${ARCHIVE_PATH}/daily.csv?${query.toString()}`,
  };
}

function viewYearCalendar(
  { year, days, end, unit, texts, format }: Year,
  starts: readonly number[],
  scale: ColorScale,
) {
  const byDay = new Map(days.map(({ day, figure }) => [day, figure]));
  const cellOf = (start: number, month: number, index: number): Markup => {
    if (start + index >= Math.min(end, startOf(year, month + 1)))
      return html`<td class="skipped"></td>`;
    const figure = byDay.get(start + index);
    return figure === undefined
      ? html`<td class="gap">–</td>`
      : html`<td class="${colorOf(figure, scale)}">${format.shortNumber(figure)}</td>`;
  };
  const rows = Array.from(
    { length: 31 },
    (_, index) => html`
<tr><th scope="row">${index + 1}</th>${starts.map((start, month) => cellOf(start, month, index))}</tr>`,
  );
  return {
    title: texts('years-calendar', { year: String(year) }),
    caption: texts('years-caption'),
    unit,
    hours: starts.map((day) => html`<th scope="col">${format.month(day * DAY_MS)}</th>`),
    rows,
    hasGaps: days.length < end - startOf(year, 0),
    legend: legendOf(scale, texts, format),
    isCompass: false,
  };
}

function startOf(year: number, month: number): number {
  return Date.UTC(year, month) / DAY_MS;
}
