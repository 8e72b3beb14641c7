/** Links to states of the portal without default values, so that a state has one address; form fields, code to copy. */
import { html, raw, type Markup } from '../../html.js';
import { dateOfHour, HOUR_MS, type HourInterval } from '../../../snapshot/domain/windows.js';
import { escapeMarkup, xmlCharacters } from '../../xml.js';
import { DAY_HOURS } from '../../../snapshot/domain/zone-clock.js';
import { isoMinute, type Formatters } from './formatters.js';
import type { ChartLines, ChartSeries } from './portal-model.js';
import {
  CHART_SIZE,
  DEFAULT_SORT,
  DEFAULT_WINDOW,
  isFixed,
  pageLink,
  type Comparison,
  type Period,
  type PortalState,
} from '../page.js';

/** @param changes replace members of the state; undefined removes one. Another station ends the comparison. */
export function portalLink(state: PortalState, changes: Partial<PortalState>): string {
  const changed = { ...state, ...changes };
  const compare = changed.stationId === state.stationId ? changed.compare : undefined;
  return pageLink('/', state, portalParameters({ ...changed, compare }));
}

/** Makes the link to a station, for an attribute; links differ in the id only, except that of the open station. */
export function stationLinks(state: PortalState): (stationId: number) => Markup {
  const linkTo = linksBy(
    'station_id',
    portalLink({ ...state, stationId: undefined }, { stationId: 0 }),
  );
  return (stationId) =>
    stationId === state.stationId ? html`${portalLink(state, {})}` : linkTo(stationId);
}

/**
 * Makes links, for an attribute, that differ in the value of one parameter.
 *
 * @param link with the value `0` for this parameter, which must not be its first parameter.
 */
export function linksBy(parameter: string, link: string): (value: number | string) => Markup {
  const sign = `&amp;${parameter}=`;
  const [before = '', after = ''] = escapeMarkup(link).split(`${sign}0`);
  return (value) => raw(`${before}${sign}${value}${after}`);
}

export function portalParameters(state: PortalState) {
  const { stationId, period, sort, hour } = state;
  return {
    station_id: stationId,
    component_id: state.componentId,
    ...(period === DEFAULT_WINDOW ? {} : periodParameters(period)),
    compare: stationId === undefined ? undefined : compareText(state.compare),
    sort: sort === DEFAULT_SORT ? undefined : sort,
    q: state.search,
    hour: hour === undefined ? undefined : isoMinute(hour * HOUR_MS),
    wind: state.hasWind ? 'on' : undefined,
  };
}

function compareText(comparison: Comparison | undefined): string | undefined {
  return comparison?.ids.map((id) => compareKey(comparison.of, id)).join(',');
}

/** Key in addresses: the id of a station, or `c` and the id of a component. */
export function compareKey(of: Comparison['of'], id: number): string {
  return `${of === 'components' ? 'c' : ''}${id}`;
}

function periodParameters(period: Period) {
  return isFixed(period) ? fixedParameters(period) : { window: period };
}

export function fixedParameters({ from, to }: HourInterval) {
  return { from: isoMinute(from * HOUR_MS), to: isoMinute(to * HOUR_MS) };
}

/** Hidden fields that keep the state, without the form's own fields. */
export function hiddenFields(state: PortalState, own: readonly string[] = []) {
  const { language, theme } = state;
  return Object.entries({ language, theme, ...portalParameters(state) }).flatMap(([name, value]) =>
    value === undefined || value === '' || own.includes(name)
      ? []
      : html`<input type="hidden" name="${name}" value="${value}">`,
  );
}

/** Size of an `<img>`, in pixels. */
const { width, height } = CHART_SIZE;

/** Size on narrow pages, so that text keeps its size. */
const NARROW = { width: 340, height: 260 } as const;

/** Twice the displayed size, for print. */
const PRINTED = { width: 2 * width, height: 2 * height } as const;

/** Largest length of station names in a file name, in characters. */
const NAME_MAX = 120;

/** Size of pictures in link previews, which messengers and social networks do not crop. */
const PREVIEW = { width: 1200, height: 630 } as const;

