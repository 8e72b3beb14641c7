/**
 * How soon is a published snapshot visible, and what does its import take?
 *
 * An answer: the time from the pointer's move to the first answer with the new `X-Snapshot-Id`, and the life of the
 * import process, which makes every answer, chunk and bulk file (median and worst of several, nothing else going on),
 * its peak resident set, whether the same snapshot gives the same bundle again, and the time to roll back to the
 * previous copy, all at three sizes; its CPU time beside a lower bound in the same run (`bench/references/lower-bound.ts`).
 * Good is: visible in under 3 s and 9 s for the two that have a target, on two cores, and at most 2.5 times the lower bound's
 * CPU time; under 700 MB for the largest; the same bytes; a rollback in under 200 ms, without an import. What clients notice of
 * imports is in `faults`.
 */
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { atMost, inMb, inSeconds, inTimes } from '../criteria.js';
import { ask, headerOf } from '../harness/exchange.js';
import { cpuSecondsOf } from '../harness/footprint.js';
import type { LowerBound } from '../references/lower-bound.js';
import type { BenchOptions, Size, Progress } from '../options.js';
import {
  fixed,
  spreadText,
  whole,
  type Criterion,
  type SuiteResult,
  type Table,
} from '../report.js';
import { openSetup, type Setup } from '../harness/setup.js';
import { spreadOf, type Spread } from '../measure/statistics.js';
import { swapTo, type Swap } from '../harness/visible.js';

const run = promisify(execFile);
const LOWER_BOUND = fileURLToPath(new URL('../references/lower-bound.js', import.meta.url));

const ROWS: Readonly<Record<Size, number>> = {
  '105k': 106_933,
  '450k': 449_082,
  '1050k': 1_047_760,
};
const VISIBLE_LIMIT_MS: Readonly<Partial<Record<Size, number>>> = { '105k': 3_000, '450k': 9_000 };
/** Times the lower bound. */
const CPU_LIMIT = 2.5;
const PEAK_LIMIT_MB = 700;
/** The time after an import until the machine is quiet again. */
const SETTLE_MS = 2_000;
/** Counted with the import at the start, at least one of the three snapshots is imported twice. */
const SWAPS_MIN: Readonly<Record<Size, number>> = { '105k': 5, '450k': 3, '1050k': 3 };
const ROLLBACK_LIMIT_MS = 200;
const ROLLBACKS = 4;

interface SizeFigures {
  readonly size: Size;
  readonly publishSeconds: number;
  readonly swaps: readonly Swap[];
  /** CPU time of all processes of the service around each of those, in seconds, and of a lower bound right after it. */
  readonly costs: readonly Cost[];
  /** Swaps between the last two snapshots, whose copies are both there. */
  readonly rollbacks: readonly Swap[];
  readonly bundles: readonly Bundle[];
}

interface Cost {
  readonly importCpuSeconds: number;
  readonly lowerBound: LowerBound;
}

interface BulkIndex {
  readonly resources: readonly { readonly name: string; readonly sha256: string }[];
}

/** The bulk bundle after one import, by its index. */
interface Bundle {
  readonly snapshotId: string;
  /** The digest of every file, as `sha256sum` writes it. */
  readonly digests: string;
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
  return resultOf(sizes);
}

interface Run {
  readonly options: BenchOptions;
  readonly progress: Progress;
}

async function measure(setup: Setup, size: Size, { options, progress }: Run): Promise<SizeFigures> {
  // The copy of the previous snapshot stays, so that only the one before it is imported again.
  const ids = setup.snapshots.map(({ snapshotId }) => snapshotId);
  const idAt = (at: number): string => ids[at % ids.length] ?? '';
  const swaps: Swap[] = [];
  const costs: Cost[] = [];
  const bundles: Bundle[] = [await readBundle(setup, idAt(0))];
  const count = Math.max(SWAPS_MIN[size], options.rounds);
  for (let at = 1; at <= count; at += 1) {
    progress(`${size}: import ${at}, nothing else going on`);
    await delay(SETTLE_MS);
    const before = cpuSecondsOf(setup.service);
    const swap = await swapTo(setup, idAt(at));
    // What is done when all can see the snapshot counts too: an import ends, the next one is prepared.
    await delay(SETTLE_MS);
    if (swap.importMs > 0) {
      costs.push({
        importCpuSeconds: cpuSecondsOf(setup.service) - before,
        lowerBound: await runLowerBound(setup.snapshots[at % ids.length]?.path ?? ''),
      });
    }
    swaps.push(swap);
    bundles.push(await readBundle(setup, idAt(at)));
  }
  const rollbacks: Swap[] = [];
  for (let at = 1; at <= ROLLBACKS; at += 1) {
    progress(`${size}: rollback ${at}`);
    await delay(SETTLE_MS);
    rollbacks.push(await swapTo(setup, idAt(count - (at % 2))));
  }
  const publishSeconds = spreadOf(setup.snapshots.map(({ publish }) => publish.seconds)).median;
  return { size, publishSeconds, swaps, costs, rollbacks, bundles };
}

async function readBundle({ service }: Setup, snapshotId: string): Promise<Bundle> {
  const answer = await ask(service.port, { path: '/api/v1/bulk', headers: {} });
  if (answer.status !== 200 || headerOf(answer, 'x-snapshot-id') !== snapshotId) {
    throw new Error(`no bundle of ${snapshotId}: ${answer.statusLine}`);
  }
  const { resources } = JSON.parse(answer.body.toString()) as BulkIndex;
  const digests = resources.map(({ name, sha256 }) => `${sha256}  ${name}`).join('\n');
  return { snapshotId, digests };
}

async function runLowerBound(document: string): Promise<LowerBound> {
  const { stdout } = await run(process.execPath, [LOWER_BOUND, document]);
  return JSON.parse(stdout) as LowerBound;
}

