/**
 * How soon is a published snapshot visible, what does its import take, and what do clients notice of it?
 *
 * An answer: the time from the pointer's move to the first answer with the new `X-Snapshot-Id` and the life of the
 * import process, which makes every answer, block and file of the bundle (median and worst of several, nothing else going
 * on), its peak resident set, whether the same snapshot gives the same bundle again, all at three sizes; and the p99
 * of hot requests while imports run back to back, as a ratio to the quiet p99 (`import-pressure.ts`). Good is: visible
 * in under 3 s for the smallest, growing no faster than the rows; an import in under 4 s and 16 s for the two that have a
 * promise, on two cores; under 700 MB for the largest; the same bytes; at most 3 times the quiet p99.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { bundleDigests } from '../bulk-sizes.js';
import {
  importUnderRequests,
  p99Criterion,
  PRESSURE_NOTE,
  pressureTable,
  type Pressure,
} from '../import-pressure.js';
import type { BenchOptions, Size, Tell } from '../options.js';
import { fixed, whole, type Criterion, type SuiteResult, type Table } from '../report.js';
import { openSetting, type Setting } from '../setting.js';
import { spreadOf } from '../statistics.js';
import { swapTo, type Swap } from '../visible.js';

const ROWS: Readonly<Record<Size, number>> = {
  '105k': 106_933,
  '450k': 449_082,
  '1050k': 1_047_760,
};
const VISIBLE_LIMIT_MS = 3_000;
const IMPORT_LIMIT_MS: Readonly<Partial<Record<Size, number>>> = { '105k': 4_000, '450k': 16_000 };
const PEAK_LIMIT_MB = 700;
/** After an import, until the machine is quiet again, and the next import process waits as it does between two publications. */
const SETTLE_MS = 4_000;
/** With the one at the start, each of the two snapshots is imported twice. */
const SWAPS_MIN: Readonly<Record<Size, number>> = { '105k': 4, '450k': 3, '1050k': 3 };

interface SizeFigures {
  readonly size: Size;
  readonly publishMs: number;
  readonly swaps: readonly Swap[];
  readonly bundles: readonly Bundle[];
}

/** What the index of the bulk bundle said after one import. */
interface Bundle {
  readonly snapshotId: string;
  /** Of every file, as `sha256sum` writes them. */
  readonly digests: string;
}

export async function runImport(options: BenchOptions, tell: Tell): Promise<SuiteResult> {
  const sizes: SizeFigures[] = [];
  const pressures: Pressure[] = [];
  for (const size of options.rows) {
    const editions = [1, 2].map((edition) => ({ shape: size, edition }));
    const setting = await openSetting({ snapshots: editions, tell });
    try {
      sizes.push(await importQuietly(setting, size, { options, tell }));
      if (options.pressure && size !== '1050k') {
        pressures.push(await importUnderRequests(setting, size, { options, tell }));
      }
    } finally {
      await setting.close();
    }
  }
  return resultOf(sizes, pressures);
}

interface Run {
  readonly options: BenchOptions;
  readonly tell: Tell;
}

async function importQuietly(
  setting: Setting,
  size: Size,
  { options, tell }: Run,
): Promise<SizeFigures> {
  const [first, second] = setting.snapshots;
  if (first === undefined || second === undefined) throw new Error('two snapshots are needed');
  const swaps: Swap[] = [];
  const bundles: Bundle[] = [await readBundle(setting, first.snapshotId)];
  for (let at = 0; at < Math.max(SWAPS_MIN[size], options.rounds); at += 1) {
    tell(`${size}: import ${at + 1}, nothing else going on`);
    await delay(SETTLE_MS);
    const { snapshotId } = at % 2 === 0 ? second : first;
    swaps.push(await swapTo(setting, snapshotId));
    bundles.push(await readBundle(setting, snapshotId));
  }
  const publishMs = spreadOf(setting.snapshots.map((snapshot) => snapshot.publishMs)).median;
  return { size, publishMs, swaps, bundles };
}

