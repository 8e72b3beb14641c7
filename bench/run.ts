/** `npm run bench`: runs the suites one after the other, prints what they found and writes it as JSON. */
import { Command, Option } from 'commander';
import { availableParallelism } from 'node:os';
import { originOf, type Origin } from './harness/origin.js';
import { describeMachine, machineCpuSeconds, ownCpuSeconds } from './harness/system.js';
import { versions } from './harness/versions.js';
import {
  CLIENTS,
  createProgress,
  positive,
  SIZES,
  SUITES,
  SUITES_BY_URL,
  type BenchOptions,
  type Progress,
  type SuiteByUrl,
  type SuiteName,
} from './options.js';
import { renderSuite, suiteRun, writeResult, type SuiteResult, type SuiteRun } from './report.js';
import { runBeside } from './suites/beside.js';
import { runCrowds } from './suites/crowds.js';
import { checkDeployment, runAtUrl } from './suites/deployment.js';
import { runImport } from './suites/import.js';
import { runMixed } from './suites/mixed.js';
import { isRequestSuite } from './suites/requests.js';

type Flags = Omit<BenchOptions, 'suites' | 'connections' | 'rate' | 'pinned'> & {
  readonly url?: string;
  readonly suite: readonly SuiteName[];
  readonly connections?: number;
  readonly rate?: number;
  readonly pin: boolean;
  readonly out: string;
};

const program = new Command('bench')
  .description('Measures the service. The defaults take about half an hour; see bench/README.md.')
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
  .option('--rate <n>', 'requests a second at an even rate (default: 500, with --url 20)', positive)
  .option('--closed-loop', 'with --url: ask as fast as the deployment answers', false)
  .addOption(new Option('--client <name>', 'of closed loops').choices(CLIENTS).default(CLIENTS[0]))
  .option('--addresses <n>', 'that connections of autocannon state (X-Forwarded-For)', positive, 0)
  .option('--no-pin', 'let server and client run on any core')
  .option('--out <file>', 'where the result is written as JSON', 'bench/results/latest.json')
  .parse();
const { url, suite: names, pin, out, ...flags } = program.opts<Flags>();

const options: BenchOptions = {
  ...flags,
  suites: url === undefined ? names : names.filter(isByUrl),
  connections: flags.connections ?? (url === undefined ? 64 : 8),
  rate: flags.rate ?? (url === undefined ? 500 : 20),
  pinned: pin && url === undefined && process.platform === 'linux' && availableParallelism() > 1,
};

const machine = describeMachine();
console.log(
  `${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, load ${machine.loadAverage.toFixed(1)}\n`,
);
const origin = url === undefined ? undefined : await deploymentAt(url);
const used = await versions();
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
  await writeResult(out, { machine, versions: used, options, suites });
}
if (suites.length > 0) console.log(`Written to ${out}`);

async function runSuite(name: SuiteName): Promise<SuiteRun> {
  const othersCpu = (): number => machineCpuSeconds() - ownCpuSeconds();
  const [startedMs, before] = [performance.now(), othersCpu()];
  const result = await resultOf(name, (line) => {
    tell(`${name}: ${line}`);
  });
  // All that a suite starts has ended with it, so its CPU time is known by now.
  const seconds = (performance.now() - startedMs) / 1000;
  return suiteRun(result, seconds, Math.max(0, othersCpu() - before) / seconds);
}

async function resultOf(name: SuiteName, progress: Progress): Promise<SuiteResult> {
  if (origin !== undefined && isByUrl(name)) {
    return await runAtUrl(name, { origin, options }, progress);
  }
  if (isRequestSuite(name)) return await runBeside(name, options, progress);
  const run = { mixed: runMixed, import: runImport, crowds: runCrowds }[name];
  return await run(options, progress);
}

/** The deployment, or the end of this process with the reason. */
async function deploymentAt(address: string): Promise<Origin> {
  try {
    if (options.suites.length === 0) throw new Error(`with --url: ${SUITES_BY_URL.join(', ')}`);
    const found = originOf(address);
    await checkDeployment(found);
    return found;
  } catch (error) {
    return program.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isByUrl(name: SuiteName): name is SuiteByUrl {
  return SUITES_BY_URL.some((one) => one === name);
}
