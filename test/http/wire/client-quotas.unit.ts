/** How clients share places: nobody alone takes them all, and nobody who has few is refused while there are any. */
import fc from 'fast-check';
import t from 'tap';
import { isWithinQuota } from '../../../src/http/wire/clients.js';

/** Has one client take as many as it can beside those that are taken. */
function takeAll(max: number, taken: number): number {
  let held = 0;
  while (isWithinQuota({ max, taken: taken + held, held })) held += 1;
  return held;
}

void t.test('one client that is alone has three quarters, another one the last', async (t) => {
  t.same([takeAll(8, 0), takeAll(400, 0)], [6, 300]);
  t.same([takeAll(8, 6), takeAll(400, 300)], [2, 100]);
  t.equal(takeAll(8, 8), 0, 'and nobody more than there are');
});

void t.test('never more than there are, and always one for who has none', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1000 }),
      fc.nat(1000),
      fc.nat(1000),
      (max, taken, held) => {
        const free = isWithinQuota({ max, taken, held });
        if (taken >= max) return !free;
        return held > 0 || free;
      },
    ),
  );
});
