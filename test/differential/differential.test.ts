/** Random requests for most of a minute, compared with DuckDB's answers; `npm run fuzz` asks for longer, and lives random lives of snapshots. */
import t from 'tap';
import { scaled } from '../support/faults/chance.js';
import { tryAgain } from './lives.js';
import { fuzzRequests } from './session.js';

t.setTimeout(600_000);

void t.test('cases that were wrong once are right', async (t) => {
  t.same(await tryAgain(t), []);
});

void t.test('random requests to random networks', { timeout: 500_000 }, async (t) => {
  await fuzzRequests(t, { seed: 52, seconds: scaled(48) });
});
