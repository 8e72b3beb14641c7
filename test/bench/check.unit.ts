/** `npm run bench:check`, as a command over results and baselines in files. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { BenchResult } from '../../bench/report.js';
import { benchResult } from './bench-result.js';

const CHECK = fileURLToPath(new URL('../../bench/check.js', import.meta.url));

const WAS = { fresh: { day: 2, month: 10 }, streams: { plain: 1.2 } };
const RESULT = benchResult(WAS);

const FOLDER = t.testdir();
const BASELINE = join(FOLDER, 'baseline.json');

function check(result: BenchResult, ...more: readonly string[]) {
  const file = join(FOLDER, 'result.json');
  writeFileSync(file, JSON.stringify(result));
  const flags = ['--result', file, '--baseline', BASELINE, ...more];
  const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK, ...flags]);
  return { code: status, out: `${stdout.toString()}${stderr.toString()}` };
}

function ratiosAccepted(): unknown {
  return (JSON.parse(readFileSync(BASELINE, 'utf8')) as { readonly ratios: unknown }).ratios;
}

void t.test('a result is accepted as the baseline', async (t) => {
  t.equal(check(RESULT, '--accept').code, 0);
  t.strictSame(ratiosAccepted(), WAS);
});

const CASES: Readonly<Record<string, readonly [BenchResult, code: number, says: RegExp]>> = {
  'passes while every ratio is at least 0.85 of the baseline': [
    benchResult({ fresh: { day: 1.71, month: 12 } }),
    0,
    /2 ratios, none below 0\.85/,
  ],
  'fails below it, and names the rows and no others': [
    benchResult({ fresh: { day: 1.69, month: 12 }, streams: { plain: 1 } }),
    1,
    /^(?!.*month)(?=.*fresh: day +2\.00 +1\.69).*streams: plain +1\.20 +1\.00/s,
  ],
  'fails where a suite that was run has not measured a ratio': [
    { ...RESULT, suites: RESULT.suites.filter(({ suite }) => suite === 'fresh') },
    1,
    /streams: plain +1\.20 +-/,
  ],
  'has nothing to compare where no suite of the baseline was run': [
    benchResult({ filters: { one: 1 } }),
    1,
    /nothing to compare/,
  ],
  'refuses another size of snapshots': [
    { ...RESULT, options: { ...RESULT.options, rows: ['450k'] } },
    1,
    /a snapshot of 450k rows/,
  ],
  'has no verdict where the machine was not quiet': [
    {
      ...RESULT,
      suites: RESULT.suites.map((one) => ({ ...one, isQuiet: false, othersBusy: 0.5 })),
    },
    2,
    /no verdict: fresh: Other processes kept 0\.50 cores busy/,
  ],
};

for (const [name, [is, expected, says]] of Object.entries(CASES)) {
  void t.test(name, async (t) => {
    const { code, out } = check(is);
    t.equal(code, expected, out);
    t.match(out, says);
  });
}

void t.test('accepts the suites that were run, and keeps the others', async (t) => {
  t.equal(check(benchResult({ fresh: { day: 3 } }), '--accept').code, 0);
  t.strictSame(ratiosAccepted(), { fresh: { day: 3 }, streams: { plain: 1.2 } });
});
