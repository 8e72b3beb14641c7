/** Renders the page of a station's years: its daily values from a file of the archive, then the page. */
import { yearsSeries } from '../../../views/pages/portal/years-page.js';
import type { DailyRow } from '../../../views/hvd/archive.js';
import { openSnapshot } from '../../open-snapshot.js';
import { openDaily } from '../../formats/parquet/read-daily.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { RenderPageTask } from '../../messages.js';
import { readPortal } from './read-portal.js';
import { renderPage } from './render-page.js';

/** Of the year that is asked for, or of the newest with a value. @throws {SnapshotError} `copy_damaged`, `store_unreachable`. */
export async function renderYears(task: RenderPageTask): Promise<Plan> {
  const { location, page, daily } = task;
  const portal = location && readPortal(openSnapshot(location));
  const shown = portal && page.kind === 'years' && yearsSeries(portal, page.style);
  if (!shown || daily === undefined) return renderPage(task);
  // The index is ascending, and has a file for each year.
  const files = daily.files.toReversed();
  const years = files.map(({ path }) => Number(/year=(\d+)/.exec(path)?.[1]));
  const parameterCodes = [shown.component.code];
  const days = { stationId: shown.station.id, parameterCodes, from: undefined, to: undefined };
  for (const [index, file] of files.entries()) {
    if (page.style.year !== undefined && page.style.year !== years[index]) continue;
    const rows: DailyRow[] = [];
    for await (const some of openDaily(daily.source, file)(days)) rows.push(...some);
    const hasValue = rows.some(({ hours }) => hours > 0);
    if (hasValue) return renderPage({ ...task, page: { ...page, years, rows } });
  }
  return renderPage({ ...task, page: { ...page, years } });
}
