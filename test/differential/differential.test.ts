/** A minute of random requests, compared with DuckDB's answers; `npm run fuzz` asks for longer. */
import t from 'tap';
import { scaled } from '../support/faults/chance.js';
import { fuzzAll, liveAgain } from './lives.js';
import { askCases } from './session.js';

t.setTimeout(600_000);

void t.test('cases that were wrong once are right', async (t) => {
  t.same([...(await askCases(t)), ...(await liveAgain(t))], []);
});

void t.test('random requests and lives of snapshots', { timeout: 500_000 }, async (t) => {
  await fuzzAll(t, { seed: 52, seconds: scaled(60) });
});
