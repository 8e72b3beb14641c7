/** A week of one component at all stations as CSV. */
import { renderDaysCsv, WEEK_COLUMNS } from '../../views/pages/portal/chart/local-days.js';
import { formattersFor } from '../../views/pages/portal/formatters.js';
import { rankedComponent } from '../../views/pages/portal/portal-model.js';
import { readMeasuring, readPortal } from '../read-portal.js';
import type { ViewSource } from '../view.js';
import type { WeekState } from './episode.js';
import { weekOf } from './week.js';

/** The CSV; without rows if the snapshot supports no window of days. @throws {SnapshotError} `copy_damaged`. */
export function render(state: WeekState, { snapshot, site: { timeZone } }: ViewSource): string {
  const opened = snapshot();
  if (opened === undefined) return '';
  const portal = readPortal(opened);
  const component = rankedComponent(portal, state.componentId);
  const format = formattersFor(state.language, timeZone);
  const interval = weekOf(portal, format);
  if (component === undefined) return '';
  const series =
    interval === undefined
      ? []
      : readMeasuring(opened, portal.stations, { componentId: component.id, interval });
  return renderDaysCsv(series, { component, timeZone, format }, WEEK_COLUMNS);
}
