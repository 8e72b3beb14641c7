/**
 * `npm run bench:check`: has a ratio become worse than it was?
 *
 * Compares the ratios of a result with those of the baseline, target by target, and ends with 1 where one is below 0.85
 * of what it was, where a suite of the run has not measured a target that the baseline has, or where there was nothing
 * to compare. Ratios are to references in the same run, so another machine's compare too; only the snapshot must be of
 * the same size. Suites that were not run are not looked at. Where other processes kept the machine busy, a line says so:
 * then the run is to be repeated before it is believed, and not to be accepted.
 */
import { Command } from 'commander';
import { readFile, writeFile } from 'node:fs/promises';
import { fixed, OTHERS_BUSY_MAX, readResult, renderTable, type BenchResult } from './report.js';

/** A ratio may be this share of the baseline's: two runs of one build differ by less. */
const SHARE_MIN = 0.85;

interface Baseline {
  readonly machine: BenchResult['machine'];
  readonly rows: string;
  /** Medians by suite and target; more is better. */
  readonly ratios: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

interface Compared {
  readonly name: string;
  readonly was: number;
  /** Undefined where it was not measured. */
  readonly is: number | undefined;
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
for (const { suite, othersBusy } of result.suites) {
  if (othersBusy > OTHERS_BUSY_MAX) {
    console.error(`${suite}: rough, other processes kept ${fixed(othersBusy, 1)} cores busy`);
  }
}
if (flags.accept === true) await accept(current);
else compare(current, JSON.parse(await readFile(flags.baseline, 'utf8')) as Baseline);

/** Every suite that was asked for has an entry, whether it was measured or not. */
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
    if (own === undefined) return [];
    return Object.entries(targets).map(([target, before]): Compared => {
      return { name: `${suite}: ${target}`, was: before, is: own[target] };
    });
  });
  if (compared.length === 0) fail('nothing to compare: no suite of the run is in the baseline');
  const worse = compared.filter((one) => !(one.is !== undefined && one.is >= SHARE_MIN * one.was));
  if (worse.length > 0) {
    console.log(
      renderTable({
        title: `Below ${SHARE_MIN} of the baseline`,
        columns: ['ratio', 'baseline', 'now'],
        rows: worse.map((one) => [one.name, fixed(one.was, 2), textOf(one.is)]),
      }),
    );
    fail(`${worse.length} of ${compared.length} ratios`);
  }
  console.log(`${compared.length} ratios, none below ${SHARE_MIN} of the baseline`);
}

async function accept(is: Baseline): Promise<void> {
  const before = await readFile(flags.baseline, 'utf8')
    .then((text) => JSON.parse(text) as Baseline)
    .catch(() => undefined);
  const measured = Object.entries(is.ratios).filter(([, own]) => Object.keys(own).length > 0);
  const kept = before?.rows === is.rows ? before.ratios : {};
  const baseline: Baseline = { ...is, ratios: { ...kept, ...Object.fromEntries(measured) } };
  await writeFile(flags.baseline, `${JSON.stringify(baseline, undefined, 2)}\n`);
  console.log(`${flags.baseline}: ${measured.map(([suite]) => suite).join(', ')}`);
}

function textOf(ratio: number | undefined): string {
  return ratio === undefined ? 'not measured' : fixed(ratio, 2);
}

function fail(why: string): never {
  console.error(`bench:check failed: ${why}`);
  process.exit(1);
}
