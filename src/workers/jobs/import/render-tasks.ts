/** Divides a snapshot into tasks of similar size, by station, for the threads that render it. */
import type { Series, Snapshot, Station } from '../../../snapshot/domain/model.js';
import { inObservationOrder } from '../../../snapshot/domain/observation-order.js';
import type { Job } from '../../messages.js';

/**
 * Rows in one task: about 1 MB of answers, 4 MB of observations; few enough that threads end at about the same time.
 * Twice as many rows add 20 MB to the peak memory of an import of 438,000 rows.
 */
const TASK_ROWS = 4096;

type RenderJob = Extract<Job, { readonly kind: 'render-stations' | 'render-observations' }>;

/** Tasks of answers about stations, then tasks of observations in their order (`docs/http-api/values.md, "Order"`). */
export function* renderTasks(snapshot: Snapshot): Generator<RenderJob> {
  const { header, components, observations } = snapshot;
  const all = [...groups(snapshot)];
  for (const { stations, series } of all) {
    const own = { ...observations, series };
    yield { kind: 'render-stations', task: { header, components, stations, observations: own } };
  }
  for (const { series } of all) {
    const own = { ...observations, series: inObservationOrder(series, components) };
    yield { kind: 'render-observations', task: { header, components, observations: own } };
  }
}

interface Group {
  readonly stations: readonly Station[];
  readonly series: readonly Series[];
}

function* groups({ stations, observations }: Snapshot): Generator<Group> {
  const seriesByStation = new Map<number, Series[]>();
  for (const one of observations.series) {
    const own = seriesByStation.get(one.stationId);
    if (own) own.push(one);
    else seriesByStation.set(one.stationId, [one]);
  }
  let group: { stations: Station[]; series: Series[] } = { stations: [], series: [] };
  let rows = 0;
  for (const station of stations) {
    const own = seriesByStation.get(station.id) ?? [];
    group.stations.push(station);
    group.series.push(...own);
    rows += own.reduce((sum, { start, end }) => sum + end - start, 0);
    if (rows < TASK_ROWS) continue;
    yield group;
    group = { stations: [], series: [] };
    rows = 0;
  }
  if (group.stations.length > 0) yield group;
}
