/**
 * What does a filter cost that nobody has asked for before, beside a database with an index? And what does a page?
 *
 * An answer: requests per second and CPU time for one day and for 30 days of one series over 16 connections, each request
 * from another millisecond on and mostly of another series, as ratios to SQLite behind `node:http`
 * (`bench/references/sqlite.ts`) in the same rounds; and the p99 of both. Good is twice its rate for a day with a p99
 * below its, ten times its rate for 30 days with a p99 under 20 ms. Of a page of the portal: the CPU time, which is good
 * below 8 ms.
 */
import { atLeast, atMost, inMs } from '../criteria.js';
import { pairsTable } from '../measure/beside.js';
import {
  hold,
  pairIn,
  serverCore,
  smallBodiesClient,
  type Contest,
  type Pair,
} from '../measure/contest.js';
import { FRESH_WINDOWS, freshPath, type FreshWindow } from '../measure/fresh-filters.js';
import { measurePages, type FreshPages } from '../measure/fresh-pages.js';
import { checkSameBodies } from '../measure/same-answers.js';
import { freshFilters, GZIP } from '../measure/targets.js';
import { newerNode } from '../harness/newer-node.js';
import type { Server } from '../harness/processes.js';
import { startReference } from '../harness/references.js';
import { openSetup } from '../harness/setup.js';
import type { BenchOptions, Progress } from '../options.js';
import { fixed, spreadText, type Criterion, type SuiteResult } from '../report.js';

/** Not more than the requests that may wait for a worker. */
const CONNECTIONS = 16;
/** Answers of each row that are compared before it is timed. */
const CHECKED = 20;
const GOOD: Readonly<Record<FreshWindow, number>> = { '1d': 2, '30d': 10 };
const P99_LIMIT_MS = 20;
const PAGE_LIMIT_MS = 8;

const CODINGS = [
  { name: '', headers: {} },
  { name: ', gzip', headers: GZIP },
] as const;

interface Row {
  readonly name: string;
  readonly window: FreshWindow;
  readonly bodyBytes: number;
  readonly pair: Pair;
}

export async function runFresh(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const node = await newerNode(progress);
  if (node === undefined) throw new Error('NOT MEASURED: there is no Node with node:sqlite');
  const cpu = serverCore(options);
  const [shape = '105k'] = options.rows;
  const setup = await openSetup({ snapshots: [{ shape, version: 1 }], cpu, progress });
  let sqlite: Server | undefined;
  try {
    const { service, snapshots } = setup;
    progress('filling SQLite');
    sqlite = await startReference('sqlite', { document: snapshots[0]?.path ?? '' }, { node, cpu });
    const contests: (Contest & { readonly window: FreshWindow; readonly bodyBytes: number })[] = [];
    for (const window of FRESH_WINDOWS) {
      const fresh = await freshFilters(service.port, window);
      for (const { name, headers } of CODINGS) {
        const paths = Array.from({ length: CHECKED }, () => freshPath(fresh));
        const targets = paths.map((path) => ({ path, headers }));
        const ports = { service: service.port, reference: sqlite.port };
        contests.push({
          name: `${window === '1d' ? 'a day' : '30 days'} of one series${name}`,
          window,
          bodyBytes: await checkSameBodies(
            ports,
            targets.map((target) => ({ service: target, reference: target })),
          ),
          fresh,
          contestants: [
            { name: 'service', server: service, targets },
            { name: 'sqlite', server: sqlite, targets },
          ],
        });
      }
    }
    const scores = await hold(
      contests,
      await smallBodiesClient(options),
      { ...options, connections: CONNECTIONS },
      progress,
    );
    const rows = contests.map(({ name, window, bodyBytes }) => {
      return { name, window, bodyBytes, pair: pairIn(scores, name, 'sqlite') };
    });
    progress('fresh pages');
    const { rounds, seconds } = options;
    const pages = await measurePages(
      {
        server: service.port,
        serverPids: service.pids(),
        connections: CONNECTIONS,
        warmupMs: 1000,
        measureMs: seconds * 1000,
        ...(options.pinned ? { cpu: 1 - (cpu ?? 0) } : {}),
      },
      rounds,
    );
    return resultOf(shape, rows, pages);
  } finally {
    await sqlite?.stop();
    await setup.close();
  }
}

function resultOf(shape: string, rows: readonly Row[], pages: FreshPages): SuiteResult {
  return {
    suite: 'fresh',
    question: `what does a filter cost that nobody has asked for before? (${shape} rows)`,
    tables: [
      pairsTable(`Service/SQLite, ${CONNECTIONS} connections, every request another one`, rows),
      {
        title: `Pages of the portal, ${CONNECTIONS} connections, every request another one`,
        columns: ['pages/s', 'p99 ms', 'CPU ms/page', 'over gzip alone'],
        rows: [
          [
            spreadText(pages.pagesPerSecond),
            fixed(pages.p99Ms, 0),
            spreadText(pages.cpuMs),
            spreadText(pages.timesGzip),
          ],
        ],
      },
    ],
    criteria: [
      ...rows.flatMap(criteriaOf),
      atMost(
        'CPU time of a page that nobody has asked for',
        PAGE_LIMIT_MS,
        pages.cpuMs.median,
        inMs,
      ),
    ],
    latencies: rows.flatMap(({ name, pair }) =>
      (['service', 'reference'] as const).map((side) => ({
        name: `${name}, ${side === 'service' ? 'service' : 'SQLite'}`,
        p50Ms: pair[side].p50Us / 1000,
        p99Ms: pair[side].p99Us / 1000,
      })),
    ),
    notes: [
      'A cell a/b is service/SQLite. The CPU time is that of all threads: the service has its workers, SQLite’s server zlib’s threads. All are on one core, the client on the other.',
    ],
    figures: { rows, pages },
  };
}

function criteriaOf({ name, window, pair }: Row): readonly Criterion[] {
  const { service, reference, throughputRatio } = pair;
  const p99Ms = service.p99Us / 1000;
  const limitMs = window === '1d' ? reference.p99Us / 1000 : P99_LIMIT_MS;
  return [
    atLeast(`${name}, fresh: requests/s beside SQLite`, GOOD[window], throughputRatio),
    {
      target: `${name}, fresh: p99`,
      wanted: window === '1d' ? 'below SQLite’s' : `under ${P99_LIMIT_MS} ms`,
      found: `${fixed(p99Ms, 2)} ms${window === '1d' ? `, SQLite ${fixed(limitMs, 2)} ms` : ''}`,
      met: p99Ms < limitMs,
    },
  ];
}
