/** A week: one component at all stations, by local days. */
import { isSummed, prettyUnit } from '../../snapshot/domain/units.js';
import { HOUR_MS } from '../../snapshot/domain/windows.js';
import { messagesOf } from '../../texts/texts.js';
import { html, type Markup } from '../../views/html.js';
import { EPISODE_FIGURES, pageLink } from '../../views/pages/page.js';
import {
  daysOf,
  isFull,
  peakOf,
  valuesOf,
  type Day,
} from '../../views/pages/portal/chart/local-days.js';
import { choicesMarkup } from '../../views/pages/portal/common-markup.js';
import { colorScale, swatchMarkup, type ColorScale } from '../../views/pages/portal/color-scale.js';
import type { Wording } from '../../views/pages/portal/context.js';
import { DAY_HOURS } from '../../snapshot/domain/zone-clock.js';
import { formattersFor } from '../../views/pages/portal/formatters.js';
import { noticeOf, unavailable } from '../../views/pages/portal/freshness.js';
import { fixedParameters } from '../../views/pages/portal/links.js';
import { nameOf } from '../../views/pages/portal/notation.js';
import {
  maxOf,
  rankedComponent,
  rankedComponents,
  readingTime,
  type Portal,
  type PortalComponent,
  type PortalStation,
} from '../../views/pages/portal/portal-model.js';
import {
  ROWS_MAX,
  stationTableMarkup,
  type StationTablePage,
} from '../../views/pages/portal/station-tables.js';
import { byRank, descending, nameOrder } from '../../views/pages/portal/stations.js';
import { aggregateOf } from '../../views/pages/portal/statistics.js';
import { readMeasuring, readPortal } from '../read-portal.js';
import { valuePage, type ViewSource } from '../view.js';
import type { EpisodeState } from './episode.js';
import { weekOf } from './week.js';

/** A week of a component, or a notice. @throws {SnapshotError} `copy_damaged`. */
export function render(state: EpisodeState, source: ViewSource): string {
  return valuePage(state, source, episodeParameters(state), (layout, texts) =>
    stationTableMarkup(viewEpisode(state, source), layout, texts),
  );
}

interface Week extends Wording {
  readonly portal: Portal;
  readonly component: PortalComponent;
  readonly state: EpisodeState;
  readonly figureText: (day: DayFigures | undefined) => Markup | string;
}

interface Row {
  readonly station: PortalStation;
  readonly days: readonly DayFigures[];
  readonly highest: number;
}

type DayFigures = ReturnType<typeof dayFigures>;

function viewEpisode(
  state: EpisodeState,
  { snapshot, ageHours, site: { timeZone } }: ViewSource,
): StationTablePage {
  const opened = snapshot();
  const texts = messagesOf(state.language, 'portal');
  const title = texts('episode');
  if (opened === undefined) return { title, notice: unavailable(texts) };
  const portal = readPortal(opened);
  const component = rankedComponent(portal, state.componentId);
  const format = formattersFor(state.language, timeZone, readingTime(portal, ageHours));
  const interval = weekOf(portal, format);
  const series =
    component && interval
      ? readMeasuring(opened, portal.stations, { componentId: component.id, interval })
      : [];
  if (component === undefined || series.length === 0)
    return { title, notice: { heading: title, text: texts('episode-empty') } };
  const aggregate = aggregateOf(component, format);
  const scale = colorScale(portal, component, state.figure !== 'mean' || !isSummed(component));
  const figureText = figureWriter(scale, ({ figure, values }) =>
    state.figure === 'mean' ? aggregate.write(values) : format.number(figure),
  );
  const week = { portal, component, state, texts, format, figureText };
  const all = series.map((one): Row => {
    const days = daysOf(one, format).map((day) => dayFigures(day, state.figure, aggregate));
    return { station: one.station, days, highest: maxOf(days.map(({ figure }) => figure)) };
  });
  const { label } = nameOf(component, texts);
  const unit = prettyUnit(component.unit);
  return {
    title,
    table: {
      ...noticeOf({ portal, ageHours, texts, format }),
      snapshotId: portal.header.snapshotId,
      heading: texts('episode-heading', { component: label }),
      facts: html`<div class="facts">${factsOf(all, week)}</div>
${choicesOf(week)}
`,
      note: html`${texts('episode-note')}${unit !== '' && html` <strong>${unit}</strong>`} ${scale.hasSwatches && texts('scale-note', { source: scale.source })}`,
      csvHref: `/portal/episode.csv?component_id=${component.id}`,
      columns: columnsOf(all[0]?.days ?? [], week),
      stations: all.length,
      rows: sorted(all, week)
        .slice(0, ROWS_MAX)
        .map((row) => rowOf(row, week)),
    },
  };
}

function choicesOf({ portal, component, state, texts, format }: Week): Markup {
  const components = rankedComponents(portal).map((one) => ({
    label: nameOf(one, texts).label,
    href: linkOf(state, { componentId: one.id }),
    isCurrent: one.id === component.id,
  }));
  const aggregate = aggregateOf(component, format).name;
  const figures = EPISODE_FIGURES.map((figure) => ({
    label: texts(`episode-${figure === 'mean' ? aggregate : figure}`),
    href: linkOf(state, { figure }),
    isCurrent: figure === state.figure,
  }));
  return html`${choicesMarkup('components', texts('pick-component'), components)}
${choicesMarkup('figures', texts('episode-figure'), figures)}`;
}

