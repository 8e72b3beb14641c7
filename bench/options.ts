/** Options of a run of the benches. */
import { InvalidArgumentError } from 'commander';

export const SUITES = ['endpoints', 'filters', 'fresh', 'streams', 'mixed', 'import'] as const;
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
  /** How long one variant is measured in one round; below 1, `import` is shortened as well. Default 1. */
  readonly seconds: number;
  /** `import` uses all of them, the other suites the first. Default `105k`. */
  readonly rows: readonly Size[];
  /** Open connections of a client. Default 64. */
  readonly connections: number;
  /** Requests a second of the suite `mixed`. Default 500. */
  readonly rate: number;
  readonly client: ClientName;
  /** Whether server and client each have a core of their own in closed loops. */
  readonly pinned: boolean;
}

/** Writes a line on stderr about the present step. */
export type Progress = (line: string) => void;

/** Begins each line with the seconds since this call. */
export function createProgress(): Progress {
  const startedAt = Date.now();
  return (line) => {
    const seconds = String(Math.round((Date.now() - startedAt) / 1000)).padStart(4);
    process.stderr.write(`${seconds} s  ${line}\n`);
  };
}

/** Parses the value of a flag. @throws {InvalidArgumentError} for anything but a number above 0. */
export function positive(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('a number above 0 is needed');
  return value;
}
