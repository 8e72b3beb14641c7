/** Numbers of pages: digits by size, derived values, and markers. */
import fc from 'fast-check';
import t from 'tap';
import { prevailingDirection } from '../../../../src/views/pages/portal/chart/direction.js';
import { colorScale, legendOf } from '../../../../src/views/pages/portal/color-scale.js';
import { formattersFor } from '../../../../src/views/pages/portal/formatters.js';
import { messagesOf } from '../../../../src/texts/texts.js';
import { PM10 } from './portals.js';

const format = formattersFor('en', 'UTC');
const serbian = formattersFor('sr-Latn', 'UTC');

void t.test('a number has the digits of its neighbours, and only zero is zero', async (t) => {
  t.equal(
    [0, 0.0003, -0.0012, 0.4434, 2.345, 45.26, 836.1, 1013.25, -22_067.5, 1_234_567.8]
      .map(format.number)
      .join(' '),
    '0 0.0003 -0.0012 0.443 2.35 45.3 836.1 1,013.3 -22,067.5 1,234,568',
  );
  t.same([3e-7, -1.5e12].map(format.number), ['3E-7', '-1.5E12']);
  t.equal(serbian.number(-22_067.5), '-22.067,5');
  t.equal(format.difference(45.123, 67.191), '-22.1', 'no more digits than its values');
  t.equal(format.difference(45.123, 45.121), '+0.002', 'unless it would be zero');
  t.equal(format.mean([16, 16, 16.1, 16.09]), '16', 'rounded once');
  t.equal(format.sum([0.1, 0.2, 0, 4]), '4.3');
  // Texts and files round a mean of -2.005, which is stored as a little more, away from zero.
  const tie = [-2.1, ...Array.from({ length: 19 }, () => -2)];
  t.same([format.mean(tie), format.roundedMean(tie)], ['-2.01', -2.01]);
});

void t.test('a marker has room for every number, and none becomes zero', async (t) => {
  t.same(
    [0, 25, 0.4434, -22.14, 836.1, 1013.2, -1013, 12_345, -22_068, 1.26e6, 0.0003].map(
      format.markerNumber,
    ),
    ['0', '25', '0.44', '-22.1', '836', '1013', '-1k', '12k', '-22k', '1.3M', '3E-4'],
  );
  const size = fc.double({ min: 1e-9, max: 9e8, noNaN: true });
  fc.assert(
    fc.property(size, fc.boolean(), fc.constantFrom(format, serbian), (value, isBelow, one) => {
      const text = one.markerNumber(isBelow ? -value : value);
      const width = Array.from(text).reduce((sum, sign) => sum + (/[-.,]/.test(sign) ? 0.5 : 1), 0);
      return width <= 4 && /[1-9]/.test(text) && text.startsWith('-') === isBelow;
    }),
  );
});

void t.test('one class has no legend, and frequent directions share a place', async (t) => {
  const component = { ...PM10, code: 'X' };
  const legendFrom = (from: number) =>
    legendOf(
      colorScale({ rangeOf: () => [from, 1013] }, component),
      messagesOf('en', 'portal'),
      format,
    ).length;
  t.same([1013, 0].map(legendFrom), [0, 7]);
  const compass = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'];
  const points = [0, 90, 91, 359, 180].map((value) => ({ value }));
  t.same(prevailingDirection(points, compass), { point: 'N / E', share: 0.4 });
});
