/**
 * Does a client notice that the snapshot was swapped under it?
 *
 * An answer: over many swaps between three stored snapshots, each of which is imported anew, under a fixed rate of requests, the number of requests that
 * failed, the number of answers that were not wholly of one snapshot, the p99 within half a second of a swap as a ratio
 * to the quiet p99, and memory and open files afterwards as before (memory: medians over the first and the last fifth of the
 * swaps, since a heap that was collected a moment ago compares with nothing). Good is: none, none, at most 3 times, no growth.
 *
 * Quiet is a second between each two swaps, so that both see the same host: from one minute to the next its own p99 may
 * differ tenfold. A bare server that answers the same requests beside the service shows what the import on the same
 * cores does to any process.
 *
 * Failed: due, and not answered with a whole 200 within 5 s. Not wholly of one snapshot: `X-Snapshot-Id`, ETag and every
 * byte of the body are compared with the snapshots' answers, which were taken while nothing was swapped.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ExpectedSnapshot, PacedOrder, PacedRecord } from '../clients/paced-process.js';
import { figuresOf, startPaced, type Interval, type IntervalFigures } from '../clients/paced.js';
import { ask, headerOf, type Target } from '../harness/exchange.js';
import type { BenchOptions, Progress } from '../options.js';
import { footprintOf, type Footprint } from '../harness/footprint.js';
import { startBare } from '../harness/references.js';
import { fixed, whole, type Criterion, type SuiteResult } from '../report.js';
import { openSetup, type Setup } from '../harness/setup.js';
import { quantileOf, spreadOf } from '../measure/statistics.js';
import { hotTargets } from '../measure/targets.js';
import { now, swapTo, type Swap } from '../harness/visible.js';

const RATE = 2_000;
/** Load on the bare server: enough for a p99, little enough to leave the service's clients alone. */
const BARE = { connections: 16, perSecond: 500 };
const AROUND_MS = 500;
const P99_LIMIT = 3;
/** The time after a swap until the old snapshot is closed. */
const SETTLE_MS = 3_000;
/** The quiet time after that, until the pointer moves again. */
const QUIET_MS = 1_000;
/** After this long, old environments are closed and collected. */
const REST_MS = 3_000;
/** By how many MB a heap may differ under the same load: garbage is collected at any moment. */
const MEMORY_SLACK_MB = 15;

/** Latencies that the clients of one server saw. */
interface Latencies {
  readonly quiet: SeenFigures;
  readonly importing: SeenFigures;
  readonly swapping: SeenFigures;
}

interface SeenFigures extends IntervalFigures {
  /** The median of the p99 of each interval, which a few bad moments of the host do not decide. */
  readonly typicalP99Ms: number;
}

interface Figures {
  readonly swaps: readonly Swap[];
  readonly record: PacedRecord;
  readonly service: Latencies;
  readonly bare: Latencies;
  readonly before: Footprint;
  readonly after: Footprint;
  /** Anonymous memory of all processes after each swap, in MB. */
  readonly anonymousMb: readonly number[];
}

export async function runSwap(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const [shape = '105k'] = options.rows;
  const versions = [1, 2, 3].map((version) => ({ shape, version }));
  const setup = await openSetup({ snapshots: versions, progress });
  try {
    const { service } = setup;
    const ids = setup.snapshots.map((snapshot) => snapshot.snapshotId);
    const targets = await hotTargets(service.port);
    const expected: ExpectedSnapshot[] = [];
    for (const id of ids) {
      await swapTo(setup, id);
      expected.push(await expectedSnapshot(service.port, targets, id));
    }
    refuseEqual(expected, targets);
    const bare = await startBare({ servicePort: service.port, targets });
    try {
      const orders: Orders = {
        service: {
          server: service.port,
          targets,
          connections: options.connections,
          perSecond: RATE,
          expected,
        },
        bare: { server: bare.port, targets, expected: [], ...BARE },
      };
      return resultOf(shape, await swapUnderRequests(setup, orders, { options, progress }));
    } finally {
      await bare.stop();
    }
  } finally {
    await setup.close();
  }
}

/** The load on each of the two servers. */
interface Orders {
  readonly service: PacedOrder;
  readonly bare: PacedOrder;
}

