/** A soak's result as a table for people. */
import { fixed, renderTable, whole, type Table } from '../report.js';
import { spreadOf } from '../measure/statistics.js';
import type { Slope } from '../measure/regression.js';
import type { ChaosResult } from './chaos.js';
import type { SoakCounts } from './client.js';
import type { SoakResult } from './session.js';

/** Whether every answer was right; refusals are counted apart, since a limit may be met. */
export function isClean({ counts }: SoakResult): boolean {
  return counts.failed.count === 0 && counts.wrong.count === 0 && counts.answers > 0;
}

/** The tables, and the first wrong and failed answers. */
export function renderSoak(result: SoakResult): string {
  return [...[totals(result), times(result)].map(renderTable), ...firstFaults(result.counts)].join(
    '\n\n',
  );
}

/** The tables of a chaos run, what did not hold, and the first wrong and failed answers. */
export function renderChaos(result: ChaosResult): string {
  const { counts, byFault, newestAfterMs, broken } = result;
  const faults: Table = {
    title: 'Faults, and the longest time without a 200 of /meta while each was there',
    columns: ['', 'made', 'nothing to break', 'away, ms'],
    rows: Object.entries(byFault).map(([name, { made, idle, longestAwayMs }]) => [
      name,
      ...[made, idle, longestAwayMs].map(whole),
    ]),
  };
  const answers: Table = {
    title: 'Answers',
    columns: ['', 'found'],
    rows: [
      ['checked', `${whole(counts.answers)}, ${whole(counts.computed)} by the oracle`],
      ['wrong', whole(counts.wrong.count)],
      ['failed', whole(counts.failed.count)],
      ['503', whole(counts.refusedAtRestart)],
      ['500, lost with a thread', whole(counts.lost)],
      ['connections refused, broken off', `${counts.portClosed}, ${counts.droppedAtRestart}`],
      ['snapshots that followed each other', whole(counts.swaps)],
      ['pointer moved, refused', `${result.moves}, ${result.refusedMoves}`],
      ['snapshots removed', whole(result.removed)],
      ['newest in all answers at the end', newestAfterMs ? `${whole(newestAfterMs)} ms` : 'never'],
      ['longest pause of the client itself', `${whole(counts.ownPauseMs)} ms`],
    ],
  };
  return [
    ...[answers, faults].map(renderTable),
    ...broken.map((what) => `  · broken: ${what}`),
    ...firstFaults(counts),
    summaryOf(result),
  ].join('\n\n');
}

/** What has to hold, in a line. */
function summaryOf({ counts, byFault, newestAfterMs, broken }: ChaosResult): string {
  const faults = Object.values(byFault);
  const made = faults.reduce((sum, fault) => sum + fault.made, 0);
  const awayMs = Math.max(...faults.map(({ longestAwayMs }) => longestAwayMs));
  const newest = newestAfterMs === undefined ? 'never' : `after ${whole(newestAfterMs)} ms`;
  return (
    `${broken.length === 0 ? 'good' : 'broken'}: ${made} faults, ${whole(counts.answers)} answers, ` +
    `${whole(counts.wrong.count)} wrong, ${whole(counts.failed.count)} failed, ` +
    `away for ${whole(awayMs)} ms at most, the newest snapshot ${newest}`
  );
}

function firstFaults({ wrong, failed }: SoakCounts): readonly string[] {
  return [
    ...wrong.first.map((what) => `  · wrong: ${what}`),
    ...failed.first.map((what) => `  · failed: ${what}`),
  ];
}

function totals(result: SoakResult): Table {
  const { counts, swaps } = result;
  const { answers, seconds, byKind } = counts;
  const share = (count: number): string => `${fixed((100 * count) / answers, 1)} %`;
  const visibleMs = spreadOf(swaps.map(({ movedMs, visibleMs: atMs }) => atMs - movedMs));
  const imports = swaps.filter(({ importMs }) => importMs > 0).length;
  const kinds = `${share(byKind.hot)}, ${share(byKind.filter)}, ${share(byKind.stream)}, ${share(byKind.export)}`;
  return {
    title: 'Answers',
    columns: ['', 'found'],
    rows: [
      ['checked', `${whole(answers)} (${whole(answers / seconds)} a second)`],
      ['of them hot, filters, whole datasets, exports and pages', kinds],
      ['not modified (304)', whole(counts.notModified)],
      ['bodies', `${fixed(counts.bodyBytes / 1e9, 2)} GB, ${whole(counts.computed)} by the oracle`],
      ['wrong', whole(counts.wrong.count)],
      ['failed', whole(counts.failed.count)],
      ['refused (503 with Retry-After)', whole(counts.refused)],
      ['refused by a stopping or starting service', whole(counts.refusedAtRestart)],
      ['connections refused while the port was closed', whole(counts.portClosed)],
      ['requests dropped unread by a stopping service', whole(counts.droppedAtRestart)],
      ['swaps made, seen', `${swaps.length}, ${counts.swaps}`],
      ['swaps with an import, snapshots published', `${imports}, ${result.published}`],
      ['restarts', whole(result.restarts)],
      [
        'pointer to first answer: median, longest',
        `${whole(visibleMs.median)} ms, ${whole(visibleMs.max)} ms`,
      ],
      ['anonymous memory, slope', slopeText(result.memorySlope, 'MB/h')],
      ['open descriptors, slope', slopeText(result.descriptorSlope, '/h')],
      [
        'CPU time of client and oracle',
        `${fixed((1000 * counts.cpuSeconds) / answers, 2)} ms an answer`,
      ],
      ['longest pause of the client itself', `${whole(counts.ownPauseMs)} ms`],
    ],
  };
}

function times({ counts }: SoakResult): Table {
  const { longestGapMs, latencyMs } = counts;
  return {
    title: 'Within a second of each event (a closed loop: latencies are those of a busy service)',
    columns: ['', 'longest gap ms', 'p50 ms', 'p99 ms', 'p99.9 ms'],
    rows: (['quiet', 'swap', 'restart'] as const).map((phase) => [
      phase,
      fixed(longestGapMs[phase], 1),
      ...[latencyMs[phase].p50, latencyMs[phase].p99, latencyMs[phase].p999].map((ms) =>
        fixed(ms, 2),
      ),
    ]),
  };
}

function slopeText(slope: Slope | undefined, unit: string): string {
  if (slope === undefined) return 'too few samples';
  const { perHour, low, high, samples } = slope;
  return `${fixed(perHour, 2)} ${unit} (95 %: ${fixed(low, 2)} to ${fixed(high, 2)}; ${samples} samples)`;
}
