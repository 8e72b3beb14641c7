/**
 * What does the service cost beside a server that has the same bytes in memory and nothing else to do?
 *
 * An answer: for every endpoint, the requests per second and the server's CPU time per request, each as a ratio to
 * a bare uWebSockets.js server in the same run, with the client that was used and which side was the limit. Good is
 * 0.85 and more: the rest is what routing, checking, leasing and reading cost.
 */
import type { Driven } from '../clients/load.js';
import { hasWrk } from '../clients/wrk.js';
import {
  checkSameAnswers,
  hold,
  ratioOf,
  scoreIn,
  serverCore,
  type ClientName,
  type Contest,
  type Score,
  type Scores,
} from '../contest.js';
import type { BenchOptions, Tell } from '../options.js';
import { startBare, type Server } from '../processes.js';
import { fixed, whole, type Criterion, type SuiteResult, type Table } from '../report.js';
import { openSetting } from '../setting.js';
import type { Spread } from '../statistics.js';
import { endpointRows, row, type Row } from '../targets.js';

const CEILING = 'client ceiling';
const GOOD = 0.85;

/** Those that the service promises a ratio for. */
const PROMISED = ['/measurements, 30d', '.../last_24h', '/meta', '/stations'];

interface Measured {
  readonly row: string;
  readonly bodyBytes: number;
}

export async function runEndpoints(options: BenchOptions, tell: Tell): Promise<SuiteResult> {
  const cpu = serverCore(options);
  const [shape = '105k'] = options.rows;
  const setting = await openSetting({ snapshots: [{ shape, edition: 1 }], cpu, tell });
  const references: Server[] = [];
  const start = async (servicePort: number, targets: Row['targets']): Promise<Server> => {
    const reference = await startBare({ servicePort, targets }, cpu);
    references.push(reference);
    return reference;
  };
  try {
    const { service } = setting;
    const contests: Contest[] = [];
    const measured: Measured[] = [];
    for (const { name, targets } of await endpointRows(service.port)) {
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

    const clients: ClientName[] = ['autocannon'];
    if (options.wrk && (await hasWrk())) clients.push('wrk');
    const scores = new Map<ClientName, Scores>();
    for (const client of clients) scores.set(client, await hold(contests, client, options, tell));
    return resultOf(shape, measured, scores);
  } finally {
    await Promise.all(references.map((reference) => reference.stop()));
    await setting.close();
  }
}

function resultOf(
  shape: string,
  measured: readonly Measured[],
  scores: ReadonlyMap<ClientName, Scores>,
): SuiteResult {
  return {
    suite: 'endpoints',
    question: `what does the service cost beside a bare server with the same bytes? (${shape} rows)`,
    tables: [...scores].map(([client, score]) => tableOf(client, score, measured)),
    criteria: [...scores].flatMap(([client, score]) => criteriaOf(client, score)),
    notes: [
      'A cell a/b is service/bare. Ratios are service over bare for requests per second, bare over service for CPU time: 1.00 is as good as bare, medians of the rounds, smallest and largest in brackets.',
      'Limit: whose CPU was used up. Where it is the client, requests per second compare the client with itself, and CPU time per request is what tells.',
    ],
    figures: [...scores].map(([client, score]) => ({
      client,
      ceiling: scoreIn(score, CEILING, 'bare'),
      rows: measured.map(({ row: name, bodyBytes }) => ({
        row: name,
        bodyBytes,
        ...pairIn(score, name),
        ...ratiosIn(score, name),
      })),
    })),
  };
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
      const { service, bare } = pairIn(scores, name);
      const { throughputRatio, cpuRatio } = ratiosIn(scores, name);
      const both = (figure: (score: Score) => string): string =>
        `${figure(service)}/${figure(bare)}`;
      return [
        name,
        whole(bodyBytes),
        both((score) => whole(score.requestsPerSecond.median)),
        ratioText(throughputRatio),
        both((score) => fixed(score.p50Us / 1000, 2)),
        both((score) => fixed(score.p99Us / 1000, 2)),
        both((score) => fixed(score.serverCpuUs.median, 1)),
        ratioText(cpuRatio),
        both((score) => score.limit),
      ];
    }),
  };
}

function criteriaOf(client: ClientName, scores: Scores): readonly Criterion[] {
  return PROMISED.flatMap((name) => {
    const { throughputRatio, cpuRatio } = ratiosIn(scores, name);
    const wanted = `at least ${GOOD}`;
    const criterion = (what: string, ratio: Spread): Criterion => ({
      promise: `${name}: ${what} beside bare, ${client}`,
      wanted,
      found: ratioText(ratio),
      met: ratio.median >= GOOD,
    });
    return [criterion('requests/s', throughputRatio), criterion('CPU', cpuRatio)];
  });
}

function pairIn(scores: Scores, name: string): { readonly service: Score; readonly bare: Score } {
  return { service: scoreIn(scores, name, 'service'), bare: scoreIn(scores, name, 'bare') };
}

function ratiosIn(
  scores: Scores,
  name: string,
): { readonly throughputRatio: Spread; readonly cpuRatio: Spread } {
  const { service, bare } = pairIn(scores, name);
  const throughput = (driven: Driven): number => driven.requestsPerSecond;
  const cpu = (driven: Driven): number => driven.serverCpuUs;
  return {
    throughputRatio: ratioOf(throughput, { of: service, to: bare }),
    cpuRatio: ratioOf(cpu, { of: bare, to: service }),
  };
}

function ratioText({ median, min, max }: Spread): string {
  return `${fixed(median, 2)} (${fixed(min, 2)}-${fixed(max, 2)})`;
}