/**
 * The address of a state, its chart as a file and as an image in HTML, and its picture for link previews (Open Graph).
 *
 * @param baseUrl without a slash at its end; undefined gives links without a host.
 */
export function viewShare(
  state: PortalState,
  {
    baseUrl,
    componentId,
    interval,
    label,
  }: {
    readonly baseUrl: string | undefined;
    readonly componentId: number;
    readonly interval: HourInterval;
    readonly label: string;
  },
) {
  const { stationId, compare } = state;
  const period = periodParameters(state.period);
  const origin = baseUrl ?? '';
  const picture = {
    station_id: stationId,
    component_id: componentId,
    ...period,
    compare: compareText(compare),
  };
  const imageHref = pageLink('/portal/chart.svg', state, picture);
  const pngHref = (size: typeof PRINTED | typeof PREVIEW) =>
    pageLink('/portal/chart.png', state, { ...picture, ...size });
  const source = `${origin}${imageHref}`;
  const narrow = `${origin}${pageLink('/portal/chart.svg', state, { ...picture, ...NARROW })}`;
  const pageUrl = `${origin}${portalLink(state, { componentId })}`;
  return {
    pageUrl,
    /** Address of the chart with the hours that are shown now, for citations. */
    citedUrl: `${origin}${portalLink(state, { componentId, period: interval })}`,
    imageHref,
    pngHref: pngHref(PRINTED),
    // File names cannot have a colon.
    pngName: `${[stationId, componentId, ...Object.values(period)].join('_').replaceAll(':', '')}.png`,
    // The code is valid XML too, which the page that embeds it may need.
    imageCode:
      html`<picture><source media="(max-width: 600px)" srcset="${narrow}" width="${NARROW.width}" height="${NARROW.height}"><img src="${source}" alt="${xmlCharacters(label)}" width="${width}" height="${height}"></picture>`
        .text,
    /** Undefined without a base URL, because links of previews must be absolute. */
    preview:
      baseUrl === undefined
        ? undefined
        : { url: pageUrl, image: `${origin}${pngHref(PREVIEW)}`, ...PREVIEW, alt: label },
  };
}

/** Stations and components of some series as parameters of the API. */
export function selectionParameters(series: readonly ChartSeries[]): readonly [string, string][] {
  const stations = new Set(series.map(({ station }) => String(station.id)));
  const codes = new Set(series.map(({ component }) => component.code));
  return [
    ...[...stations].map((id): [string, string] => ['station_id', id]),
    ...[...codes].map((code): [string, string] => ['parameter_code', code]),
  ];
}

/**
 * Links to a workbook and to CSV: the series of a comparison, else all that the station measures.
 *
 * @param interval hours of the files, which are named by stations and local days.
 */
export function viewWorkbookLinks(
  { language, period, compare }: PortalState,
  {
    series,
    interval,
    format,
  }: {
    readonly series: ChartLines;
    readonly interval: HourInterval;
    readonly format: Pick<Formatters, 'local'>;
  },
) {
  const [{ station, component }] = series;
  const hours = fixedParameters(interval);
  const [first, last] = [interval.from, interval.to - 1].map((hour) =>
    dateOfHour(format.local(hour).day * DAY_HOURS),
  );
  const names = [...new Set(series.map((one) => one.station.name))].join(', ');
  const isCompared = series.length > 1;
  const query = new URLSearchParams({ layout: 'wide' });
  for (const [name, value] of [...selectionParameters(series), ...Object.entries(hours)]) {
    if (isCompared || name !== 'parameter_code') query.append(name, value);
  }
  return {
    isCompared,
    // File names cannot have these characters, and their length is limited.
    name: `${names.slice(0, NAME_MAX).replaceAll(/[\\/:*?"<>|]/g, ' ')} ${first} ${last}`,
    href: pageLink(
      '/portal/station.xlsx',
      { language, theme: undefined },
      {
        station_id: station.id,
        component_id: component.id,
        compare: isCompared ? compareText(compare) : undefined,
        ...((isCompared || isFixed(period)) && periodParameters(period)),
      },
    ),
    csvHref: `/api/v1/observations.csv?${query.toString()}`,
  };
}