async function readBundle({ service }: Setting, snapshotId: string): Promise<Bundle> {
  return { snapshotId, digests: await bundleDigests(service.port, snapshotId) };
}

function resultOf(sizes: readonly SizeFigures[], pressures: readonly Pressure[]): SuiteResult {
  return {
    suite: 'import',
    question: 'how soon is a published snapshot visible, and what do clients notice of its import?',
    tables: [sizesTable(sizes), ...pressures.map(pressureTable)],
    criteria: [
      ...sizes.flatMap((figures) => sizeCriteria(figures, sizes)),
      ...pressures.map(p99Criterion),
    ],
    notes: [
      'Visible: from the pointer’s move to the first answer with the new X-Snapshot-Id, asked for every 20 ms. Publish: `bura publish --no-activate`, which reads and checks the whole document before it stores it.',
      'Import: how long there was an import process. It makes every answer, every block of the streams and the bundle.',
      ...(pressures.length > 0 ? [PRESSURE_NOTE] : []),
    ],
    figures: { sizes, pressures },
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
      'peak RSS MB',
    ],
    rows: sizes.map(({ size, publishMs, swaps }) => {
      const visible = spreadOf(swaps.map(visibleMsOf));
      const importMs = spreadOf(swaps.map((swap) => swap.importMs));
      return [
        size,
        whole(ROWS[size]),
        fixed(publishMs / 1000, 2),
        fixed(visible.median / 1000, 2),
        fixed(visible.max / 1000, 2),
        fixed((visible.median * 1000) / ROWS[size], 1),
        fixed(importMs.median / 1000, 2),
        fixed(importMs.max / 1000, 2),
        whole(peakMbOf(swaps)),
      ];
    }),
  };
}

function sizeCriteria(
  { size, swaps, bundles }: SizeFigures,
  sizes: readonly SizeFigures[],
): readonly Criterion[] {
  const visible = spreadOf(swaps.map(visibleMsOf));
  const criteria: Criterion[] = [];
  const [smallest] = sizes;
  if (size === '105k') {
    criteria.push({
      promise: `${size}: publish to visible, worst`,
      wanted: 'under 3 s',
      found: `${fixed(visible.max / 1000, 2)} s`,
      met: visible.max < VISIBLE_LIMIT_MS,
    });
  } else if (smallest !== undefined && smallest.size === '105k') {
    const times = visible.median / spreadOf(smallest.swaps.map(visibleMsOf)).median;
    const rows = ROWS[size] / ROWS[smallest.size];
    criteria.push({
      promise: `${size}: publish to visible, beside 105k`,
      wanted: `at most ${fixed(rows, 1)} times (the rows)`,
      found: `${fixed(times, 1)} times`,
      met: times <= rows,
    });
  }
  const limitMs = IMPORT_LIMIT_MS[size];
  const importMs = Math.max(...swaps.map((swap) => swap.importMs));
  if (limitMs !== undefined) {
    criteria.push({
      promise: `${size}: import with blocks and bundle, worst`,
      wanted: `under ${limitMs / 1000} s on two cores`,
      found: `${fixed(importMs / 1000, 2)} s`,
      met: importMs > 0 && importMs < limitMs,
    });
  }
  criteria.push(bundleCriterion(size, { swaps, bundles }));
  const peakMb = peakMbOf(swaps);
  criteria.push({
    promise: `${size}: peak RSS of the import`,
    wanted: `under ${PEAK_LIMIT_MB} MB`,
    found: `${whole(peakMb)} MB`,
    met: peakMb > 0 && peakMb < PEAK_LIMIT_MB,
  });
  return criteria;
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
    promise: `${size}: bundle, made again from the same snapshot`,
    wanted: 'the same bytes',
    found: `${imported} imports of ${snapshots} snapshots, ${different} bundles`,
    met: isMadeAgain && different === snapshots,
  };
}

function visibleMsOf(swap: Swap): number {
  return swap.visibleMs - swap.movedMs;
}

function peakMbOf(swaps: readonly Swap[]): number {
  return Math.max(...swaps.map((swap) => swap.importPeakMb));
}
