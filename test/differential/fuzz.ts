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
import { fuzzAll } from './lives.js';

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
      await fuzzAll(t, { seed: Number(values.seed), seconds: Number(values.seconds) });
    },
  );
}
