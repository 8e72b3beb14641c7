/** Template context of a week: one component at all stations by the days of the network's clock. */
import { HOUR_MS, windowHours, type HourInterval } from '../../../snapshot/domain/windows.js';
import type { Messages } from '../../../texts/messages.js';
import { messagesOf } from '../../../texts/texts.js';
import { escapeMarkup } from '../../xml.js';
import { EPISODE_FIGURES, pageLink, type EpisodeState } from '../page.js';
import { daysOf, peakOf, valuesOf, type Day } from './chart/days.js';
import { isDirection } from './chart/direction.js';
import { DAY_HOURS, localHours } from './clock.js';
import { colorOf, colorScale, isPollutant, type ColorScale } from './color-scale.js';
import { formattersFor, type Formatters } from './formatters.js';
import { noticeOf } from './freshness.js';
import { fixedParameters } from './links.js';
import { nameOf, prettyUnit } from './notation.js';
import { ROWS_MAX } from './overview-page.js';
import {
  longestWindow,
  maxOf,
  orderedComponents,
  readingTime,
  shownComponent,
  type Portal,
  type PortalComponent,
  type PortalStation,
  type StationSeries,
} from './portal-model.js';
import { byRank, descending, nameOrder } from './stations.js';
import { aggregateOf } from './statistics.js';

/** Whole days before the one that the snapshot was made on. */
const WHOLE_DAYS = 7;

/** A day with fewer values is in the table, but not the highest of the week. */
const ENOUGH_HOURS = (3 / 4) * DAY_HOURS;

export interface EpisodeView {
  readonly state: EpisodeState;
  /** Undefined while there is no snapshot. */
  readonly portal: Portal | undefined;
  readonly timeZone: string;
  readonly ageHours: number;
  /** One component over a period, at the stations that measure it. */
  readonly read: (componentId: number, interval: HourInterval) => readonly StationSeries[];
}

/** Directions have no highest value and no mean. */
function episodeComponents(portal: Portal): readonly PortalComponent[] {
  return orderedComponents(portal).filter((component) => !isDirection(component));
}

/** The component that is shown; undefined where the network measures none but directions. */
export function episodeComponent(
  portal: Portal,
  chosen: number | undefined,
): PortalComponent | undefined {
  const components = episodeComponents(portal);
  return components.length === 0
    ? undefined
    : shownComponent({ ...portal, components }, { chosen });
}

/** Seven whole days of the clock and what there is of today, as far as the snapshot has them; undefined without a window of days. */
export function weekOf(
  portal: Portal,
  format: Pick<Formatters, 'local'>,
): HourInterval | undefined {
  const longest = longestWindow(portal);
  if (longest === undefined) return undefined;
  const { from, to } = windowHours(longest, portal.header.generatedAtMs);
  const today = format.local(to - 1).day;
  const first = localHours({ from, to }, format).find(({ day }) => day >= today - WHOLE_DAYS);
  return { from: first?.hour ?? from, to };
}

interface Week {
  readonly portal: Portal;
  readonly component: PortalComponent;
  readonly scale: ColorScale;
  readonly state: EpisodeState;
  readonly texts: Messages;
  readonly format: Formatters;
}

interface Row {
  readonly station: PortalStation;
  readonly days: readonly Day[];
}

