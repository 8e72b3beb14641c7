/** `npm run bench:soak`: is every answer right, and does nothing grow, under mixed load, swaps and restarts? */
import { Command, InvalidArgumentError, Option } from 'commander';
import { randomInt } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeMachine } from '../harness/system.js';
import { createProgress, positive, SIZES, type Size } from '../options.js';
import { runChaos } from './chaos.js';
import { FAULTS } from './faults.js';
import { isClean, renderChaos, renderSoak } from './report.js';
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
  readonly chaos: boolean;
  readonly fronts: number;
  readonly atOnce: number;
  readonly fault: readonly string[];
  readonly out?: string;
}

const FAULT_NAMES = FAULTS.map(({ name }) => name);

const { minutes, rows, chaos, ...flags } = new Command('bench:soak')
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
  .option('--chaos', 'kill, stop and take away, beside publishes and rollbacks', false)
  .option('--fronts <n>', 'with --chaos: front processes', positive, 2)
  .option('--at-once <n>', 'with --chaos: faults at the same time', positive, 1)
  .addOption(
    new Option('--fault <names...>', 'with --chaos: only these')
      .choices(FAULT_NAMES)
      .default(FAULT_NAMES, 'all'),
  )
  .option('--out <file>', 'where the result is written as JSON; default: in bench/results')
  .parse()
  .opts<Flags>();

console.log(`seed ${flags.seed}`);
const options = { ...flags, shape: rows, seconds: minutes * 60, progress: createProgress() };
const out = flags.out ?? `bench/results/${chaos ? 'chaos' : 'soak'}.json`;
if (chaos) {
  const result = await runChaos({ ...options, faults: flags.fault });
  await finish(result, renderChaos(result), result.broken.length === 0);
} else {
  const result = await runSoak(options);
  await finish(result, renderSoak(result), isClean(result));
}

async function finish(result: object, rendered: string, isGood: boolean): Promise<void> {
  console.log(rendered);
  await mkdir(path.dirname(out), { recursive: true });
  const kept = { machine: describeMachine(), options: { minutes, rows, ...flags }, ...result };
  await writeFile(out, `${JSON.stringify(kept, undefined, 1)}\n`);
  console.log(`\nWritten to ${out}`);
  if (!isGood) process.exitCode = 1;
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('a count is needed');
  return value;
}
