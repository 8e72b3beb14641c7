/** Keeps the history of one instance: the snapshots that it has served, over restarts. */
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
  type ServedBefore,
} from './past-files.js';
import type { PastHead } from './past-snapshot-file.js';

export interface KeptHistoryOptions {
  /** Of the local copies of this namespace. */
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
  #served: readonly ServedBefore[] = [];
  /** Is about to be served; it is in the history only when somebody serves it. */
  #next: ServedBefore | undefined;
  /** What the file of each one that is kept says. */
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

  /** The history that another instance keeps here; nothing is removed. */
  static async read(directory: string): Promise<History> {
    const ignored = (): void => undefined;
    const options = { directory, limit: Infinity, onChange: ignored, onFailure: ignored };
    const history = new KeptHistory(options);
    await history.#read();
    return history.current;
  }

  get current(): History {
    const served = this.#withNext();
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

  /**
   * The list as it is once this snapshot is served; to be followed by `served`, or by `notServed`.
   *
   * @param at.activatedAtMs epoch milliseconds, UTC, by the pointer; undefined where it does not say.
   */
  async serving(
    snapshotId: string,
    at: { readonly activatedAtMs?: number | undefined },
  ): Promise<History> {
    const known = this.#served.find((one) => one.snapshotId === snapshotId);
    const activatedAtMs = at.activatedAtMs ?? known?.activatedAtMs ?? this.#clock.wallMs();
    if (!this.#heads.has(snapshotId)) await this.#readHead(snapshotId);
    if (!this.#heads.has(snapshotId)) {
      this.#options.onFailure(new Error('its rows are not kept'), snapshotId);
    }
    this.#next = { snapshotId, activatedAtMs };
    return this.current;
  }

  /** Somebody serves what was about to be served. */
  served(snapshotId: string): void {
    if (this.#next?.snapshotId !== snapshotId) return;
    this.#served = this.#withNext();
    this.#next = undefined;
    this.#save();
  }

  /** Nobody can serve what was about to be served. */
  notServed(): void {
    this.#next = undefined;
    this.#options.onChange(this.current);
  }

  /** Leaves these out, but for the one served last: their operator has removed them. */
  forget(snapshotIds: readonly string[]): void {
    const kept = this.#served.filter(
      ({ snapshotId }, at) => at === 0 || !snapshotIds.includes(snapshotId),
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
        if (this.#heads.has(snapshotId)) readPast(this.#folder, snapshotId);
      } catch (error) {
        const { onFailure, onChange } = this.#options;
        onFailure(error, snapshotId);
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
    this.#served = await readServedIndex(this.#folder);
    for (const { snapshotId } of this.#served) await this.#readHead(snapshotId);
  }

  async #takeUp(): Promise<void> {
    await this.#read();
    // An import that was ended after it had made its copy: that is served without another one.
    const copies = await listCopies(this.#options.directory);
    const kept = [...this.#heads.keys(), ...copies.map((copy) => copy.snapshotId)];
    await tidyPast(this.#folder, new Set(kept));
  }

  async #readHead(snapshotId: string): Promise<void> {
    const head = await readPastHead(this.#folder, snapshotId);
    if (head === undefined) this.#heads.delete(snapshotId);
    else this.#heads.set(snapshotId, head);
  }

  #withNext(): readonly ServedBefore[] {
    const next = this.#next;
    if (next === undefined) return this.#served;
    const others = this.#served.filter(({ snapshotId }) => snapshotId !== next.snapshotId);
    return [next, ...others].slice(0, this.#options.limit + 1);
  }

  /** Writes the index, then removes the files that are in it no more. */
  #save(): void {
    const served = this.#served;
    const keep = new Set(served.map(({ snapshotId }) => snapshotId));
    const old = [...this.#heads.keys()].filter((snapshotId) => !keep.has(snapshotId));
    for (const snapshotId of old) this.#heads.delete(snapshotId);
    this.#writing = this.#writing
      .then(async () => {
        await writeServedIndex(this.#folder, served);
        for (const snapshotId of old) await removePast(this.#folder, snapshotId);
      })
      .catch((error: unknown) => {
        this.#options.onFailure(error);
      });
  }
}
