/** Reads a year of a station from the archive. */
import { readArchivedStation, readDaily } from '../../workers/formats/parquet/read-daily.js';
import { portalOf, valuePage, type ViewSource } from '../view.js';
import type { YearsState } from './years.js';
import { yearsMarkup } from './years-markup.js';
import { viewYears, yearsParameters, yearsSeries, type ArchivedYears } from './years-page.js';

/** The requested year, or the newest one with a value. @throws {SnapshotError} `copy_damaged`, `archive_damaged`. */
export async function render(state: YearsState, source: ViewSource): Promise<string> {
  const archived = await readYears(state, source);
  // The portal is read again: the copy may have been closed meanwhile.
  const portal = portalOf(source);
  return valuePage(state, source, yearsParameters(state), (layout, texts) =>
    yearsMarkup(viewYears(state, archived, portal), layout, texts),
  );
}

async function readYears(state: YearsState, source: ViewSource): Promise<ArchivedYears> {
  const none = { years: [], rows: [] };
  const { daily } = source;
  const portal = portalOf(source);
  if (portal === undefined || daily === undefined) return none;
  const { stationId } = state;
  const isLost = stationId !== undefined && portal.stations.every(({ id }) => id !== stationId);
  const station = isLost ? await readArchivedStation(daily, stationId) : undefined;
  const series = yearsSeries(portal, state, station);
  if (series === undefined) return none;
  const files = daily.files.toReversed();
  const years = files.map(({ path }) => Number(/year=(\d+)/.exec(path)?.[1]));
  const parameterCodes = [series.component.code];
  const stationIds = [series.station.id];
  const days = { stationIds, parameterCodes, from: undefined, to: undefined };
  for (const [index, file] of files.entries()) {
    if (state.year !== undefined && state.year !== years[index]) continue;
    const rows = await readDaily(daily, file, days);
    if (rows.some(({ hours }) => hours > 0)) return { station, years, rows };
  }
  return { station, years, rows: [] };
}
