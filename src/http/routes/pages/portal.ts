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
import { lenientStyle, page, pageStyle, themeAbout } from './page-endpoint.js';
import { anyPeriod, fixedHours, fixedPeriod, shownHour, shownPeriod } from './shown-times.js';

const portalQuery = {
  ...lenientStyle,
  station_id: anyId({ description: 'Opens the panel of this station.', example: 28005002 }),
  component_id: anyId({ description: 'Shows values of this component.', example: 8 }),
  ...anyPeriod,
  compare: anyCompared,
  sort: anyOf(STATION_SORTS, { description: 'What the table of stations is ordered by.' }),
  hour: anyHour({
    description:
      "Shows this hour on the map and in the list: its start in UTC, one of the snapshot's 30 days.",
    example: '2026-02-08T17:00Z',
  }),
  wind: anyOf(['on'], {
    description:
      'Draws the direction of the wind beside the values on the map, where stations measure it.',
  }),
  q: anyText(SEARCH_LENGTH_MAX, {
    description:
      'Only stations whose name, code, municipality or else address has words that begin like these; of a town without a ' +
      'station, those nearest to it.',
  }),
};

const episodeQuery = {
  ...lenientStyle,
  component_id: anyId({
    description: 'What the week is of; without it, what the portal shows first.',
    example: 8,
  }),
  figure: anyOf(EPISODE_FIGURES, {
    description:
      'What is shown of each day: its `highest` hour, which is the default, or its `mean`.',
    example: 'mean',
  }),
  sort: anyText(10, {
    description:
      'Orders the stations by `name`, or by a day such as `2026-02-08`; without it, by the highest figure of the week.',
  }),
};

const mapDigest = anyText(8, {
  description: 'The digest of the map, as pages name it: the answer is then good for ever.',
});

export const PORTAL: readonly Endpoint[] = [
  page({
    path: '/',
    parameters: portalQuery,
    words: {
      id: 'getPortal',
      summary: 'The portal',
      description:
        'A map and a table of the stations with the latest values of one component, and the panel of one station. Never an ' +
        'error: a value that is not known counts as none.',
    },
    isAging: true,
    isLinking: true,
    isNegotiated: true,
    view: (values, context) => portalRequest('portal', values, context),
  }),
  page({
    path: '/overview',
    parameters: {
      ...lenientStyle,
      sort: anyId({
        description:
          'Orders the stations by the values of this component, the highest first; without it, by name.',
        example: 8,
      }),
    },
    words: {
      id: 'getOverview',
      summary: 'All stations, all components',
      description: 'The newest value of every component at up to 500 stations, in one table.',
    },
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
    words: {
      id: 'getEpisode',
      summary: 'A week in one screen',
      description:
        'One component at up to 500 stations by the last seven days and today: the highest hour or the mean of each day, with ' +
        'the hour of its highest value; the highest hour and day of all above. Never an error: a value that is not known ' +
        'counts as none.',
    },
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
    words: {
      id: 'getStationModal',
      summary: "One station's panel",
      description:
        'The part of the portal that a script opens in a dialog; empty and closed without a station.',
    },
    isAging: true,
    isLinking: true,
    view: (values, context) => portalRequest('station-modal', values, context),
  }),
  page({
    path: '/portal/map.svg',
    parameters: {
      theme: anyOf(THEMES, themeAbout),
      v: mapDigest,
    },
    digest: ({ v }) => (v === '' ? undefined : v),
    contentType: 'image/svg+xml; charset=utf-8',
    words: {
      id: 'getMap',
      summary: 'The map under the stations',
      description:
        'Land, borders and water around the stations of the network, as an image in the colours of one theme.',
    },
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
      station_id: anyId({
        description: 'Whose values they are: 404 without a station that there is.',
        example: 28005002,
      }),
      component_id: anyId({
        description:
          'What its chart shows: 404 for an unknown component; without it, what the portal would.',
        example: 8,
      }),
      compare: anyCompared,
      ...fixedPeriod,
      window: anyOf(WINDOWS, {
        description:
          'How far back its hours go from the newest values, without `from` and `to`; the longest window if none is given.',
        example: '7d',
      }),
    },
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    job: 'render-workbook',
    refusals: ['no_public_data', 'unavailable'],
    hasNotFoundPage: true,
    words: {
      id: 'getStationWorkbook',
      summary: 'A station as a workbook',
      description:
        "For people: a row for each hour, times as dates of the network's clock with their offset from UTC, a column for each " +
        'component, or of a comparison for each line of its chart; a sheet with source, licence, station and units; a chart. Bad values count as none.',
    },
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
      component_id: anyId({
        description:
          'What they are of: 404 for an unknown component and for a direction; without it, what the page would show.',
        example: 8,
      }),
    },
    contentType: CSV_TYPE,
    job: 'render-series',
    isFile: true,
    refusals: ['no_public_data', 'unavailable'],
    hasNotFoundPage: true,
    words: {
      id: 'getEpisodeCsv',
      summary: 'Daily values of a week at all stations',
      description:
        "Mean, lowest and highest value, the hours with one and the hour in which the highest one begins, by the days of the network's " +
        'clock: the last seven and today. Bad values count as none.',
    },
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
      station_id: anyId({
        description: 'Whose values they are: 404 without a station that there is.',
        example: 28005002,
      }),
      component_id: anyId({
        description:
          'What they are of: 404 for an unknown component; without it, what the portal would show.',
        example: 8,
      }),
      ...fixedPeriod,
    },
    contentType: CSV_TYPE,
    job: 'render-series',
    isFile: true,
    refusals: ['no_public_data', 'unavailable'],
    hasNotFoundPage: true,
    words: {
      id: 'getDays',
      summary: 'Daily values of a station',
      description:
        "Mean (of amounts such as rain the sum), lowest and highest value and the hours with one, by the days of the network's " +
        'clock in the longest window, or from `from` to `to`; the first and the last day may be in part. Bad values count as none.',
    },
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
