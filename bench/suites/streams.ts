/**
 * Is the whole dataset served as fast as a file server can?
 *
 * An answer: MB/s of both observations endpoints without filters, gzip and identity, over one connection and over
 * eight, as a ratio to nginx (one worker, `gzip_static`, `sendfile`) that serves the very same bytes from files, in
 * the same rounds; and CPU seconds a GB of both servers, since one client's core may be used up before theirs; and the same
 * of the bulk files. Good is 0.8 of nginx's rate for the dataset in gzip, 1.1 of it for the dataset as it is, 0.5 for the
 * dataset as CSV in gzip, and 0.85 for Parquet.
 */
import { gunzipSync } from 'node:zlib';
import type { Driven } from '../clients/load.js';
import {
  hold,
  ratioOf,
  scoreIn,
  serverCore,
  type Contest,
  type Score,
  type Scores,
} from '../measure/contest.js';
import { ask, headerOf, type Headers, type Target } from '../harness/exchange.js';
import type { BenchOptions, Progress } from '../options.js';
import type { Server } from '../harness/processes.js';
import { findNginx, startNginx } from '../references/nginx.js';
import { fixed, spreadText, whole, type Criterion, type SuiteResult } from '../report.js';
import { openSetup } from '../harness/setup.js';
import type { Spread } from '../measure/statistics.js';

type CodingName = 'gzip' | 'identity';

interface Answer {
  readonly name: string;
  readonly path: string;
  readonly file: string;
  /** The promised shares of nginx's rate. */
  readonly good: Readonly<Partial<Record<CodingName, number>>>;
  /** Whether a client that accepts gzip must get it; if not, that row is there only where it does. */
  readonly isCompressed: boolean;
}

const BULK = '/api/v1/bulk/observations_hourly_preliminary_last30days';
const DATASET = { good: { gzip: 0.8, identity: 1.1 }, isCompressed: true } as const;

const ANSWERS: readonly Answer[] = [
  {
    name: 'observations/stream',
    path: '/api/v1/observations/stream',
    file: 'stream.ndjson',
    ...DATASET,
  },
  { name: 'observations', path: '/api/v1/observations', file: 'observations.json', ...DATASET },
  {
    name: 'observations.csv',
    path: '/api/v1/observations.csv',
    file: 'observations.csv',
    good: { gzip: 0.5 },
    isCompressed: true,
  },
  {
    name: 'bulk Parquet',
    path: `${BULK}.parquet`,
    file: 'bulk.parquet',
    good: { identity: 0.85 },
    isCompressed: false,
  },
  { name: 'bulk CSV', path: `${BULK}.csv`, file: 'bulk.csv', good: {}, isCompressed: false },
];

interface Coding {
  readonly name: CodingName;
  readonly headers: Headers;
  readonly extension: string;
}

const CODINGS: readonly Coding[] = [
  { name: 'gzip', headers: { 'Accept-Encoding': 'gzip' }, extension: '.gz' },
  { name: 'identity', headers: {}, extension: '' },
];

const CONNECTIONS = [1, 8] as const;

/** One body, and where each server has it. */
interface Variant {
  readonly name: string;
  readonly good: number | undefined;
  readonly fileName: string;
  readonly body: Buffer;
  readonly service: Target;
  readonly nginx: Target;
}

interface Row {
  readonly variant: Variant;
  readonly connections: number;
  readonly service: Score;
  readonly nginx: Score;
  readonly throughputRatio: Spread;
  readonly cpuRatio: Spread;
}

export async function runStreams(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const program = await findNginx();
  if (program === undefined) {
    throw new Error('NOT MEASURED: nginx is missing (on Debian: apt-get install nginx-light)');
  }
  const cpu = serverCore(options);
  const [shape = '105k'] = options.rows;
  const setup = await openSetup({ snapshots: [{ shape, version: 1 }], cpu, progress });
  let nginx: Server | undefined;
  try {
    const { service } = setup;
    const variants = await fetchVariants(service.port);
    const files = new Map(variants.map(({ fileName, body }) => [fileName, body]));
    nginx = await startNginx(program, files, cpu);
    await checkSameBodies(nginx.port, variants);
    const rows: Row[] = [];
    for (const connections of CONNECTIONS) {
      const contests = contestsOf(variants, { service, nginx });
      progress(`${connections} connections`);
      const scores = await hold(
        contests,
        'discard',
        { ...options, connections, clients: 1 },
        progress,
      );
      rows.push(...variants.map((variant) => rowOf(variant, connections, scores)));
    }
    return resultOf(shape, rows);
  } finally {
    await nginx?.stop();
    await setup.close();
  }
}

