/** Order of observations in all answers and files: station, parameter, time (`docs/http-api/values.md, "Order"`). */
import type { Component, Series } from './model.js';

/** One station's rows of one parameter: `[start, end)` of the observation columns, ascending by hour. */
export interface ParameterSeries extends Series {
  readonly parameterCode: string;
  readonly unit: string;
}

/**
 * Series by numeric station id, then parameter code by its UTF-16 code units, as `sort` and `<` compare.
 *
 * @throws {RangeError} if the component of a series is not in `components`.
 */
export function inObservationOrder(
  series: readonly Series[],
  components: readonly Component[],
): readonly ParameterSeries[] {
  const byId = new Map(components.map((component) => [component.id, component]));
  return series
    .map((one) => {
      const component = byId.get(one.componentId);
      if (component === undefined) throw new RangeError(`no component ${one.componentId}`);
      return { ...one, parameterCode: component.shortName, unit: component.unit };
    })
    .sort((a, b) => a.stationId - b.stationId || compareCodes(a.parameterCode, b.parameterCode));
}

/** Compares parameter codes by UTF-16 units, independent of the locale. */
export function compareCodes(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
