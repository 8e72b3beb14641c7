/**
 * Runs a suite of requests on this machine: the service and the servers of `bench/references`, whose answers are
 * compared first.
 *
 * The main figure is the server's CPU time for each request, compared with the reference's: it is the same whether
 * server or client was the limit. Requests per second compare servers only where each was the limit of its own run
 * (`--client wrk`).
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { CLOSED_LOOP } from '../clients/driven.js';
import { atLeast, atMost, inMs } from '../criteria.js';
import { newerNode } from '../harness/newer-node.js';
import type { Server } from '../harness/processes.js';
import { startFileServer, startReference, type FileServer } from '../harness/references.js';
import { openSetup, type Setup } from '../harness/setup.js';
import {
  hold,
  SERVER_CORE,
  type Contest,
  type Contestant,
  type Measured,
  type Score,
} from '../measure/contest.js';
import { checkSame } from '../measure/same-answers.js';
import { PERCENTILES } from '../measure/statistics.js';
import type { BenchOptions, Progress } from '../options.js';
import { findNginx } from '../references/nginx.js';
import {
  fixed,
  percentileCells,
  spreadText,
  whole,
  type Criterion,
  type SuiteResult,
  type Table,
} from '../report.js';
import { freshPath, readNetwork, targetsOf } from './network.js';
import {
  REFERENCES,
  REQUEST_SUITES,
  type ReferenceName,
  type RequestSuiteName,
  type Row,
} from './requests.js';

/** Number of fresh answers that are compared before the timing. */
const CHECKED = 20;

const NOTES = [
  'CPU us: of all threads of the server, a request. CPU beside: the reference’s over the service’s, 1.00 is as cheap as it and more is cheaper; medians of the rounds, smallest and largest in brackets. Rate beside: the service’s requests/s over the reference’s, stated where both servers were the limit.',
  'Closed loop: each connection asks when it has its answer, so a stall delays one request a connection and hides the others (coordinated omission). Latencies at an even rate are in mixed and import.',
];

