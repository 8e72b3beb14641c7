/** Where observations are cut into row groups. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import type { ParameterSeries } from '../../../../src/snapshot/domain/observation-order.js';
import { GROUP_ROWS, rowGroups } from '../../../../src/workers/formats/parquet/row-groups.js';

await t.test('keeps every series once and in order, in groups not too large', async () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.array(lengths), (stations) => {
      let end = 0;
      const series = stations.flatMap((all, at) =>
        all.map((length, componentId): ParameterSeries => {
          const start = end;
          end += length;
          const parameterCode = `P${String(componentId).padStart(3, '0')}`;
          return { stationId: 1 + at * 37, componentId, parameterCode, unit: '', start, end };
        }),
      );
      const groups = [...rowGroups(series)];
      assert.deepEqual(groups.flat(), series);
      return groups.every((group) => {
        const rows = group.reduce((sum, { start, end }) => sum + end - start, 0);
        return group.length === 1 || (group.length > 1 && rows <= GROUP_ROWS);
      });
    }),
  );
});
