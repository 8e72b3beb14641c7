/**
 * Asks a service random questions about random networks, and compares its answers with an oracle's.
 *
 *     npm run fuzz -- [--seed N] [--seconds N]
 *
 * A seed gives the same networks and requests again. A failure is made small, written as a file of
 * `test/differential/cases`, and asked by every later run of the tests.
 */
import { parseArgs } from 'node:util';
import t from 'tap';
import { fuzzLives } from './lives.js';
import { fuzz } from './session.js';

/** Share of the time for requests; the rest is for lives of snapshots. */
const REQUESTS = 0.8;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    seconds: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(
    'npm run fuzz -- [--seed N] [--seconds N]   random questions, compared with DuckDB\n',
  );
} else {
  t.setTimeout((Number(values.seconds) + 600) * 1000);
  void t.test(
    `seed ${values.seed}`,
    { timeout: (Number(values.seconds) + 600) * 1000 },
    async (t) => {
      const [seed, seconds] = [Number(values.seed), Number(values.seconds)];
      const outcome = await fuzz(t, { seed, seconds: seconds * REQUESTS });
      t.comment(`${outcome.networks} networks, ${outcome.requests} requests`);
      t.same(outcome.failures, []);
      t.same(await fuzzLives(t, { seed, seconds: seconds * (1 - REQUESTS) }), []);
    },
  );
}
