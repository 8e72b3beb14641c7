/** How many of those who wait for nothing are remembered; whose turn it is: `job-queue.unit.ts`. */
import t from 'tap';
import { FairQueue } from '../../src/workers/fair-queue.js';

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
