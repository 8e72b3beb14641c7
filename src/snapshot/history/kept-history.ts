/** Keeps the history of one instance: what it has served, over restarts, and what clients have had it read from the store. */
import { systemClock, type Clock } from '../domain/clock.js';
import { listCopies } from '../local/copies.js';
import { isWritable } from '../store/open.js';
import type { SnapshotStore } from '../store/store.js';
import { Fetches, type FetchesOptions } from './fetches.js';
import type { History, HistoryEntry, Whereabouts } from './history.js';
import { historyFolder, readPast, readPastHead, removePast, tidyPast } from './past-files.js';
import type { PastHead } from './past-snapshot-file.js';
import { readServedIndex, writeServedIndex, type ServedBefore } from './served-index.js';

/** Snapshots that were read from the store for clients and stay: whoever asks for one asks again. */
const FETCHED_MAX = 16;

/** Stored snapshots that are listed beside those that are kept. */
const STORED_MAX = 1000;

export interface KeptHistoryOptions extends Pick<FetchesOptions, 'fetch'> {
  /** Of the local copies of this namespace. */
  readonly directory: string;
  /** Snapshots that stay after they were served. */
  readonly limit: number;
  readonly store: SnapshotStore;
  /** Called with the new list where it changes without a swap. */
  readonly onChange: (history: History) => void;
  /** Called with what went wrong: history may be lost, and nothing else. */
  readonly onFailure: (error: unknown, snapshotId?: string) => void;
  /** Default: the system's. */
  readonly clock?: Clock;
}

export class KeptHistory {
  readonly #options: KeptHistoryOptions;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #fetches: Fetches;
  /** The one served last comes first. */
  #served: readonly ServedBefore[] = [];
  #fetched: readonly string[] = [];
  /** What the file of each one that is kept says. */
  readonly #heads = new Map<string, PastHead>();
  #stored: readonly string[] = [];
  #writing = Promise.resolve();