/** Context of `templates/episode.liquid`, as `page`. */
export function viewEpisode({ state, portal, timeZone, ageHours, read }: EpisodeView) {
  const texts = messagesOf(state.language, 'portal');
  const title = texts('episode');
  const component = portal && episodeComponent(portal, state.componentId);
  if (portal === undefined) return { texts: texts.plain(), title, isAvailable: false as const };
  const format = formattersFor(state.language, timeZone, readingTime(portal, ageHours));
  const interval = weekOf(portal, format);
  const series = component && interval ? read(component.id, interval) : [];
  const available = { texts: texts.plain(), title, isAvailable: true as const };
  if (component === undefined || series.length === 0) return { ...available, rows: '' };
  const scale = colorScale(portal, component);
  const week = { portal, component, scale, state, texts, format };
  const all = series.map((one) => ({ station: one.station, days: daysOf(one, format) }));
  const { label } = nameOf(component, texts);
  return {
    ...available,
    ...noticeOf({ portal, ageHours, texts, format }),
    snapshotId: portal.header.snapshotId,
    heading: texts('episode-heading', { component: label }),
    unit: prettyUnit(component.unit),
    components: episodeComponents(portal).map((one) => ({
      label: nameOf(one, texts).label,
      href: linkOf(state, { componentId: one.id }),
      isCurrent: one.id === component.id,
    })),
    figures: EPISODE_FIGURES.map((figure) => ({
      label: texts(`episode-${figure === 'mean' ? aggregateOf(component, format).name : figure}`),
      href: linkOf(state, { figure }),
      isCurrent: figure === state.figure,
    })),
    facts: factsOf(all, week),
    csvHref: `/portal/episode.csv?component_id=${component.id}`,
    limited: all.length > ROWS_MAX ? texts('list-limited', { shown: ROWS_MAX }) : undefined,
    columns: columnsOf(all[0]?.days ?? [], week),
    rows: sorted(all, week)
      .slice(0, ROWS_MAX)
      .map((row) => rowOf(row, week))
      .join(''),
  };
}

function linkOf(state: EpisodeState, change: Partial<EpisodeState>): string {
  return pageLink('/episode', state, episodeParameters({ ...state, ...change }));
}

/** Parameters of the state, except language and theme. */
export function episodeParameters({ componentId, figure, sort }: EpisodeState) {
  const isUsual = figure === EPISODE_FIGURES[0];
  return { component_id: componentId, figure: isUsual ? undefined : figure, sort };
}

/** What a day is sorted and coloured by; undefined without a value. */
function figureOf(day: Day | undefined, { component, state, format }: Week): number | undefined {
  const peak = day && peakOf(day.points);
  if (day === undefined || peak === undefined) return undefined;
  return state.figure === 'mean'
    ? aggregateOf(component, format).valueOf(valuesOf(day))
    : peak.value;
}

function highestOf({ days }: Row, week: Week): number {
  return maxOf(days.flatMap((day) => figureOf(day, week) ?? []));
}

function sorted(rows: readonly Row[], week: Week): readonly Row[] {
  const { portal, state, format } = week;
  const { sort } = state;
  const names = byRank(nameOrder(portal, format));
  const by = (row: Row): number =>
    sort === undefined
      ? highestOf(row, week)
      : (figureOf(
          row.days.find(({ date }) => date === sort),
          week,
        ) ?? -Infinity);
  const ranked = rows.map((row) => ({ row, figure: sort === 'name' ? 0 : by(row) }));
  return ranked
    .toSorted((a, b) => descending(a.figure, b.figure) || names(a.row.station, b.row.station))
    .map(({ row }) => row);
}

function columnsOf(days: readonly Day[], { state, texts, format }: Week) {
  const column = (label: string, sort: EpisodeState['sort'], part?: string) => ({
    label,
    part,
    href: linkOf(state, { sort }),
    direction: sort === state.sort ? (sort === 'name' ? 'ascending' : 'descending') : undefined,
  });
  return [
    column(texts('column-station'), 'name'),
    column(texts('episode-week'), undefined),
    ...days.map(({ date, firstHour, hours }) =>
      column(
        `${format.weekday(firstHour * HOUR_MS)} ${format.day(firstHour * HOUR_MS)}`,
        date,
        hours < DAY_HOURS - 1 ? texts('episode-part', { hours }) : undefined,
      ),
    ),
  ];
}

/** As markup: a week of 300 stations has 2,400 cells. */
function rowOf(row: Row, week: Week): string {
  const { station, days } = row;
  const highest = highestOf(row, week);
  const name = escapeMarkup(station.name);
  const link = escapeMarkup(stationLink(station, week));
  const cells = days.map((day) => dayCell(day, row, week)).join('');
  return `\n<tr><th scope="row"><a href="${link}">${name}</a></th><td>${figureText(highest, week)}</td>${cells}</tr>`;
}

