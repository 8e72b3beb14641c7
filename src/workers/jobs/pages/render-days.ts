/** Renders the daily values of one component at one station as CSV. */
import type { PageRequest, Site } from '../../../views/pages/page.js';
import { renderDaysCsv } from '../../../views/pages/portal/chart/days.js';
import { formattersFor } from '../../../views/pages/portal/formatters.js';
import { longestWindow, shownComponent } from '../../../views/pages/portal/portal-model.js';
import type { OpenSnapshot } from '../../open-snapshot.js';
import { readPortal, readStationSeries } from './read-portal.js';

/** Empty where the snapshot has no window of days. @throws {SnapshotError} `copy_damaged`. */
export function renderDays(
  { stationId, componentId: chosen, style }: Extract<PageRequest, { readonly kind: 'days' }>,
  snapshot: OpenSnapshot,
  { timeZone }: Site,
): string {
  const portal = readPortal(snapshot);
  const station = portal.stations.find(({ id }) => id === stationId);
  const component = shownComponent(portal, { chosen, station });
  const window = longestWindow(portal);
  if (component === undefined || window === undefined) return '';
  const series = readStationSeries(snapshot, { stationId, componentId: component.id, window });
  const format = formattersFor(style.language, timeZone);
  return series === undefined ? '' : renderDaysCsv(series, { component, timeZone, format });
}
