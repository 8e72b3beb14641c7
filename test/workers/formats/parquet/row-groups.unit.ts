/** Where observations are cut into row groups. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import type { ParameterSeries } from '../../../../src/snapshot/domain/observation-order.js';
import { GROUP_ROWS, rowGroups } from '../../../../src/workers/formats/parquet/row-groups.js';

/** Stations by id, each with the lengths of its series. */
function seriesOf(stations: readonly (readonly [number, readonly number[]])[]): ParameterSeries[] {
  let start = 0;
  return stations.flatMap(([stationId, lengths]) =>
    lengths.map((length, index): ParameterSeries => {
      const end = start + length;
      const parameterCode = `P${String(index).padStart(3, '0')}`;
      const one = { stationId, componentId: index, parameterCode, unit: 'ug.m-3', start, end };
      start = end;
      return one;
    }),
  );
}

await t.test('keeps every series once and in order, in groups not too large', async () => {
  const station = fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 12 });
  const stations = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 12_000 }), station), {
      selector: ([id]) => id,
    })
    .map((list) => list.sort(([a], [b]) => a - b));
  fc.assert(
    fc.property(stations, (list) => {
      const series = seriesOf(list);
      const groups = [...rowGroups(series)];
      assert.deepEqual(groups.flat(), series);
      for (const group of groups) {
        const rows = group.reduce((sum, { start, end }) => sum + end - start, 0);
        if (group.length === 0 || (rows > GROUP_ROWS && group.length > 1)) return false;
      }
      return true;
    }),
  );
});
