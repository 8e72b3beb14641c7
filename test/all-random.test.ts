/** Nine more minutes of random requests and lives of snapshots, of another seed than the minute of `npm test`. */
import t from 'tap';
import { scaled } from './support/faults/chance.js';
import { fuzzAll } from './differential/lives.js';

t.setTimeout(2_700_000);

// This file lies above the others, so that the longest of all tests begin first.
void t.test('random requests and lives of snapshots', { timeout: 2_000_000 }, async (t) => {
  await fuzzAll(t, { seed: 53, seconds: scaled(540) });
});
