/**
 * Measures imports: how soon a published snapshot is visible, the cost of its import, and the effect on clients.
 *
 * For each size: the time from the pointer's move to the first answer with the new `X-Snapshot-Id` on a quiet machine,
 * the import, a rollback, a start, the memory at rest; and the latencies of `/meta` at 400 requests a second around
 * swaps and imports, compared with those in quiet.
 */
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  EVEN_RATE,
  figuresOf,
  startPaced,
  type Interval,
  type IntervalFigures,
} from '../clients/paced.js';
import { atMost, atMostTimes, inMb, inMs, inSeconds, none } from '../criteria.js';
import { anonymousMbOf, cpuSecondsOf } from '../harness/footprint.js';
import { openSetup, type Setup } from '../harness/setup.js';
import { now } from '../harness/system.js';
import { swapTo, type Swap } from '../harness/visible.js';
import { spreadOf } from '../measure/statistics.js';
import type { BenchOptions, Progress, Size } from '../options.js';
import {
  fixed,
  LATENCY_COLUMNS,
  latencyCells,
  whole,
  type Criterion,
  type SuiteResult,
  type Table,
} from '../report.js';

const run = promisify(execFile);

const ROWS: Readonly<Record<Size, number>> = {
  '105k': 106_933,
  '450k': 449_082,
  '1050k': 1_047_760,
};
const VISIBLE_LIMIT_S: Readonly<Partial<Record<Size, number>>> = { '105k': 1.5, '450k': 9 };
const RESTART_LIMIT_S = 0.63;
const AT_REST_LIMIT_MB = 100;
const PEAK_LIMIT_MB = 700;
const ROLLBACK_LIMIT_MS = 200;
const P99_TIMES = 5;
const LONGEST_LIMIT_MS = 10;

/** The time until the machine is quiet again. */
const SETTLE_MS = 2_000;
const QUIET_MS = 10_000;
/** Time before and after an event that is measured as around it. */
const AROUND_MS = 500;
const EACH = { imports: 3, rollbacks: 4, restarts: 3 };

/** `/meta`, which many clients poll for changes. */
const META = { targets: [{ path: '/meta', headers: {} }], connections: 16, perSecond: 400 };

interface SizeFigures {
  readonly size: Size;
  readonly documentMb: number;
  readonly copyMb: number;
  readonly publishSeconds: number;
  /** Anonymous memory of all processes after a swap. */
  readonly atRestMb: number;
  readonly imports: readonly Swap[];
  /** CPU time of all processes of the service around each import, in seconds. */
  readonly cpuSeconds: readonly number[];
  /** Moves of the pointer between two snapshots whose copies both exist. */
  readonly rollbacks: readonly Swap[];
  /** Milliseconds from the start of the process until it is ready. */
  readonly restartMs: readonly number[];
  readonly meta: Readonly<Record<'quiet' | 'swap' | 'import', IntervalFigures>>;
}

export async function runImport(options: BenchOptions, progress: Progress): Promise<SuiteResult> {
  const sizes: SizeFigures[] = [];
  for (const size of options.rows) {
    const versions = [1, 2, 3].map((version) => ({ shape: size, version }));
    const setup = await openSetup({ snapshots: versions, progress });
    try {
      sizes.push(await measure(setup, size, { options, progress }));
    } finally {
      await setup.close();
    }
  }
  return {
    suite: 'import',
    question: 'how soon is a published snapshot visible, what does it take, and who notices?',
    tables: [sizesTable(sizes), ...sizes.map(metaTable)],
    criteria: sizes.flatMap(criteriaOf),
    notes: [
      'Visible: from the pointer’s move to the first answer with the new X-Snapshot-Id, asked for every 20 ms. Publish: `bura publish --no-activate`, which reads and checks the whole document before it stores it.',
      'CPU: of all processes of the service from the pointer’s move until 2 s after the snapshot was visible, 50 looks a second included. Restart: from the start of the process to readiness, with a copy that is there.',
      'Around: from half a second before the pointer moves until half a second after the snapshot is visible. A latency counts from when a request was due if every connection was still waiting.',
    ],
    figures: { latency: EVEN_RATE, sizes },
  };
}

