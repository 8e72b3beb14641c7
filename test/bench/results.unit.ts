/** Results of `npm run bench` as files: `bench:check` compares them, `bench:report` makes a page with a picture. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import type { SuiteName } from '../../bench/options.js';
import type { BenchResult } from '../../bench/report.js';
import { parseXml, textIn } from '../support/readers/xml.js';

type Ratios = Partial<Record<SuiteName, Readonly<Record<string, number>>>>;

const MACHINE = { cpu: 'Some processor', cores: 2, memoryGb: 4, kernel: '6.1', node: 'v20.19.0' };
const LOAD = { rounds: 3, seconds: 1, connections: 64, rate: 500, pinned: true };
const RUN = { notes: ['A note.'], figures: {}, seconds: 10, othersBusy: 0, isQuiet: true };
const MEMORY = { target: 'memory', wanted: 'at most 100 MB', found: '120 MB', met: false };
const ROWS = { columns: ['request', 'requests/s', 'p99 ms'], rows: [['a|b', '1', '-']] };

/** A result with these targets in its suites: each value is the median of the target's ratio. */
function benchResult(ratios: Ratios): BenchResult {
  const names = Object.keys(ratios) as SuiteName[];
  return {
    machine: { ...MACHINE, loadAverage: 0, date: '2026-09-10T00:00:00.000Z' },
    options: { ...LOAD, suites: names, rows: ['105k'], client: 'autocannon' },
    versions: { commit: 'abc' },
    suites: names.map((suite) => ({
      ...RUN,
      suite,
      question: `what of ${suite}?`,
      tables: [{ title: 'Figures', ...ROWS }],
      criteria: [
        ...Object.entries(ratios[suite] ?? {}).map(([target, median]) => ({
          target,
          wanted: 'at least 1',
          found: String(median),
          met: median >= 1,
          ratio: { median, min: median / 2, max: median * 2, wanted: 1 },
        })),
        MEMORY,
      ],
    })),
  };
}

/** The result of a machine that is not quiet. */
function loud(result: BenchResult): BenchResult {
  const noise = { isQuiet: false, othersBusy: 0.5 };
  return { ...result, suites: result.suites.map((suite) => ({ ...suite, ...noise })) };
}

const FOLDER = t.testdir();
const RESULT = join(FOLDER, 'result.json');
const BASELINE = join(FOLDER, 'baseline.json');

function run(name: 'check' | 'publish', result: BenchResult, ...flags: readonly string[]) {
  writeFileSync(RESULT, JSON.stringify(result));
  const program = fileURLToPath(new URL(`../../bench/${name}.js`, import.meta.url));
  const parameters = [program, '--result', RESULT, ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters);
  return { code: status, out: `${stdout.toString()}${stderr.toString()}` };
}

function check(result: BenchResult, ...flags: readonly string[]) {
  return run('check', result, '--baseline', BASELINE, ...flags);
}

function ratiosAccepted(): unknown {
  return (JSON.parse(readFileSync(BASELINE, 'utf8')) as { readonly ratios: unknown }).ratios;
}

const WAS = { fresh: { day: 2, month: 10 }, streams: { plain: 1.2 } };
const FIRST = benchResult(WAS);

void t.test('a result is accepted as the baseline', async (t) => {
  t.equal(check(FIRST, '--accept').code, 0);
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
    { ...FIRST, suites: FIRST.suites.filter(({ suite }) => suite === 'fresh') },
    1,
    /streams: plain +1\.20 +-/,
  ],
  'has nothing to compare where no suite of the baseline was run': [
    benchResult({ filters: { one: 1 } }),
    1,
    /nothing to compare/,
  ],
  'refuses another size of snapshots': [
    { ...FIRST, options: { ...FIRST.options, rows: ['450k'] } },
    1,
    /a snapshot of 450k rows/,
  ],
  'has no verdict where the machine was not quiet': [
    loud(FIRST),
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

void t.test('a page shows figures, targets and the commit, a picture the ratios', async (t) => {
  const result = benchResult({ fresh: { 'a day & <more>': 1.5, '30 days': 0.25 } });
  const publish = (one: BenchResult) => {
    const out = join(FOLDER, 'out');
    t.equal(run('publish', one, '--out', out).code, 0);
    return ['report.md', 'report.svg'].map((name) => readFileSync(join(out, name), 'utf8'));
  };
  const [page = '', picture = ''] = publish(result);
  t.match(page, /\| memory +\| +at most 100 MB \| +120 MB \| +NO \|/);
  for (const part of ['a\\|b', 'commit abc', '](report.svg)']) t.match(page, part);
  const texts = textIn(parseXml(Buffer.from(picture)));
  for (const part of ['a day & <more>', '1.50 of 1']) t.match(texts, part);
  const bars = [...picture.matchAll(/<path class="(\w+)" d="M[^h]*h([\d.]+)v/g)];
  const [day = 0, month = 0] = bars.map(([, , width]) => Number(width));
  t.equal(bars.map(([, kind]) => kind).join(), 'good,bad');
  t.ok(Math.abs(day / month - 6) < 0.1, `${day} and ${month}`);
  const [noVerdict = '', plain = ''] = publish(loud(result));
  t.match(noVerdict, /\| memory +\| +at most 100 MB \| +120 MB \| +\? \|/);
  t.notMatch(plain, /class="(?:good|bad)"/);
});
