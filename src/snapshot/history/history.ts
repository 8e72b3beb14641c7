/** The snapshots that clients may name, as every room knows them. */
import type { DocumentName } from '../domain/snapshot-id.js';

/** One snapshot that was served here and whose rows are kept. */
export interface HistoryEntry extends DocumentName {
  /** Epoch milliseconds, UTC. */
  readonly generatedAtMs: number;
  /** When it was made the active one last: epoch milliseconds, UTC. */
  readonly activatedAtMs: number;
  /** The document's own count. */
  readonly measurementRows: number;
}

export interface History {
  /** Of their files. */
  readonly folder: string;
  /** Newest first. */
  readonly snapshots: readonly HistoryEntry[];
  /** When what is served last was made the active one: epoch milliseconds, UTC. */
  readonly activatedAtMs: number;
  /** The snapshot that was served before the one that is served last; undefined where there was none. */
  readonly previousId: string | undefined;
}

/** Of an instance that has served nothing. */
export const NO_HISTORY: History = {
  folder: '',
  snapshots: [],
  activatedAtMs: 0,
  previousId: undefined,
};
