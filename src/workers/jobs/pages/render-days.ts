/** Renders the daily values of one component as CSV: at one station, or a week at all. */
import type { PageRequest, Site } from '../../../views/pages/page.js';
import { renderDaysCsv, renderWeekCsv } from '../../../views/pages/portal/chart/days.js';
import { episodeComponent, weekOf } from '../../../views/pages/portal/episode-page.js';
import { formattersFor } from '../../../views/pages/portal/formatters.js';
import { longestWindow, shownComponent } from '../../../views/pages/portal/portal-model.js';
import type { OpenSnapshot } from '../../open-snapshot.js';
import { readMeasuring, readPortal, readStationSeries } from './read-portal.js';

/** Empty where the snapshot has no window of days. @throws {SnapshotError} `copy_damaged`. */
export function renderDays(
  page: Extract<PageRequest, { readonly kind: 'days' }>,
  snapshot: OpenSnapshot,
  { timeZone }: Site,
): string {
  const { stationId, componentId: chosen, style } = page;
  const portal = readPortal(snapshot);
  const station = portal.stations.find(({ id }) => id === stationId);
  const component = shownComponent(portal, { chosen, station });
  const period = page.period ?? longestWindow(portal);
  if (component === undefined || period === undefined) return '';
  const series = readStationSeries(snapshot, { stationId, componentId: component.id, period });
  const format = formattersFor(style.language, timeZone);
  return series === undefined ? '' : renderDaysCsv(series, { component, timeZone, format });
}

/** Empty where the snapshot has no window of days. @throws {SnapshotError} `copy_damaged`. */
export function renderWeek(
  { componentId: chosen, style }: Extract<PageRequest, { readonly kind: 'week' }>,
  snapshot: OpenSnapshot,
  { timeZone }: Site,
): string {
  const portal = readPortal(snapshot);
  const component = episodeComponent(portal, chosen);
  const format = formattersFor(style.language, timeZone);
  const interval = weekOf(portal, format);
  if (component === undefined || interval === undefined) return '';
  const series = readMeasuring(snapshot, portal.stations, { componentId: component.id, interval });
  return renderWeekCsv(series, { component, timeZone, format });
}
