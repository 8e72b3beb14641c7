/** `GET /api/v1/observations.csv?layout=wide`, rendered from stored hours and values. */
import type { HourInterval } from '../../../snapshot/domain/windows.js';
import { compareCodes } from '../../../snapshot/domain/observation-order.js';
import type { SeriesKey } from '../../../snapshot/local/observations/series-list.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import { createWideCsv, wideCsvHeader } from '../../../views/hvd/wide-csv.js';
import { planLongText } from '../../formats/long-text.js';
import type { PlanWideTask, SnapshotLocation } from '../../messages.js';
import { openSnapshot, seriesFilterOf, type OpenSnapshot } from '../../open-snapshot.js';

/** @throws {SnapshotError} `copy_damaged`. */
export async function planWide({ location, gzip, ...table }: PlanWideTask): Promise<Plan> {
  const { directory } = location;
  const key = `wide ${JSON.stringify(table)}`;
  return await planLongText((write) => writeWide(write, location, table), { gzip, directory, key });
}

function hasRecords({ reader }: OpenSnapshot, key: SeriesKey, { from, to }: HourInterval): boolean {
  const stored = reader.series(key);
  return stored.firstAtOrAfter(from) < stored.firstAtOrAfter(to);
}

interface Table {
  /** Series of one station that have records in the interval. */
  readonly keys: readonly SeriesKey[];
  readonly codes: readonly string[];
  readonly interval: HourInterval;
}

/** Writes the header, then the rows of each station. */
function* writeWide(
  write: (text: string) => void,
  location: SnapshotLocation,
  { selection, interval }: Pick<PlanWideTask, 'selection' | 'interval'>,
): Generator<void, number, undefined> {
  const snapshot = openSnapshot(location);
  const { series } = snapshot;
  const keys = series
    .select(seriesFilterOf(snapshot, selection))
    .filter((key) => hasRecords(snapshot, key, interval));
  const codes = [...new Set(keys.map((key) => series.codeOf(key)))].sort(compareCodes);
  const names = new Map(snapshot.stations().map(({ id, name }) => [id, name]));
  const renderOf = createWideCsv();
  write(wideCsvHeader(codes));
  let rows = 0;
  for (let first = 0, end = 0; first < keys.length; first = end) {
    const id = keys[first]?.[0] ?? 0;
    while (keys[end]?.[0] === id) end += 1;
    const render = renderOf({ id, name: names.get(id) ?? '' });
    const table = { keys: keys.slice(first, end), codes, interval };
    for (const [hour, cells] of cellsOf(openSnapshot(location), table)) {
      write(render(hour, cells));
      rows += 1;
    }
    yield;
  }
  return rows;
}

/** The hours in which one station has a record, ascending, each with its cells. */
function cellsOf(
  { reader, series }: OpenSnapshot,
  { keys, codes, interval }: Table,
): readonly (readonly [hour: number, cells: Float64Array])[] {
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
