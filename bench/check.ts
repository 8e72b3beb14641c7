/**
 * `npm run bench:check`: compares the ratios of a result with the baseline's.
 *
 * Ends with 1 where a target is below 0.85 of the baseline, was not measured, or where there is nothing to compare.
 * Ratios are to references in the same run, so results of different machines compare if the snapshots have the same
 * size. Suites that were not run are ignored. On a busy machine there is no verdict, and it ends with 2.
 */
import { Command } from 'commander';
import { readFile, writeFile } from 'node:fs/promises';
import { fixed, othersNote, readResult, renderTable, type BenchResult } from './report.js';

/** The smallest share of the baseline's ratio that passes: two runs of one build differ by less. */
const SHARE_MIN = 0.85;

interface Baseline {
  readonly machine: BenchResult['machine'];
  readonly rows: string;
  /** Medians by suite and target; more is better. */
  readonly ratios: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const flags = new Command('bench:check')
  .description(`Fails where a ratio of a result is below ${SHARE_MIN} of the baseline's.`)
  .option('--result <file>', 'a result of npm run bench', 'bench/results/latest.json')
  .option('--baseline <file>', 'what it is compared with', 'bench/baseline.json')
  .option('--accept', 'makes the result the baseline; suites that were not run keep theirs')
  .parse()
  .opts<{ readonly result: string; readonly baseline: string; readonly accept?: true }>();

const result = await readResult(flags.result);
const current = baselineOf(result);
const before = await readFile(flags.baseline, 'utf8')
  .then((text) => JSON.parse(text) as Baseline)
  .catch(() => undefined);
for (const suite of result.suites.filter(({ isQuiet }) => !isQuiet)) {
  const isCompared = flags.accept === true || before?.ratios[suite.suite] !== undefined;
  if (isCompared) fail(`no verdict: ${suite.suite}: ${othersNote(suite)}`, 2);
}
if (flags.accept === true) await accept(current);
else if (before === undefined) fail(`no baseline in ${flags.baseline}`);
else compare(current, before);

/** Every requested suite has an entry, measured or not. */
function baselineOf({ machine, options, suites }: BenchResult): Baseline {
  const ratios = Object.fromEntries(
    options.suites.map((name): [string, Record<string, number>] => {
      const criteria = suites.find(({ suite }) => suite === name)?.criteria ?? [];
      const own = criteria.flatMap(({ target, ratio }): [string, number][] =>
        ratio === undefined ? [] : [[target, ratio.median]],
      );
      return [name, Object.fromEntries(own)];
    }),
  );
  return { machine, rows: options.rows[0] ?? '', ratios };
}

function compare(is: Baseline, was: Baseline): void {
  if (is.rows !== was.rows)
    fail(`a snapshot of ${is.rows} rows, and the baseline's has ${was.rows}`);
  const compared = Object.entries(was.ratios).flatMap(([suite, targets]) => {
    const own = is.ratios[suite];
    const all = own === undefined ? [] : Object.entries(targets);
    return all.map(([target, before]) => ({
      name: `${suite}: ${target}`,
      before,
      now: own?.[target] ?? Number.NaN,
    }));
  });
  if (compared.length === 0) fail('nothing to compare: no suite of the run is in the baseline');
  const worse = compared.filter(({ before, now }) => !(now >= SHARE_MIN * before));
  if (worse.length > 0) {
    const title = `Below ${SHARE_MIN} of the baseline, or not measured`;
    const rows = worse.map(({ name, before, now }) => [name, fixed(before, 2), fixed(now, 2)]);
    console.log(renderTable({ title, columns: ['ratio', 'baseline', 'now'], rows }));
    fail(`${worse.length} of ${compared.length} ratios`);
  }
  console.log(`${compared.length} ratios, none below ${SHARE_MIN} of the baseline`);
}

async function accept(is: Baseline): Promise<void> {
  const measured = Object.entries(is.ratios).filter(([, own]) => Object.keys(own).length > 0);
  const kept = before?.rows === is.rows ? before.ratios : {};
  const baseline: Baseline = { ...is, ratios: { ...kept, ...Object.fromEntries(measured) } };
  await writeFile(flags.baseline, `${JSON.stringify(baseline, undefined, 2)}\n`);
  console.log(`${flags.baseline}: ${measured.map(([suite]) => suite).join(', ')}`);
}

function fail(why: string, code = 1): never {
  console.error(`bench:check failed: ${why}`);
  process.exit(code);
}
