/**
 * Are the portal's pages served from memory, and do people who export spreadsheets cost anybody else time?
 *
 * An answer: requests per second of the whole portal page, of the page with a station's panel and of the panel alone,
 * beside a bare server with the same bytes; and the p99 of `/measurements` at a fixed rate while eight clients export
 * XLSX without pause, as a ratio to the quiet p99. Good is 10,000 pages a second, and less than 3 times with no failure.
 *
 * A file that was asked for is remembered, so every export of the run asks for another one, each of which a worker makes.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  BESIDE_NOTES,
  besideFigures,
  besideTables,
  measureBeside,
  type Beside,
} from '../measure/beside.js';
import { driveWithDiscard } from '../clients/discard.js';
import type { Driven } from '../clients/load.js';
import { figuresOf, startPaced, type IntervalFigures } from '../clients/paced.js';
import { scoreIn, serverCore } from '../measure/contest.js';
import type { BenchOptions, Progress } from '../options.js';
import type { Service } from '../harness/processes.js';
import { fixed, whole, type Criterion, type SuiteResult, type Table } from '../report.js';
import { openSetup } from '../harness/setup.js';
import { spreadOf } from '../measure/statistics.js';
import { exportPaths, GZIP, readNetwork, row, type Row } from '../measure/targets.js';
import { now } from '../harness/visible.js';

const GOOD_PER_SECOND = 10_000;
const P99_LIMIT = 3;
const EXPORTERS = 8;
/** Requests of `/measurements` a second. */
const RATE = 2_000;
const WARMUP_MS = 1_000;
const INTERVAL_MS = 5_000;
const REST_MS = 1_000;
const PORTAL = 'portal';
/** autocannon takes longer to read a page of 30 kB than the service to send it. */
const CLIENT = 'discard';

export async function runPortal(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const [shape = '105k'] = options.rows;
  const cpu = serverCore(options);
  const snapshots = [{ shape, version: 1 }];
  const pages = await openSetup({ snapshots, cpu, progress });
  let measured: Beside;
  try {
    const rows = await pageRows(pages.service.port);
    const order = { service: pages.service, rows, clients: [CLIENT], cpu } as const;
    measured = await measureBeside(order, { ...options, clients: 1 }, progress);
  } finally {
    await pages.close();
  }
  const exporting = await measureExports(options, progress);
  return {
    suite: 'portal',
    question: `what do pages cost, and exports everybody else? (${shape} rows)`,
    tables: [...besideTables(measured), exportTable(exporting)],
    criteria: [pagesCriterion(measured), p99Criterion(exporting)],
    notes: [
      ...BESIDE_NOTES,
      `Exports: ${EXPORTERS} clients, each asking for its next file as soon as it has the last one; no file twice.`,
      '/measurements is asked for at a fixed rate over 64 connections; nothing is pinned.',
    ],
    figures: { pages: besideFigures(measured), exporting },
  };
}

async function pageRows(port: number): Promise<readonly Row[]> {
  const { stations } = await readNetwork(port);
  const station = stations[0]?.station_id ?? 0;
  return [
    row(PORTAL, ['/']),
    row('portal, gzip', ['/'], GZIP),
    row('with a panel, gzip', [`/?station_id=${station}&window=7d`], GZIP),
    row('panel alone, gzip', [`/portal/station-modal?station_id=${station}&window=7d`], GZIP),
  ];
}

/** One of each a round. */
interface Exporting {
  readonly quiet: readonly IntervalFigures[];
  readonly beside: readonly IntervalFigures[];
  readonly exports: readonly Driven[];
}

