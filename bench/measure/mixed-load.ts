/**
 * Requests of all kinds at once, at a fixed rate: 80 % are hot, 15 % filters that nobody has asked for before, 4 % whole
 * datasets, 1 % exports and pages. Each class has a client process of its own, so that reading a dataset does not delay
 * the clock of a hot request.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { atMostTimes, none } from '../criteria.js';
import { figuresOf, startPaced, type IntervalFigures } from '../clients/paced.js';
import type { PacedOrder } from '../clients/paced-process.js';
import type { Target } from '../harness/exchange.js';
import type { ServerAddress } from '../harness/origin.js';
import type { Server } from '../harness/processes.js';
import { now } from '../harness/visible.js';
import type { BenchOptions, Progress } from '../options.js';
import { fixed, whole, type Criterion, type Latency, type Table } from '../report.js';
import { LATENCY_COLUMNS, latencyCells, medianOf } from './latencies.js';
import {
  exportPaths,
  freshFilters,
  GZIP,
  hotTargets,
  readNetwork,
  row,
  WHOLE_DATASET,
} from './targets.js';

const P99_LIMIT = 3;
/** Of the service beside a bare server on the same busy machine. */
const P99_LIMIT_BESIDE_BARE = 2;
/** Of the clients beside the one whose latencies are compared. */
const BACKGROUND_NICENESS = 10;

const WARMUP_MS = 1_000;
/** Of the whole datasets: all others are in gzip, as browsers and libraries ask for them. */
const PLAIN_SHARE = 0.1;

const CLASSES = ['hot', 'fresh filters', 'whole datasets', 'exports, pages'] as const;
type ClassName = (typeof CLASSES)[number];
const OF_BARE = 'hot, of a bare server';

const SHARES: Readonly<Record<ClassName, number>> = {
  hot: 0.8,
  'fresh filters': 0.15,
  'whole datasets': 0.04,
  'exports, pages': 0.01,
};

/** How the latencies are to be read. */
export const MIXED_NOTE =
  'At a fixed rate, medians of the rounds: a latency counts from writing the request, or from when it was due if every connection was still waiting. Every tenth dataset is plain, everything else but most hot requests in gzip.';

type Class = Pick<PacedOrder, 'targets' | 'fresh' | 'isLoad'> & { readonly name: ClassName };

interface ClassFigures extends IntervalFigures {
  readonly name: ClassName;
  /** Descriptions of the first failures. */
  readonly first: readonly string[];
}

async function mixedClasses(server: ServerAddress): Promise<readonly Class[]> {
  const { series } = await readNetwork(server);
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
    { name: 'hot', targets: await hotTargets(server) },
    {
      name: 'fresh filters',
      targets: row('', ['/'], GZIP).targets,
      fresh: [await freshFilters(server, '1d'), await freshFilters(server, '30d')],
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

export interface Mixed {
  /** Requests a second of all classes together. */
  readonly rate: number;
  readonly alone: readonly ClassFigures[];
  /** In each round all classes. */
  readonly together: readonly (readonly ClassFigures[])[];
  /** In each round the hot requests, of a bare server, while all others go to the service; none without such a server. */
  readonly ofBare: readonly ClassFigures[];
}

/**
 * Measures all classes together, and the hot one alone at the rate that it has there.
 *
 * With a bare server, one step more: it gets the hot requests, and the service all others. What those meet then is
 * what the machine costs, with as many programs as it has cores and more: that server does nothing else.
 */
export async function measureMixed(
  server: ServerAddress,
  options: BenchOptions,
  progress: Progress,
  startBareServer?: (targets: readonly Target[]) => Promise<Server>,
): Promise<Mixed> {
  const classes = await mixedClasses(server);
  const bare = await startBareServer?.(classes[0]?.targets ?? []);
  const { connections, rate } = options;
  const alone: ClassFigures[] = [];
  const together: (readonly ClassFigures[])[] = [];
  const ofBare: ClassFigures[] = [];
  const intervalMs = options.seconds * 5_000;
  const drive = (some: readonly Class[], hot = server): Promise<readonly ClassFigures[]> =>
    driveClasses(some, { server, hot, connections, rate, intervalMs });
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
      async () => {
        if (bare === undefined) return;
        progress(
          `round ${round + 1} of ${options.rounds}, all classes, the hot one to a bare server`,
        );
        ofBare.push(...(await drive(classes, bare.port)).filter(({ name }) => name === 'hot'));
      },
    ];
    for (const step of round % 2 === 0 ? steps : steps.reverse()) await step();
  }
  await bare?.stop();
  return { rate, alone, together, ofBare };
}

