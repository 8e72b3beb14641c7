/**
 * Measures the effect of all other requests on frequent ones.
 *
 * Latencies at an even rate of four classes of requests at once (80 % hot, 15 % fresh filters, 4 % whole datasets, 1 %
 * exports and pages), and of hot requests alone at their rate in that mix. The target: in the mix, the p99 of hot
 * requests is at most three times that of hot requests alone, and no request fails. Each class has its own client
 * process, so that reading a dataset does not delay the clock of a hot request.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { EVEN_RATE, figuresOf, startPaced, type IntervalFigures } from '../clients/paced.js';
import type { PacedOrder } from '../clients/paced-process.js';
import { atMostTimes, none } from '../criteria.js';
import { openSetup } from '../harness/setup.js';
import { now } from '../harness/system.js';
import { medianPercentiles } from '../measure/statistics.js';
import type { BenchOptions, Progress } from '../options.js';
import { fixed, LATENCY_COLUMNS, latencyCells, whole, type SuiteResult } from '../report.js';
import { exportPaths, readNetwork, spreadOver, targetsOf } from './network.js';

const P99_LIMIT = 3;
/** Niceness of the other clients. */
const BACKGROUND_NICENESS = 10;
const WARMUP_MS = 1_000;
/** Length of a round, in multiples of the option `seconds`. */
const TIMES = 5;
/** One whole dataset in this many is plain; all others are in gzip, as browsers and libraries request them. */
const PLAIN_EVERY = 10;
const GZIP = { 'Accept-Encoding': 'gzip' };
const OBSERVATIONS = '/api/v1/observations';

const SHARES = { hot: 0.8, 'fresh filters': 0.15, 'whole datasets': 0.04, 'exports, pages': 0.01 };
type ClassName = keyof typeof SHARES;

type Class = Pick<PacedOrder, 'targets' | 'fresh' | 'isLoad'> & { readonly name: ClassName };

type ClassFigures = IntervalFigures & { readonly name: ClassName };

export async function runMixed(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const [shape = '105k'] = options.rows;
  const setup = await openSetup({ snapshots: [{ shape, version: 1 }], progress });
  try {
    return await measureMixed(setup.service.port, options, progress);
  } finally {
    await setup.close();
  }
}

async function measureMixed(
  server: number,
  options: BenchOptions,
  progress: Progress,
): Promise<SuiteResult> {
  const classes = await classesOf(server);
  const alone: ClassFigures[] = [];
  const together: ClassFigures[] = [];
  for (let round = 1; round <= options.rounds; round += 1) {
    progress(`round ${round} of ${options.rounds}, hot requests alone`);
    alone.push(...(await driveClasses(classes.slice(0, 1), server, options)));
    progress(`round ${round} of ${options.rounds}, all classes`);
    together.push(...(await driveClasses(classes, server, options)));
  }
  const of = (name: ClassName): readonly ClassFigures[] =>
    together.filter((one) => one.name === name);
  const p99Of = (rounds: readonly ClassFigures[]): number =>
    medianPercentiles(rounds.map(({ percentiles }) => percentiles))[99] ?? Number.NaN;
  const line = (title: string, name: ClassName, rounds: readonly ClassFigures[]): string[] => [
    title,
    fixed(options.rate * SHARES[name], 1),
    ...latencyCells(rounds),
  ];
  const sum = (figure: 'answers' | 'failures'): number =>
    together.reduce((total, one) => total + one[figure], 0);
  return {
    suite: 'mixed',
    question: 'what do frequent requests notice of all the others?',
    tables: [
      {
        title: 'Latencies by class, at an even rate',
        columns: ['class', 'requests/s', ...LATENCY_COLUMNS],
        rows: [
          line('hot, alone', 'hot', alone),
          ...classes.map(({ name }) => line(name, name, of(name))),
        ],
      },
    ],
    criteria: [
      atMostTimes('p99 of hot requests under the mixed load, beside alone', P99_LIMIT, {
        quietMs: p99Of(alone),
        busyMs: p99Of(of('hot')),
      }),
      none('failed requests under the mixed load', sum('failures'), whole(sum('answers'))),
    ],
    notes: [
      'A latency counts from writing the request, or from when it was due if every connection was still waiting: a stall is in the latency of every request that was due meanwhile. Every tenth dataset is plain, everything else but most hot requests in gzip.',
    ],
    figures: { latency: EVEN_RATE, alone, together },
  };
}

async function classesOf(server: number): Promise<readonly Class[]> {
  const network = await readNetwork(server);
  const { stations, series } = network;
  const hourly = spreadOver(stations, 4).flatMap(({ organization_id, station_id }) => {
    const prefix = `/${organization_id}/stations/${station_id}/measurements`;
    return [`${prefix}/last_hour`, `${prefix}/last_24h`];
  });
  const some = spreadOver(series, 4);
  const [one = '/meta'] = some;
  const datasets = Array.from({ length: PLAIN_EVERY }, (_, at) => ({
    path: at % 2 === 0 ? `${OBSERVATIONS}/stream` : OBSERVATIONS,
    headers: at === 0 ? {} : GZIP,
  }));
  const pages = series.map((path) => path.replace('/measurements', '/portal/station-modal'));
  const files = (['csv', 'xlsx', 'ods'] as const).flatMap((format) => exportPaths(series, format));
  const made = files.flatMap((file, at) => [file, pages[at % pages.length] ?? '/']);
  return [
    {
      name: 'hot',
      targets: [
        ...targetsOf(['/meta', ...hourly, ...some.map((path) => path.replace('30d', '1d'))]),
        ...[{}, GZIP].map((headers) => ({ path: one, headers })),
      ],
    },
    {
      name: 'fresh filters',
      targets: targetsOf(['/'], GZIP),
      fresh: (['1d', '30d'] as const).map((kind) => ({ kind, network })),
      isLoad: true,
    },
    { name: 'whole datasets', targets: datasets, isLoad: true },
    { name: 'exports, pages', targets: targetsOf(shuffled(made), GZIP), isLoad: true },
  ];
}

/** The list in a fixed order that puts distant elements side by side. */
function shuffled(list: readonly string[]): readonly string[] {
  const step = 7_919;
  return list.flatMap((one, at) => list[(at * step) % list.length] ?? one);
}

async function driveClasses(
  classes: readonly Class[],
  server: number,
  { connections, rate, seconds }: BenchOptions,
): Promise<readonly ClassFigures[]> {
  const runs = classes.map(({ name, ...order }) => {
    const whole = { ...order, server, connections, perSecond: rate * SHARES[name] };
    return { name, run: startPaced(whole, name === 'hot' ? 0 : BACKGROUND_NICENESS) };
  });
  await delay(WARMUP_MS);
  const fromMs = now();
  await delay(seconds * TIMES * 1000);
  const interval = { fromMs, toMs: now() };
  return await Promise.all(
    runs.map(async ({ name, run }) => {
      return { name, ...figuresOf(await run.stop(), [interval]) };
    }),
  );
}
