/** Names at the ends of lines: whatever they are and wherever the lines end, none covers another. */
import fc from 'fast-check';
import t from 'tap';
import { endLabels } from '../../../../../src/views/pages/portal/chart/end-labels.js';
import { scaled, seedOf } from '../../../../support/faults/chance.js';

const LINE_HEIGHT = 13;

void t.test('names are apart, in the order of their lines and within the plot', async (t) => {
  const height = fc.integer({ min: 20, max: 700 });
  const end = fc.record({
    name: fc.oneof(
      fc.constantFrom('Getafe', 'San Sebastian de los Reyes', 'Puerto de Cotos (Rascafría)', '😀'),
      fc.string({ minLength: 1, maxLength: 90, unit: 'grapheme' }),
    ),
    // Of ties and of none too.
    share: fc.option(
      fc.oneof(fc.constantFrom(0, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true })),
      {
        nil: undefined,
      },
    ),
  });
  const ends = fc.array(end, { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(height, ends, (height, all) => {
      const given = all.map(({ name, share }) => ({ name, y: share && share * height }));
      const labels = endLabels(given, height);
      if (labels.length === 0) return height < given.length * LINE_HEIGHT;
      const boxes = labels.map(({ index, y, lines }) => ({
        wanted: given[index]?.y ?? height,
        top: Number(y),
        bottom: Number(y) + lines.length * LINE_HEIGHT,
      }));
      const order = boxes.toSorted((a, b) => a.top - b.top);
      return (
        labels.every(({ index, lines }, at) => {
          const [first = ''] = (given[at]?.name ?? '').trim();
          return (
            index === at && lines.length <= 2 && lines.some(({ text }) => text.includes(first))
          );
        }) &&
        // Positions have one decimal place.
        order.every(
          ({ top, bottom, wanted }, at) =>
            top >= -0.06 &&
            bottom <= height + 0.06 &&
            top >= (order[at - 1]?.bottom ?? -1) - 0.11 &&
            wanted >= (order[at - 1]?.wanted ?? -1),
        )
      );
    }),
    { numRuns: scaled(500), seed: seedOf(t) },
  );
});

void t.test('a name with room stands at the end of its line', async (t) => {
  const [first, second] = endLabels(
    [
      { name: 'Getafe', y: 50 },
      { name: 'Alcalá de Henares', y: 150 },
    ],
    220,
  );
  t.same(first, {
    index: 0,
    y: '43.5',
    lines: [{ text: 'Getafe', y: 10 }],
    leader: 'M1,6.5L7,6.5',
  });
  t.same(
    second?.lines.map(({ text }) => text),
    ['Alcalá de', 'Henares'],
  );
  t.equal(second?.y, '137.0');
});
