/** The view of a station's panel: newest values of all components, and chart, table and files of one. */
import { isDirection, isSummed, prettyUnit } from '../../../snapshot/domain/units.js';
import { WINDOWS } from '../../../snapshot/domain/model.js';
import { HOUR_MS, retainedHours } from '../../../snapshot/domain/windows.js';
import { ARCHIVE_PATH } from '../../hvd/archive.js';
import { html, type Markup } from '../../html.js';
import { isFixed, pageLink } from '../page.js';
import type { Messages } from '../../../texts/fluent-messages.js';
import { compassOf, normalizeDirection } from './chart/direction.js';
import { daysOf, viewDays } from './chart/local-days.js';
import { viewRose } from './chart/rose.js';
import { viewCalendar } from './chart/heat-calendar.js';
import { viewPlot } from './chart/plot.js';
import { clampForScale } from './chart/hourly.js';
import { colorScale, type ColorScale } from './color-scale.js';
import { chartTitle, lineNames, plotLines, viewComparison } from './comparison.js';
import type { StationContext } from './context.js';
import { creditOf } from './credit.js';
import { viewFiles } from './download-links.js';
import { cardsOf } from './panel-cards.js';
import { portalLink, viewShare, viewWorkbookLinks } from './links.js';
import { noticeOf } from './freshness.js';
import { componentKey, nameOf, notMeasuredText } from './notation.js';
import {
  longestWindow,
  type ChartLines,
  type ChartSeries,
  type PortalComponent,
  type PortalSeries,
  type PortalStation,
  type StationSeries,
} from './portal-model.js';
import { viewNewest } from './newest-value.js';
import { periodName, viewPeriod } from './period.js';
import { aggregateOf, coverageOf, seriesSummary } from './statistics.js';
import { usualIn, usualRanges } from './usual.js';

export interface PanelOptions extends StationContext {
  /** Further series of the chart; default: none. */
  readonly compared?: readonly ChartSeries[] | undefined;
  /** The component at the station, in the longest window. */
  readonly longest?: StationSeries | undefined;
  /** The wind direction at the station in the longest window. */
  readonly wind?: StationSeries | undefined;
  readonly baseUrl?: string | undefined;
  /** Whether the archive may have years of the component; default: no. */
  readonly hasYears?: boolean;
  readonly timeZone: string;
  readonly ageHours: number;
}

export function viewPanel(options: PanelOptions) {
  const { detail, component, state, texts } = options;
  const { station } = detail;
  const chosen = detail.series.find((series) => series.component.id === component.id);
  return {
    name: station.name,
    code: station.code,
    facts: [
      station.stationType && texts(`station-type-${station.stationType}`),
      station.address,
      station.municipality,
      station.elevationM === undefined
        ? undefined
        : texts('facts-elevation', { metres: station.elevationM }),
    ].filter((fact) => fact !== undefined && fact !== ''),
    isActive: station.active,
    meanings: meaningsOf(station, component, texts),
    ...noticeOf(options),
    /** Source line for print; the page has operator and licence elsewhere. */
    credit: creditOf(options.portal, state.language, options.format)[0],
    closeHref: portalLink(state, { stationId: undefined }),
    cards: cardsOf(options),
    windows: windowsOf(options),
    chosen: chosen === undefined ? undefined : viewSeries(options, chosen),
    notMeasured: chosen === undefined ? notMeasuredText(component, texts) : undefined,
  };
}

/** Descriptions of the component, the station's kind and its height, where known. */
function meaningsOf(
  { stationType, elevationM }: PortalStation,
  component: PortalComponent,
  texts: Messages,
): readonly string[] {
  const about = `component-${componentKey(component.code).replaceAll('.', '-')}-about`;
  return [
    ...(texts.has(about) ? [`${nameOf(component, texts).label}: ${texts(about)}`] : []),
    ...(stationType === undefined ? [] : [texts(`station-type-${stationType}-about`)]),
    ...(elevationM === undefined ? [] : [texts('about-elevation', { metres: elevationM })]),
  ];
}

/** Links to the windows, and to the fixed hours if they are shown. */
function windowsOf(options: PanelOptions) {
  const { portal, detail, state } = options;
  const windows = WINDOWS.filter((window) => portal.header.supportedWindows.includes(window));
  return [...windows, ...(isFixed(state.period) ? [state.period] : [])].map((period) => ({
    label: periodName(period, detail.interval, options),
    href: portalLink(state, { period }),
    isCurrent: period === state.period,
  }));
}

