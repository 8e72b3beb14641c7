/** Links to the portal's states: what is the default is left out, so that one state has one address. */
import { DEFAULT_SORT, DEFAULT_WINDOW, pageLink, type PortalState } from '../page.js';

/** `changes` win over the state's members; undefined removes an id. */
export function portalLink(state: PortalState, changes: Partial<PortalState>): string {
  return pageLink('/', state, portalParameters({ ...state, ...changes }));
}

/** The state's parameters beside language and theme. */
export function portalParameters({
  stationId,
  componentId,
  window,
  sort,
  search,
}: PortalState): Readonly<Record<string, string | number | undefined>> {
  return {
    station_id: stationId,
    component_id: componentId,
    window: window === DEFAULT_WINDOW ? undefined : window,
    sort: sort === DEFAULT_SORT ? undefined : sort,
    q: search,
  };
}