async function measureExports(options: BenchOptions, progress: Progress): Promise<Exporting> {
  const [shape = '105k'] = options.rows;
  const setup = await openSetup({ snapshots: [{ shape, version: 1 }], progress });
  const { service } = setup;
  try {
    const { series } = await readNetwork(service.port);
    const files = exportPaths(series, 'xlsx');
    const found = { quiet: [] as IntervalFigures[], beside: [] as IntervalFigures[] };
    const exports: Driven[] = [];
    // The first files of all load the library.
    await exportFor(service, files.slice(0, EXPORTERS), WARMUP_MS);
    const perRound = Math.floor((files.length - EXPORTERS) / options.rounds);
    for (let round = 0; round < options.rounds; round += 1) {
      progress(`round ${round + 1} of ${options.rounds}: /measurements, alone and beside exports`);
      found.quiet.push(await askFor(service, series, () => delay(INTERVAL_MS)));
      await delay(REST_MS);
      const start = EXPORTERS + round * perRound;
      const own = files.slice(start, start + perRound);
      found.beside.push(
        await askFor(service, series, async () => {
          exports.push(await exportFor(service, own, INTERVAL_MS));
        }),
      );
      await delay(REST_MS);
    }
    return { ...found, exports };
  } finally {
    await setup.close();
  }
}

async function exportFor(
  service: Service,
  files: readonly string[],
  measureMs: number,
): Promise<Driven> {
  const driven = await driveWithDiscard({
    server: service.port,
    targets: row('', files).targets,
    connections: EXPORTERS,
    warmupMs: 0,
    measureMs,
    serverPids: service.pids(),
    clients: 1,
  });
  if (driven.failures > 0) throw new Error(`${driven.failures} exports failed`);
  return driven;
}

/** `/measurements` at a fixed rate for as long as `meanwhile` takes. */
async function askFor(
  service: Service,
  series: readonly string[],
  meanwhile: () => Promise<void>,
): Promise<IntervalFigures> {
  const run = startPaced({
    server: service.port,
    targets: row('', series).targets,
    connections: 64,
    perSecond: RATE,
    expected: [],
  });
  await delay(WARMUP_MS);
  const fromMs = now();
  await meanwhile();
  const interval = { fromMs, toMs: now() };
  return figuresOf(await run.stop(), [interval]);
}

function exportTable({ quiet, beside, exports }: Exporting): Table {
  const line = (name: string, asked: readonly IntervalFigures[], perSecond: string): string[] => [
    name,
    whole(asked.reduce((sum, { answers }) => sum + answers, 0)),
    fixed(median(asked, 'p50Ms'), 2),
    fixed(median(asked, 'p99Ms'), 2),
    fixed(Math.max(...asked.map(({ maxMs }) => maxMs)), 1),
    perSecond,
    whole(asked.reduce((sum, { failures }) => sum + failures, 0)),
  ];
  const made = spreadOf(exports.map(({ requestsPerSecond }) => requestsPerSecond)).median;
  return {
    title: `/measurements at ${whole(RATE)} requests/s`,
    columns: ['meanwhile', 'answers', 'p50 ms', 'p99 ms', 'max ms', 'files/s', 'failed'],
    rows: [
      line('quiet', quiet, '-'),
      line(`${EXPORTERS} clients export XLSX`, beside, fixed(made, 1)),
    ],
  };
}

function pagesCriterion(measured: Beside): Criterion {
  const scores = measured.scores.get(CLIENT);
  if (scores === undefined) throw new Error(`nothing was measured with ${CLIENT}`);
  const found = scoreIn(scores, PORTAL, 'service').requestsPerSecond.median;
  return {
    promise: `portal page: requests/s of one front, ${CLIENT}`,
    wanted: `at least ${whole(GOOD_PER_SECOND)}`,
    found: whole(found),
    met: found >= GOOD_PER_SECOND,
  };
}

function p99Criterion({ quiet, beside }: Exporting): Criterion {
  const [before, during] = [median(quiet, 'p99Ms'), median(beside, 'p99Ms')];
  const failed = [...quiet, ...beside].reduce((sum, { failures }) => sum + failures, 0);
  const ratio = during / before;
  return {
    promise: `p99 of /measurements while ${EXPORTERS} clients export XLSX, beside quiet`,
    wanted: `under ${P99_LIMIT} times, none failed`,
    found: `${fixed(ratio, 1)} times (${fixed(before, 2)} -> ${fixed(during, 2)} ms), ${failed} failed`,
    met: ratio < P99_LIMIT && failed === 0,
  };
}

function median(asked: readonly IntervalFigures[], figure: 'p50Ms' | 'p99Ms'): number {
  return spreadOf(asked.map((one) => one[figure])).median;
}
