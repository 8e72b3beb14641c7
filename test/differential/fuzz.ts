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

const seed = { type: 'string', default: String(Date.now() % 2 ** 31) } as const;
const { values } = parseArgs({ options: { seed, seconds: { type: 'string', default: '60' } } });
const timeout = (Number(values.seconds) + 600) * 1000;

t.setTimeout(timeout);

void t.test(`seed ${values.seed}`, { timeout }, async (t) => {
  await fuzzAll(t, { seed: Number(values.seed), seconds: Number(values.seconds) });
});
