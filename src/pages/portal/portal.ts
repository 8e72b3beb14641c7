/** The portal, and the panel of a station by itself (docs/http-api/pages.md, "Pages"). */
import {
  DEFAULT_SORT,
  SEARCH_LENGTH_MAX,
  STATION_SORTS,
  type PortalState,
} from '../../views/pages/page.js';
import type { RequestContext } from '../../http/routing/endpoint.js';
import { anyHour, anyOf, anyText } from '../../http/routing/lenient-parameters.js';
import type { Values } from '../../http/routing/parameter.js';
import { page } from '../declaration.js';
import {
  anyCompared,
  anyPeriod,
  lenientStyle,
  pageStyle,
  seriesIds,
  shownHour,
  shownPeriod,
  shownSeries,
} from '../shown.js';

const portalQuery = {
  ...lenientStyle,
  ...seriesIds,
  ...anyPeriod,
  compare: anyCompared,
  sort: anyOf(STATION_SORTS),
  hour: anyHour('2026-02-08T17:00Z'),
  wind: anyOf(['on']),
  q: anyText(SEARCH_LENGTH_MAX),
};

/** Members of both declarations. */
const portal = {
  parameters: portalQuery,
  state: portalState,
  ages: 'hours',
  archived: 'hours',
} as const;

export const PORTAL = page({
  ...portal,
  path: '/',
  view: 'portal/portal-view',
  navigation: { places: ['header'], label: 'portal' },
  operationId: 'getPortal',
  // The panel has absolute links, and so has the record of the dataset.
  isLinking: () => true,
  isNegotiated: true,
});

export const PANEL = page({
  ...portal,
  path: '/portal/station-modal',
  view: 'portal/panel-view',
  operationId: 'getStationModal',
  isLinking: ({ stationId }: PortalState) => stationId !== undefined,
});

/** Unknown ids are dropped, which bounds the number of states. */
function portalState(values: Values<typeof portalQuery>, context: RequestContext): PortalState {
  const { sort, q: search } = values;
  const { stationId, componentId, compare } = shownSeries(values, context);
  return {
    ...pageStyle(values, context),
    stationId,
    componentId,
    compare,
    period: shownPeriod(values, context),
    sort: sort ?? DEFAULT_SORT,
    search: context.state.served === undefined ? '' : search,
    hour: shownHour(values.hour, context),
    hasWind: values.wind === 'on',
  };
}
