/** `npm run bench`: runs the suites one after the other, prints what they found and writes it as JSON. */
import { Command, Option } from 'commander';
import { availableParallelism } from 'node:os';
import { describeMachine, machineCpuSeconds, ownCpuSeconds } from './harness/system.js';
import { versions } from './harness/versions.js';
import {
  CLIENTS,
  createProgress,
  positive,
  SIZES,
  SUITES,
  type BenchOptions,
  type Progress,
  type SuiteName,
} from './options.js';
import { renderSuite, suiteRun, writeResult, type SuiteResult, type SuiteRun } from './report.js';
import { runBeside } from './suites/beside.js';
import { runImport } from './suites/import.js';
import { runMixed } from './suites/mixed.js';
import { isRequestSuite } from './suites/requests.js';

type Flags = Omit<BenchOptions, 'suites' | 'pinned'> & {
  readonly suite: readonly SuiteName[];
  readonly pin: boolean;
  readonly out: string;
};

const program = new Command('bench')
  .description('Measures the service. The defaults take about half an hour; see bench/README.md.')
  .addOption(new Option('--suite <names...>', 'which suites').choices(SUITES).default([...SUITES]))
  .option('--rounds <n>', 'times that everything is measured', positive, 2)
  .option('--seconds <n>', 'of measuring, for one variant in one round', positive, 1)
  .addOption(
    new Option('--rows <sizes...>', 'snapshots: all for import, the first one for the other suites')
      .choices(SIZES)
      .default([SIZES[0]]),
  )
  .option('--connections <n>', 'open connections of a client', positive, 64)
  .option('--rate <n>', 'requests a second at an even rate', positive, 500)
  .addOption(new Option('--client <name>', 'of closed loops').choices(CLIENTS).default(CLIENTS[0]))
  .option('--no-pin', 'let server and client run on any core')
  .option('--out <file>', 'where the result is written as JSON', 'bench/results/latest.json')
  .parse();
const { suite: names, pin, out, ...flags } = program.opts<Flags>();

const options: BenchOptions = {
  ...flags,
  suites: names,
  pinned: pin && process.platform === 'linux' && availableParallelism() > 1,
};

const machine = describeMachine();
console.log(
  `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, load ${machine.loadAverage.toFixed(1)}\n`,
);
const used = await versions();
const tell = createProgress();
const suites: SuiteRun[] = [];
for (const name of options.suites) {
  const suite = await runSuite(name).catch((error: unknown) => {
    // The results of other suites are still useful.
    console.error(`${name} failed: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  });
  if (suite === undefined) continue;
  suites.push(suite);
  console.log(renderSuite(suite));
  await writeResult(out, { machine, versions: used, options, suites });
}
if (suites.length > 0) console.log(`Written to ${out}`);

async function runSuite(name: SuiteName): Promise<SuiteRun> {
  const othersCpu = (): number => machineCpuSeconds() - ownCpuSeconds();
  const [startedMs, before] = [performance.now(), othersCpu()];
  const result = await resultOf(name, (line) => {
    tell(`${name}: ${line}`);
  });
  // All processes of a suite have ended, so their CPU time is known.
  const seconds = (performance.now() - startedMs) / 1000;
  return suiteRun(result, seconds, Math.max(0, othersCpu() - before) / seconds);
}

async function resultOf(name: SuiteName, progress: Progress): Promise<SuiteResult> {
  if (isRequestSuite(name)) return await runBeside(name, options, progress);
  const run = { mixed: runMixed, import: runImport }[name];
  return await run(options, progress);
}
