/** Keeps the history of one instance over restarts: the snapshots that were active. */
import { SnapshotError } from '../domain/snapshot-error.js';
import { systemClock, type Clock } from '../domain/clock.js';
import { listCopies } from '../local/copies.js';
import type { History, PastHead } from './history.js';
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

export interface KeptHistoryOptions {
  readonly directory: string;
  /** Number of past snapshots that stay. */
  readonly limit: number;
  /** Called when the history changes without a swap. */
  readonly onChange: (history: History) => void;
  /** Called with failures, which affect only the history. */
  readonly onFailure: (error: unknown, snapshotId?: string) => void;
  readonly clock?: Clock;
}

export class KeptHistory {
  readonly #options: KeptHistoryOptions;
  readonly #folder: string;
  readonly #clock: Clock;
  /** Snapshots that were active, last activated first. */
  #served: readonly PastActivation[] = [];
  /** The snapshot that is being activated. */
  #next: PastActivation | undefined;
  /** The snapshot of the last import until its activation: its file must stay. */
  #imported: string | undefined;
  /** Whether the index of the earlier run was read: until then it is not overwritten. */
  #isRead = false;
  readonly #heads = new Map<string, PastHead>();
  #writing = Promise.resolve();

  private constructor(options: KeptHistoryOptions) {
    this.#options = options;
    this.#folder = historyFolder(options.directory);
    this.#clock = options.clock ?? systemClock;
  }

  /** Resumes the history of an earlier run, and removes damaged and unlisted files; called while no import runs. */
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

  /** Keeps the file of this snapshot from now on. Resolves when no removal is pending, so its import may begin. */
  async importing(snapshotId: string): Promise<void> {
    this.#imported = snapshotId;
    await this.#writing;
  }

  /**
   * The history with this snapshot as the active one. The caller then calls `served` or `notServed`.
   *
   * @param at.activatedAtMs activation time of the pointer: epoch milliseconds, UTC.
   */
  async serving(
    snapshotId: string,
    at: { readonly activatedAtMs?: number | undefined },
  ): Promise<History> {
    // The index may have been unreadable at the start.
    if (!this.#isRead) await this.#read().catch(this.#options.onFailure);
    const activatedAtMs =
      at.activatedAtMs ??
      this.#served.find((one) => one.snapshotId === snapshotId)?.activatedAtMs ??
      this.#clock.wallMs();
    this.#next = { snapshotId, activatedAtMs };
    // No later removal affects its file; an earlier one may still be running.
    await this.#writing;
    // The import may have replaced the file, whose cached head is then outdated.
    if (this.#imported === snapshotId) this.#heads.delete(snapshotId);
    await this.#readHeads();
    if (!this.#heads.has(snapshotId)) {
      this.#options.onFailure(new Error('its rows are not stored'), snapshotId);
    }
    return this.current;
  }

  served(snapshotId: string): void {
    if (this.#next?.snapshotId !== snapshotId) return;
    this.#served = this.#withNext();
    this.#next = undefined;
    if (this.#imported === snapshotId) this.#imported = undefined;
    this.#save();
  }

  notServed(): void {
    this.#next = undefined;
    this.#options.onChange(this.current);
  }

  /** Removes withdrawn snapshots from the history, except the last activated one and the one being activated. */
  forget(snapshotIds: readonly string[]): void {
    const remaining = this.#served.filter(
      ({ snapshotId }, at) =>
        at === 0 || snapshotId === this.#next?.snapshotId || !snapshotIds.includes(snapshotId),
    );
    if (remaining.length === this.#served.length) return;
    this.#served = remaining;
    this.#save();
    this.#options.onChange(this.current);
  }

  /** Verifies the files of these snapshots, which a front could not read, and removes damaged files. */
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

  /** Resolves when all pending writes are done. */
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
    // Files of all local copies stay: a copy may be activated without a new import, which would write its file.
    const copies = await listCopies(this.#options.directory);
    const localIds = copies.map(({ snapshotId }) => snapshotId);
    await tidyPast(this.#folder, new Set([...localIds, ...unreadable, ...this.#heads.keys()]));
  }

  /** Reads heads that are not cached. @returns ids of unreadable files, which the next swap reads again. */
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

  /** The activated snapshots, with the next one first; at least two stay, like the local copies. */
  #withNext(): readonly PastActivation[] {
    const next = this.#next;
    if (next === undefined) return this.#served;
    const others = this.#served.filter(({ snapshotId }) => snapshotId !== next.snapshotId);
    return [next, ...others].slice(0, Math.max(1, this.#options.limit) + 1);
  }

  /** Writes the index, then removes unlisted files. */
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
          // The snapshot may have been activated again meanwhile.
          if (!isKept(snapshotId)) await removePast(this.#folder, snapshotId);
        }
      })
      .catch((error: unknown) => {
        this.#options.onFailure(error);
      });
  }
}
