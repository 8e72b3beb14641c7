/** A small result of `npm run bench`. */
import type { BenchResult } from '../../bench/report.js';
import type { SuiteName } from '../../bench/options.js';

/** A result with these targets in its suites: each value is the median of the target's ratio. */
export function benchResult(
  ratios: Readonly<Partial<Record<SuiteName, Readonly<Record<string, number>>>>>,
): BenchResult {
  const names = Object.keys(ratios) as SuiteName[];
  return {
    machine: {
      cpu: 'Some processor',
      cores: 2,
      memoryGb: 4,
      kernel: '6.1',
      node: 'v20.19.0',
      loadAverage: 0,
      date: '2026-09-10T00:00:00.000Z',
    },
    options: {
      suites: names,
      rounds: 3,
      seconds: 1,
      rows: ['105k'],
      connections: 64,
      rate: 500,
      client: 'autocannon',
      pinned: true,
    },
    versions: { commit: 'abc' },
    suites: names.map((suite) => ({
      suite,
      question: `what of ${suite}?`,
      tables: [
        {
          title: 'Figures',
          columns: ['request', 'requests/s', 'p99 ms'],
          rows: [['a|b', '1', '-']],
        },
      ],
      criteria: [
        ...Object.entries(ratios[suite] ?? {}).map(([target, median]) => ({
          target,
          wanted: 'at least 1',
          found: String(median),
          met: median >= 1,
          ratio: { median, min: median / 2, max: median * 2, wanted: 1 },
        })),
        { target: 'memory', wanted: 'at most 100 MB', found: '120 MB', met: false },
      ],
      notes: ['A note.'],
      figures: {},
      seconds: 10,
      othersBusy: 0,
      isQuiet: true,
    })),
  };
}
