/** Percentiles and medians of the benches. */
import t from 'tap';
import {
  medianPercentiles,
  percentilesOf,
  quantileOf,
  spreadOf,
} from '../../../bench/measure/statistics.js';

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);

void t.test('a percentile is stated where ten answers were slower', async (t) => {
  t.same(percentilesOf(upTo(19)), {});
  t.same(percentilesOf(upTo(20)), { 50: 10 });
  t.same(percentilesOf(upTo(999)), { 50: 500, 95: 950 });
  t.same(percentilesOf(upTo(1_000)), { 50: 500, 95: 950, 99: 990 });
  t.same(percentilesOf(upTo(10_000)), { 50: 5_000, 95: 9_500, 99: 9_900, 99.9: 9_990 });
});

void t.test('rounds have the median of what all of them state', async (t) => {
  t.same(medianPercentiles([{ 50: 1, 95: 5 }, { 50: 3, 95: 9 }, { 50: 2 }]), { 50: 2 });
  t.same(medianPercentiles([]), {});
  t.same(spreadOf([4, 1, 3, 2]), { median: 2.5, min: 1, max: 4 });
  t.same(spreadOf([3, 1, 2]), { median: 2, min: 1, max: 3 });
  t.ok(Number.isNaN(quantileOf([], 0.5)), 'of nothing measured');
  t.equal(quantileOf([3, 1, 2], 1), 3);
});
