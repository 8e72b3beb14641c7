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
  /** Series that have records in the interval, in order. */
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
  const keys = snapshot.series.select(seriesFilterOf(snapshot, selection));
  const table = tableOf(snapshot, keys, interval);
  const names = new Map(snapshot.stations().map(({ id, name }) => [id, name]));
  const renderOf = createWideCsv();
  write(wideCsvHeader(table.codes));
  let rows = 0;
  for (const [id, cells] of rowsOfStations(() => openSnapshot(location), table)) {
    const render = renderOf({ id, name: names.get(id) ?? '' });
    for (const [hour, values] of cells) {
      write(render(hour, values));
      rows += 1;
    }
    yield;
  }
  return rows;
}

/** An hour with a record, and the value of each parameter code; NaN without one. */
export type HourRow = readonly [hour: number, cells: Float64Array];

/** The series with records in an interval, and their codes. @throws {SnapshotError} `copy_damaged`. */
export function tableOf(
  snapshot: OpenSnapshot,
  series: readonly SeriesKey[],
  interval: HourInterval,
): Table {
  const keys = series.filter((key) => hasRecords(snapshot, key, interval));
  const codes = [...new Set(keys.map((key) => snapshot.series.codeOf(key)))].sort(compareCodes);
  return { keys, codes, interval };
}

/**
 * The rows of each station, in order.
 *
 * @param open the snapshot, which may be closed and opened again between two stations.
 * @throws {SnapshotError} `copy_damaged`.
 */
export function* rowsOfStations(
  open: () => OpenSnapshot,
  { keys, ...table }: Table,
): Generator<readonly [stationId: number, rows: readonly HourRow[]], void, undefined> {
  for (let first = 0, end = 0; first < keys.length; first = end) {
    const id = keys[first]?.[0] ?? 0;
    while (keys[end]?.[0] === id) end += 1;
    yield [id, cellsOf(open(), { ...table, keys: keys.slice(first, end) })];
  }
}

/** The hours in which one station has a record, ascending, each with its cells. */
function cellsOf(
  { reader, series }: OpenSnapshot,
  { keys, codes, interval }: Table,
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
