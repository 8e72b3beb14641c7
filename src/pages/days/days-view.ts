/** The daily values of one component at one station as CSV. */
import { renderDaysCsv } from '../../views/pages/portal/chart/local-days.js';
import { formattersFor } from '../../views/pages/portal/formatters.js';
import { longestWindow, shownComponent } from '../../views/pages/portal/portal-model.js';
import { readPortal, readStationSeries } from '../read-portal.js';
import type { ViewSource } from '../view.js';
import type { DaysState } from './days.js';

/** The CSV; without rows if the snapshot supports no window of days. @throws {SnapshotError} `copy_damaged`. */
export function render(state: DaysState, { site: { timeZone }, ...source }: ViewSource): string {
  const snapshot = source.snapshot();
  if (snapshot === undefined) return '';
  const portal = readPortal(snapshot);
  const { stationId } = state;
  const station = portal.stations.find(({ id }) => id === stationId);
  const component = shownComponent(portal, { chosen: state.componentId, station });
  const period = state.period ?? longestWindow(portal);
  if (component === undefined) return '';
  const series =
    period && readStationSeries(snapshot, { stationId, componentId: component.id, period });
  const format = formattersFor(state.language, timeZone);
  return renderDaysCsv(series === undefined ? [] : [series], { component, timeZone, format });
}
