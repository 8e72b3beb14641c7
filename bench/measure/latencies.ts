/** Latencies of requests at a fixed rate as cells of a table. */
import type { IntervalFigures } from '../clients/paced.js';
import { fixed, whole } from '../report.js';
import { spreadOf } from './statistics.js';

export const LATENCY_COLUMNS: readonly string[] = [
  'answers',
  'p50 ms',
  'p99 ms',
  'p99.9 ms',
  'max ms',
  'failed',
];

/** Counts are sums over the rounds, quantiles medians, and the maximum is that of all. */
export function latencyCells(rounds: readonly IntervalFigures[]): readonly string[] {
  const sum = (figure: 'answers' | 'failures'): string =>
    whole(rounds.reduce((total, round) => total + round[figure], 0));
  return [
    sum('answers'),
    ...(['p50Ms', 'p99Ms', 'p999Ms'] as const).map((figure) => fixed(medianOf(rounds, figure), 2)),
    fixed(Math.max(...rounds.map(({ maxMs }) => maxMs)), 1),
    sum('failures'),
  ];
}

export function medianOf(
  rounds: readonly IntervalFigures[],
  figure: 'p50Ms' | 'p99Ms' | 'p999Ms',
): number {
  return spreadOf(rounds.map((round) => round[figure])).median;
}