function linkOf(state: EpisodeState, change: Partial<EpisodeState>): string {
  return pageLink('/episode', state, episodeParameters({ ...state, ...change }));
}

function episodeParameters({ componentId, figure, sort }: EpisodeState) {
  const isUsual = figure === EPISODE_FIGURES[0];
  return { component_id: componentId, figure: isUsual ? undefined : figure, sort };
}

/** A day with its peak, and the figure that sets order and colour: -Infinity without a value. */
function dayFigures(
  day: Day,
  orderedBy: EpisodeState['figure'],
  { valueOf }: ReturnType<typeof aggregateOf>,
) {
  const peak = peakOf(day.points);
  const values = valuesOf(day);
  const total = peak ? valueOf(values) : -Infinity;
  return {
    ...day,
    values,
    peak,
    /** Number of other hours with the value of the peak. */
    ties: values.filter((value) => value === peak?.value).length - 1,
    total,
    figure: orderedBy === 'mean' ? total : (peak?.value ?? -Infinity),
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
    direction:
      sort === state.sort
        ? sort === 'name'
          ? ('ascending' as const)
          : ('descending' as const)
        : undefined,
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

function rowOf({ station, days, highest }: Row, week: Week): Markup {
  const cells = days.map((day) => dayCell(day, station, week));
  const best = days.find(({ figure }) => figure === highest);
  return html`
<tr><th scope="row"><a href="${stationLink(station, week)}">${station.name}</a></th><td>${week.figureText(best)}</td>${cells}</tr>`;
}

function dayCell(day: DayFigures, station: PortalStation, week: Week): Markup {
  const { format, texts, figureText } = week;
  const { peak, ties, values } = day;
  if (peak === undefined) return html`<td>–</td>`;
  const clock = format.clock(peak.hour * HOUR_MS);
  const when = ties > 0 ? `${clock} ${texts('more-hours', { count: ties })}` : clock;
  const few =
    values.length < day.hours &&
    !isFull(day) &&
    html` <small class="late">${texts('episode-part', { hours: values.length })}</small>`;
  return html`<td><a href="${stationLink(station, week, day)}">${figureText(day)}</a><small>${when}</small>${few}</td>`;
}

function figureWriter(scale: ColorScale, write: (day: DayFigures) => string): Week['figureText'] {
  return (day) =>
    day?.peak === undefined ? '–' : html`${swatchMarkup(day.figure, scale)}${write(day)}`;
}

/** Link to the panel of a station, for the day, or else for the week. */
function stationLink(station: PortalStation, { state, component }: Week, day?: DayFigures): string {
  return pageLink('/', state, {
    station_id: station.id,
    component_id: component.id,
    ...(day ? fixedParameters(day.whole) : { window: '7d' }),
  });
}

/** The highest hour, and the day with the highest mean or sum, as sentences with links. */
function factsOf(rows: readonly Row[], week: Week): readonly Markup[] {
  const { component, texts, format } = week;
  const { name, write } = aggregateOf(component, format);
  const withUnit = (value: string): string => `${value} ${prettyUnit(component.unit)}`.trim();
  const days = rows.flatMap(({ station, days: all }) => all.map((day) => ({ station, ...day })));
  const hour = firstHighest(days, ({ peak }) => peak?.value);
  const day = firstHighest(days, (one) => (isFull(one) ? one.total : undefined));
  const facts: Markup[] = [];
  /** Adds a sentence, with the number of other hours or days with this value. */
  const add = (href: string, text: string, ties: string, count: number): void => {
    const others = count > 0 && ` ${texts(ties, { count })}`;
    facts.push(html`<p><a href="${href}">${text}</a>${others}</p>`);
  };
  if (hour?.peak !== undefined) {
    const { station, peak } = hour;
    const count = days.flatMap(valuesOf).filter((value) => value === peak.value).length - 1;
    const text = texts('episode-hour', {
      value: withUnit(format.number(peak.value)),
      station: station.name,
      hour: format.hourSpan(peak.hour).text,
    });
    add(stationLink(station, week, hour), text, 'episode-ties', count);
  }
  if (day !== undefined) {
    const { station, firstHour, others: count } = day;
    const text = texts(`episode-day-${name}`, {
      value: withUnit(write(day.values)),
      station: station.name,
      day: `${format.weekday(firstHour * HOUR_MS)} ${format.dayOfYear(firstHour * HOUR_MS)}`,
    });
    add(stationLink(station, week, day), text, 'episode-day-ties', count);
  }
  return facts;
}

/** The first element with the highest figure, and the number of others with it. */
function firstHighest<T>(all: readonly T[], figureOf: (one: T) => number | undefined) {
  const highest = maxOf(all.flatMap((one) => figureOf(one) ?? []));
  const [first, ...others] = all.filter((one) => figureOf(one) === highest);
  return first === undefined ? undefined : { ...first, others: others.length };
}