function resultOf(sizes: readonly SizeFigures[]): SuiteResult {
  return {
    suite: 'import',
    question: 'how soon is a published snapshot visible, and what does its import take?',
    tables: [sizesTable(sizes)],
    criteria: sizes.flatMap((figures) => sizeCriteria(figures, sizes)),
    notes: [
      'Visible: from the pointer’s move to the first answer with the new X-Snapshot-Id, asked for every 20 ms. Publish: `bura publish --no-activate`, which reads and checks the whole document before it stores it.',
      'Import: how long there was an import process. It makes every answer, every chunk of the streams and the bundle. Roll back: from the pointer’s move to the snapshot that was served before.',
      'CPU: of all processes of the service from the pointer’s move until 2 s after the snapshot was visible, 50 looks a second included; the lower bound ran right after each.',
    ],
    figures: { sizes },
  };
}

function sizesTable(sizes: readonly SizeFigures[]): Table {
  return {
    title: 'Nothing else going on',
    columns: [
      'snapshot',
      'rows',
      'publish s',
      'visible s, p50',
      'max',
      'us/row',
      'import s, p50',
      'max',
      'CPU s',
      'lower bound',
      'times',
      'peak RSS MB',
      'roll back s, max',
    ],
    rows: sizes.map(({ size, publishSeconds, swaps, costs, rollbacks }) => {
      const visible = spreadOf(swaps.map(visibleMsOf));
      const importMs = spreadOf(swaps.map((swap) => swap.importMs));
      return [
        size,
        whole(ROWS[size]),
        fixed(publishSeconds, 2),
        fixed(visible.median / 1000, 2),
        fixed(visible.max / 1000, 2),
        fixed((visible.median * 1000) / ROWS[size], 1),
        fixed(importMs.median / 1000, 2),
        fixed(importMs.max / 1000, 2),
        fixed(spreadOf(costs.map((cost) => cost.importCpuSeconds)).median, 2),
        fixed(spreadOf(costs.map((cost) => cost.lowerBound.cpuSeconds)).median, 2),
        spreadText(timesLowerBound(costs)),
        whole(peakMbOf(swaps)),
        fixed(Math.max(...rollbacks.map(visibleMsOf)) / 1000, 2),
      ];
    }),
  };
}

function sizeCriteria(
  { size, swaps, costs, rollbacks, bundles }: SizeFigures,
  sizes: readonly SizeFigures[],
): readonly Criterion[] {
  const visibleMs = spreadOf(swaps.map(visibleMsOf)).median;
  const criteria: Criterion[] = [];
  const limitMs = VISIBLE_LIMIT_MS[size];
  if (limitMs !== undefined) {
    const target = `${size}: publish to visible, on two cores`;
    criteria.push(atMost(target, limitMs / 1000, visibleMs / 1000, inSeconds));
  }
  const [smallest] = sizes;
  if (size !== '105k' && smallest?.size === '105k') {
    const smallestMs = spreadOf(smallest.swaps.map(visibleMsOf)).median;
    const rows = ROWS[size] / ROWS[smallest.size];
    const target = `${size}: publish to visible, beside 105k (the rows are the limit)`;
    criteria.push(atMost(target, rows, visibleMs / smallestMs, inTimes));
  }
  const times = timesLowerBound(costs);
  criteria.push(
    {
      ...atMost(
        `${size}: CPU time of an import beside the lower bound`,
        CPU_LIMIT,
        times.median,
        inTimes,
      ),
      ratio: {
        median: 1 / times.median,
        min: 1 / times.max,
        max: 1 / times.min,
        wanted: 1 / CPU_LIMIT,
      },
    },
    bundleCriterion(size, { swaps, bundles }),
    rollbackCriterion(size, rollbacks),
    atMost(`${size}: peak RSS of the import`, PEAK_LIMIT_MB, peakMbOf(swaps), inMb),
  );
  return criteria;
}

function rollbackCriterion(size: Size, rollbacks: readonly Swap[]): Criterion {
  const worstMs = Math.max(...rollbacks.map(visibleMsOf));
  const imported = rollbacks.filter((swap) => swap.importMs > 0).length;
  return {
    target: `${size}: roll back to the previous snapshot, worst`,
    wanted: `under ${ROLLBACK_LIMIT_MS} ms, without an import`,
    found: `${whole(worstMs)} ms, ${imported} imports`,
    met: worstMs < ROLLBACK_LIMIT_MS && imported === 0,
  };
}

/** Every import of a snapshot but its first is one to compare. */
function bundleCriterion(
  size: Size,
  { swaps, bundles }: Pick<SizeFigures, 'swaps' | 'bundles'>,
): Criterion {
  const imported = 1 + swaps.filter((swap) => swap.importMs > 0).length;
  const snapshots = new Set(bundles.map(({ snapshotId }) => snapshotId)).size;
  const different = new Set(bundles.map(({ digests }) => digests)).size;
  const isMadeAgain = imported === bundles.length && imported > snapshots;
  return {
    target: `${size}: bundle, made again from the same snapshot`,
    wanted: 'the same bytes',
    found: `${imported} imports of ${snapshots} snapshots, ${different} bundles`,
    met: isMadeAgain && different === snapshots,
  };
}

function timesLowerBound(costs: readonly Cost[]): Spread {
  return spreadOf(
    costs.map(({ importCpuSeconds, lowerBound }) => importCpuSeconds / lowerBound.cpuSeconds),
  );
}

function visibleMsOf(swap: Swap): number {
  return swap.visibleMs - swap.movedMs;
}

function peakMbOf(swaps: readonly Swap[]): number {
  return Math.max(...swaps.map((swap) => swap.importPeakMb));
}
