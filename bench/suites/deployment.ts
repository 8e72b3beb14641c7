/**
 * What do clients of a deployment get, wherever it is? The same lists of requests as on this machine.
 *
 * An answer: latencies of endpoints, filters and fresh answers at an even rate that the deployment may be asked for, or
 * with `--closed-loop` as fast as it answers; and MB/s of the whole dataset over one connection. Nothing is started or changed, and
 * nothing is good or bad: what lies between is measured too, and the server's CPU time cannot be seen from here.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { CLOSED_LOOP } from '../clients/driven.js';
import { EVEN_RATE, figuresOf, startPaced, type IntervalFigures } from '../clients/paced.js';
import { ask, headerOf } from '../harness/exchange.js';
import { urlOf, type Origin } from '../harness/origin.js';
import { now } from '../harness/system.js';
import { hold } from '../measure/contest.js';
import type { BenchOptions, Progress, SuiteByUrl } from '../options.js';
import { LATENCY_COLUMNS, latencyCells, whole, type SuiteResult, type Table } from '../report.js';
import { tableOf } from './beside.js';
import { measureMixed } from './mixed.js';
import { readNetwork } from './network.js';
import { REQUEST_SUITES, type Row } from './requests.js';

const WARMUP_MS = 500;
const NOTES = [
  'Measured from here: what lies between, and other clients of the deployment, are in these figures. The server’s CPU time, memory and imports cannot be measured from here, and no reference stands beside it.',
  '503: refused by a share of limits. All connections of one address are one client, which gets no more than its share (docs/operations/limits.md, "Shares of clients"; bench/README.md says how to allow more).',
];

/** @throws when the URL does not answer, or what answers there is no Bura. */
export async function checkDeployment(origin: Origin): Promise<void> {
  const url = urlOf(origin);
  const answer = await ask(origin, { path: '/meta', headers: {} }).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${url} does not answer: ${why}`, { cause });
  });
  if (answer.status === 200 && headerOf(answer, 'x-snapshot-id') !== undefined) return;
  throw new Error(
    `what answers at ${url} is no Bura that serves a snapshot: GET /meta gives ${answer.statusLine}, ` +
      'and a Bura 200 with X-Snapshot-Id',
  );
}

export async function runAtUrl(
  suite: SuiteByUrl,
  { origin, options }: { readonly origin: Origin; readonly options: BenchOptions },
  progress: Progress,
): Promise<SuiteResult> {
  if (suite === 'mixed') {
    const result = await measureMixed(origin, options, progress);
    return { ...result, criteria: [], notes: [...result.notes, ...NOTES] };
  }
  const { question, rows } = REQUEST_SUITES[suite];
  const run: Run = { origin, rows: rows(await readNetwork(origin)), options, progress };
  const isClosed = options.closedLoop || suite === 'streams';
  const found = isClosed
    ? await measureClosed(run, suite === 'streams' ? 1 : options.connections)
    : await measureEven(run);
  return {
    suite,
    question: `${question} (${urlOf(origin)})`,
    criteria: [],
    notes: NOTES,
    ...found,
  };
}

interface Run {
  readonly origin: Origin;
  readonly rows: readonly Row[];
  readonly options: BenchOptions;
  readonly progress: Progress;
}

type Found = Pick<SuiteResult, 'tables' | 'figures'>;
async function measureEven({ origin, rows, options, progress }: Run): Promise<Found> {
  const { rounds, rate, connections, seconds } = options;
  const figures = new Map<string, IntervalFigures[]>();
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, targets, fresh } of rows) {
      progress(`round ${round} of ${rounds}: ${name}`);
      const order = { server: origin, targets, connections, perSecond: rate };
      const run = startPaced(fresh === undefined ? order : { ...order, fresh: [fresh] });
      await delay(WARMUP_MS);
      const fromMs = now();
      await delay(seconds * 1000);
      const interval = { fromMs, toMs: now() };
      figures.set(name, [...(figures.get(name) ?? []), figuresOf(await run.stop(), [interval])]);
    }
  }
  const table: Table = {
    title: `${whole(rate)} requests/s, at an even rate`,
    columns: ['request', ...LATENCY_COLUMNS],
    rows: [...figures].map(([name, rounds]) => [name, ...latencyCells(rounds)]),
  };
  return { tables: [table], figures: { latency: EVEN_RATE, rows: Object.fromEntries(figures) } };
}

async function measureClosed(
  { origin, rows, options, progress }: Run,
  connections: number,
): Promise<Found> {
  const server = { port: origin, pids: () => [] };
  const contests = rows.map((row) => {
    const service = { name: 'service', server, targets: row.targets };
    return { row, connections, bodyBytes: Number.NaN, service, others: [] };
  });
  const measured = await hold(contests, options, progress);
  return {
    tables: [tableOf(measured, options)],
    figures: { latency: CLOSED_LOOP, rows: measured },
  };
}
