/** Links to states of the portal; defaults are left out, so that a state has one address. */
import { DEFAULT_SORT, DEFAULT_WINDOW, pageLink, type PortalState } from '../page.js';

/**
 * @param changes replace members of the state; undefined removes an id. With another station, or none, nothing is
 *   compared any more.
 */
export function portalLink(state: PortalState, changes: Partial<PortalState>): string {
  const changed = { ...state, ...changes };
  const compareId = changed.stationId === state.stationId ? changed.compareId : undefined;
  return pageLink('/', state, portalParameters({ ...changed, compareId }));
}

/** Parameters of the state, except language and theme. */
export function portalParameters({
  stationId,
  componentId,
  window,
  sort,
  compareId,
  search,
}: PortalState): Readonly<Record<string, string | number | undefined>> {
  return {
    station_id: stationId,
    component_id: componentId,
    window: window === DEFAULT_WINDOW ? undefined : window,
    compare: stationId === undefined ? undefined : compareId,
    sort: sort === DEFAULT_SORT ? undefined : sort,
    q: search,
  };
}

/** Fields of a form that keep the state, but for those that the form has itself. */
export function hiddenFields(state: PortalState, own: readonly string[] = []) {
  const { language, theme } = state;
  const fields: ReturnType<typeof portalParameters> = {
    ...{ language, theme, ...portalParameters(state) },
  };
  return Object.entries(fields).flatMap(([name, value]) =>
    value === undefined || value === '' || own.includes(name) ? [] : [{ name, value }],
  );
}
