/** The series that a selection of observations names. */
import { distanceM } from '../../../snapshot/domain/selection.js';
import type { HourInterval } from '../../../snapshot/domain/windows.js';
import type { SeriesKey } from '../../../snapshot/local/observations/series-list.js';
import type { RecordsQuery } from '../../../snapshot/local/observations/records-plan.js';
import { seriesFilterOf, type OpenSnapshot } from '../../open-snapshot.js';

/**
 * The selected series, in order. With `nearestTo`, for each component that of the nearest station with a value in the
 * interval; of stations at the same distance, the one with the lowest id. Stations without coordinates are left out.
 *
 * @throws {SnapshotError} `copy_damaged`.
 */
export function selectedSeries(
  snapshot: OpenSnapshot,
  { selection, interval }: Pick<RecordsQuery, 'selection' | 'interval'>,
): readonly SeriesKey[] {
  const keys = snapshot.series.select(seriesFilterOf(snapshot, selection));
  const { nearestTo } = selection;
  if (nearestTo === undefined) return keys;
  const metres = new Map(snapshot.stations().map((one) => [one.id, distanceM(one, nearestTo)]));
  const distanceOf = ([stationId]: SeriesKey): number => metres.get(stationId) ?? Infinity;
  const byDistance = keys.toSorted((a, b) => distanceOf(a) - distanceOf(b) || a[0] - b[0]);
  const nearest = new Map<number, SeriesKey>();
  for (const key of byDistance) {
    const [, componentId] = key;
    if (distanceOf(key) === Infinity || nearest.has(componentId)) continue;
    if (hasValue(snapshot, key, interval)) nearest.set(componentId, key);
  }
  return keys.filter((key) => nearest.get(key[1]) === key);
}

function hasValue({ reader }: OpenSnapshot, key: SeriesKey, { from, to }: HourInterval): boolean {
  const stored = reader.series(key);
  const end = stored.firstAtOrAfter(to);
  for (let record = stored.firstAtOrAfter(from); record < end; record += 1) {
    if (!Number.isNaN(stored.value(record))) return true;
  }
  return false;
}
