/** Options of a run of the benches; the defaults take about twenty minutes. */
import { InvalidArgumentError } from 'commander';

export const SUITES = [
  'endpoints',
  'filters',
  'fresh',
  'streams',
  'mixed',
  'import',
  'events',
  'faults',
] as const;
export type SuiteName = (typeof SUITES)[number];

/** Suites that any deployment can be asked: they start nothing, and change nothing. */
export const SUITES_BY_URL = ['endpoints', 'filters', 'fresh', 'streams', 'mixed'] as const;
export type SuiteByUrl = (typeof SUITES_BY_URL)[number];

/** Parts of the suite `faults`. */
export const FAULTS = ['events', 'attacks', 'crowds'] as const;
export type Fault = (typeof FAULTS)[number];

export const SIZES = ['105k', '450k', '1050k'] as const;
/** Rows of a snapshot: 105,000; a network of 87 stations with 15 components; a million. */
export type Size = (typeof SIZES)[number];

export interface BenchOptions {
  readonly suites: readonly SuiteName[];
  /** How often everything is measured; medians are reported. Default 2. */
  readonly rounds: number;
  /** How long one variant is measured in one round; below 1, `faults` is shortened as well. Default 1. */
  readonly seconds: number;
  /** `import` uses all of them, the other suites the first. Default `105k`. */
  readonly rows: readonly Size[];
  /** Open connections of the clients. Default 64. */
  readonly connections: number;
  /** Requests a second of the suite `mixed`, and with `--url` of every suite but `streams`. Default 500, and 20 with `--url`. */
  readonly rate: number;
  /** Parts of the suite `faults`. Default all. */
  readonly faults: readonly Fault[];
  /** How many swaps the suite `events` makes. Default 12. */
  readonly swaps: number;
  /** Whether server and client each have a core of their own in closed-loop suites. */
  readonly pinned: boolean;
  /** Whether wrk is used as a client too, where it is installed. */
  readonly wrk: boolean;
}

/** Writes a line on stderr about what is being done now. */
export type Progress = (line: string) => void;

/** Begins each line with the seconds since this call. */
export function createProgress(): Progress {
  const startedAt = Date.now();
  return (line) => {
    const seconds = String(Math.round((Date.now() - startedAt) / 1000)).padStart(4);
    process.stderr.write(`${seconds} s  ${line}\n`);
  };
}

/** Parses the value of a flag. @throws {InvalidArgumentError} for what is no number above 0. */
export function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('a number above 0 is needed');
  return value;
}
