/** The snapshots that clients may name: types that every room uses. */

/** One snapshot; what nobody has read yet is undefined. */
export interface HistoryEntry {
  readonly snapshotId: string;
  /** Epoch milliseconds, UTC. */
  readonly generatedAtMs: number | undefined;
  /** When it was made the active one last: epoch milliseconds, UTC. */
  readonly activatedAtMs: number | undefined;
  /** The document's own count. */
  readonly measurementRows: number | undefined;
  /** Whether its rows are kept here; otherwise the store may have them. */
  readonly isKept: boolean;
}

export interface History {
  /** Of the files of those that are kept. */
  readonly folder: string;
  /** Newest first. */
  readonly snapshots: readonly HistoryEntry[];
  /** The snapshot that was served before the one that is served last; undefined where there was none. */
  readonly previousId: string | undefined;
}

/**
 * What becomes of a snapshot that is not kept here.
 *
 * - `fetching`: it is being read from the store, or will be when others have been.
 * - `gone`: the store has none of that name either, or none that can be read.
 * - `busy`: too many wait already.
 * - `unreachable`: the store does not answer.
 */
export type Whereabouts = 'fetching' | 'gone' | 'busy' | 'unreachable';
