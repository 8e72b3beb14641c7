/** What a run of the benches can be told; the defaults take about a quarter of an hour. */
export const SUITES = [
  'endpoints',
  'filters',
  'streams',
  'first-byte',
  'readers',
  'portal',
  'scale',
  'import',
  'swap',
] as const;
export type SuiteName = (typeof SUITES)[number];

export const SIZES = ['105k', '450k', '1050k'] as const;
/** Rows of a snapshot: the seed's, a network of 87 stations with 15 components, ten times the seed's. */
export type Size = (typeof SIZES)[number];

export interface BenchOptions {
  readonly suites: readonly SuiteName[];
  /** Times that everything is measured; medians are reported. Default 2. */
  readonly rounds: number;
  /** Of measuring, for one variant in one round. Default 1. */
  readonly seconds: number;
  /** All are those that `import` goes through, the first is that of the other suites but `scale`. Default `105k`. */
  readonly rows: readonly Size[];
  /** Open connections of the clients. Default 64. */
  readonly connections: number;
  /** Processes that autocannon runs in. Default: one for every core but the server's. */
  readonly clients: number;
  /** Of the suite `swap`. Default 12. */
  readonly swaps: number;
  /** Whether server and client each have a core of their own where one is measured as fast as it goes. */
  readonly pinned: boolean;
  /** Whether `import` also measures what clients notice of imports. Default yes. */
  readonly pressure: boolean;
  /** Whether wrk drives too, when it is there. */
  readonly wrk: boolean;
}

/** A line on stderr: what is being done now. */
export type Tell = (line: string) => void;
