/** The portal: its page, the panel of a station, and its pictures (docs/http-api/pages.md, "Pages"). */
import { WINDOWS } from '../../../snapshot/domain/model.js';
import {
  DEFAULT_SORT,
  EPISODE_FIGURES,
  SEARCH_LENGTH_MAX,
  STATION_SORTS,
  THEMES,
  type EpisodeState,
  type PageRequest,
  type PortalState,
} from '../../../views/pages/page.js';
import { DAY_MS } from '../../../views/pages/portal/clock.js';
import { ageHours } from '../../answers/front-state.js';
import { refuse, type Context, type Endpoint } from '../../routing/endpoint.js';
import { anyHour, anyId, anyOf, anyText } from '../../routing/lenient-parameters.js';
import type { Values } from '../../routing/parameters.js';
import { CSV_TYPE } from '../../semantics/common-headers.js';
import { anyCompared, CHARTS, shownSeries } from './chart-image.js';
import { lenientStyle, page, pageStyle } from './page-endpoint.js';
import { anyPeriod, fixedHours, fixedPeriod, shownHour, shownPeriod } from './shown-times.js';

const portalQuery = {
  ...lenientStyle,
  station_id: anyId(28005002),
  component_id: anyId(8),
  ...anyPeriod,
  compare: anyCompared,
  sort: anyOf(STATION_SORTS),
  hour: anyHour('2026-02-08T17:00Z'),
  wind: anyOf(['on']),
  q: anyText(SEARCH_LENGTH_MAX),
};

const episodeQuery = {
  ...lenientStyle,
  component_id: anyId(8),
  figure: anyOf(EPISODE_FIGURES, 'mean'),
  sort: anyText(10),
};

const mapDigest = anyText(8);

export const PORTAL: readonly Endpoint[] = [
  page({
    path: '/',
    parameters: portalQuery,
    operationId: 'getPortal',
    isAging: true,
    isLinking: true,
    isNegotiated: true,
    view: (values, context) => portalRequest('portal', values, context),
  }),
  page({
    path: '/overview',
    parameters: {
      ...lenientStyle,
      sort: anyId(8),
    },
    operationId: 'getOverview',
    isAging: true,
    view: (values, context) => ({
      kind: 'overview',
      style: pageStyle(values, context),
      sortId: shownSeries({ component_id: values.sort }, context).componentId,
      ageHours: ageHours(context.state),
    }),
  }),
  page({
    path: '/episode',
    parameters: episodeQuery,
    operationId: 'getEpisode',
    isAging: true,
    view: (values, context) => ({
      kind: 'episode',
      style: episodeState(values, context),
      ageHours: ageHours(context.state),
    }),
  }),
  page({
    path: '/portal/station-modal',
    parameters: portalQuery,
    operationId: 'getStationModal',
    isAging: true,
    isLinking: true,
    view: (values, context) => portalRequest('station-modal', values, context),
  }),
  page({
    path: '/portal/map.svg',
    parameters: {
      theme: anyOf(THEMES),
      v: mapDigest,
    },
    digest: ({ v }) => (v === '' ? undefined : v),
    contentType: 'image/svg+xml; charset=utf-8',
    operationId: 'getMap',
    // An image has no language.
    view: ({ theme }, { state }) => ({
      kind: 'map',
      style: { language: state.pages.defaultLanguage, theme: theme ?? 'light' },
    }),
  }),
  // The towns that the search of a page finds: no part of the API.
  page({
    path: '/portal/towns.json',
    parameters: { language: lenientStyle.language, v: mapDigest },
    digest: ({ v }) => (v === '' ? undefined : v),
    contentType: 'application/json',
    view: (values, context) => ({
      kind: 'towns',
      style: pageStyle({ ...values, theme: undefined }, context),
    }),
  }),
  ...CHARTS,
  page({
    path: '/portal/station.xlsx',
    parameters: {
      language: lenientStyle.language,
      station_id: anyId(28005002),
      component_id: anyId(8),
      compare: anyCompared,
      ...fixedPeriod,
      window: anyOf(WINDOWS, '7d'),
    },
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    job: 'render-workbook',
    refusals: ['no_public_data', 'unavailable'],
    hasNotFoundPage: true,
    operationId: 'getStationWorkbook',
    view(values, context) {
      if (context.state.served === undefined) return refuse('unavailable');
      const { stationId, componentId, compare, isUnknown } = shownSeries(values, context);
      if (stationId === undefined || isUnknown) return refuse('no_public_data');
      const style = pageStyle({ language: values.language, theme: undefined }, context);
      const period = fixedHours(values, context) ?? values.window;
      return { kind: 'workbook', stationId, componentId, compare, period, style };
    },
  }),
  page({
    path: '/portal/episode.csv',
    parameters: {
      component_id: anyId(8),
    },
    contentType: CSV_TYPE,
    job: 'render-series',
    isFile: true,
    refusals: ['no_public_data', 'unavailable'],
    hasNotFoundPage: true,
    operationId: 'getEpisodeCsv',
    view(values, context) {
      if (context.state.served === undefined) return refuse('unavailable');
      const { componentId, isUnknown } = shownSeries(values, context);
      const isRanked =
        componentId === undefined || !context.state.served.directions.has(componentId);
      if (isUnknown || !isRanked) return refuse('no_public_data');
      const style = { language: context.state.pages.defaultLanguage, theme: undefined };
      return { kind: 'week', componentId, style };
    },
  }),
  page({
    path: '/portal/days.csv',
    parameters: {
      station_id: anyId(28005002),
      component_id: anyId(8),
      ...fixedPeriod,
    },
    contentType: CSV_TYPE,
    job: 'render-series',
    isFile: true,
    refusals: ['no_public_data', 'unavailable'],
    hasNotFoundPage: true,
    operationId: 'getDays',
    view(values, context) {
      if (context.state.served === undefined) return refuse('unavailable');
      const { stationId, componentId, isUnknown } = shownSeries(values, context);
      if (stationId === undefined || isUnknown) return refuse('no_public_data');
      const style = { language: context.state.pages.defaultLanguage, theme: undefined };
      const period = fixedHours(values, context);
      return { kind: 'days', stationId, componentId, period, style };
    },
  }),
];