interface Drive extends Pick<PacedOrder, 'server' | 'connections'> {
  /** Whom the hot requests go to. */
  readonly hot: ServerAddress;
  readonly rate: number;
  readonly intervalMs: number;
}

async function driveClasses(
  classes: readonly Class[],
  { server, hot, connections, rate, intervalMs }: Drive,
): Promise<readonly ClassFigures[]> {
  const runs = classes.map(({ name, ...order }) => {
    const perSecond = rate * SHARES[name];
    const address = name === 'hot' ? hot : server;
    const whole = { ...order, server: address, connections, perSecond, expected: [] };
    return { name, run: startPaced(whole, name === 'hot' ? 0 : BACKGROUND_NICENESS) };
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

export function mixedTable({ rate, alone, together, ofBare }: Mixed): Table {
  const line = (name: string, share: number, rounds: readonly ClassFigures[]): string[] => [
    name,
    fixed(rate * share, 1),
    ...latencyCells(rounds),
  ];
  return {
    title: 'Latencies by class',
    columns: ['class', 'requests/s', ...LATENCY_COLUMNS],
    rows: [
      line('hot, alone', SHARES.hot, alone),
      ...(ofBare.length === 0 ? [] : [line(OF_BARE, SHARES.hot, ofBare)]),
      ...CLASSES.map((name) => line(name, SHARES[name], ofClass(together, name))),
    ],
  };
}

/** The same for a chart. */
export function mixedLatencies({ alone, together, ofBare }: Mixed): readonly Latency[] {
  const of = (name: string, rounds: readonly ClassFigures[]): Latency => {
    return { name, p50Ms: medianOf(rounds, 'p50Ms'), p99Ms: medianOf(rounds, 'p99Ms') };
  };
  return [
    of('hot, alone', alone),
    ...(ofBare.length === 0 ? [] : [of(OF_BARE, ofBare)]),
    ...CLASSES.map((name) => of(name, ofClass(together, name))),
  ].filter(({ p99Ms }) => !Number.isNaN(p99Ms));
}

function ofClass(
  together: readonly (readonly ClassFigures[])[],
  name: ClassName,
): readonly ClassFigures[] {
  return together.flatMap((classes) => classes.filter((one) => one.name === name));
}

export function mixedCriteria({ alone, together, ofBare }: Mixed): readonly Criterion[] {
  const quiet = medianOf(alone, 'p99Ms');
  const bare = medianOf(ofBare, 'p99Ms');
  const busy = medianOf(ofClass(together, 'hot'), 'p99Ms');
  const sum = (figure: 'answers' | 'failures'): number =>
    together.flat().reduce((total, one) => total + one[figure], 0);
  const [answered, failed] = [sum('answers'), sum('failures')];
  return [
    atMostTimes('p99 of hot requests under the mixed load, beside alone', P99_LIMIT, {
      quietMs: quiet,
      busyMs: busy,
    }),
    ...(ofBare.length === 0
      ? []
      : [
          atMostTimes('the same, beside a bare server in its place', P99_LIMIT_BESIDE_BARE, {
            quietMs: bare,
            busyMs: busy,
          }),
        ]),
    none('failed requests under the mixed load', failed, whole(answered + failed)),
  ];
}
