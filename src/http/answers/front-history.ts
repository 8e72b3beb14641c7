/** The history as one front process knows it: which snapshots a client may name, and where those are that are not kept. */
import { createHash } from 'node:crypto';
import type { History, HistoryEntry, Whereabouts } from '../../snapshot/history/history.js';

/** Snapshots that the supervisor is asked about at a time: it looks into the store for each. */
const ASKED_MAX = 16;

/** A supervisor that does not answer is one that hangs, or waits for a store that does. */
const ANSWER_MS = 8000;

/** What the front has its supervisor do. */
export interface HistorySource {
  /** Is answered by `onWhereabouts`. */
  readonly locate: (snapshotId: string) => void;
  /** The rows of one of these could not be read. */
  readonly doubt: (snapshotIds: readonly string[]) => void;
}

interface Asked {
  readonly whereabouts: Promise<Whereabouts>;
  readonly settle: (whereabouts: Whereabouts) => void;
}

export class FrontHistory {
  readonly #source: HistorySource;
  readonly #asked = new Map<string, Asked>();
  #history: History = { folder: '', snapshots: [], previousId: undefined };
  #byId: ReadonlyMap<string, HistoryEntry> = new Map();
  #digest = '';

  constructor(source: HistorySource) {
    this.#source = source;
  }

  /** Replaced by the supervisor: at a swap, and where the list changes without one. */
  get current(): History {
    return this.#history;
  }

  set current(history: History) {
    this.#history = history;
    this.#byId = new Map(history.snapshots.map((entry) => [entry.snapshotId, entry]));
    this.#digest = createHash('sha256').update(JSON.stringify(history)).digest('hex').slice(0, 16);
  }

  /** Changes with the list. */
  get digest(): string {
    return this.#digest;
  }

  isKept(snapshotId: string): boolean {
    return this.#byId.get(snapshotId)?.isKept === true;
  }

  /** Where a snapshot is that is not kept: one question for all clients that ask for it at once. */
  async locate(snapshotId: string): Promise<Whereabouts> {
    const asked = this.#asked.get(snapshotId);
    if (asked !== undefined) return await asked.whereabouts;
    if (this.#asked.size >= ASKED_MAX) return 'busy';
    return await this.#ask(snapshotId).whereabouts;
  }

  onWhereabouts(snapshotId: string, whereabouts: Whereabouts): void {
    this.#asked.get(snapshotId)?.settle(whereabouts);
  }

  doubt(snapshotIds: readonly string[]): void {
    this.#source.doubt(snapshotIds);
  }

  #ask(snapshotId: string): Asked {
    let settle: Asked['settle'] = () => undefined;
    const whereabouts = new Promise<Whereabouts>((resolve) => {
      settle = (answer) => {
        clearTimeout(timer);
        this.#asked.delete(snapshotId);
        resolve(answer);
      };
    });
    const timer = setTimeout(settle, ANSWER_MS, 'unreachable' satisfies Whereabouts);
    const asked = { whereabouts, settle };
    this.#asked.set(snapshotId, asked);
    this.#source.locate(snapshotId);
    return asked;
  }
}
