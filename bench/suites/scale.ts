/**
 * Does it matter to a request how large the snapshot is?
 *
 * An answer: requests per second and CPU time per request from a snapshot with ten times the rows, as a ratio to those
 * from the small one, in the same rounds. Good is 0.9 and more. So that only the size of the snapshot differs,
 * both have the same 30 stations (`/stations` has the same bytes), every series has 30 days of hours (`/measurements`
 * has as many points), and the first 8 stations have the same 5 components (their `last_24h` has as many values); the
 * ten times as many rows are in the other stations' 66 components. "Every series" is the one row where what is asked for
 * grows tenfold too.
 */
import type { Driven } from '../clients/load.js';
import { hasWrk } from '../clients/wrk.js';
import {
  hold,
  ratioOf,
  scoreIn,
  serverCore,
  type ClientName,
  type Contest,
  type Contestant,
  type Scores,
} from '../measure/contest.js';
import { WIDE_SAME_STATIONS, type Shape } from '../harness/snapshots.js';
import type { BenchOptions, Progress } from '../options.js';
import type { Server } from '../harness/processes.js';
import { checkSameAnswers } from '../measure/same-answers.js';
import { startBare } from '../harness/references.js';
import { fixed, whole, type Criterion, type SuiteResult, type Table } from '../report.js';
import { openSetup, type Setup } from '../harness/setup.js';
import { GZIP, readNetwork, row, spreadOver, type Row } from '../measure/targets.js';

const GOOD = 0.9;
const PROMISED = [
  '/meta',
  '/stations',
  'last_24h',
  '/measurements, one series',
  'observations, one series',
  'observations, one series, gzip',
];
const SIZES = { small: '105k', large: 'wide-1050k' } as const satisfies Record<string, Shape>;
type SizeName = keyof typeof SIZES;

interface Side {
  readonly setup: Setup;
  readonly rows: readonly Row[];
}

interface Measured {
  readonly row: string;
  readonly bodyBytes: Readonly<Record<SizeName, number>>;
}

export async function runScale(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const cpu = serverCore(options);
  const opened: { stop(): Promise<void> }[] = [];
  const open = async (size: SizeName): Promise<Side> => {
    const setup = await openSetup({
      snapshots: [{ shape: SIZES[size], version: 1 }],
      cpu,
      progress,
    });
    opened.push({ stop: () => setup.close() });
    return { setup, rows: await rowsOf(setup.service.port) };
  };
  try {
    const sides = { small: await open('small'), large: await open('large') };
    const contests: Contest[] = [];
    const measured: Measured[] = [];
    for (const { name } of sides.small.rows) {
      const contestants: Contestant[] = [];
      const bodyBytes = { small: 0, large: 0 };
      for (const size of ['small', 'large'] as const) {
        const { service } = sides[size].setup;
        const targets = sides[size].rows.find((each) => each.name === name)?.targets ?? [];
        const bare: Server = await startBare({ servicePort: service.port, targets }, cpu);
        opened.push(bare);
        const ports = { service: service.port, reference: bare.port };
        bodyBytes[size] = await checkSameAnswers(ports, targets);
        contestants.push({ name: size, server: service, targets });
        contestants.push({ name: `bare ${size}`, server: bare, targets });
      }
      measured.push({ row: name, bodyBytes });
      contests.push({ name, contestants });
    }
    // One client is enough where both sides are the service: the one that leaves it the most to do.
    const client: ClientName = options.wrk && (await hasWrk()) ? 'wrk' : 'autocannon';
    const scores = new Map([[client, await hold(contests, client, options, progress)]]);
    return resultOf(measured, scores);
  } finally {
    for (const each of opened.reverse()) await each.stop();
  }
}

async function rowsOf(port: number): Promise<readonly Row[]> {
  const { stations, series, filters } = await readNetwork(port);
  const last24h = stations
    .slice(0, WIDE_SAME_STATIONS)
    .map((each) => `/${each.organization_id}/stations/${each.station_id}/measurements/last_24h`);
  const observations = filters.slice(0, 1).map((filter) => `/api/v1/observations?${filter}`);
  return [
    row('/meta', ['/meta']),
    row('/stations', ['/stations']),
    row('last_24h', last24h),
    row('/measurements, one series', series.slice(0, 1)),
    row('/measurements, 128 series', spreadOver(series, 128)),
    row('/measurements, every series', series),
    row('observations, one series', observations),
    row('observations, one series, gzip', observations, GZIP),
  ];
}

function resultOf(
  measured: readonly Measured[],
  scores: ReadonlyMap<ClientName, Scores>,
): SuiteResult {
  return {
    suite: 'scale',
    question: 'does it matter how large the snapshot is? (107,000 and 1,063,000 rows)',
    tables: [...scores].map(([client, score]) => tableOf(client, score, measured)),
    criteria: [...scores].flatMap(([client, score]) =>
      PROMISED.map((name): Criterion => {
        const { throughput } = ratiosIn(score, name);
        return {
          promise: `${name}: requests/s at ten times the rows, ${client}`,
          wanted: `at least ${GOOD}`,
          found: fixed(throughput.median, 2),
          met: throughput.median >= GOOD,
        };
      }),
    ),
    notes: [
      'A cell a/b is small/large snapshot. Ratios are large over small for requests per second, small over large for CPU time: 1.00 is no difference, 0.90 a tenth worse.',
      'The bare ratio is that of two bare servers with the same answers in memory: what the bytes alone account for.',
    ],
    figures: [...scores].map(([client, score]) => ({
      client,
      rows: measured.map(({ row: name, bodyBytes }) => ({
        row: name,
        bodyBytes,
        scores: Object.fromEntries(score.get(name) ?? []),
        ratios: ratiosIn(score, name),
      })),
    })),
  };
}

function tableOf(client: ClientName, scores: Scores, measured: readonly Measured[]): Table {
  return {
    title: client,
    columns: [
      'endpoint',
      'bytes',
      'requests/s',
      'ratio',
      'bare ratio',
      'p99 ms',
      'CPU us/request',
      'CPU ratio',
      'limit',
    ],
    rows: measured.map(({ row: name, bodyBytes }) => {
      const small = scoreIn(scores, name, 'small');
      const large = scoreIn(scores, name, 'large');
      const { throughput, bareThroughput, cpu } = ratiosIn(scores, name);
      return [
        name,
        `${whole(bodyBytes.small)}/${whole(bodyBytes.large)}`,
        `${whole(small.requestsPerSecond.median)}/${whole(large.requestsPerSecond.median)}`,
        fixed(throughput.median, 2),
        fixed(bareThroughput.median, 2),
        `${fixed(small.p99Us / 1000, 2)}/${fixed(large.p99Us / 1000, 2)}`,
        `${fixed(small.serverCpuUs.median, 1)}/${fixed(large.serverCpuUs.median, 1)}`,
        fixed(cpu.median, 2),
        `${small.limit}/${large.limit}`,
      ];
    }),
  };
}

function ratiosIn(
  scores: Scores,
  name: string,
): Record<'throughput' | 'bareThroughput' | 'cpu', ReturnType<typeof ratioOf>> {
  const small = scoreIn(scores, name, 'small');
  const large = scoreIn(scores, name, 'large');
  const perSecond = (driven: Driven): number => driven.requestsPerSecond;
  return {
    throughput: ratioOf(perSecond, { of: large, to: small }),
    bareThroughput: ratioOf(perSecond, {
      of: scoreIn(scores, name, 'bare large'),
      to: scoreIn(scores, name, 'bare small'),
    }),
    cpu: ratioOf((driven) => driven.serverCpuUs, { of: small, to: large }),
  };
}
