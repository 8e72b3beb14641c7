/** Reads the data of the portal and of the open station. */
import { isDirection } from '../../snapshot/domain/units.js';
import type { PortalState } from '../../views/pages/page.js';
import {
  longestWindow,
  shownComponent,
  shownPeriod,
} from '../../views/pages/portal/portal-model.js';
import type { PortalView } from '../../views/pages/portal/portal-page.js';
import type { OpenSnapshot } from '../../workers/open-snapshot.js';
import {
  readCompared,
  readPortal,
  readStation,
  readStationSeries,
  type OlderHours,
} from '../read-portal.js';
import type { ViewSource } from '../view.js';

export function readPanel(
  state: PortalState,
  { ageHours, baseUrl, site: { timeZone, hasArchive }, ...source }: ViewSource,
  older?: OlderHours,
): Omit<PortalView, 'map'> {
  const snapshot = source.snapshot();
  const portal = snapshot && readPortal(snapshot);
  const period = portal ? shownPeriod(portal, state.period) : state.period;
  const { stationId } = state;
  return {
    state: { ...state, period },
    ageHours,
    timeZone,
    portal,
    baseUrl,
    hasYears: hasArchive,
    ...(snapshot && stationId !== undefined
      ? panelData(snapshot, { ...state, stationId, period }, older)
      : { detail: undefined }),
  };
}

function panelData(
  snapshot: OpenSnapshot,
  { stationId, componentId: chosen, compare, period }: PortalState & { readonly stationId: number },
  older: OlderHours | undefined,
): Pick<PortalView, 'detail' | 'compared' | 'longest' | 'wind'> {
  const portal = readPortal(snapshot);
  const detail = readStation(snapshot, { stationId, period }, older);
  const component = detail && shownComponent(portal, { chosen, station: detail.station });
  if (detail === undefined || component === undefined) return { detail };
  const componentId = component.id;
  const longest = longestWindow(portal);
  const wind = detail.series.map((series) => series.component).find(isDirection);
  return {
    detail,
    compared: compare && readCompared(snapshot, compare, { ...detail, component }),
    longest: longest && readStationSeries(snapshot, { stationId, componentId, period: longest }),
    wind:
      longest &&
      wind &&
      readStationSeries(snapshot, { stationId, componentId: wind.id, period: longest }),
  };
}
