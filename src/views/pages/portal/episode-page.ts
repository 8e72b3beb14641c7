/** A week: one component at all stations by the days of the network's clock. */
import { isDirection, prettyUnit } from '../../../snapshot/domain/units.js';
import { HOUR_MS, windowHours, type HourInterval } from '../../../snapshot/domain/windows.js';
import type { Messages } from '../../../texts/messages.js';
import { messagesOf } from '../../../texts/texts.js';
import { escapeMarkup } from '../../xml.js';
import { EPISODE_FIGURES, pageLink, type EpisodeState } from '../page.js';
import { daysOf, peakOf, valuesOf, type Day } from './chart/days.js';
import { DAY_HOURS, localHours } from './clock.js';
import { colorScale, swatchOf } from './color-scale.js';
import { formattersFor, type Formatters } from './formatters.js';
import { noticeOf, unavailable } from './freshness.js';
import { fixedParameters } from './links.js';
import { nameOf } from './notation.js';
import { ROWS_MAX, type OverviewView } from './overview-page.js';
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
export const ENOUGH_HOURS = (3 / 4) * DAY_HOURS;

export interface EpisodeView extends Pick<OverviewView, 'portal' | 'timeZone' | 'ageHours'> {
  readonly state: EpisodeState;
  /** One component over a period, at the stations that measure it. */
  readonly read: (componentId: number, interval: HourInterval) => readonly StationSeries[];
}

/** Directions have no highest value and no mean. */
export function episodeComponents(portal: Portal): readonly PortalComponent[] {
  return orderedComponents(portal).filter((component) => !isDirection(component));
}

/** The component that is shown; undefined where the network measures none but directions. */
export function episodeComponent(
  portal: Portal,
  chosen: number | undefined,
  station?: PortalStation,
): PortalComponent | undefined {
  const components = episodeComponents(portal);
  return components.length === 0
    ? undefined
    : shownComponent({ ...portal, components }, { chosen, station });
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
  readonly state: EpisodeState;
  readonly texts: Messages;
  readonly format: Formatters;
  /** As markup, the figure of a day; a dash without one. */
  readonly figureText: (day: DayFigures | undefined) => string;
}

interface Row {
  readonly station: PortalStation;
  readonly days: readonly DayFigures[];
  readonly highest: number;
}

type DayFigures = ReturnType<typeof dayFigures>;