interface Run {
  readonly options: BenchOptions;
  readonly progress: Progress;
}

async function measure(setup: Setup, size: Size, { options, progress }: Run): Promise<SizeFigures> {
  const scale = Math.min(1, options.seconds);
  const settle = (): Promise<void> => delay(SETTLE_MS * scale);
  const ids = setup.snapshots.map(({ snapshotId }) => snapshotId);
  let at = 0;
  // The service keeps only the copy of the previous snapshot, so the next of three in turn must be imported.
  const next = async (): Promise<Swap> => await swapTo(setup, ids[(at += 1) % ids.length] ?? '');
  let back = 0;
  const rollBack = (): Promise<Swap> =>
    swapTo(setup, ids[(at - ((back += 1) % 2)) % ids.length] ?? '');

  const imports: Swap[] = [];
  const cpuSeconds: number[] = [];
  for (let count = 1; count <= Math.max(EACH.imports, options.rounds); count += 1) {
    progress(`${size}: import ${count}, nothing else going on`);
    await settle();
    const before = cpuSecondsOf(setup.service);
    imports.push(await next());
    // Work after the swap counts too: the import process ends, and the next one is prepared.
    await settle();
    cpuSeconds.push(cpuSecondsOf(setup.service) - before);
  }
  const atRestMb = anonymousMbOf(setup.service);
  const rollbacks: Swap[] = [];
  for (let count = 1; count <= EACH.rollbacks; count += 1) {
    progress(`${size}: rollback ${count}`);
    await settle();
    rollbacks.push(await rollBack());
  }
  progress(`${size}: with ${META.perSecond} requests a second`);
  const meta = await underLoad(setup, scale, { next, rollBack });
  const restartMs: number[] = [];
  for (let count = 1; count <= EACH.restarts; count += 1) {
    progress(`${size}: restart ${count}`);
    restartMs.push(await setup.restart());
  }
  const [first] = setup.snapshots;
  return {
    size,
    documentMb: (await stat(first?.path ?? '')).size / 1e6,
    copyMb: (await largestFolder(path.join(setup.directory, 'local', 'bench'))) / 1e6,
    publishSeconds: spreadOf(setup.snapshots.map((one) => one.publishSeconds)).median,
    atRestMb,
    imports,
    cpuSeconds,
    rollbacks,
    restartMs,
    meta,
  };
}

async function underLoad(
  setup: Setup,
  scale: number,
  { next, rollBack }: Readonly<Record<'next' | 'rollBack', () => Promise<Swap>>>,
): Promise<SizeFigures['meta']> {
  const paced = startPaced({ server: setup.service.port, ...META });
  await delay(SETTLE_MS);
  const quiet = { fromMs: now(), toMs: now() + QUIET_MS * scale };
  await delay(QUIET_MS * scale);
  const around = async (count: number, swap: () => Promise<Swap>): Promise<readonly Interval[]> => {
    const intervals: Interval[] = [];
    for (let one = 0; one < count; one += 1) {
      await delay(SETTLE_MS * scale + AROUND_MS);
      const { movedMs, visibleMs } = await swap();
      intervals.push({ fromMs: movedMs - AROUND_MS, toMs: visibleMs + AROUND_MS });
    }
    return intervals;
  };
  const swaps = await around(EACH.rollbacks, rollBack);
  const imports = await around(EACH.imports, next);
  await delay(SETTLE_MS * scale + AROUND_MS);
  const record = await paced.stop();
  return {
    quiet: figuresOf(record, [quiet]),
    swap: figuresOf(record, swaps),
    import: figuresOf(record, imports),
  };
}

