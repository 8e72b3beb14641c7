/** Measures rows of requests to the service, each beside a bare server with the same answers, and makes tables of them. */
import {
  checkSameAnswers,
  hold,
  pairIn,
  scoreIn,
  type ClientName,
  type Contest,
  type Score,
  type Scores,
} from './contest.js';
import type { BenchOptions, Progress } from '../options.js';
import type { Server, Service } from '../harness/processes.js';
import { startBare } from '../harness/references.js';
import { fixed, spreadText, whole, type Criterion, type Table } from '../report.js';
import type { Spread } from './statistics.js';
import { row, type Row } from './targets.js';

const CEILING = 'client ceiling';

/** Notes on how to read the tables and promises. */
export const BESIDE_BARE_NOTES: readonly string[] = [
  'A cell a/b is service/bare. Ratios are service over bare for requests per second, bare over service for CPU time: 1.00 is as good as bare, medians of the rounds, smallest and largest in brackets.',
  'Limit: whose CPU was used up. Where it is the client, requests per second compare the client with itself, and CPU time per request is what tells.',
];

interface Measured {
  readonly row: string;
  /** The average over the row's targets. */
  readonly bodyBytes: number;
}

export interface BesideBare {
  readonly rows: readonly Measured[];
  readonly scores: ReadonlyMap<ClientName, Scores>;
}

export interface BesideBareOrder {
  readonly service: Service;
  readonly rows: readonly Row[];
  readonly clients: readonly ClientName[];
  /** The core of both servers; undefined for any. */
  readonly cpu: number | undefined;
}

/**
 * Starts a bare server for each row, checks that both answer alike, and measures all rows with every client.
 *
 * @throws when answers differ or requests fail.
 */
export async function measureBesideBare(
  { service, rows, clients, cpu }: BesideBareOrder,
  options: BenchOptions,
  progress: Progress,
): Promise<BesideBare> {
  const references: Server[] = [];
  const start = async (servicePort: number, targets: Row['targets']): Promise<Server> => {
    const reference = await startBare({ servicePort, targets }, cpu);
    references.push(reference);
    return reference;
  };
  try {
    const contests: Contest[] = [];
    const measured: Measured[] = [];
    for (const { name, targets } of rows) {
      const bare = await start(service.port, targets);
      const ports = { service: service.port, reference: bare.port };
      measured.push({ row: name, bodyBytes: await checkSameAnswers(ports, targets) });
      contests.push({
        name,
        contestants: [
          { name: 'service', server: service, targets },
          { name: 'bare', server: bare, targets },
        ],
      });
    }
    const { targets } = row(CEILING, ['/']);
    const server = await start(0, targets);
    contests.push({ name: CEILING, contestants: [{ name: 'bare', server, targets }] });
    const scores = new Map<ClientName, Scores>();
    for (const client of clients)
      scores.set(client, await hold(contests, client, options, progress));
    return { rows: measured, scores };
  } finally {
    await Promise.all(references.map((reference) => reference.stop()));
  }
}

/** One table for each client. */
export function besideBareTables({ rows, scores }: BesideBare): readonly Table[] {
  return [...scores].map(([client, score]) => tableOf(client, score, rows));
}

function tableOf(client: ClientName, scores: Scores, measured: readonly Measured[]): Table {
  const ceiling = scoreIn(scores, CEILING, 'bare');
  return {
    title: `${client}; its own ceiling, for a body of two bytes: ${whole(ceiling.requestsPerSecond.median)} requests/s (limit: ${ceiling.limit})`,
    columns: [
      'endpoint',
      'bytes',
      'requests/s',
      'ratio',
      'p50 ms',
      'p99 ms',
      'CPU us/request',
      'CPU ratio',
      'limit',
    ],
    rows: measured.map(({ row: name, bodyBytes }) => {
      const { service, reference, throughputRatio, cpuRatio } = pairIn(scores, name, 'bare');
      const both = (figure: (score: Score) => string): string =>
        `${figure(service)}/${figure(reference)}`;
      return [
        name,
        whole(bodyBytes),
        both((score) => whole(score.requestsPerSecond.median)),
        spreadText(throughputRatio),
        both((score) => fixed(score.p50Us / 1000, 2)),
        both((score) => fixed(score.p99Us / 1000, 2)),
        both((score) => fixed(score.serverCpuUs.median, 1)),
        spreadText(cpuRatio),
        both((score) => score.limit),
      ];
    }),
  };
}

/** Criteria that the named rows reach a ratio of `good`, for requests per second and CPU time, with every client. */
export function besideBareCriteria(
  { scores }: BesideBare,
  { names, good }: { readonly names: readonly string[]; readonly good: number },
): readonly Criterion[] {
  return [...scores].flatMap(([client, score]) =>
    names.flatMap((name) => {
      const { throughputRatio, cpuRatio } = pairIn(score, name, 'bare');
      const criterion = (what: string, ratio: Spread): Criterion => ({
        promise: `${name}: ${what} beside bare, ${client}`,
        wanted: `at least ${good}`,
        found: spreadText(ratio),
        met: ratio.median >= good,
      });
      return [criterion('requests/s', throughputRatio), criterion('CPU', cpuRatio)];
    }),
  );
}

/** Requests per second of the service in one row. */
export function requestsPerSecondIn(
  { scores }: BesideBare,
  name: string,
  client: ClientName,
): number {
  const score = scores.get(client);
  if (score === undefined) throw new Error(`nothing was measured with ${client}`);
  return pairIn(score, name, 'bare').service.requestsPerSecond.median;
}

/** Everything measured, for the JSON. */
export function besideBareFigures({ rows, scores }: BesideBare): unknown {
  return [...scores].map(([client, score]) => ({
    client,
    ceiling: scoreIn(score, CEILING, 'bare'),
    rows: rows.map((measured) => ({ ...measured, ...pairIn(score, measured.row, 'bare') })),
  }));
}
