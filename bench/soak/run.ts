/** `npm run bench:soak`: is every answer right, and does nothing grow, under mixed load, swaps and restarts? */
import { Command, InvalidArgumentError, Option } from 'commander';
import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeMachine } from '../harness/system.js';
import { createProgress, positive, SIZES, type Size } from '../options.js';
import { isClean, renderSoak } from './report.js';
import { runSoak } from './session.js';

interface Flags {
  readonly minutes: number;
  readonly swapSeconds: number;
  readonly restarts: number;
  readonly connections: number;
  readonly publishEvery: number;
  readonly documents: number;
  readonly rows: Size | 'soak';
  readonly sampleSeconds: number;
  readonly seed: number;
  readonly out: string;
}

const { minutes, rows, out, ...flags } = new Command('bench:soak')
  .description('Checks every answer of a busy service against an oracle; see bench/README.md.')
  .option('--minutes <n>', 'how long', positive, 20)
  .option('--swap-seconds <n>', 'between two swaps', positive, 5)
  .option('--restarts <n>', 'of the service, evenly over the time', count, 0)
  .option('--connections <n>', 'of the client, each with one request at a time', positive, 32)
  .option('--publish-every <n>', 'swaps until the next one publishes and imports', positive, 12)
  .option('--documents <n>', 'different snapshots', positive, 8)
  .addOption(
    new Option('--rows <size>', 'rows of a snapshot').choices(['soak', ...SIZES]).default('soak'),
  )
  .option('--sample-seconds <n>', 'between two looks at memory and descriptors', positive, 5)
  .option('--seed <n>', 'of the requests', positive, randomInt(1, 2 ** 31))
  .option('--out <file>', 'where the result is written as JSON', 'bench/results/soak.json')
  .parse()
  .opts<Flags>();

console.log(`seed ${flags.seed}`);
const result = await runSoak({
  ...flags,
  shape: rows,
  seconds: minutes * 60,
  progress: createProgress(),
});
console.log(renderSoak(result));
await mkdir(path.dirname(out), { recursive: true });
const kept = { machine: describeMachine(), options: { minutes, rows, ...flags }, ...result };
await writeFile(out, `${JSON.stringify(kept, undefined, 1)}\n`);
console.log(`\nWritten to ${out}`);
if (!isClean(result)) process.exitCode = 1;

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('a count is needed');
  return value;
}
