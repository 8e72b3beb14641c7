/**
 * What do clients of a deployment get, wherever it is?
 *
 * An answer: latencies of endpoints, filters and filters that nobody has asked for before, each at a fixed rate; MB/s of the
 * whole dataset over one connection; and latencies of all kinds of requests at once. Nothing is started or changed, and
 * nothing is good or bad: what lies between is measured too, and the server's CPU time and memory cannot be seen from here.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { driveWithDiscard } from '../clients/discard.js';
import type { Driven } from '../clients/load.js';
import { figuresOf, startPaced, type IntervalFigures } from '../clients/paced.js';
import type { PacedOrder } from '../clients/paced-process.js';
import { ask, headerOf } from '../harness/exchange.js';
import { urlOf, type Origin } from '../harness/origin.js';
import { now } from '../harness/visible.js';
import { FRESH_WINDOWS } from '../measure/fresh-filters.js';
import { LATENCY_COLUMNS, latencyCells } from '../measure/latencies.js';
import { measureMixed, MIXED_NOTE, mixedTable } from '../measure/mixed-load.js';
import { spreadOf } from '../measure/statistics.js';
import {
  endpointRows,
  filterRows,
  freshFilters,
  GZIP,
  row,
  WHOLE_DATASET,
  type Row,
} from '../measure/targets.js';
import type { BenchOptions, Progress, SuiteByUrl } from '../options.js';
import { fixed, whole, type SuiteResult, type Table } from '../report.js';

const WARMUP_MS = 500;
const NOTES = [
  'Measured from here: what lies between, and other clients of the deployment, are in these figures. The server’s CPU time, memory and imports cannot be measured from here, and no reference stands beside it.',
];

/** What is asked at a fixed rate: a row of a table. */
type Paced = Pick<PacedOrder, 'targets' | 'fresh'> & { readonly name: string };

const RUN: Readonly<
  Record<
    SuiteByUrl,
    (
      origin: Origin,
      options: BenchOptions,
      progress: Progress,
    ) => Promise<Pick<SuiteResult, 'tables' | 'figures'>>
  >
> = {
  endpoints: async (origin, options, progress) =>
    await measurePaced(origin, await endpointRows(origin), options, progress),
  filters: async (origin, options, progress) =>
    await measurePaced(origin, await filterRows(origin), options, progress),
  fresh: async (origin, options, progress) =>
    await measurePaced(origin, await freshRows(origin), options, progress),
  streams: measureStreams,
  mixed: async (origin, options, progress) => {
    const figures = await measureMixed(origin, options, progress);
    return { tables: [mixedTable(figures)], figures };
  },
};

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
  return {
    suite,
    question: `what do clients of ${urlOf(origin)} get?`,
    ...(await RUN[suite](origin, options, progress)),
    criteria: [],
    notes: suite === 'mixed' ? [MIXED_NOTE, ...NOTES] : NOTES,
  };
}

async function freshRows(origin: Origin): Promise<readonly Paced[]> {
  const rows: Paced[] = [];
  for (const window of FRESH_WINDOWS) {
    const fresh = [await freshFilters(origin, window)];
    const name = window === '1d' ? 'a day of one series' : '30 days of one series';
    rows.push({ ...row(name, ['/']), fresh }, { ...row(`${name}, gzip`, ['/'], GZIP), fresh });
  }
  return rows;
}

interface PacedFigures extends IntervalFigures {
  readonly row: string;
  readonly first: readonly string[];
}

async function measurePaced(
  origin: Origin,
  rows: readonly Paced[],
  { rounds, rate, connections, seconds }: BenchOptions,
  progress: Progress,
): Promise<Pick<SuiteResult, 'tables' | 'figures'>> {
  const figures: PacedFigures[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, ...what } of rows) {
      // The client knows no answer but 200.
      if (what.targets.some(({ headers }) => 'If-None-Match' in headers)) continue;
      progress(`round ${round} of ${rounds}: ${name}`);
      const order = { ...what, server: origin, perSecond: rate, connections, expected: [] };
      const run = startPaced(order);
      await delay(WARMUP_MS);
      const fromMs = now();
      await delay(seconds * 1000);
      const interval = { fromMs, toMs: now() };
      const record = await run.stop();
      const { first } = record.failures;
      figures.push({ row: name, ...figuresOf(record, [interval]), first });
    }
  }
  return { tables: [pacedTable(rate, figures)], figures };
}

function pacedTable(rate: number, figures: readonly PacedFigures[]): Table {
  return {
    title: `${whole(rate)} requests/s`,
    columns: ['request', ...LATENCY_COLUMNS],
    rows: [...new Set(figures.map((one) => one.row))].map((name) => [
      name,
      ...latencyCells(figures.filter((one) => one.row === name)),
    ]),
  };
}

async function measureStreams(
  origin: Origin,
  { rounds, seconds }: BenchOptions,
  progress: Progress,
): Promise<Pick<SuiteResult, 'tables' | 'figures'>> {
  const figures: { readonly row: string; readonly rounds: Driven[] }[] = [];
  for (const { name, targets } of WHOLE_DATASET satisfies readonly Row[]) {
    const own: Driven[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      progress(`round ${round} of ${rounds}: ${name}`);
      const connection = { connections: 1, serverPids: [] };
      const times = { warmupMs: WARMUP_MS, measureMs: seconds * 1000 };
      own.push(await driveWithDiscard({ server: origin, targets, ...connection, ...times }));
    }
    figures.push({ row: name, rounds: own });
  }
  const table: Table = {
    title: 'One connection',
    columns: ['answer', 'MB/s', 'smallest', 'largest', 'failed'],
    rows: figures.map(({ row: name, rounds: own }) => {
      const { median, min, max } = spreadOf(own.map((one) => one.bytesPerSecond / 1e6));
      const failed = own.reduce((sum, { failures }) => sum + failures, 0);
      return [name, fixed(median, 1), fixed(min, 1), fixed(max, 1), whole(failed)];
    }),
  };
  return { tables: [table], figures };
}
