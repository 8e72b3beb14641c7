/** Renders the results of suites as tables for people and as JSON for programs. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { IntervalFigures } from './clients/paced.js';
import type { Machine } from './harness/system.js';
import {
  medianPercentiles,
  PERCENTILES,
  type Percentiles,
  type Spread,
} from './measure/statistics.js';
import type { BenchOptions } from './options.js';

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  /** Cells in the columns' order; the first column is text, the others are figures. */
  readonly rows: readonly (readonly string[])[];
}

/** One target of the service, compared with what was measured. */
export interface Criterion {
  readonly target: string;
  readonly wanted: string;
  readonly found: string;
  readonly met: boolean;
  /** For a target that is a ratio, more being better; `bench:check` compares its median with an earlier run's. */
  readonly ratio?: Spread & { readonly wanted: number };
}

export interface SuiteResult {
  readonly suite: string;
  /** The question that the suite asks. */
  readonly question: string;
  readonly tables: readonly Table[];
  readonly criteria: readonly Criterion[];
  /** How to read the figures, beyond the columns' names. */
  readonly notes: readonly string[];
  /** Every figure with its unit in its name, for the JSON. */
  readonly figures: unknown;
}

/** A suite's answer, and how much else was going on. */
export interface SuiteRun extends SuiteResult {
  readonly seconds: number;
  /** Cores that processes outside the bench kept busy meanwhile. */
  readonly othersBusy: number;
  /** Whether the machine was quiet; otherwise there is no verdict. */
  readonly isQuiet: boolean;
}

export interface BenchResult {
  readonly machine: Machine;
  /** Versions of the commit and of everything that was measured or measured with, by name. */
  readonly versions: Readonly<Record<string, string>>;
  readonly options: BenchOptions;
  readonly suites: readonly SuiteRun[];
}

/** Above this, other processes have influenced the figures. */
const OTHERS_BUSY_MAX = 0.1;

/** @param othersBusy cores that other processes kept busy meanwhile. */
export function suiteRun(result: SuiteResult, seconds: number, othersBusy: number): SuiteRun {
  return { ...result, seconds, othersBusy, isQuiet: othersBusy <= OTHERS_BUSY_MAX };
}

/** A suite's answer as text: its question, tables, targets and notes. */
export function renderSuite(result: SuiteRun): string {
  return [
    `== ${result.suite}: ${result.question}`,
    ...[...result.tables, ...criteriaTable(result)].map(renderTable),
    [...result.notes, othersNote(result)].map((note) => `  · ${note}`).join('\n'),
    '',
  ].join('\n\n');
}

/** The targets as a table, without a verdict where the machine was not quiet; empty without targets. */
export function criteriaTable({ criteria, isQuiet }: SuiteRun): readonly Table[] {
  const rows = criteria.map(({ target, wanted, found, met }) => [
    target,
    wanted,
    found,
    isQuiet ? (met ? 'yes' : 'NO') : '?',
  ]);
  if (rows.length === 0) return [];
  return [{ title: 'Targets', columns: ['target', 'wanted', 'found', 'met'], rows }];
}

export function othersNote({ othersBusy, seconds, isQuiet }: SuiteRun): string {
  const cores = `Other processes kept ${fixed(othersBusy, 2)} cores busy during these ${whole(seconds)} s`;
  return isQuiet ? `${cores}.` : `${cores}: THE FIGURES ARE ROUGH, and there is no verdict.`;
}

/** Columns as wide as their widest cell; figures to the right. */
export function renderTable({ title, columns, rows }: Table): string {
  const widths = columns.map((column, at) =>
    Math.max(column.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, at) => {
        const cell = cells[at] ?? '';
        return at === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [title, line(columns), rule, ...rows.map(line)].join('\n');
}

/** Columns of latencies at an even rate. */
export const LATENCY_COLUMNS: readonly string[] = [
  'answers',
  ...PERCENTILES.map((one) => `p${one} ms`),
  'max ms',
  'failed',
];

/** Counts are sums over the rounds, percentiles medians, and the maximum is that of all. */
export function latencyCells(rounds: readonly IntervalFigures[]): readonly string[] {
  const sum = (figure: 'answers' | 'failures'): string =>
    whole(rounds.reduce((total, round) => total + round[figure], 0));
  return [
    sum('answers'),
    ...percentileCells(medianPercentiles(rounds.map(({ percentiles }) => percentiles))),
    fixed(Math.max(...rounds.map(({ maxMs }) => maxMs)), 1),
    sum('failures'),
  ];
}

/** Percentiles as cells; a dash where there were too few answers. */
export function percentileCells(percentiles: Percentiles): readonly string[] {
  return PERCENTILES.map((one) => fixed(percentiles[one] ?? Number.NaN, 2));
}

/** Writes the result as JSON, numbers to three decimals; folders are made. */
export async function writeResult(file: string, result: BenchResult): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(result, toThreeDecimals, 1)}\n`);
}

/** Reads a result of `writeResult`. */
export async function readResult(file: string): Promise<BenchResult> {
  return JSON.parse(await readFile(file, 'utf8')) as BenchResult;
}

function toThreeDecimals(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}

/** A rounded number, such as `12,345`. */
export function whole(value: number): string {
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en') : '-';
}

/** A number with `digits` decimals. */
export function fixed(value: number, digits: number): string {
  return Number.isFinite(value) ? value.toFixed(digits) : '-';
}

/** A ratio: the median, with the smallest and the largest. */
export function spreadText({ median, min, max }: Spread): string {
  return `${fixed(median, 2)} (${fixed(min, 2)}-${fixed(max, 2)})`;
}
