/** Percentiles and medians of the benches. */
import fc from 'fast-check';
import t from 'tap';
import { Latencies, quantileOf, spreadOf } from '../../../bench/measure/statistics.js';

void t.test('a quantile of the histogram is at most 1/64 above the sorted one', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 10_000_000 }), { minLength: 1, maxLength: 200 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (values, quantile) => {
        const latencies = new Latencies();
        for (const value of values) latencies.record(value);
        const exact = quantileOf(values, quantile);
        const found = latencies.quantile(quantile);
        return found >= exact && found <= exact * (1 + 1 / 64) + 1;
      },
    ),
  );
});

void t.test('nothing measured has no quantile', async (t) => {
  t.ok(Number.isNaN(new Latencies().quantile(0.5)));
  t.ok(Number.isNaN(quantileOf([], 0.5)));
});

void t.test('the median of an even number of rounds lies between the middle two', async (t) => {
  t.same(spreadOf([4, 1, 3, 2]), { median: 2.5, min: 1, max: 4 });
  t.same(spreadOf([3, 1, 2]), { median: 2, min: 1, max: 3 });
});
