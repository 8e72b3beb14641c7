/** Values by station and hour: the wide layout of CSV, and CoverageJSON and GeoJSON of OGC API - EDR. */
import { compareCodes } from '../../../snapshot/domain/observation-order.js';
import { SnapshotError } from '../../../snapshot/domain/snapshot-error.js';
import type { HourInterval } from '../../../snapshot/domain/windows.js';
import type { SeriesKey } from '../../../snapshot/local/observations/series-list.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { HourRow, HourTable } from '../../../views/hour-table.js';
import { viewWideCsv } from '../../../views/hvd/wide-csv.js';
import { viewCoverages, viewValueFeatures } from '../../../views/ogc/values.js';
import { planLongText } from '../../formats/long-text.js';
import type { PlanTableTask } from '../../messages.js';
import { openSnapshot, type OpenSnapshot } from '../../open-snapshot.js';
import { selectedSeries } from './selected-series.js';

/** @throws {SnapshotError} `copy_damaged`. */
export async function planTable({ location, gzip, ...query }: PlanTableTask): Promise<Plan> {
  const { directory } = location;
  const text = { gzip, directory, key: JSON.stringify(query) };
  return await planLongText(
    (write) => writeTable(write, () => openSnapshot(location), query),
    text,
  );
}

/**
 * Writes the head, the items of each station, and the tail.
 *
 * @param open the snapshot, which may be closed and opened again between two stations.
 * @returns the number of rows, coverages or features.
 * @throws {SnapshotError} `copy_damaged`.
 */
export function* writeTable(
  write: (text: string) => void,
  open: () => OpenSnapshot,
  query: Omit<PlanTableTask, 'location' | 'gzip'>,
): Generator<void, number, undefined> {
  const snapshot = open();
  const { interval } = query;
  const keys = selectedSeries(snapshot, query).filter((key) => {
    const stored = snapshot.reader.series(key);
    return stored.firstAtOrAfter(interval.from) < stored.firstAtOrAfter(interval.to);
  });
  const codes = [...new Set(keys.map((key) => snapshot.series.codeOf(key)))].sort(compareCodes);
  const { head, itemsOf, separator, tail } = viewTable(snapshot, codes, query.form);
  const places = new Map(snapshot.stations().map((one) => [one.id, one]));
  write(head);
  let items = 0;
  for (let first = 0, end = 0; first < keys.length; first = end) {
    const id = keys[first]?.[0] ?? 0;
    while (keys[end]?.[0] === id) end += 1;
    const rows = rowsOf(open(), keys.slice(first, end), { codes, interval });
    const place = places.get(id);
    if (place === undefined) throw new SnapshotError('copy_damaged', `station ${id} is not listed`);
    for (const text of itemsOf(place, rows)) {
      write(items === 0 ? text : separator + text);
      items += 1;
    }
    yield;
  }
  write(tail(items));
  return items;
}

function viewTable(
  snapshot: OpenSnapshot,
  codes: readonly string[],
  form: PlanTableTask['form'],
): HourTable {
  if (form === 'wide') return viewWideCsv(codes);
  const { header } = snapshot.reader;
  const all = snapshot.network().components;
  const components = all.filter(({ shortName }) => codes.includes(shortName));
  return typeof form === 'object'
    ? viewValueFeatures({ codes, components, header, address: form.GeoJSON })
    : viewCoverages({ codes, components });
}

/** The hours in which one station has a record, ascending, each with its cells. */
function rowsOf(
  { reader, series }: OpenSnapshot,
  keys: readonly SeriesKey[],
  { codes, interval }: { readonly codes: readonly string[]; readonly interval: HourInterval },
): readonly HourRow[] {
  const rows = new Map<number, Float64Array>();
  for (const key of keys) {
    const column = codes.indexOf(series.codeOf(key));
    const stored = reader.series(key);
    const end = stored.firstAtOrAfter(interval.to);
    for (let record = stored.firstAtOrAfter(interval.from); record < end; record += 1) {
      const hour = stored.hour(record);
      const cells = rows.get(hour) ?? new Float64Array(codes.length).fill(NaN);
      cells[column] = stored.value(record);
      rows.set(hour, cells);
    }
  }
  return [...rows].sort(([a], [b]) => a - b);
}
