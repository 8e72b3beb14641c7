/**
 * What does a filter of the high-value-dataset API cost, beside a server that has its answer in memory?
 *
 * An answer: requests per second and CPU time for 30 days of one series, as ratios to a bare uWebSockets.js server in
 * the same run. Good is 0.8 and more. Beside that, for information: how many requests a second that nobody has asked
 * before, each of which a worker thread has to plan. Whether the snapshot's size matters is asked in `scale`.
 *
 * The client is the one that discards: these bodies are up to 220 kB, which autocannon and wrk take longer to read than
 * the service to send.
 */
import {
  BESIDE_BARE_NOTES,
  besideBareCriteria,
  besideBareFigures,
  besideBareTables,
  measureBesideBare,
} from '../measure/beside-bare.js';
import { hold, scoreIn, serverCore, type Contest, type Score } from '../measure/contest.js';
import type { BenchOptions, Progress } from '../options.js';
import type { Service } from '../harness/processes.js';
import { fixed, whole, type SuiteResult, type Table } from '../report.js';
import { openSetup } from '../harness/setup.js';
import { filterRows, newFilterRows, type Row } from '../measure/targets.js';

const GOOD = 0.8;
const PROMISED = ['one series, 30 days', 'one series, 30 days, gzip'];

/** Not more than the requests that may wait for a worker. */
const NEW_FILTER_CONNECTIONS = 16;

export async function runFilters(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const cpu = serverCore(options);
  const [shape = '105k'] = options.rows;
  const setup = await openSetup({ snapshots: [{ shape, version: 1 }], cpu, progress });
  try {
    const { service } = setup;
    const rows = await filterRows(service.port);
    const order = { service, rows, clients: ['discard'], cpu } as const;
    const measured = await measureBesideBare(order, { ...options, clients: 1 }, progress);
    const planned = await measureNewFilters(
      service,
      await newFilterRows(service.port),
      options,
      progress,
    );
    return {
      suite: 'filters',
      question: `what does a filter cost beside a bare server with its answer? (${shape} rows)`,
      tables: [...besideBareTables(measured), newFiltersTable(planned)],
      criteria: besideBareCriteria(measured, { names: PROMISED, good: GOOD }),
      notes: [
        ...BESIDE_BARE_NOTES,
        'Filters that nobody asked for before: every request is another one, planned by a worker thread on the core that the front has; the CPU time is that of all threads.',
      ],
      figures: { besideBare: besideBareFigures(measured), newFilters: planned },
    };
  } finally {
    await setup.close();
  }
}

interface Planned {
  readonly row: string;
  readonly score: Score;
}

/** One round as long as all rounds together: in a second one the filters would be cached. */
async function measureNewFilters(
  service: Service,
  rows: readonly Row[],
  options: BenchOptions,
  progress: Progress,
): Promise<readonly Planned[]> {
  const contests = rows.map(({ name, targets }): Contest => ({
    name,
    contestants: [{ name: 'service', server: service, targets }],
  }));
  const once = {
    ...options,
    rounds: 1,
    seconds: options.seconds * options.rounds,
    connections: NEW_FILTER_CONNECTIONS,
    clients: 1,
  };
  const scores = await hold(contests, 'discard', once, progress);
  return rows.map(({ name }) => ({ row: name, score: scoreIn(scores, name, 'service') }));
}

function newFiltersTable(planned: readonly Planned[]): Table {
  return {
    title: `Filters that nobody asked for before, ${NEW_FILTER_CONNECTIONS} connections`,
    columns: ['filter', 'requests/s', 'p50 ms', 'p99 ms', 'CPU us/request', 'limit'],
    rows: planned.map(({ row, score }) => [
      row,
      whole(score.requestsPerSecond.median),
      fixed(score.p50Us / 1000, 2),
      fixed(score.p99Us / 1000, 2),
      fixed(score.serverCpuUs.median, 0),
      score.limit,
    ]),
  };
}
