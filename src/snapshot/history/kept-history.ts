/** Keeps the history of one instance: the snapshots that it has served, over restarts. */
import { SnapshotError } from '../domain/snapshot-error.js';
import { systemClock, type Clock } from '../domain/clock.js';
import { listCopies } from '../local/copies.js';
import type { History } from './history.js';
import {
  historyFolder,
  readPast,
  readPastHead,
  readServedIndex,
  removePast,
  tidyPast,
  writeServedIndex,
  type PastActivation,
} from './past-files.js';
import type { PastHead } from './past-snapshot-file.js';

export interface KeptHistoryOptions {
  /** Directory of this namespace's local copies. */
  readonly directory: string;
  /** Snapshots that stay after they were served. */
  readonly limit: number;
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
  /** The one served last comes first. */
  #served: readonly PastActivation[] = [];
  /** Is about to be served; it is in the history only when somebody serves it. */
  #next: PastActivation | undefined;
  /** Is being imported: its file is written before it is served. */
  #imported: string | undefined;
  /** Whether what an earlier run has served is known: until then nothing is written over it. */
  #isRead = false;
  /** Heads of the stored past snapshots. */
  readonly #heads = new Map<string, PastHead>();
  #writing = Promise.resolve();

  private constructor(options: KeptHistoryOptions) {
    this.#options = options;
    this.#folder = historyFolder(options.directory);
    this.#clock = options.clock ?? systemClock;
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
    const served = this.#withNext().slice(0, this.#options.limit + 1);
    const snapshots = served.flatMap(({ snapshotId, activatedAtMs }) => {
      const head = this.#heads.get(snapshotId);
      return head === undefined ? [] : [{ ...head, activatedAtMs }];
    });
    return {
      folder: this.#folder,
      snapshots: snapshots.sort((a, b) => b.generatedAtMs - a.generatedAtMs),
      activatedAtMs: served[0]?.activatedAtMs ?? this.#clock.wallMs(),
      previousId: served[1]?.snapshotId,
    };
  }

  /** An import of this snapshot begins when this resolves: the file that it writes is not removed as an old one. */
  async importing(snapshotId: string): Promise<void> {
    this.#imported = snapshotId;
    await this.#writing;
  }

  /**
   * The history with this snapshot as the active one; to be followed by `served` or `notServed`.
   *
   * @param at.activatedAtMs epoch milliseconds, UTC, by the pointer.
   */
  async serving(
    snapshotId: string,
    at: { readonly activatedAtMs?: number | undefined },
  ): Promise<History> {
    // Files that could not be read at the start may be readable now.
    if (!this.#isRead) await this.#read().catch(this.#options.onFailure);
    const activatedAtMs =
      at.activatedAtMs ??
      this.#served.find((one) => one.snapshotId === snapshotId)?.activatedAtMs ??
      this.#clock.wallMs();
    this.#next = { snapshotId, activatedAtMs };
    // From here on its file stays; a removal may be under way.
    await this.#writing;
    // Its file may be another one than when it was served before.
    if (this.#imported === snapshotId) this.#heads.delete(snapshotId);
    await this.#readHeads();
    if (!this.#heads.has(snapshotId)) {
      this.#options.onFailure(new Error('its rows are not kept'), snapshotId);
    }
    return this.current;
  }

  /** Somebody serves what was about to be served. */
  served(snapshotId: string): void {
    if (this.#next?.snapshotId !== snapshotId) return;
    this.#served = this.#withNext();
    this.#next = undefined;
    if (this.#imported === snapshotId) this.#imported = undefined;
    this.#save();
  }

  /** No front can serve the snapshot that was about to be activated. */
  notServed(): void {
    this.#next = undefined;
    this.#options.onChange(this.current);
  }

  /** Leaves these out, but for the one served last or next: their operator has removed them. */
  forget(snapshotIds: readonly string[]): void {
    const kept = this.#served.filter(
      ({ snapshotId }, at) =>
        at === 0 || snapshotId === this.#next?.snapshotId || !snapshotIds.includes(snapshotId),
    );
    if (kept.length === this.#served.length) return;
    this.#served = kept;
    this.#save();
    this.#options.onChange(this.current);
  }

  /** A front could not read one of these: those that are damaged are kept no longer. */
  async reverify(snapshotIds: readonly string[]): Promise<void> {
    for (const snapshotId of snapshotIds) {
      try {
        const head = this.#heads.get(snapshotId);
        if (head !== undefined) readPast(this.#folder, head);
      } catch (error) {
        const { onFailure, onChange } = this.#options;
        onFailure(error, snapshotId);
        const isDamaged = error instanceof SnapshotError && error.code === 'history_damaged';
        if (!isDamaged) continue;
        this.#heads.delete(snapshotId);
        await removePast(this.#folder, snapshotId).catch(onFailure);
        onChange(this.current);
      }
    }
  }

  /** Resolves when what is to be written is. */
  async stop(): Promise<void> {
    await this.#writing;
  }

  async #read(): Promise<void> {
    const earlier = await readServedIndex(this.#folder);
    const own = new Set(this.#served.map(({ snapshotId }) => snapshotId));
    this.#served = [...this.#served, ...earlier.filter(({ snapshotId }) => !own.has(snapshotId))];
    this.#isRead = true;
  }

  async #takeUp(): Promise<void> {
    await this.#read();
    const unreadable = await this.#readHeads();
    // An import that was ended after it had made its copy: that is served without another one.
    const copies = await listCopies(this.#options.directory);
    const kept = copies.map(({ snapshotId }) => snapshotId);
    await tidyPast(this.#folder, new Set([...kept, ...unreadable, ...this.#heads.keys()]));
  }

  /** Reads unknown heads. @returns ids that cannot be read for the moment: retried at the next swap. */
  async #readHeads(): Promise<readonly string[]> {
    const unreadable: string[] = [];
    for (const { snapshotId } of this.#withNext()) {
      if (this.#heads.has(snapshotId)) continue;
      try {
        const head = await readPastHead(this.#folder, snapshotId);
        if (head !== undefined) this.#heads.set(snapshotId, head);
      } catch (error) {
        unreadable.push(snapshotId);
        this.#options.onFailure(error, snapshotId);
      }
    }
    return unreadable;
  }

  /** With the one that is about to be served; the two served last stay at the least, since their copies do. */
  #withNext(): readonly PastActivation[] {
    const next = this.#next;
    if (next === undefined) return this.#served;
    const others = this.#served.filter(({ snapshotId }) => snapshotId !== next.snapshotId);
    return [next, ...others].slice(0, Math.max(1, this.#options.limit) + 1);
  }

  /** Writes the index, then removes the files that are in it no more. */
  #save(): void {
    if (!this.#isRead) return;
    const served = this.#served;
    const isKept = (snapshotId: string): boolean =>
      snapshotId === this.#imported ||
      this.#withNext().some((one) => one.snapshotId === snapshotId);
    const old = [...this.#heads.keys()].filter((snapshotId) => !isKept(snapshotId));
    for (const snapshotId of old) this.#heads.delete(snapshotId);
    this.#writing = this.#writing
      .then(async () => {
        await writeServedIndex(this.#folder, served);
        for (const snapshotId of old) {
          // It may have been activated again meanwhile.
          if (!isKept(snapshotId)) await removePast(this.#folder, snapshotId);
        }
      })
      .catch((error: unknown) => {
        this.#options.onFailure(error);
      });
  }
}