function dayCell(day: Day, { station }: Row, week: Week): string {
  const { format, texts } = week;
  const peak = peakOf(day.points);
  const figure = figureOf(day, week);
  if (peak === undefined || figure === undefined) return '<td>–</td>';
  const ties = day.points.filter(({ value }) => value === peak.value).length - 1;
  const when = `${format.clock(peak.hour * HOUR_MS)}${ties > 0 ? ` +${ties}` : ''}`;
  const title = ties > 0 ? ` title="${escapeMarkup(texts('episode-ties', { count: ties }))}"` : '';
  const few =
    day.points.length < Math.min(ENOUGH_HOURS, day.hours)
      ? ` <small class="late">${escapeMarkup(texts('episode-part', { hours: day.points.length }))}</small>`
      : '';
  const link = escapeMarkup(stationLink(station, week, day));
  return `<td><a href="${link}">${figureText(figure, week)}</a><small${title}>${when}</small>${few}</td>`;
}

function figureText(figure: number, { component, scale, state, format }: Week): string {
  if (figure === -Infinity) return '–';
  const swatch = isPollutant(component)
    ? `<span class="swatch ${colorOf(figure, scale)}"></span>`
    : '';
  const { write } = aggregateOf(component, format);
  const text = state.figure === 'mean' ? write([figure]) : format.number(figure);
  return swatch + escapeMarkup(text);
}

/** The panel of a station, over a day where one is given. */
function stationLink(station: PortalStation, { state, component }: Week, day?: Day): string {
  return pageLink('/', state, {
    station_id: station.id,
    component_id: component.id,
    ...(day ? fixedParameters(day.whole) : { window: '7d' }),
  });
}

/** The highest hour of all, and the day with the highest mean, each a sentence and a link to that day. */
function factsOf(rows: readonly Row[], week: Week) {
  const { component, texts, format } = week;
  const unit = prettyUnit(component.unit);
  const cells = rows.flatMap(({ station, days }) => days.map((day) => ({ station, day })));
  const hours = cells.flatMap((cell) => {
    const peak = peakOf(cell.day.points);
    return peak === undefined ? [] : [{ ...cell, peak }];
  });
  const hour = firstHighest(hours, ({ peak }) => peak.value);
  const means = cells.filter(({ day }) => day.points.length >= ENOUGH_HOURS);
  const aggregate = aggregateOf(component, format);
  const meanOf = ({ day }: (typeof cells)[number]): number => aggregate.valueOf(valuesOf(day));
  const day = firstHighest(means, meanOf);
  const facts = [];
  if (hour !== undefined) {
    const { station, peak } = hour.first;
    const count =
      cells.flatMap((cell) => cell.day.points.filter(({ value }) => value === peak.value)).length -
      1;
    facts.push({
      href: stationLink(station, week, hour.first.day),
      text: texts('episode-hour', {
        value: `${format.number(peak.value)} ${unit}`.trim(),
        station: station.name,
        hour: format.hourSpan(peak.hour).text,
      }),
      ties: count > 0 ? texts('episode-ties', { count }) : undefined,
    });
  }
  if (day !== undefined) {
    const { station, day: shown } = day.first;
    facts.push({
      href: stationLink(station, week, shown),
      text: texts(`episode-day-${aggregate.name}`, {
        value: `${aggregate.write(valuesOf(shown))} ${unit}`.trim(),
        station: station.name,
        day: `${format.weekday(shown.firstHour * HOUR_MS)} ${format.dayOfYear(shown.firstHour * HOUR_MS)}`,
      }),
      ties: day.others > 0 ? texts('episode-day-ties', { count: day.others }) : undefined,
    });
  }
  return facts;
}

/** The first of those with the highest figure, and how many others have the same. */
function firstHighest<T>(all: readonly T[], figureOf: (one: T) => number) {
  const highest = maxOf(all.map(figureOf));
  const [first, ...others] = all.filter((one) => figureOf(one) === highest);
  return first === undefined ? undefined : { first, others: others.length };
}
