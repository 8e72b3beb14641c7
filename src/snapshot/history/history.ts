/** Types of the history: the snapshots that requests may name. */
import type { DocumentName } from '../domain/snapshot-id.js';

/** A past snapshot without its lists and rows. */
export interface PastHead extends DocumentName {
  /** Epoch milliseconds, UTC. */
  readonly generatedAtMs: number;
  readonly measurementRows: number;
}

/** The active snapshot or a past one, with stored rows. */
export interface HistoryEntry extends PastHead {
  /** Last activation: epoch milliseconds, UTC. */
  readonly activatedAtMs: number;
}

export interface History {
  readonly folder: string;
  /** The latest `generatedAtMs` first. */
  readonly snapshots: readonly HistoryEntry[];
  /** Activation of the active snapshot: epoch milliseconds, UTC. */
  readonly activatedAtMs: number;
  /** The snapshot that was active before; undefined for the first one. */
  readonly previousId: string | undefined;
}

export const NO_HISTORY: History = {
  folder: '',
  snapshots: [],
  activatedAtMs: 0,
  previousId: undefined,
};
