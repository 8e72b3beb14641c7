/** Options of a run of the benches. */
import { InvalidArgumentError } from 'commander';

/** Suites that any deployment can be asked. */
export const SUITES_BY_URL = ['endpoints', 'filters', 'fresh', 'streams', 'mixed'] as const;
export type SuiteByUrl = (typeof SUITES_BY_URL)[number];

export const SUITES = [...SUITES_BY_URL, 'import', 'crowds'] as const;
export type SuiteName = (typeof SUITES)[number];

export const SIZES = ['105k', '450k', '1050k'] as const;
/** Rows of a snapshot: 105,000; a network of 87 stations with 15 components; a million. */
export type Size = (typeof SIZES)[number];

/** Clients of the closed loops. */
export const CLIENTS = ['autocannon', 'wrk'] as const;
export type ClientName = (typeof CLIENTS)[number];

export interface BenchOptions {
  readonly suites: readonly SuiteName[];
  /** How often everything is measured; medians are reported. */
  readonly rounds: number;
  /** How long one variant is measured in one round; below 1, `import` and `crowds` are shortened as well. Default 1. */
  readonly seconds: number;
  /** `import` uses all of them, the other suites the first. Default `105k`. */
  readonly rows: readonly Size[];
  /** Open connections of a client. Default 64, and 8 with `--url`. */
  readonly connections: number;
  /** Requests a second of the suite `mixed`, and with `--url` of all that is asked at an even rate. Default 500, and 20. */
  readonly rate: number;
  /** With `--url`: whether `endpoints`, `filters` and `fresh` ask as fast as the deployment answers. Default no. */
  readonly closedLoop: boolean;
  readonly client: ClientName;
  /** Addresses that the connections of autocannon state in `X-Forwarded-For`; 0 for none, which is the default. */
  readonly addresses: number;
  /** Whether server and client each have a core of their own in closed loops. */
  readonly pinned: boolean;
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
