/** Reads a year of a station from the archive, or all its months. */
import { readArchivedStations, readDaily } from '../../workers/formats/parquet/read-daily.js';
import type { DailyRow } from '../../views/hvd/archive.js';
import { portalOf, valuePage, type ViewSource } from '../view.js';
import type { YearsState } from './years.js';
import { yearsMarkup } from './years-markup.js';
import { viewYears, yearsParameters } from './years-page.js';
import { yearsSeries, type ArchivedYears } from './years-series.js';

/** The requested year or years, or the newest year with a value. @throws {SnapshotError} `copy_damaged`, `archive_damaged`. */
export async function render(state: YearsState, source: ViewSource): Promise<string> {
  const archived = await readYears(state, source);
  // The portal is read again: the copy may have been closed meanwhile.
  const portal = portalOf(source);
  return valuePage(state, source, yearsParameters(state), (layout, texts) =>
    yearsMarkup(
      viewYears(state, archived, { portal, timeZone: source.site.timeZone }),
      layout,
      texts,
    ),
  );
}

async function readYears(state: YearsState, source: ViewSource): Promise<ArchivedYears> {
  const none = { ended: [], years: [], rows: [], codes: new Set<string>() };
  const { daily } = source;
  const portal = portalOf(source);
  if (portal === undefined || daily === undefined) return none;
  const current = new Set(portal.stations.map(({ id }) => id));
  const ended = (await readArchivedStations(daily)).filter(({ id }) => !current.has(id));
  const series = yearsSeries(portal, state, { ended });
  if (series === undefined) return { ...none, ended };
  const isMonthly = ({ path }: { readonly path: string }) => path.startsWith('monthly/');
  const own = { stationIds: [series.station.id], from: undefined, to: undefined };
  const months: DailyRow[] = [];
  for (const file of daily.files.filter(isMonthly))
    months.push(...(await readDaily(daily, file, { ...own, parameterCodes: undefined })));
  // Directions have no extremes.
  const ranked = months.filter(({ maximum }) => maximum !== null);
  const codes = new Set(ranked.map(({ parameter_code: code }) => code));
  const files = daily.files.filter((file) => !isMonthly(file)).toReversed();
  const years = files.map(({ path }) => Number(/year=(\d+)/.exec(path)?.[1]));
  const read = { ended, years, codes };
  const { code } = series.component;
  if (state.year === 'all')
    return { ...read, rows: months.filter(({ parameter_code: one }) => one === code) };
  for (const [index, file] of files.entries()) {
    if (state.year !== undefined && state.year !== years[index]) continue;
    const rows = await readDaily(daily, file, { ...own, parameterCodes: [code] });
    if (rows.some(({ hours }) => hours > 0)) return { ...read, rows };
  }
  return { ...read, rows: [] };
}
