/** Renders the results of suites as tables for people and as JSON for programs. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Spread } from './measure/statistics.js';
import type { Machine } from './harness/system.js';

export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  /** Cells in the columns' order; the first column is text, the others are figures. */
  readonly rows: readonly (readonly string[])[];
}

/** One promise of the service, compared with what was measured. */
export interface Criterion {
  readonly promise: string;
  readonly wanted: string;
  readonly found: string;
  readonly met: boolean;
  /** Where a ratio is promised of which more is better: the median. `bench:check` compares it with earlier runs. */
  readonly ratio?: number;
}

export interface SuiteResult {
  readonly suite: string;
  /** The question that the suite asks. */
  readonly question: string;
  readonly tables: readonly Table[];
  readonly criteria: readonly Criterion[];
  /** How the figures are to be read, beyond the columns' names. */
  readonly notes: readonly string[];
  /** Every figure with its unit in its name, for the JSON. */
  readonly figures: unknown;
}

/** A suite's answer, and how much else was going on. */
export interface SuiteRun extends SuiteResult {
  readonly seconds: number;
  /** Cores that processes outside the bench kept busy meanwhile. */
  readonly othersBusy: number;
}

export interface BenchResult {
  readonly machine: Machine;
  readonly options: unknown;
  readonly suites: readonly SuiteRun[];
}

/** Above this, other processes have influenced the figures. */
const OTHERS_BUSY_MAX = 0.1;

/** A suite's answer as text: its question, tables, promises and notes. */
export function renderSuite(result: SuiteRun): string {
  const criteria: Table = {
    title: 'Promises',
    columns: ['promise', 'wanted', 'found', 'met'],
    rows: result.criteria.map(({ promise, wanted, found, met }) => [
      promise,
      wanted,
      found,
      met ? 'yes' : 'NO',
    ]),
  };
  const tables = criteria.rows.length === 0 ? result.tables : [...result.tables, criteria];
  return [
    `== ${result.suite}: ${result.question}`,
    ...tables.map(renderTable),
    [...result.notes, othersNote(result)].map((note) => `  · ${note}`).join('\n'),
    '',
  ].join('\n\n');
}

function othersNote({ othersBusy, seconds }: SuiteRun): string {
  const cores = `Other processes kept ${fixed(othersBusy, 2)} cores busy during these ${whole(seconds)} s`;
  return othersBusy > OTHERS_BUSY_MAX ? `${cores}: THE FIGURES ARE ROUGH.` : `${cores}.`;
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

/** Writes the result as JSON, numbers to three decimals; folders are made. */
export async function writeResult(file: string, result: BenchResult): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(result, toThreeDecimals, 1)}\n`);
}

function toThreeDecimals(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}

/** `12,345`. */
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