export async function runBeside(
  name: RequestSuiteName,
  options: BenchOptions,
  progress: Progress,
): Promise<SuiteResult> {
  const suite = REQUEST_SUITES[name];
  const cpu = options.pinned ? SERVER_CORE : undefined;
  const [shape = '105k'] = options.rows;
  const setup = await openSetup({ snapshots: [{ shape, version: 1 }], cpu, progress });
  const servers: Server[] = [];
  try {
    const rows = suite.rows(await readNetwork(setup.service.port));
    const started = { setup, rows, cpu, servers, progress };
    const { asked, missing } = await startReferences(started);
    if (suite.needs !== undefined && missing.includes(suite.needs)) {
      throw new Error(`NOT MEASURED: ${suite.needs} is missing (bench/README.md)`);
    }
    const contests: (Contest & { readonly bodyBytes: number })[] = [];
    for (const row of rows) {
      progress(`comparing answers: ${row.name}`);
      const compared = await compare(row, asked, started);
      for (const connections of suite.connections ?? [options.connections]) {
        contests.push({ row, connections, ...compared });
      }
    }
    const { times = 1 } = suite;
    const measured = await hold(contests, { ...options, times }, progress);
    return {
      suite: name,
      question: `${suite.question} (${shape} rows)`,
      tables: [tableOf(measured, options)],
      criteria: measured.flatMap((one) => criteriaOf(one, rows)),
      notes: [...NOTES, ...missing.map((one) => `${one} is missing, and was not measured.`)],
      figures: { latency: CLOSED_LOOP, rows: measured },
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await setup.close();
  }
}

interface Started {
  readonly setup: Setup;
  readonly rows: readonly Row[];
  readonly cpu: number | undefined;
  /** Servers that have started, which the caller stops. */
  readonly servers: Server[];
  readonly progress: Progress;
}

/** For a row, the server and the requests of each reference; undefined if the reference lacks the row. */
type Asked = Map<ReferenceName, (row: Row) => Contestant | undefined>;

async function startReferences({ setup, rows, cpu, servers, progress }: Started) {
  const { service, directory, snapshots } = setup;
  const asked: Asked = new Map();
  const missing: ReferenceName[] = [];
  const of = (name: ReferenceName): readonly Row[] => rows.filter(({ beside }) => name in beside);
  const add = (name: ReferenceName, server: Server, own?: FileServer['targets']): void => {
    servers.push(server);
    asked.set(name, (row) => ({ name, server, targets: own?.get(row.name) ?? row.targets }));
  };
  asked.set('JSON', (row) => row.json && { name: 'JSON', server: service, targets: row.json });
  if (of('fastify').length > 0) {
    const order = { directory: await onlyCopy(path.join(directory, 'local')), etag: '"fastify"' };
    add('fastify', await startReference('fastify', order, { cpu }));
  }
  if (of('nginx').length > 0) {
    const program = await findNginx();
    if (program === undefined) missing.push('nginx');
    else {
      const order = { port: service.port, cpu };
      const { server, targets } = await startFileServer(program, of('nginx'), order);
      add('nginx', server, targets);
    }
  }
  if (of('sqlite').length > 0) {
    const node = await newerNode(progress);
    const order = { document: snapshots[0]?.path ?? '' };
    if (node === undefined) missing.push('sqlite');
    else add('sqlite', await startReference('sqlite', order, { node, cpu }));
  }
  return { asked, missing };
}

/** The servers of a row, after their answers were compared, and the bytes of an answer. */
async function compare(
  row: Row,
  asked: Asked,
  { setup, cpu, servers }: Started,
): Promise<Omit<Contest, 'row' | 'connections'> & { readonly bodyBytes: number }> {
  const { service } = setup;
  const { targets, fresh, beside } = row;
  const paths = fresh && Array.from({ length: CHECKED }, () => freshPath(fresh));
  const checked = paths === undefined ? targets : targetsOf(paths, targets[0]?.headers);
  const others: Contestant[] = [];
  if ('bare' in beside) {
    const server = await startReference('bare', { servicePort: service.port, targets }, { cpu });
    servers.push(server);
    others.push({ name: 'bare', server, targets });
    await checkSame('answers', { service: service.port, reference: server.port }, checked);
  }
  for (const name of REFERENCES.filter((one) => one in beside)) {
    const other = asked.get(name)?.(row);
    if (other === undefined) continue;
    others.push(other);
    const ports = { service: service.port, reference: other.server.port };
    const same = name === 'JSON' ? 'records' : 'bodies';
    await checkSame(same, ports, checked, fresh ? checked : other.targets);
  }
  const own = { service: service.port, reference: service.port };
  const bodyBytes = await checkSame('bodies', own, checked);
  return { service: { name: 'service', server: service, targets }, others, bodyBytes };
}

function tableOf(measured: readonly Measured[], { client }: BenchOptions): Table {
  const names = [...new Set(measured.flatMap(({ beside }) => beside.map(({ name }) => name)))];
  return {
    title: `${client}; beside: ${names.join(', ')}`,
    columns: [
      'request',
      'connections',
      'bytes',
      'requests/s',
      'MB/s',
      ...PERCENTILES.map((one) => `p${one} ms`),
      '503',
      'failed',
      'CPU us',
      ...names.flatMap((name) => [`CPU beside ${name}`, `rate beside ${name}`]),
      'limit',
    ],
    rows: measured.map(({ name, connections, bodyBytes, service, beside }) => [
      name,
      whole(connections),
      whole(bodyBytes),
      whole(service.requestsPerSecond.median),
      whole(service.bytesPerSecond.median / 1e6),
      ...percentileCells(service.percentiles),
      refusedOf(service),
      whole(service.rounds.reduce((sum, one) => sum + one.failures, 0)),
      fixed(service.serverCpuUs.median, 1),
      ...names.flatMap((one) => {
        const pair = beside.find((other) => other.name === one);
        if (pair === undefined) return ['-', '-'];
        const isServers = service.limit === 'server' && pair.score.limit === 'server';
        return [spreadText(pair.cpuRatio), isServers ? spreadText(pair.rateRatio) : '-'];
      }),
      service.limit,
    ]),
  };
}

/** The share of requests that the service refused with 503. */
function refusedOf({ rounds }: Score): string {
  const sum = (of: 'answers' | 'refused'): number => rounds.reduce((all, one) => all + one[of], 0);
  const refused = sum('refused');
  return refused === 0 ? '0' : `${fixed((100 * refused) / (refused + sum('answers')), 1)} %`;
}

function criteriaOf(measured: Measured, rows: readonly Row[]): readonly Criterion[] {
  const { name, connections, service, beside } = measured;
  const row = rows.find((one) => one.name === name);
  const times = connections === 1 ? '1 connection' : `${connections} connections`;
  const full = connections < 16 ? `${name}, ${times}` : name;
  return [
    ...beside.flatMap((pair) => {
      const good = row?.beside[pair.name as ReferenceName] ?? 0;
      return good === 0 ? [] : [atLeast(`${full}: CPU beside ${pair.name}`, good, pair.cpuRatio)];
    }),
    ...(row?.cpuMsMax === undefined
      ? []
      : [atMost(`${full}: CPU time`, row.cpuMsMax, service.serverCpuUs.median / 1000, inMs)]),
  ];
}

/** The folder of the only local copy below a folder. */
async function onlyCopy(local: string): Promise<string> {
  const names = await readdir(local, { recursive: true });
  const found = names.find((name) => path.basename(name) === 'data.mdb') ?? '';
  return path.join(local, path.dirname(found));
}
