/** The history as one front process knows it: which snapshots a client may name. */
import { createHash } from 'node:crypto';
import { NO_HISTORY, type History, type HistoryEntry } from '../../snapshot/history/history.js';

export class FrontHistory {
  /** Reports snapshots whose rows cannot be read to the supervisor. */
  readonly onDamaged: (snapshotIds: readonly string[]) => void;
  digest = '';
  #history = NO_HISTORY;

  constructor(onDamaged: FrontHistory['onDamaged']) {
    this.onDamaged = onDamaged;
  }

  /** Replaced by the supervisor at a swap, and when the list changes. */
  get current(): History {
    return this.#history;
  }

  set current(history: History) {
    this.#history = history;
    this.digest = createHash('sha256').update(JSON.stringify(history)).digest('hex').slice(0, 16);
  }

  /** The snapshot of this id, if its rows are stored here. */
  entry(snapshotId: string): HistoryEntry | undefined {
    return this.#history.snapshots.find((entry) => entry.snapshotId === snapshotId);
  }
}
