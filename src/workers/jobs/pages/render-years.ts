/** Renders the page of a station's years: its daily values from a file of the archive, then the page. */
import { yearsSeries } from '../../../views/pages/portal/years-page.js';
import { openSnapshot } from '../../open-snapshot.js';
import { readArchivedStation, readDaily } from '../../formats/parquet/read-daily.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { RenderPageTask } from '../../messages.js';
import { readPortal } from './read-portal.js';
import { renderPage } from './render-page.js';

/** Renders the requested year, or the newest one with a value. @throws {SnapshotError} `copy_damaged`, `archive_damaged`. */
export async function renderYears(task: RenderPageTask): Promise<Plan> {
  const { location, page, daily } = task;
  const portal = location && readPortal(openSnapshot(location));
  if (portal === undefined || page.kind !== 'years' || daily === undefined) return renderPage(task);
  const { stationId } = page.style;
  const isLost = stationId !== undefined && portal.stations.every(({ id }) => id !== stationId);
  const station = isLost ? await readArchivedStation(daily, stationId) : undefined;
  const shown = yearsSeries(portal, page.style, station);
  if (shown === undefined) return renderPage(task);
  // The index is ascending, and has a file for each year.
  const files = daily.files.toReversed();
  const years = files.map(({ path }) => Number(/year=(\d+)/.exec(path)?.[1]));
  const parameterCodes = [shown.component.code];
  const stationIds = [shown.station.id];
  const days = { stationIds, parameterCodes, from: undefined, to: undefined };
  for (const [index, file] of files.entries()) {
    if (page.style.year !== undefined && page.style.year !== years[index]) continue;
    const rows = await readDaily(daily, file, days);
    const hasValue = rows.some(({ hours }) => hours > 0);
    if (hasValue) return renderPage({ ...task, page: { ...page, station, years, rows } });
  }
  return renderPage({ ...task, page: { ...page, station, years } });
}
