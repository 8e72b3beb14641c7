/** Divides observations into row groups, so that a reader of one station reads little. */
import type { ParameterSeries } from '../../../snapshot/domain/observation-order.js';

/** Limit of rows in a group of several series: five stations of five parameters; column chunks of 1 to 60 kB. */
export const GROUP_ROWS = 20_000;

/**
 * Cuts series in observation order between stations; a station too large for one group is cut between parameters.
 *
 * The station ids of a group have the same number of digits: as text, the statistics of ids 9 to 11 would be "10" to
 * "9", a range that excludes few ids. (The range "1" to "9" includes "45" too: for each smaller number of digits, a
 * reader may fetch one group in vain.)
 */
export function* rowGroups(
  series: readonly ParameterSeries[],
): Generator<readonly ParameterSeries[], void, undefined> {
  let group: ParameterSeries[] = [];
  let rows = 0;
  for (const station of byStation(series)) {
    const cut = rows + countRows(station) > GROUP_ROWS || !sameIdLength(group[0], station[0]);
    for (const [index, one] of station.entries()) {
      const full = rows + countRows([one]) > GROUP_ROWS;
      if (group.length > 0 && (full || (cut && index === 0))) {
        yield group;
        [group, rows] = [[], 0];
      }
      group.push(one);
      rows += countRows([one]);
    }
  }
  if (group.length > 0) yield group;
}

function* byStation(
  series: readonly ParameterSeries[],
): Generator<readonly ParameterSeries[], void, undefined> {
  let first = 0;
  for (let next = 1; next <= series.length; next += 1) {
    if (series[next]?.stationId === series[first]?.stationId) continue;
    yield series.slice(first, next);
    first = next;
  }
}

export function countRows(series: readonly ParameterSeries[]): number {
  return series.reduce((sum, { start, end }) => sum + end - start, 0);
}

function sameIdLength(a: ParameterSeries | undefined, b: ParameterSeries | undefined): boolean {
  return String(a?.stationId).length === String(b?.stationId).length;
}