/** Bytes of the largest folder in a folder. */
async function largestFolder(directory: string): Promise<number> {
  const { stdout } = await run('du', ['--bytes', '--max-depth=1', directory]);
  const [, ...folders] = stdout.trim().split('\n').reverse();
  return Math.max(0, ...folders.map((line) => Number.parseInt(line)));
}

const visibleMsOf = ({ movedMs, visibleMs }: Swap): number => visibleMs - movedMs;
const peakMbOf = (imports: readonly Swap[]): number =>
  Math.max(...imports.map(({ importPeakMb }) => importPeakMb));

function sizesTable(sizes: readonly SizeFigures[]): Table {
  const cells = sizes.map((one): Readonly<Record<string, string>> => {
    const visible = spreadOf(one.imports.map(visibleMsOf));
    return {
      rows: whole(ROWS[one.size]),
      'document MB': fixed(one.documentMb, 1),
      'copy MB': whole(one.copyMb),
      'publish s': fixed(one.publishSeconds, 2),
      'visible s': fixed(visible.median / 1000, 2),
      max: fixed(visible.max / 1000, 2),
      'import s': fixed(spreadOf(one.imports.map(({ importMs }) => importMs)).median / 1000, 2),
      'CPU s': fixed(spreadOf(one.cpuSeconds).median, 2),
      'peak RSS MB': whole(peakMbOf(one.imports)),
      'roll back s, max': fixed(Math.max(...one.rollbacks.map(visibleMsOf)) / 1000, 2),
      'restart s': fixed(spreadOf(one.restartMs).median / 1000, 2),
      'at rest MB': whole(one.atRestMb),
    };
  });
  const columns = Object.keys(cells[0] ?? {});
  return { title: 'Nothing else going on', columns, rows: cells.map((one) => Object.values(one)) };
}

function metaTable({ size, meta }: SizeFigures): Table {
  return {
    title: `/meta at ${META.perSecond} requests/s, ${size}`,
    columns: ['', ...LATENCY_COLUMNS],
    rows: [
      ['quiet', ...latencyCells([meta.quiet])],
      ['around a swap to a copy that is there', ...latencyCells([meta.swap])],
      ['around an import', ...latencyCells([meta.import])],
    ],
  };
}

function criteriaOf(figures: SizeFigures): readonly Criterion[] {
  const { size, imports, rollbacks, restartMs, atRestMb, meta } = figures;
  const visibleS = spreadOf(imports.map(visibleMsOf)).median / 1000;
  const limitS = VISIBLE_LIMIT_S[size];
  const quietMs = meta.quiet.percentiles[99] ?? Number.NaN;
  const rolledMs = Math.max(...rollbacks.map(visibleMsOf));
  const again = rollbacks.filter(({ importMs }) => importMs > 0).length;
  return [
    ...(limitS === undefined
      ? []
      : [atMost(`${size}: pointer moved to visible`, limitS, visibleS, inSeconds)]),
    atMost(`${size}: roll back, longest`, ROLLBACK_LIMIT_MS, rolledMs, inMs),
    none(`${size}: roll back with an import`, again, whole(rollbacks.length)),
    atMost(`${size}: peak RSS of the import`, PEAK_LIMIT_MB, peakMbOf(imports), inMb),
    atMost(
      `${size}: restart to ready`,
      RESTART_LIMIT_S,
      spreadOf(restartMs).median / 1000,
      inSeconds,
    ),
    atMost(`${size}: anonymous memory at rest, all processes`, AT_REST_LIMIT_MB, atRestMb, inMb),
    ...(['swap', 'import'] as const).flatMap((kind) => [
      atMostTimes(`${size}: p99 of /meta around a ${kind}, beside quiet`, P99_TIMES, {
        quietMs,
        busyMs: meta[kind].percentiles[99] ?? Number.NaN,
      }),
      atMost(
        `${size}: longest of /meta around a ${kind}`,
        LONGEST_LIMIT_MS,
        meta[kind].maxMs,
        inMs,
      ),
      none(`${size}: failed around a ${kind}`, meta[kind].failures, whole(meta[kind].answers)),
    ]),
  ];
}
