/** The public part of a document: the only place where rows, stations and components are removed. */
import type { Hours, Observations, Series, Snapshot } from './model.js';
import { retainedHours, type HourInterval } from './windows.js';

/**
 * The snapshot without hidden stations, hidden components and their rows, and without rows outside of `hours`, by
 * default `[generated_at - 30 d, generated_at)` (`docs/http-api/values.md, "What is public"`).
 *
 * Counts stay the document's own; stations keep only public component ids; columns share the memory of `snapshot`.
 */
export function publicPart(snapshot: Snapshot, hours = retainedHours(snapshot.header)): Snapshot {
  const components = snapshot.components.filter((component) => component.public);
  const componentIds = new Set(components.map((component) => component.id));
  const stations = snapshot.stations
    .filter((station) => station.public)
    .map((station) => ({
      ...station,
      componentIds: station.componentIds.filter((id) => componentIds.has(id)),
    }));
  const stationIds = new Set(stations.map((station) => station.id));
  const series = snapshot.observations.series
    .filter((one) => stationIds.has(one.stationId) && componentIds.has(one.componentId))
    .map((one) => clip(one, hours, snapshot.observations.hours))
    .filter((one) => one.start < one.end);
  const observations: Observations = { ...snapshot.observations, series };
  return { ...snapshot, components, stations, observations };
}

/** Ids of hidden stations, and codes of parameters whose components are all hidden. */
export function hiddenPart({ stations, components }: Pick<Snapshot, 'stations' | 'components'>) {
  const publicNames = new Set(components.flatMap((one) => (one.public ? one.shortName : [])));
  const codes = components.flatMap(({ shortName }) =>
    publicNames.has(shortName) ? [] : shortName,
  );
  return {
    stationIds: stations.flatMap((one) => (one.public ? [] : String(one.id))),
    parameterCodes: [...new Set(codes)],
  };
}

function clip(series: Series, interval: HourInterval, hours: Hours): Series {
  return {
    ...series,
    start: firstAtOrAfter(hours, series, interval.from),
    end: firstAtOrAfter(hours, series, interval.to),
  };
}

/** The first row of `[start, end)` at `hour` or later, by bisection; `end` if there is no such row. */
export function firstAtOrAfter(
  hours: ArrayLike<number>,
  rows: { readonly start: number; readonly end: number },
  hour: number,
): number {
  let low = rows.start;
  let high = rows.end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hours[middle] ?? Infinity) < hour) low = middle + 1;
    else high = middle;
  }
  return low;
}
