/** Queries of OGC API - EDR for values: CoverageJSON, GeoJSON and CSV of the same series. */
import { distanceM } from '../../../snapshot/domain/selection.js';
import type { HourInterval } from '../../../snapshot/domain/windows.js';
import type { SeriesKey } from '../../../snapshot/local/observations/series-list.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import { createValueTexts, viewEnvelope } from '../../../views/ogc/values.js';
import type { Values } from '../../../views/ogc/requests.js';
import { planLongText } from '../../formats/long-text.js';
import type { PlanCoverageTask } from '../../messages.js';
import { openSnapshot, seriesFilterOf, type OpenSnapshot } from '../../open-snapshot.js';
import { planSeries } from './plan-observations.js';
import { rowsOfStations, tableOf } from './plan-wide.js';

/** @throws {SnapshotError} `copy_damaged`. */
export async function planCoverage(task: PlanCoverageTask): Promise<Plan> {
  const { location, gzip, form, ...values } = task;
  const open = () => openSnapshot(location);
  if (form === 'CSV') {
    return await planSeries(selectedSeries(open(), values), { ...task, form: 'csv' }, true);
  }
  const { selection, interval, position } = values;
  // Only GeoJSON has links.
  const selected = form === 'GeoJSON' ? values : { selection, interval, position };
  const key = `${form} ${JSON.stringify(selected)}`;
  const text = { gzip, directory: location.directory, key };
  return await planLongText((write) => writeValues(write, open, { ...values, form }), text);
}

/** The selected series; at a position, of each parameter that of the nearest station with a value. */
function selectedSeries(
  snapshot: OpenSnapshot,
  { selection, interval, position }: Values,
): readonly SeriesKey[] {
  const keys = snapshot.series.select(seriesFilterOf(snapshot, selection));
  if (position === undefined) return keys;
  const metres = new Map(snapshot.stations().map((one) => [one.id, distanceM(one, position)]));
  const distanceOf = ([id]: SeriesKey): number => metres.get(id) ?? Infinity;
  const nearest = new Map<number, SeriesKey>();
  for (const key of keys.toSorted((a, b) => distanceOf(a) - distanceOf(b) || a[0] - b[0])) {
    if (distanceOf(key) === Infinity || nearest.has(key[1])) continue;
    if (hasValue(snapshot, key, interval)) nearest.set(key[1], key);
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

/**
 * Writes the text around the values, and those of each station.
 *
 * @param open the snapshot, which may be closed and opened again between two stations.
 * @returns the number of coverages or features.
 */
export function* writeValues(
  write: (text: string) => void,
  open: () => OpenSnapshot,
  { form, ...values }: Values & { readonly form: 'CoverageJSON' | 'GeoJSON' },
): Generator<void, number, undefined> {
  const snapshot = open();
  const table = tableOf(snapshot, selectedSeries(snapshot, values), values.interval);
  const { codes } = table;
  const components = snapshot
    .network()
    .components.filter(({ shortName }) => codes.includes(shortName));
  const { head, tail } = viewEnvelope(form, components, { ...snapshot.reader.header, ...values });
  const textsOf = createValueTexts(form, codes, values);
  const places = new Map(snapshot.stations().map((one) => [one.id, one]));
  write(head);
  let records = 0;
  for (const [id, rows] of rowsOfStations(open, table)) {
    const place = places.get(id);
    for (const text of place ? textsOf(place, rows) : []) {
      write(records === 0 ? text : `,${text}`);
      records += 1;
    }
    yield;
  }
  write(tail(records));
  return records;
}
