/** The snapshots that clients may name; types for all modules. */
import type { DocumentName } from '../domain/snapshot-id.js';

/** A past snapshot with stored rows. */
export interface HistoryEntry extends DocumentName {
  /** Epoch milliseconds, UTC. */
  readonly generatedAtMs: number;
  /** Last activation: epoch milliseconds, UTC. */
  readonly activatedAtMs: number;
  readonly measurementRows: number;
}

export interface History {
  readonly folder: string;
  /** Newest first. */
  readonly snapshots: readonly HistoryEntry[];
  /** Activation of the active snapshot: epoch milliseconds, UTC. */
  readonly activatedAtMs: number;
  /** The snapshot before; undefined for the first. */
  readonly previousId: string | undefined;
}

export const NO_HISTORY: History = {
  folder: '',
  snapshots: [],
  activatedAtMs: 0,
  previousId: undefined,
};
