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
  /** Folder of the files of past snapshots. */
  readonly folder: string;
  /** Newest first. */
  readonly snapshots: readonly HistoryEntry[];
  /** When what is served last was made the active one: epoch milliseconds, UTC. */
  readonly activatedAtMs: number;
  /** The snapshot before the newest one; undefined for the first. */
  readonly previousId: string | undefined;
}

/** History of an instance that has served nothing. */
export const NO_HISTORY: History = {
  folder: '',
  snapshots: [],
  activatedAtMs: 0,
  previousId: undefined,
};
