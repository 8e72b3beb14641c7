/** A soak's result as a table for people. */
import { fixed, renderTable, whole, type Table } from '../report.js';
import { spreadOf } from '../measure/statistics.js';
import type { Slope } from '../measure/regression.js';
import type { SoakResult } from './session.js';

/** Whether every answer was right; refusals are counted apart, since a limit may be met. */
export function isClean({ counts }: SoakResult): boolean {
  return counts.failed.count === 0 && counts.wrong.count === 0 && counts.answers > 0;
}

/** The tables, and the first wrong and failed answers. */
export function renderSoak(result: SoakResult): string {
  const { wrong, failed } = result.counts;
  return [
    ...[totals(result), times(result)].map(renderTable),
    ...wrong.first.map((what) => `  · wrong: ${what}`),
    ...failed.first.map((what) => `  · failed: ${what}`),
  ].join('\n\n');
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
