/** Columns with gaps, around the edges of their blocks. */
import fc from 'fast-check';
import assert from 'node:assert/strict';
import t from 'tap';
import { GrowingColumn } from '../../../../src/snapshot/document/rows/growing-column.js';

const row = fc.oneof(
  fc.constantFrom(0, 65_535, 65_536, 131_071, 131_072, 49_999_999),
  fc.nat(49_999_999),
);

await t.test('gives back what was set, and NaN for everything else', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(row, fc.double()), { maxLength: 8 }),
      fc.array(row),
      (set, others) => {
        const column = new GrowingColumn(Float64Array);
        const expected = new Map(set);
        for (const [at, value] of set) column.set(at, value);
        assert.equal(column.isEmpty, set.length === 0);
        for (const at of [...expected.keys(), ...others]) {
          assert.ok(Object.is(column.at(at), expected.get(at) ?? NaN));
        }
        column.clear();
        assert.ok(column.isEmpty && Number.isNaN(column.at(set[0]?.[0] ?? 0)));
      },
    ),
  );
  t.pass('100 of them');
});
