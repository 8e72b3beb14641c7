/** Turns by time: equal or by weight, whatever anybody's turns take, and how many are remembered that wait for nothing. */
import fc from 'fast-check';
import t from 'tap';
import { FairQueue } from '../../src/workers/fair-queue.js';

void t.test('who comes anew is level with the others, the heaviest is next', async () => {
  const any = fc.record({ who: fc.nat(9), milliseconds: fc.integer({ min: 1, max: 500 }) });
  fc.assert(
    fc.property(fc.array(any, { minLength: 1, maxLength: 100 }), fc.nat(100), (others, taken) => {
      const turns = new FairQueue<number>((who) => (who === 10 ? 2 : 1));
      for (const { who } of others) turns.enter(who);
      for (const { milliseconds } of others.slice(0, taken)) {
        turns.charge(turns.next() ?? NaN, milliseconds);
      }
      turns.enter(10);
      return turns.next() === 10;
    }),
  );
});

void t.test('what one has taken is remembered until a thousand others have waited', async (t) => {
  for (const others of [999, 1000]) {
    const turns = new FairQueue<string>();
    turns.enter('much');
    turns.next();
    turns.charge('much', 1e6);
    turns.leave('much');
    for (let other = 0; other < others; other += 1) {
      turns.enter(`other ${other}`);
      turns.next();
      turns.charge(`other ${other}`, 1);
      turns.leave(`other ${other}`);
    }
    turns.enter('new');
    turns.enter('much');
    t.equal(turns.next(), 'new');
    turns.charge('new', 1);
    t.equal(turns.next(), others < 1000 ? 'new' : 'much');
  }
});

void t.test('of infinite weight one comes before all others', async (t) => {
  const turns = new FairQueue<string>((who) => (who === 'first' ? Infinity : 1));
  turns.enter('other');
  turns.charge('other', -100);
  turns.enter('first');
  for (let turn = 0; turn < 3; turn += 1) {
    t.equal(turns.next(), 'first');
    turns.charge('first', 1000);
  }
  turns.leave('first');
  t.equal(turns.next(), 'other');
  turns.leave('other');
  t.equal(turns.next(), undefined);
});
