/**
 * What do frequent requests notice of all the others?
 *
 * An answer: latencies of four classes of requests at a fixed rate, and of the hot ones alone at the rate that they have
 * among the others. 80 % are hot, 15 % filters that nobody has asked for before, 4 % whole datasets, 1 % exports and pages.
 * Each class has a client process of its own, so that reading a dataset does not delay the clock of a hot request. Good
 * is a p99 of the hot ones of at most three times that alone, and no failure. What the service takes at rest, after a swap
 * and before any of it, is measured too: good is at most 100 MB of anonymous memory in all its processes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { figuresOf, startPaced, type IntervalFigures } from '../clients/paced.js';
import type { PacedOrder } from '../clients/paced-process.js';
import { footprintOf } from '../harness/footprint.js';
import type { Service } from '../harness/processes.js';
import { openSetup } from '../harness/setup.js';
import { commandLine, memoryOf } from '../harness/system.js';
import { now, swapTo } from '../harness/visible.js';
import { spreadOf } from '../measure/statistics.js';
import {
  exportPaths,
  freshFilters,
  GZIP,
  hotTargets,
  readNetwork,
  row,
  WHOLE_DATASET,
} from '../measure/targets.js';
import type { BenchOptions, Progress } from '../options.js';
import { fixed, whole, type Criterion, type SuiteResult, type Table } from '../report.js';

const RATE = 500;
const P99_LIMIT = 3;
const MEMORY_LIMIT_MB = 100;
const WARMUP_MS = 1_000;
const SETTLE_MS = 5_000;
/** Of the whole datasets: all others are in gzip, as browsers and libraries ask for them. */
const PLAIN_SHARE = 0.1;

const CLASSES = ['hot', 'fresh filters', 'whole datasets', 'exports, pages'] as const;
type ClassName = (typeof CLASSES)[number];

const SHARES: Readonly<Record<ClassName, number>> = {
  hot: 0.8,
  'fresh filters': 0.15,
  'whole datasets': 0.04,
  'exports, pages': 0.01,
};

type Class = Pick<PacedOrder, 'targets' | 'fresh' | 'isLoad'> & { readonly name: ClassName };

interface ClassFigures extends IntervalFigures {
  readonly name: ClassName;
  readonly first: readonly string[];
}

interface Memory {
  readonly process: string;
  readonly anonymousMb: number;
}

export async function runMixed(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const [shape = '105k'] = options.rows;
  const snapshots = [1, 2].map((version) => ({ shape, version }));
  const setup = await openSetup({ snapshots, progress });
  try {
    const { service } = setup;
    await swapTo(setup, setup.snapshots[1]?.snapshotId ?? '');
    await delay(SETTLE_MS);
    const atRest = memoryByProcess(service);
    const classes = await mixedClasses(service.port);
    const measured = await measureMixed(service.port, classes, options, progress);
    await delay(SETTLE_MS);
    const afterwards = footprintOf(service).anonymousMb;
    return {
      suite: 'mixed',
      question: `what do frequent requests notice of all the others? (${shape} rows)`,
      tables: [mixedTable(measured), memoryTable(atRest, afterwards)],
      criteria: [...mixedCriteria(measured), memoryCriterion(atRest)],
      notes: [MIXED_NOTE],
      figures: { ...measured, atRest, afterwardsMb: afterwards },
    };
  } finally {
    await setup.close();
  }
}

const MIXED_NOTE = `At a fixed rate, ${whole(RATE)} requests/s in all, medians of the rounds: a latency counts from writing the request, or from when it was due if every connection was still waiting. Every tenth dataset is plain, everything else but the hot requests in gzip.`;

/** The four classes of requests to a deployment. */
async function mixedClasses(port: number): Promise<readonly Class[]> {
  const { series } = await readNetwork(port);
  const [stream, , list] = WHOLE_DATASET.map(({ targets }) => targets);
  const compressed = [...(stream ?? []), ...(list ?? [])];
  const plain = compressed.slice(0, 1).map(({ path }) => ({ path, headers: {} }));
  const datasets = Array.from({ length: 1 / PLAIN_SHARE }, (_, at) =>
    at === 0 ? plain : compressed.slice(at % 2, (at % 2) + 1),
  ).flat();
  const files = (['csv', 'xlsx', 'ods'] as const).flatMap((format) => exportPaths(series, format));
  const stations = series.map((path) => {
    const query = new URLSearchParams(path.slice(path.indexOf('?')));
    return `/portal/station-modal?station_id=${query.get('station_id') ?? ''}&component_id=${query.get('component_id') ?? ''}&window=7d`;
  });
  const pages = ['/', ...stations];
  const made = files.flatMap((file, at) => [file, pages[at % pages.length] ?? '/']);
  return [
    { name: 'hot', targets: await hotTargets(port) },
    {
      name: 'fresh filters',
      targets: row('', ['/'], GZIP).targets,
      fresh: [await freshFilters(port, '1d'), await freshFilters(port, '30d')],
      isLoad: true,
    },
    { name: 'whole datasets', targets: datasets, isLoad: true },
    { name: 'exports, pages', targets: row('', shuffled(made), GZIP).targets, isLoad: true },
  ];
}

/** In an order that is always the same, with what lies far apart side by side. */
function shuffled(list: readonly string[]): readonly string[] {
  const step = 7_919;
  return list.flatMap((one, at) => list[(at * step) % list.length] ?? one);
}

