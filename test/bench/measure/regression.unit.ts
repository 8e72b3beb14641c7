/** Slopes of memory and descriptors over time. */
import t from 'tap';
import { commonSlope, studentQuantile, type Sample } from '../../../bench/measure/regression.js';
import { randomNumbers } from '../../support/documents/random.js';

void t.test('series of different levels have their slope in common', async (t) => {
  const series = [0, 500].map((level) =>
    [0, 1, 2, 3].map((hours): Sample => [hours + level, level + 2 * hours]),
  );
  const slope = commonSlope(series);
  t.equal(slope?.perHour, 2);
  t.equal(slope?.low, 2);
  t.equal(slope?.high, 2);
  t.equal(slope?.samples, 8);
});

void t.test(
  'the interval holds the true slope, and is wider for samples that follow each other',
  async (t) => {
    const random = randomNumbers(3);
    let drift = 0;
    const noise = Array.from({ length: 200 }, (_, at): Sample => [at / 10, at + 50 * random()]);
    const wander = Array.from({ length: 200 }, (_, at): Sample => {
      drift = 0.9 * drift + 20 * (random() - 0.5);
      return [at / 10, at + drift];
    });
    for (const slope of [commonSlope([noise]), commonSlope([wander])]) {
      t.ok(slope !== undefined && slope.low < 10 && slope.high > 10, JSON.stringify(slope));
    }
    // The textbook's interval of these samples would be 0.2 wide.
    const own = commonSlope([wander]);
    t.ok(own !== undefined && own.high - own.low > 0.4, JSON.stringify(own));
  },
);

void t.test('too few samples have none', async (t) => {
  t.equal(commonSlope([]), undefined);
  t.equal(commonSlope([[[0, 1]], [[0, 2]]]), undefined);
});

void t.test('knows the table of Student’s distribution', async (t) => {
  for (const [degrees, quantile] of [
    [4, 2.776],
    [10, 2.228],
    [30, 2.042],
    [1000, 1.962],
  ] as const) {
    t.ok(Math.abs(studentQuantile(degrees) - quantile) < 0.02, String(degrees));
  }
});
