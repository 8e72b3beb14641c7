/** Collects the data of all portal pages, so that they need not search the observations, and names for exports. */
import type { Snapshot } from '../../../snapshot/domain/model.js';
import { windowHours } from '../../../snapshot/domain/windows.js';
import type { CopyRecords } from '../../../snapshot/local/records.js';
import { longestWindow } from '../../../views/pages/portal/portal-model.js';

export function publicNetwork(snapshot: Snapshot): CopyRecords['network'] {
  const { header, organizations, components, stations, observations } = snapshot;
  const { hours, values } = observations;
  const { from } = windowHours(longestWindow({ header }) ?? '1d', header);
  // `component_ids` may omit components that have rows.
  const measured = new Map(stations.map(({ id, componentIds }) => [id, new Set(componentIds)]));
  const newest: [number, number, number, number][] = [];
  const ranges = new Map<number, [number, number]>();
  for (const { stationId, componentId, start, end } of observations.series) {
    let last: number | undefined;
    let [lowest, highest] = ranges.get(componentId) ?? [Infinity, -Infinity];
    measured.get(stationId)?.add(componentId);
    for (let row = start; row < end; row += 1) {
      const value = values[row] ?? NaN;
      if (Number.isNaN(value)) continue;
      last = row;
      if ((hours[row] ?? 0) < from) continue;
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
    }
    if (last === undefined) continue;
    newest.push([stationId, componentId, hours[last] ?? 0, values[last] ?? 0]);
    ranges.set(componentId, [lowest, highest]);
  }
  return {
    organizations: organizations.map(({ id, name }) => ({ id, name })),
    components,
    stations: stations.map((one) => ({
      ...one,
      componentIds: [...(measured.get(one.id) ?? [])].sort((a, b) => a - b),
    })),
    newest,
    ranges: [...ranges].map(([componentId, ends]) => [componentId, ...ends]),
  };
}