interface Mixed {
  readonly alone: readonly ClassFigures[];
  /** In each round all classes. */
  readonly together: readonly (readonly ClassFigures[])[];
}

async function measureMixed(
  port: number,
  classes: readonly Class[],
  options: BenchOptions,
  progress: Progress,
): Promise<Mixed> {
  const alone: ClassFigures[] = [];
  const together: (readonly ClassFigures[])[] = [];
  const intervalMs = options.seconds * 5_000;
  const drive = (some: readonly Class[]): Promise<readonly ClassFigures[]> =>
    driveClasses(port, some, { connections: options.connections, intervalMs });
  for (let round = 0; round < options.rounds; round += 1) {
    const steps = [
      async () => {
        progress(`round ${round + 1} of ${options.rounds}, hot requests alone`);
        alone.push(...(await drive(classes.filter(({ name }) => name === 'hot'))));
      },
      async () => {
        progress(`round ${round + 1} of ${options.rounds}, all classes`);
        together.push(await drive(classes));
      },
    ];
    for (const step of round % 2 === 0 ? steps : steps.reverse()) await step();
  }
  return { alone, together };
}

async function driveClasses(
  port: number,
  classes: readonly Class[],
  { connections, intervalMs }: { readonly connections: number; readonly intervalMs: number },
): Promise<readonly ClassFigures[]> {
  const runs = classes.map(({ name, ...order }) => {
    const perSecond = RATE * SHARES[name];
    return { name, run: startPaced({ ...order, port, connections, perSecond, expected: [] }) };
  });
  await delay(WARMUP_MS);
  const fromMs = now();
  await delay(intervalMs);
  const interval = { fromMs, toMs: now() };
  return await Promise.all(
    runs.map(async ({ name, run }) => {
      const record = await run.stop();
      return { name, ...figuresOf(record, [interval]), first: record.failures.first };
    }),
  );
}

function mixedTable({ alone, together }: Mixed): Table {
  const line = (name: string, share: number, rounds: readonly ClassFigures[]): string[] => [
    name,
    whole(RATE * share),
    whole(rounds.reduce((sum, { answers }) => sum + answers, 0)),
    ...(['p50Ms', 'p99Ms', 'p999Ms'] as const).map((figure) => fixed(medianOf(rounds, figure), 2)),
    fixed(Math.max(...rounds.map(({ maxMs }) => maxMs)), 1),
    whole(rounds.reduce((sum, { failures }) => sum + failures, 0)),
  ];
  return {
    title: 'Latencies by class',
    columns: ['class', 'requests/s', 'answers', 'p50 ms', 'p99 ms', 'p99.9 ms', 'max ms', 'failed'],
    rows: [
      line('hot, alone', SHARES.hot, alone),
      ...CLASSES.map((name) => line(name, SHARES[name], ofClass(together, name))),
    ],
  };
}

function ofClass(
  together: readonly (readonly ClassFigures[])[],
  name: ClassName,
): readonly ClassFigures[] {
  return together.flatMap((classes) => classes.filter((one) => one.name === name));
}

function mixedCriteria({ alone, together }: Mixed): readonly Criterion[] {
  const quiet = medianOf(alone, 'p99Ms');
  const busy = medianOf(ofClass(together, 'hot'), 'p99Ms');
  const failed = together.flat().reduce((sum, { failures }) => sum + failures, 0);
  return [
    {
      promise: 'p99 of hot requests under the mixed load, beside alone',
      wanted: `at most ${P99_LIMIT} times`,
      found: `${fixed(busy / quiet, 1)} times (${fixed(quiet, 2)} -> ${fixed(busy, 2)} ms)`,
      met: busy <= P99_LIMIT * quiet,
    },
    {
      promise: 'failed requests under the mixed load',
      wanted: 'none',
      found: whole(failed),
      met: failed === 0,
    },
  ];
}

function medianOf(rounds: readonly ClassFigures[], figure: 'p50Ms' | 'p99Ms' | 'p999Ms'): number {
  return spreadOf(rounds.map((one) => one[figure])).median;
}

function memoryByProcess(service: Service): readonly Memory[] {
  return service.allPids().map((pid) => ({
    process: pid === service.pid ? 'supervisor' : kindOf(commandLine(pid)),
    anonymousMb: memoryOf(pid).anonymousMb,
  }));
}

function kindOf(command: string): string {
  return command.includes('import-process') ? 'import process' : 'front';
}

function memoryTable(atRest: readonly Memory[], afterwardsMb: number): Table {
  const line = (name: string, mb: number): string[] => [name, fixed(mb, 1)];
  return {
    title: 'Anonymous memory',
    columns: ['process', 'MB'],
    rows: [
      ...atRest.map(({ process: name, anonymousMb }) => line(name, anonymousMb)),
      line('all, at rest after a swap', sumOf(atRest)),
      line('all, 5 s after the load', afterwardsMb),
    ],
  };
}

function memoryCriterion(atRest: readonly Memory[]): Criterion {
  return {
    promise: 'anonymous memory of all processes at rest',
    wanted: `at most ${MEMORY_LIMIT_MB} MB`,
    found: `${fixed(sumOf(atRest), 1)} MB`,
    met: sumOf(atRest) <= MEMORY_LIMIT_MB,
  };
}

function sumOf(memory: readonly Memory[]): number {
  return memory.reduce((sum, { anonymousMb }) => sum + anonymousMb, 0);
}
