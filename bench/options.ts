/** What a run of the benches can be told; the defaults take under ten minutes. */
export const SUITES = ['endpoints', 'scale', 'import', 'swap'] as const;
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
  /** The first is the snapshot of `endpoints` and `swap`, all are those that `import` goes through. Default `105k`. */
  readonly rows: readonly Size[];
  /** Open connections of the clients. Default 64. */
  readonly connections: number;
  /** Processes that autocannon runs in. Default: one for every core but the server's. */
  readonly clients: number;
  /** Of the suite `swap`. Default 20. */
  readonly swaps: number;
  /** Whether server and client each have a core of their own in `endpoints` and `scale`. */
  readonly pinned: boolean;
  /** Whether wrk drives too, when it is there. */
  readonly wrk: boolean;
}

/** A line on stderr: what is being done now. */
export type Tell = (line: string) => void;
