/** `npm run bench`: runs the suites one after the other, prints what they found and writes it as JSON. */
import { Command, Option } from 'commander';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import {
  createProgress,
  FAULTS,
  positive,
  SIZES,
  SUITES,
  SUITES_BY_URL,
  type BenchOptions,
  type Fault,
  type Size,
  type SuiteByUrl,
  type SuiteName,
  type Progress,
} from './options.js';
import { writeReport } from './markdown.js';
import { renderSuite, writeResult, type SuiteResult, type SuiteRun } from './report.js';
import { originOf, type Origin } from './harness/origin.js';
import { checkDeployment, runAtUrl } from './suites/deployment.js';
import { runEndpoints } from './suites/endpoints.js';
import { runFaults } from './suites/faults.js';
import { runFilters } from './suites/filters.js';
import { runFresh } from './suites/fresh.js';
import { runImport } from './suites/import.js';
import { runMixed } from './suites/mixed.js';
import { runStreams } from './suites/streams.js';
import { runEvents } from './suites/events.js';
import { describeMachine, machineCpuSeconds, ownCpuSeconds } from './harness/system.js';

const RUN: Readonly<
  Record<SuiteName, (options: BenchOptions, progress: Progress) => Promise<SuiteResult>>
> = {
  endpoints: runEndpoints,
  filters: runFilters,
  fresh: runFresh,
  streams: runStreams,
  mixed: runMixed,
  import: runImport,
  events: runEvents,
  faults: runFaults,
};

interface Flags {
  readonly url?: string;
  readonly suite: readonly SuiteName[];
  readonly rounds: number;
  readonly seconds: number;
  readonly rows: readonly Size[];
  readonly connections?: number;
  readonly rate?: number;
  readonly faults: readonly Fault[];
  readonly swaps: number;
  readonly pin: boolean;
  readonly wrk: boolean;
  readonly out: string;
}

const cores = availableParallelism();

const program = new Command('bench')
  .description('Measures the service. The defaults take about twenty minutes; see bench/README.md.')
  .option(
    '--url <url>',
    `measures that deployment instead, and changes nothing there: ${SUITES_BY_URL.join(', ')}`,
  )
  .addOption(new Option('--suite <names...>', 'which suites').choices(SUITES).default([...SUITES]))
  .option('--rounds <n>', 'times that everything is measured', positive, 2)
  .option('--seconds <n>', 'of measuring, for one variant in one round', positive, 1)
  .addOption(
    new Option('--rows <sizes...>', 'snapshots: all for import, the first one for the other suites')
      .choices(SIZES)
      .default([SIZES[0]]),
  )
  .option('--connections <n>', 'open connections of a client (default: 64, with --url 8)', positive)
  .option(
    '--rate <n>',
    'requests a second of mixed, and with --url of all but streams (default: 500, with --url 20)',
    positive,
  )
  .addOption(
    new Option('--faults <parts...>', 'parts of the suite faults')
      .choices(FAULTS)
      .default([...FAULTS]),
  )
  .option('--swaps <n>', 'of the suite events', positive, 12)
  .option('--no-pin', 'let server and client run on any core')
  .option('--no-wrk', 'leave wrk out where it is installed')
  .option('--out <file>', 'where the result is written as JSON', 'bench/results/latest.json')
  .parse();
const flags = program.opts<Flags>();

const isHere = flags.url === undefined;
const options: BenchOptions = {
  suites: isHere ? flags.suite : flags.suite.filter(isByUrl),
  rounds: flags.rounds,
  seconds: flags.seconds,
  rows: flags.rows,
  connections: flags.connections ?? (isHere ? 64 : 8),
  rate: flags.rate ?? (isHere ? 500 : 20),
  faults: flags.faults,
  swaps: flags.swaps,
  pinned: flags.pin && process.platform === 'linux' && cores > 1,
  wrk: flags.wrk,
};

const machine = describeMachine();
console.log(
  `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, load ${machine.loadAverage.toFixed(1)}\n`,
);
const origin = flags.url === undefined ? undefined : await deploymentAt(flags.url);
const tell = createProgress();
const suites: SuiteRun[] = [];
for (const name of options.suites) {
  const suite = await runSuite(name).catch((error: unknown) => {
    // The others' answers are worth having all the same.
    console.error(`${name} failed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
  if (suite === undefined) continue;
  suites.push(suite);
  console.log(renderSuite(suite));
  await writeResult(flags.out, { machine, options, suites });
}
if (suites.length > 0) {
  const report = await writeReport(path.dirname(flags.out), { machine, options, suites });
  console.log(`Written to ${flags.out} and ${report}`);
}

async function runSuite(name: SuiteName): Promise<SuiteRun> {
  const clocks = (): Record<'wall' | 'machine' | 'own', number> => ({
    wall: Date.now() / 1000,
    machine: machineCpuSeconds(),
    own: ownCpuSeconds(),
  });
  const before = clocks();
  const progress: Progress = (line) => {
    tell(`${name}: ${line}`);
  };
  const result =
    origin !== undefined && isByUrl(name)
      ? await runAtUrl(name, { origin, options }, progress)
      : await RUN[name](options, progress);
  // All that a suite starts has ended with it, so its CPU time is known by now.
  const after = clocks();
  const seconds = after.wall - before.wall;
  const others = after.machine - before.machine - (after.own - before.own);
  return { ...result, seconds, othersBusy: Math.max(0, others) / seconds };
}

/** The deployment, or the end of this process with the reason. */
async function deploymentAt(url: string): Promise<Origin> {
  try {
    if (options.suites.length === 0) throw new Error(`with --url: ${SUITES_BY_URL.join(', ')}`);
    const found = originOf(url);
    await checkDeployment(found);
    return found;
  } catch (error) {
    return program.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isByUrl(name: SuiteName): name is SuiteByUrl {
  return SUITES_BY_URL.some((one) => one === name);
}