function episodeState(values: Values<typeof episodeQuery>, context: Context): EpisodeState {
  return {
    ...pageStyle(values, context),
    componentId: shownSeries(values, context).componentId,
    figure: values.figure ?? EPISODE_FIGURES[0],
    sort: values.sort === 'name' ? 'name' : shownDay(values.sort, context),
  };
}

/** A day that the snapshot's last week may have, in whatever time zone. */
function shownDay(text: string, { state: { served } }: Context): string | undefined {
  if (served === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const ageMs = served.snapshot.reader.header.generatedAtMs - Date.parse(text);
  return ageMs > -DAY_MS && ageMs < 10 * DAY_MS ? text : undefined;
}

/** Absolute links are in the panel of a station only: without one a page is the same for every host. */
function portalRequest(
  kind: 'portal' | 'station-modal',
  values: Values<typeof portalQuery>,
  context: Context,
): PageRequest {
  const state = portalState(values, context);
  const isOpen = state.stationId !== undefined;
  const baseUrl = isOpen ? context.baseUrl : undefined;
  return { kind, state, ageHours: ageHours(context.state), baseUrl };
}

/** What names nothing in this snapshot counts as not given, so that there are only so many states. */
function portalState(values: Values<typeof portalQuery>, context: Context): PortalState {
  const { sort, q: search } = values;
  const { served } = context.state;
  const { stationId, componentId, compare } = shownSeries(values, context);
  return {
    ...pageStyle(values, context),
    stationId,
    componentId,
    compare,
    period: shownPeriod(values, context),
    sort: sort ?? DEFAULT_SORT,
    search: served === undefined ? '' : search,
    hour: shownHour(values.hour, context),
    hasWind: values.wind === 'on',
  };
}