  private constructor(options: KeptHistoryOptions) {
    const { directory, store, fetch, clock = systemClock, onFailure } = options;
    this.#options = options;
    this.#folder = historyFolder(directory);
    this.#clock = clock;
    this.#fetches = new Fetches({
      store,
      fetch,
      onFetched: (snapshotId) => this.#onFetched(snapshotId),
      onFailure,
    });
  }

  /** Takes up what an earlier run has left; damaged files are left out. To be called while no import runs. */
  static async open(options: KeptHistoryOptions): Promise<KeptHistory> {
    const history = new KeptHistory(options);
    try {
      await history.#takeUp();
    } catch (error) {
      options.onFailure(error);
    }
    return history;
  }

  get current(): History {
    const stored = new Map(this.#stored.map((snapshotId) => [snapshotId, entryOf(snapshotId)]));
    const fetched = this.#fetched.map((id) => [id, entryOf(id, this.#heads.get(id))] as const);
    const served = this.#served.map(
      ({ snapshotId: id, activatedAtMs }) =>
        [id, { ...entryOf(id, this.#heads.get(id)), activatedAtMs }] as const,
    );
    const all = new Map([...stored, ...fetched, ...served]);
    return {
      folder: this.#folder,
      snapshots: [...all.values()].sort(newestFirst),
      previousId: this.#served[1]?.snapshotId,
    };
  }

  /**
   * The list with the snapshot that is about to be served.
   *
   * @param at.activatedAtMs epoch milliseconds, UTC, by the pointer; undefined where it does not say.
   */
  async serving(
    snapshotId: string,
    at: { readonly activatedAtMs?: number | undefined },
  ): Promise<History> {
    const known = this.#served.find((one) => one.snapshotId === snapshotId);
    const activatedAtMs = at.activatedAtMs ?? known?.activatedAtMs ?? this.#clock.wallMs();
    await this.#readHead(snapshotId);
    if (!this.#heads.has(snapshotId)) {
      this.#options.onFailure(new Error('its rows are not kept'), snapshotId);
    }
    const others = this.#served.filter(
      (one) => one.snapshotId !== snapshotId && this.#heads.has(one.snapshotId),
    );
    this.#served = [{ snapshotId, activatedAtMs }, ...others].slice(0, this.#options.limit + 1);
    this.#fetched = this.#fetched.filter((id) => id !== snapshotId);
    this.#save();
    void this.#list();
    return this.current;
  }

  /** What becomes of a snapshot that is not kept; one that the store has is begun to be read. */
  async locate(snapshotId: string): Promise<Whereabouts> {
    // The front that asks will have the new list in a moment.
    if (this.#heads.has(snapshotId)) return 'fetching';
    const whereabouts = await this.#fetches.locate(snapshotId);
    if (whereabouts === 'gone' && this.#stored.includes(snapshotId)) {
      this.#stored = this.#stored.filter((id) => id !== snapshotId);
      this.#options.onChange(this.current);
    }
    return whereabouts;
  }

  /** A front could not read one of these: those that are damaged are kept no longer. */
  async doubt(snapshotIds: readonly string[]): Promise<void> {
    for (const snapshotId of snapshotIds) {
      try {
        if (this.#heads.has(snapshotId)) readPast(this.#folder, snapshotId);
      } catch (error) {
        this.#options.onFailure(error, snapshotId);
        await this.#forget(snapshotId);
      }
    }
  }

  /** Ends what is being read. */
  async stop(): Promise<void> {
    await this.#fetches.stop();
    await this.#writing;
  }

  async #takeUp(): Promise<void> {
    const { served, fetched } = await readServedIndex(this.#folder);
    const ids = [...served.map(({ snapshotId }) => snapshotId), ...fetched];
    for (const snapshotId of ids) await this.#readHead(snapshotId);
    const isKept = (snapshotId: string): boolean => this.#heads.has(snapshotId);
    // The first one may be served, whether or not its rows are kept.
    this.#served = served.filter(({ snapshotId }, at) => at === 0 || isKept(snapshotId));
    this.#fetched = fetched.filter(isKept);
    // An import that was ended after it had made its copy: that is served without another one.
    const copies = await listCopies(this.#options.directory);
    await tidyPast(this.#folder, new Set([...ids, ...copies.map((copy) => copy.snapshotId)]));
  }

  async #readHead(snapshotId: string): Promise<void> {
    const head = await readPastHead(this.#folder, snapshotId);
    if (head === undefined) this.#heads.delete(snapshotId);
    else this.#heads.set(snapshotId, head);
  }

  async #onFetched(snapshotId: string): Promise<void> {
    await this.#readHead(snapshotId);
    const isServed = this.#served.some((one) => one.snapshotId === snapshotId);
    if (!isServed) {
      const others = this.#fetched.filter((id) => id !== snapshotId);
      this.#fetched = [snapshotId, ...others].slice(0, FETCHED_MAX);
    }
    this.#save();
    this.#options.onChange(this.current);
  }

  async #forget(snapshotId: string): Promise<void> {
    this.#heads.delete(snapshotId);
    this.#served = this.#served.filter((one, at) => at === 0 || one.snapshotId !== snapshotId);
    this.#fetched = this.#fetched.filter((id) => id !== snapshotId);
    await removePast(this.#folder, snapshotId).catch(this.#options.onFailure);
    this.#save();
    this.#options.onChange(this.current);
  }

  /** Writes the index, then removes the files that are in it no more. */
  #save(): void {
    const index = { served: this.#served, fetched: this.#fetched };
    const keep = new Set([...index.served.map(({ snapshotId }) => snapshotId), ...index.fetched]);
    const old = [...this.#heads.keys()].filter((snapshotId) => !keep.has(snapshotId));
    for (const snapshotId of old) this.#heads.delete(snapshotId);
    this.#writing = this.#writing
      .then(async () => {
        await writeServedIndex(this.#folder, index);
        for (const snapshotId of old) await removePast(this.#folder, snapshotId);
      })
      .catch((error: unknown) => {
        this.#options.onFailure(error);
      });
  }

  /** What the store holds, where it can say. */
  async #list(): Promise<void> {
    const { store, onChange } = this.#options;
    if (!isWritable(store)) return;
    try {
      const stored = (await store.list()).slice(0, STORED_MAX);
      const ids = stored.map(({ snapshotId }) => snapshotId);
      if (ids.join() === this.#stored.join()) return;
      this.#stored = ids;
      onChange(this.current);
    } catch {
      // The store's state is the follower's matter; the list stays as it is.
    }
  }
}

function entryOf(snapshotId: string, head?: PastHead): HistoryEntry {
  return {
    snapshotId,
    generatedAtMs: head?.generatedAtMs,
    activatedAtMs: undefined,
    measurementRows: head?.measurementRows,
    isKept: head !== undefined,
  };
}

/** Those that nobody has read yet stay in the order of the store, after all others. */
function newestFirst(a: HistoryEntry, b: HistoryEntry): number {
  return timeOf(b) - timeOf(a) || 0;
}

function timeOf({ generatedAtMs, activatedAtMs }: HistoryEntry): number {
  return generatedAtMs ?? activatedAtMs ?? Number.MIN_SAFE_INTEGER;
}
