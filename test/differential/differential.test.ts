/** A minute of random requests and lives of snapshots, compared with DuckDB's answers; `npm run fuzz` takes longer. */
import t from 'tap';
import { scaled } from '../support/faults/chance.js';
import { fuzzAll, tryAgain } from './lives.js';

t.setTimeout(600_000);

void t.test('cases that were wrong once are right', async (t) => {
  t.same(await tryAgain(t), []);
});

void t.test('random requests and lives of snapshots', { timeout: 500_000 }, async (t) => {
  await fuzzAll(t, { seed: 52, seconds: scaled(60) });
});
