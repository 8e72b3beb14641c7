/**
 * Does a client notice that the snapshot was swapped under it?
 *
 * An answer: over many swaps between two stored snapshots under a fixed rate of requests, the number of requests that
 * failed, the number of answers that were not wholly of one snapshot, the p99 within half a second of a swap as a ratio
 * to the quiet p99, and memory and open files afterwards as before (memory: medians over the first and the last fifth of the
 * swaps, since a heap that was collected a moment ago compares with nothing). Good is: none, none, at most 3 times, no growth.
 *
 * Quiet is a second between each two swaps, so that both see the same host: from one minute to the next its own p99 may
 * differ tenfold. A bare server that answers the same beside the service, asked all the while, tells what the import on
 * the same cores does to anybody.
 *
 * Failed: due, and not answered with a whole 200 within 5 s. Not wholly of one snapshot: `X-Snapshot-Id`, ETag and every
 * byte of the body are held against the two snapshots' answers, which were taken while nothing was swapped.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { KnownSnapshot, PacedOrder, PacedRecord } from '../clients/paced-process.js';
import { figuresOf, startPaced, type Stretch, type StretchFigures } from '../clients/paced.js';
import { ask, headerOf, type Target } from '../exchange.js';
import type { BenchOptions, Tell } from '../options.js';
import { footprintOf, type Footprint } from '../footprint.js';
import { startBare } from '../processes.js';
import { fixed, whole, type Criterion, type SuiteResult } from '../report.js';
import { openSetting, type Setting } from '../setting.js';
import { quantileOf, spreadOf } from '../statistics.js';
import { hotTargets } from '../targets.js';
import { now, swapTo, type Swap } from '../visible.js';

const RATE = 2_000;
/** Of the bare server: enough for a p99, little enough to leave the service's clients alone. */
const BARE = { connections: 16, perSecond: 500 };
const AROUND_MS = 500;
const P99_LIMIT = 3;
/** After a swap, until the old snapshot is gone. */
const SETTLE_MS = 3_000;
/** Then, until the next pointer's move. */
const QUIET_MS = 1_000;
/** Old environments are closed and collected by then. */
const REST_MS = 3_000;
/** What a heap under the same load may differ by, in MB: it is collected when it likes. */
const MEMORY_SLACK_MB = 15;

/** What the clients of one server saw. */
interface Latencies {
  readonly quiet: SeenFigures;
  readonly importing: SeenFigures;
  readonly swapping: SeenFigures;
}

interface SeenFigures extends StretchFigures {
  /** Median over the single stretches' p99: what a few bad moments of the host do not decide. */
  readonly typicalP99Ms: number;
}

interface Figures {
  readonly swaps: readonly Swap[];
  readonly record: PacedRecord;
  readonly service: Latencies;
  readonly bare: Latencies;
  readonly before: Footprint;
  readonly after: Footprint;
  /** After each swap, in MB: what no file backs. */
  readonly anonymousMb: readonly number[];
}

export async function runSwap(options: BenchOptions, tell: Tell): Promise<SuiteResult> {
  const [shape = '105k'] = options.rows;
  const editions = [1, 2].map((edition) => ({ shape, edition }));
  const setting = await openSetting({ snapshots: editions, tell });
  try {
    const { service } = setting;
    const ids = setting.snapshots.map((snapshot) => snapshot.snapshotId);
    const targets = await hotTargets(service.port);
    const known: KnownSnapshot[] = [];
    for (const id of ids) {
      await swapTo(setting, id);
      known.push(await knownSnapshot(service.port, targets, id));
    }
    refuseEqual(known, targets);
    const bare = await startBare({ servicePort: service.port, targets });
    try {
      const orders: Orders = {
        service: {
          port: service.port,
          targets,
          connections: options.connections,
          perSecond: RATE,
          known,
        },
        bare: { port: bare.port, targets, known: [], ...BARE },
      };
      return resultOf(shape, await swapUnderRequests(setting, orders, { options, tell }));
    } finally {
      await bare.stop();
    }
  } finally {
    await setting.close();
  }
}

/** What the clients of the two servers ask for. */
interface Orders {
  readonly service: PacedOrder;
  readonly bare: PacedOrder;
}

async function swapUnderRequests(
  setting: Setting,
  orders: Orders,
  { options, tell }: { readonly options: BenchOptions; readonly tell: Tell },
): Promise<Figures> {
  const { service } = setting;
  const ids = setting.snapshots.map((snapshot) => snapshot.snapshotId);
  // The first requests and swaps of a process compile code and grow its heap: no part of what is compared.
  tell('warming up');
  const warmups = [startPaced(orders.service), startPaced(orders.bare)];
  for (const id of ids) await swapTo(setting, id);
  await delay(REST_MS);
  for (const warmup of warmups) await warmup.stop();
  await delay(REST_MS);
  const before = footprintOf(service);

  const run = startPaced(orders.service);
  const bareRun = startPaced(orders.bare);
  await delay(SETTLE_MS);
  const swaps: Swap[] = [];
  const quiet: Stretch[] = [];
  const anonymousMb: number[] = [];
  for (let at = 0; at < options.swaps; at += 1) {
    tell(`swap ${at + 1} of ${options.swaps}`);
    const fromMs = now();
    await delay(QUIET_MS);
    quiet.push({ fromMs, toMs: now() });
    swaps.push(await swapTo(setting, ids[at % ids.length] ?? ''));
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
  { quiet, swaps }: { readonly quiet: readonly Stretch[]; readonly swaps: readonly Swap[] },
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

function seenFigures(record: PacedRecord, stretches: readonly Stretch[]): SeenFigures {
  const each = stretches.map((stretch) => figuresOf(record, [stretch]).p99Ms);
  return { ...figuresOf(record, stretches), typicalP99Ms: spreadOf(each).median };
}

async function knownSnapshot(
  port: number,
  targets: readonly Target[],
  snapshotId: string,
): Promise<KnownSnapshot> {
  const answers = await Promise.all(targets.map((target) => ask(port, target)));
  const tags = new Set(answers.map((answer) => headerOf(answer, 'etag')));
  const [etag] = tags;
  const isOne = answers.every((answer) => headerOf(answer, 'x-snapshot-id') === snapshotId);
  if (etag === undefined || tags.size !== 1 || !isOne) {
    throw new Error(`the answers of ${snapshotId} disagree about what they are`);
  }
  return { snapshotId, etag, bodies: answers.map((answer) => answer.body) };
}

/** Two snapshots with the same answer to something would hide a mixed one. */
function refuseEqual([a, b]: readonly KnownSnapshot[], targets: readonly Target[]): void {
  for (const [at, body] of (a?.bodies ?? []).entries()) {
    const other = b?.bodies[at];
    if (other === undefined || Buffer.compare(body, other) === 0) {
      throw new Error(`both snapshots answer ${targets[at]?.path ?? ''} alike`);
    }
  }
}

function resultOf(shape: string, figures: Figures): SuiteResult {
  const { swaps, record, service, bare, before, after } = figures;
  const latency = (name: string, stretch: SeenFigures): readonly string[] => [
    name,
    whole(stretch.answers),
    fixed(stretch.p50Ms, 2),
    fixed(stretch.p99Ms, 2),
    fixed(stretch.typicalP99Ms, 2),
    fixed(stretch.maxMs, 1),
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