/** The service's bodies. @throws when a compressed one is not the other one, compressed. */
async function fetchVariants(port: number): Promise<readonly Variant[]> {
  const variants: Variant[] = [];
  for (const { name, path, file, good, isCompressed: mustCompress } of ANSWERS) {
    const plain = (await ask(port, { path, headers: {} })).body;
    for (const coding of CODINGS) {
      const service = { path, headers: coding.headers };
      const answer = await ask(port, service);
      const { body } = answer;
      const isCompressed = headerOf(answer, 'content-encoding') === 'gzip';
      if (coding.name === 'gzip' && !isCompressed && !mustCompress) continue;
      const isWanted = answer.status === 200 && isCompressed === (coding.name === 'gzip');
      if (!isWanted || !plain.equals(isCompressed ? gunzipSync(body) : body)) {
        throw new Error(`${path}, ${coding.name}: not the same dataset`);
      }
      variants.push({
        name: `${name}, ${coding.name}`,
        good: good[coding.name],
        fileName: file + coding.extension,
        body,
        service,
        nginx: { path: `/${file}`, headers: coding.headers },
      });
    }
  }
  return variants;
}

async function checkSameBodies(port: number, variants: readonly Variant[]): Promise<void> {
  for (const { name, nginx, body } of variants) {
    const answer = await ask(port, nginx);
    if (answer.status !== 200 || !answer.body.equals(body)) {
      throw new Error(`nginx has other bytes for ${name}`);
    }
  }
}

function contestsOf(
  variants: readonly Variant[],
  servers: { readonly service: Server; readonly nginx: Server },
): readonly Contest[] {
  return variants.map((variant) => ({
    name: variant.name,
    contestants: (['service', 'nginx'] as const).map((name) => ({
      name,
      server: servers[name],
      targets: [variant[name]],
    })),
  }));
}

function rowOf(variant: Variant, connections: number, scores: Scores): Row {
  const service = scoreIn(scores, variant.name, 'service');
  const nginx = scoreIn(scores, variant.name, 'nginx');
  const rate = (driven: Driven): number => driven.bytesPerSecond;
  return {
    variant,
    connections,
    service,
    nginx,
    throughputRatio: ratioOf(rate, { of: service, to: nginx }),
    cpuRatio: ratioOf(cpuSecondsPerGb, { of: nginx, to: service }),
  };
}

function cpuSecondsPerGb({ serverBusy, bytesPerSecond }: Driven): number {
  return serverBusy / (bytesPerSecond / 1e9);
}

function resultOf(shape: string, rows: readonly Row[]): SuiteResult {
  return {
    suite: 'streams',
    question: `is the whole dataset served as fast as a file server can? (${shape} rows)`,
    tables: [
      {
        title: 'Service/nginx, the same bytes',
        columns: [
          'answer',
          'connections',
          'body MB',
          'MB/s',
          'ratio',
          'answers/s',
          'CPU s/GB',
          'CPU ratio',
          'limit',
        ],
        rows: rows.map(cellsOf),
      },
    ],
    criteria: rows.flatMap(({ variant, connections, throughputRatio }): Criterion[] => {
      if (variant.good === undefined) return [];
      return [
        {
          promise: `${variant.name}, ${connections} connection${connections > 1 ? 's' : ''}: MB/s beside nginx`,
          wanted: `at least ${variant.good}`,
          found: spreadText(throughputRatio),
          met: throughputRatio.median >= variant.good,
          ratio: { ...throughputRatio, wanted: variant.good },
        },
      ];
    }),
    notes: [
      'A cell a/b is service/nginx. Ratios are service over nginx for MB/s, nginx over service for CPU time: 1.00 is as good as nginx, medians of the rounds, smallest and largest in brackets. MB/s counts what goes over the wire, answers/s parts of answers too.',
      'Limit: whose CPU was used up. Where it is the client for both, MB/s says how fast one core can read and throw away, and the CPU ratio is what tells.',
    ],
    figures: rows.map(({ variant, ...figures }) => ({
      answer: variant.name,
      bodyBytes: variant.body.length,
      ...figures,
    })),
  };
}

function cellsOf({
  variant,
  connections,
  service,
  nginx,
  throughputRatio,
  cpuRatio,
}: Row): readonly string[] {
  const both = (figure: (score: Score) => string): string => `${figure(service)}/${figure(nginx)}`;
  return [
    variant.name,
    whole(connections),
    fixed(variant.body.length / 1e6, 1),
    both((score) => whole(score.bytesPerSecond.median / 1e6)),
    spreadText(throughputRatio),
    both((score) => fixed(score.requestsPerSecond.median, 1)),
    both((score) => fixed(cpuOf(score), 2)),
    spreadText(cpuRatio),
    both((score) => score.limit),
  ];
}

function cpuOf({ serverBusy, bytesPerSecond }: Score): number {
  return serverBusy / (bytesPerSecond.median / 1e9);
}