/** A week of a component; with a notice in its place where there is none. */
export function viewEpisode({ state, portal, timeZone, ageHours, read }: EpisodeView) {
  const texts = messagesOf(state.language, 'portal');
  const title = texts('episode');
  if (portal === undefined) return { title, notice: unavailable(texts) };
  const component = episodeComponent(portal, state.componentId);
  const format = formattersFor(state.language, timeZone, readingTime(portal, ageHours));
  const interval = weekOf(portal, format);
  const series = component && interval ? read(component.id, interval) : [];
  if (component === undefined || series.length === 0)
    return { title, notice: { heading: title, text: texts('episode-empty') } };
  const aggregate = aggregateOf(component, format);
  const figureText = figureWriter(portal, component, ({ figure, values }) =>
    state.figure === 'mean' ? aggregate.write(values) : format.number(figure),
  );
  const week = { portal, component, state, texts, format, figureText };
  const all = series.map((one): Row => {
    const days = daysOf(one, format).map((day) => dayFigures(day, state.figure, aggregate));
    return { station: one.station, days, highest: maxOf(days.map(({ figure }) => figure)) };
  });
  const { label } = nameOf(component, texts);
  return {
    title,
    ...noticeOf({ portal, ageHours, texts, format }),
    snapshotId: portal.header.snapshotId,
    heading: texts('episode-heading', { component: label }),
    unit: prettyUnit(component.unit),
    choices: [
      {
        name: 'components',
        label: texts('pick-component'),
        links: episodeComponents(portal).map((one) => ({
          label: nameOf(one, texts).label,
          href: linkOf(state, { componentId: one.id }),
          isCurrent: one.id === component.id,
        })),
      },
      {
        name: 'figures',
        label: texts('episode-figure'),
        links: EPISODE_FIGURES.map((figure) => ({
          label: texts(`episode-${figure === 'mean' ? aggregate.name : figure}`),
          href: linkOf(state, { figure }),
          isCurrent: figure === state.figure,
        })),
      },
    ],
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

/** A day with its peak, and with the figure that it is sorted and coloured by: -Infinity without a value. */
function dayFigures(
  day: Day,
  shown: EpisodeState['figure'],
  { valueOf }: ReturnType<typeof aggregateOf>,
) {
  const peak = peakOf(day.points);
  const values = valuesOf(day);
  const total = peak ? valueOf(values) : -Infinity;
  return {
    ...day,
    values,
    peak,
    /** Other hours with the same value. */
    ties: values.filter((value) => value === peak?.value).length - 1,
    total,
    figure: shown === 'mean' ? total : (peak?.value ?? -Infinity),
  };
}

function sorted(rows: readonly Row[], { portal, state, format }: Week): readonly Row[] {
  const { sort } = state;
  const names = byRank(nameOrder(portal, format));
  const ranked = rows.map((row) => {
    const ofDay = row.days.find(({ date }) => date === sort)?.figure ?? -Infinity;
    return { row, figure: sort === undefined ? row.highest : sort === 'name' ? 0 : ofDay };
  });
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
function rowOf({ station, days, highest }: Row, week: Week): string {
  const name = escapeMarkup(station.name);
  const link = escapeMarkup(stationLink(station, week));
  const cells = days.map((day) => dayCell(day, station, week)).join('');
  const best = days.find(({ figure }) => figure === highest);
  return `\n<tr><th scope="row"><a href="${link}">${name}</a></th><td>${week.figureText(best)}</td>${cells}</tr>`;
}

function dayCell(day: DayFigures, station: PortalStation, week: Week): string {
  const { format, texts, figureText } = week;
  const { peak, ties, values } = day;
  if (peak === undefined) return '<td>–</td>';
  const clock = format.clock(peak.hour * HOUR_MS);
  const when = ties > 0 ? `${clock} ${texts('more-hours', { count: ties })}` : clock;
  const few =
    values.length < Math.min(ENOUGH_HOURS, day.hours)
      ? ` <small class="late">${escapeMarkup(texts('episode-part', { hours: values.length }))}</small>`
      : '';
  const link = escapeMarkup(stationLink(station, week, day));
  return `<td><a href="${link}">${figureText(day)}</a><small>${escapeMarkup(when)}</small>${few}</td>`;
}

function figureWriter(
  portal: Portal,
  component: PortalComponent,
  write: (day: DayFigures) => string,
): Week['figureText'] {
  const scale = colorScale(portal, component);
  return (day) =>
    day?.peak === undefined
      ? '–'
      : swatchOf(day.figure, component, scale) + escapeMarkup(write(day));
}

/** The panel of a station, over a day where one is given. */
function stationLink(station: PortalStation, { state, component }: Week, day?: DayFigures): string {
  return pageLink('/', state, {
    station_id: station.id,
    component_id: component.id,
    ...(day ? fixedParameters(day.whole) : { window: '7d' }),
  });
}

/** The highest hour of all, and the day with the highest mean, each a sentence and a link to that day. */
function factsOf(rows: readonly Row[], week: Week) {
  const { component, texts, format } = week;
  const { name, write } = aggregateOf(component, format);
  const withUnit = (value: string): string => `${value} ${prettyUnit(component.unit)}`.trim();
  const days = rows.flatMap(({ station, days: all }) => all.map((day) => ({ station, ...day })));
  const hour = firstHighest(days, ({ peak }) => peak?.value);
  const day = firstHighest(days, ({ values, total }) =>
    values.length >= ENOUGH_HOURS ? total : undefined,
  );
  const facts = [];
  if (hour?.peak !== undefined) {
    const { station, peak } = hour;
    const count = days.flatMap(valuesOf).filter((value) => value === peak.value).length - 1;
    facts.push({
      href: stationLink(station, week, hour),
      text: texts('episode-hour', {
        value: withUnit(format.number(peak.value)),
        station: station.name,
        hour: format.hourSpan(peak.hour).text,
      }),
      ties: count > 0 ? texts('episode-ties', { count }) : undefined,
    });
  }
  if (day !== undefined) {
    const { station, firstHour, others: count } = day;
    facts.push({
      href: stationLink(station, week, day),
      text: texts(`episode-day-${name}`, {
        value: withUnit(write(day.values)),
        station: station.name,
        day: `${format.weekday(firstHour * HOUR_MS)} ${format.dayOfYear(firstHour * HOUR_MS)}`,
      }),
      ties: count > 0 ? texts('episode-day-ties', { count }) : undefined,
    });
  }
  return facts;
}

/** The first of those with the highest figure, and how many others have the same. */
function firstHighest<T>(all: readonly T[], figureOf: (one: T) => number | undefined) {
  const highest = maxOf(all.flatMap((one) => figureOf(one) ?? []));
  const [first, ...others] = all.filter((one) => figureOf(one) === highest);
  return first === undefined ? undefined : { ...first, others: others.length };
}
