/** Cuts a snapshot into tasks of about the same size, station by station, for the threads that render it. */
import type { Series, Snapshot, Station } from '../../snapshot/model.js';
import { inObservationOrder } from '../../snapshot/observation-order.js';
import type { RenderObservationsTask, RenderStationsTask } from '../messages.js';

/** Rows in one task: about 4 MB of answers, 12 MB of observations. */
const TASK_ROWS = 16_384;

/** In the order of stations; each with the series of its stations. */
export function* renderStationsTasks(
  snapshot: Snapshot,
  taskRows = TASK_ROWS,
): Generator<RenderStationsTask> {
  const { header, components, observations } = snapshot;
  for (const { stations, series } of groups(snapshot, taskRows)) {
    yield { header, components, stations, observations: { ...observations, series } };
  }
}

/** In the order of observations: station id, parameter code, time (contract §6, "Order"). */
export function* renderObservationsTasks(
  snapshot: Snapshot,
  taskRows = TASK_ROWS,
): Generator<RenderObservationsTask> {
  const { header, components, observations } = snapshot;
  for (const { series } of groups(snapshot, taskRows)) {
    const ordered = inObservationOrder(series, components);
    yield {
      generatedAtMs: header.generatedAtMs,
      components,
      observations: { ...observations, series: ordered },
    };
  }
}

interface Group {
  readonly stations: readonly Station[];
  readonly series: readonly Series[];
}

function* groups({ stations, observations }: Snapshot, taskRows: number): Generator<Group> {
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
    if (rows < taskRows) continue;
    yield group;
    group = { stations: [], series: [] };
    rows = 0;
  }
  if (group.stations.length > 0) yield group;
}
