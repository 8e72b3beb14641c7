/** The charts of a suite: its ratios beside their targets, and its latencies. */
import { fixed, spreadText, type Criterion, type SuiteResult } from '../report.js';
import { barChart, rangeChart, type Bar } from './svg.js';

export interface Chart {
  /** The name of its file, without a folder. */
  readonly file: string;
  /** In place of the picture. */
  readonly text: string;
  readonly svg: string;
}

export function chartsOf({ suite, criteria, latencies = [] }: SuiteResult): readonly Chart[] {
  const charts: Chart[] = [];
  const bars = criteria.flatMap((criterion) => barsOf(criterion));
  if (bars.length > 0) {
    const text = `${suite}: ratios, as shares of their targets`;
    const axis = 'found / target; right of the line the target is met';
    charts.push({ file: `${suite}-ratios.svg`, text, svg: barChart(text, axis, bars) });
  }
  if (latencies.length > 0) {
    const text = `${suite}: latencies`;
    const ranges = latencies.map(({ name, p50Ms, p99Ms }) => {
      const value = `${fixed(p50Ms, 2)} to ${fixed(p99Ms, 2)} ms`;
      return { label: name, value, from: p50Ms, to: p99Ms };
    });
    const axis = 'from p50 to p99, ms, logarithmic';
    charts.push({ file: `${suite}-latencies.svg`, text, svg: rangeChart(text, axis, ranges) });
  }
  return charts;
}

function barsOf({ target, ratio, met }: Criterion): readonly Bar[] {
  if (ratio === undefined) return [];
  const { median, min, max, wanted } = ratio;
  return [
    {
      label: target,
      value: `${spreadText(ratio)}, at least ${wanted}`,
      length: median / wanted,
      from: min / wanted,
      to: max / wanted,
      isGood: met,
    },
  ];
}
