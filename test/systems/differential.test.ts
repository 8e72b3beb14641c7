/** Ten minutes of random requests, compared with DuckDB's answers; `FUZZ_SECONDS` sets another time. */
import t from 'tap';
import { fuzzAll } from '../differential/lives.js';

const seconds = Number(process.env['FUZZ_SECONDS'] ?? 600);
const timeout = (seconds + 600) * 1000;

t.setTimeout(timeout);

void t.test('random requests and lives of snapshots', { timeout }, async (t) => {
  await fuzzAll(t, { seed: 53, seconds });
});
