/** Answers of every endpoint to random requests, compared with DuckDB's (`npm run fuzz` asks for longer). */
import t from 'tap';
import { fuzzLives, liveAgain } from './lives.js';
import { askCases, fuzz } from './session.js';

void t.test('cases that were wrong once are right', async (t) => {
  t.same([...(await askCases(t)), ...(await liveAgain(t))], []);
});

void t.test('random requests to random networks', { timeout: 240_000 }, async (t) => {
  const { networks, requests, failures } = await fuzz(t, { seed: 52, seconds: 120, most: 5 });
  t.comment(`${networks} networks, ${requests} requests`);
  t.same(failures, []);
  t.ok(requests > 0);
});

void t.test('a random life of snapshots', { timeout: 240_000 }, async (t) => {
  t.same(await fuzzLives(t, { seed: 52, seconds: 1, most: 1 }), []);
});