async function swapUnderRequests(
  setup: Setup,
  orders: Orders,
  { options, progress }: { readonly options: BenchOptions; readonly progress: Progress },
): Promise<Figures> {
  const { service } = setup;
  const ids = setup.snapshots.map((snapshot) => snapshot.snapshotId);
  // The first requests and swaps of a process compile code and grow its heap: no part of what is compared.
  progress('warming up');
  const warmups = [startPaced(orders.service), startPaced(orders.bare)];
  for (const id of ids) await swapTo(setup, id);
  await delay(REST_MS);
  for (const warmup of warmups) await warmup.stop();
  await delay(REST_MS);
  const before = footprintOf(service);

  const run = startPaced(orders.service);
  const bareRun = startPaced(orders.bare);
  await delay(SETTLE_MS);
  const swaps: Swap[] = [];
  const quiet: Interval[] = [];
  const anonymousMb: number[] = [];
  for (let at = 0; at < options.swaps; at += 1) {
    progress(`swap ${at + 1} of ${options.swaps}`);
    const fromMs = now();
    await delay(QUIET_MS);
    quiet.push({ fromMs, toMs: now() });
    swaps.push(await swapTo(setup, ids[at % ids.length] ?? ''));
    await delay(SETTLE_MS);
    anonymousMb.push(footprintOf(service).anonymousMb);
  }
  const record = await run.stop();
  const bareRecord = await bareRun.stop();
  await delay(REST_MS);
  return {
    swaps,
    record,
    service: latenciesOf(record, { quiet, swaps }),
    bare: latenciesOf(bareRecord, { quiet, swaps }),
    before,
    after: footprintOf(service),
    anonymousMb,
  };
}

function latenciesOf(
  record: PacedRecord,
  { quiet, swaps }: { readonly quiet: readonly Interval[]; readonly swaps: readonly Swap[] },
): Latencies {
  const importing = swaps.map(({ movedMs, visibleMs }) => ({ fromMs: movedMs, toMs: visibleMs }));
  const swapping = swaps.map(({ visibleMs }) => ({
    fromMs: visibleMs - AROUND_MS,
    toMs: visibleMs + AROUND_MS,
  }));
  return {
    quiet: seenFigures(record, quiet),
    importing: seenFigures(record, importing),
    swapping: seenFigures(record, swapping),
  };
}

function seenFigures(record: PacedRecord, intervals: readonly Interval[]): SeenFigures {
  const each = intervals.map((interval) => figuresOf(record, [interval]).p99Ms);
  return { ...figuresOf(record, intervals), typicalP99Ms: spreadOf(each).median };
}

/** A snapshot's answers, as the service gives them while it is the active one. */
export async function expectedSnapshot(
  port: number,
  targets: readonly Target[],
  snapshotId: string,
): Promise<ExpectedSnapshot> {
  const answers = await Promise.all(targets.map((target) => ask(port, target)));
  const tags = new Set(answers.map((answer) => headerOf(answer, 'etag')));
  const [etag] = tags;
  const isOne = answers.every((answer) => headerOf(answer, 'x-snapshot-id') === snapshotId);
  if (etag === undefined || tags.size !== 1 || !isOne) {
    throw new Error(`the answers of ${snapshotId} are not all of one snapshot`);
  }
  return { snapshotId, etag, bodies: answers.map((answer) => answer.body) };
}

/** Two snapshots with the same answer to a request would hide a mixed one. */
function refuseEqual(snapshots: readonly ExpectedSnapshot[], targets: readonly Target[]): void {
  for (const [at, { path }] of targets.entries()) {
    const bodies = snapshots.map((snapshot) =>
      Buffer.from(snapshot.bodies[at] ?? []).toString('latin1'),
    );
    if (new Set(bodies).size < snapshots.length) throw new Error(`snapshots answer ${path} alike`);
  }
}