function viewSeries(options: PanelOptions, { component, points }: PortalSeries) {
  const { portal, detail, compared = [], longest, state, texts, format } = options;
  const { station, interval } = detail;
  const coverage = longest === undefined ? '' : coverageOf(longest.points, { texts, format });
  const scale = colorScale(portal, component);
  const hours = interval.to - interval.from;
  const compass = isDirection(component) ? compassOf(texts) : undefined;
  const series = [{ station, component, points, interval }, ...compared] as const;
  const periodView = viewPeriod(options, points);
  const usual = longest === undefined || compass ? [] : usualRanges(longest, format);
  const names = lineNames(series, texts);
  const band = compared.length === 0 && usual.some(Boolean) ? usualIn(interval, usual, format) : [];
  const plot = viewPlot({ ...plotLines(series, scale), format, compass, usual: band });
  const rows = rowsOf(options, series);
  const summaries = series.map((one) => seriesSummary(one, { texts, format }));
  const label = chartTitle(series, periodName(state.period, interval, options), texts);
  const said = names.map((name, index) => `${name}: ${summaries[index] ?? ''}`);
  return {
    ...nameOf(component, texts),
    unit: prettyUnit(component.unit),
    newest: longest && viewNewest({ portal, component, longest, usual, scale, texts, format }),
    plot,
    usualKey: plot?.usual ? texts('usual-band', { coverage }) : undefined,
    chartLabel: [
      `${label}.`,
      ...(hours === 0 ? [periodView.missing] : compared.length === 0 ? summaries : said),
    ].join(' '),
    isDirection: compass !== undefined,
    isCompared: compared.length > 0,
    ...viewArchived(options, component),
    series: names.map((name, index) => ({ name, summary: summaries[index] })),
    comparison: viewComparison({ portal, series, state, texts, format }),
    hours,
    fromHour: interval.from,
    gapsText:
      compared.length > 0 || hours === points.length
        ? undefined
        : texts('gaps', { missing: hours - points.length, hours }),
    period: periodView,
    rows,
    /** Whether sentences about the lines are shown: in a comparison they also name lines without values. */
    hasSummaries: hours > 0 && (rows.length > 0 || compared.length > 0),
    ...filesOf(options, series),
    ...viewMonth(options, component, scale),
    daysHref: `/portal/days.csv?station_id=${station.id}&component_id=${component.id}`,
    ...viewShared(options, series, label),
  };
}

/** Files of the shown hours, which the snapshot may lack. */
function filesOf(options: PanelOptions, series: ChartLines) {
  const { portal, detail, longest, state, format } = options;
  const { downloads, apiHref } = viewFiles({ ...options, series });
  if (detail.interval.to <= retainedHours(portal.header).from) return { apiHref, downloads: [] };
  const isShown = isFixed(state.period) || series.length > 1;
  const interval = isShown ? detail.interval : longest?.interval;
  const hasHours = interval !== undefined && interval.from < interval.to;
  const workbook = hasHours ? viewWorkbookLinks(state, { series, interval, format }) : undefined;
  return { apiHref, downloads, workbook };
}

/** Links to the archive; false where the archive has nothing to show. */
function viewArchived({ detail, hasYears, state }: PanelOptions, component: PortalComponent) {
  const ids = { station_id: detail.station.id, component_id: component.id };
  // Directions have no mean.
  const yearsHref = hasYears === true && !isDirection(component) && pageLink('/years', state, ids);
  return {
    yearsHref,
    /** Link to the hours of the period that have left the snapshot and are not drawn. */
    earlierHref:
      hasYears === true &&
      isFixed(state.period) &&
      state.period.from < detail.interval.from &&
      (yearsHref === false ? ARCHIVE_PATH : yearsHref),
  };
}

/** Links and texts to copy elsewhere. */
function viewShared(options: PanelOptions, series: ChartLines, label: string) {
  const { portal, timeZone, baseUrl, state, texts, format } = options;
  const [{ component, interval }] = series;
  const share = viewShare(state, { baseUrl, componentId: component.id, interval, label });
  const { from, to } = interval;
  const [start, end] = [from, to].map((hour) => format.fullMoment(hour * HOUR_MS).text);
  const title = chartTitle(series, `${start} – ${end} (${timeZone})`, texts);
  const [credit] = creditOf(portal, state.language, format);
  const citation = `${title}. ${texts('title')}. ${credit} ${share.citedUrl}`;
  return { share, citation: from === to ? undefined : citation };
}

/** Calendar, days and rose, which show the longest window, whatever the period of the chart. */
function viewMonth(
  { portal, longest, wind, state, texts, format, timeZone }: PanelOptions,
  component: PortalComponent,
  scale: ColorScale,
) {
  const window = longestWindow(portal);
  if (longest === undefined || window === undefined) return { days: [] };
  const { points } = longest;
  const days = daysOf(longest, format);
  return {
    calendar: viewCalendar({
      ...longest,
      days,
      window,
      component,
      scale,
      timeZone,
      texts,
      format,
      linkTo: (day) => portalLink(state, { componentId: component.id, period: day }),
    }),
    days: isDirection(component) ? [] : viewDays(days, { component, format }),
    aggregate: texts(aggregateOf(component, format).name),
    daysTitle: texts(isSummed(component) ? 'days-sums' : 'days'),
    rose: wind && viewRose({ component, points, wind: wind.points, texts, format }),
  };
}

/** Table rows of the hours in which any series has a value, the newest first. */
function rowsOf({ format }: PanelOptions, series: ChartLines): readonly Markup[] {
  const plotted = isDirection(series[0].component) ? normalizeDirection : clampForScale;
  const columns = series.map(
    ({ points }) => new Map(points.map(({ hour, value }) => [hour, value])),
  );
  const hours = [...new Set(columns.flatMap((column) => [...column.keys()]))];
  return hours
    .toSorted((a, b) => b - a)
    .map((hour) => {
      const { iso, text } = format.moment(hour * HOUR_MS);
      const utc = iso.slice(0, -1).replace('T', ' ');
      const cells = columns.map((column) => {
        const value = column.get(hour);
        return value === undefined
          ? html`<td>–</td>`
          : html`<td data-v="${plotted(value)}">${format.number(value)}</td>`;
      });
      return html`
<tr data-h="${hour}"><td><time datetime="${iso}">${text}</time></td><td>${utc}</td>${cells}</tr>`;
    });
}