function resultOf(shape: string, figures: Figures): SuiteResult {
  const { swaps, record, service, bare, before, after } = figures;
  const latency = (name: string, interval: SeenFigures): readonly string[] => [
    name,
    whole(interval.answers),
    fixed(interval.p50Ms, 2),
    fixed(interval.p99Ms, 2),
    fixed(interval.typicalP99Ms, 2),
    fixed(interval.maxMs, 1),
  ];
  const footprint = (name: string, of: Footprint): readonly string[] => [
    name,
    fixed(of.pssMb, 1),
    fixed(of.anonymousMb, 1),
    whole(of.openFiles),
    whole(of.removedFilesMapped),
  ];
  const answered = record.latencyMs.length;
  const visible = spreadOf(swaps.map(({ movedMs, visibleMs }) => visibleMs - movedMs));
  return {
    suite: 'swap',
    question: `does a client notice a swap? (${swaps.length} swaps, ${shape} rows, ${whole(RATE)} requests/s)`,
    tables: [
      {
        title: 'Latency',
        columns: ['requests', 'answers', 'p50 ms', 'p99 ms', 'p99, typical', 'max ms'],
        rows: [
          latency('service, quiet', service.quiet),
          latency('service, from the pointer’s move until visible', service.importing),
          latency('service, within 0.5 s of a swap', service.swapping),
          latency('bare server beside it, quiet', bare.quiet),
          latency('bare server beside it, meanwhile', bare.importing),
          latency('bare server beside it, within 0.5 s of a swap', bare.swapping),
        ],
      },
      {
        title: 'The service’s processes, at rest',
        columns: ['', 'PSS MB', 'anonymous MB', 'open files', 'removed files mapped'],
        rows: [footprint('before', before), footprint('after', after)],
      },
    ],
    criteria: criteriaOf(figures),
    notes: [
      `${whole(answered)} answers checked byte for byte; ${record.failures.count} failed, ${record.mixed.count} mixed, ${record.closedIdle} idle connections closed by the server. Publish to visible under this load: median ${fixed(visible.median / 1000, 2)} s, worst ${fixed(visible.max / 1000, 2)} s.`,
      ...[...record.failures.first, ...record.mixed.first].map((what) => `for example: ${what}`),
      `Client late (p99): ${fixed(quantileOf([...record.latenessMs], 0.99), 2)} ms${record.preferred ? '' : '; the client was not allowed to run first'}.`,
    ],
    figures: {
      swaps,
      answered,
      failures: record.failures,
      mixed: record.mixed,
      closedIdle: record.closedIdle,
      service,
      bare,
      before,
      after,
      anonymousMb: figures.anonymousMb,
    },
  };
}

function criteriaOf({
  record,
  service,
  bare,
  before,
  after,
  anonymousMb,
}: Figures): readonly Criterion[] {
  const times = timesOf(service);
  const fifth = Math.max(1, Math.floor(anonymousMb.length / 5));
  const grownMb =
    spreadOf(anonymousMb.slice(-fifth)).median - spreadOf(anonymousMb.slice(0, fifth)).median;
  const moreFiles = after.openFiles - before.openFiles;
  return [
    {
      promise: 'failed requests',
      wanted: 'none',
      found: whole(record.failures.count),
      met: record.failures.count === 0,
    },
    {
      promise: 'answers not wholly of one snapshot',
      wanted: 'none',
      found: whole(record.mixed.count),
      met: record.mixed.count === 0,
    },
    {
      promise: 'p99 within 0.5 s of a swap, beside quiet',
      wanted: `at most ${P99_LIMIT} times`,
      found: `${fixed(times, 1)} times (the bare server’s ${fixed(timesOf(bare), 1)})`,
      met: times <= P99_LIMIT,
    },
    {
      promise: 'anonymous memory, last fifth of the swaps beside the first',
      wanted: `at most ${MEMORY_SLACK_MB} MB more`,
      found: `${fixed(grownMb, 1)} MB`,
      met: grownMb <= MEMORY_SLACK_MB,
    },
    {
      promise: 'open files and removed files still mapped afterwards',
      wanted: 'no more',
      found: `${moreFiles} and ${after.removedFilesMapped}`,
      met: moreFiles <= 0 && after.removedFilesMapped === 0,
    },
  ];
}

/** The p99 within half a second of a swap, as a multiple of the quiet one. */
function timesOf({ quiet, swapping }: Latencies): number {
  return swapping.p99Ms / quiet.p99Ms;
}
