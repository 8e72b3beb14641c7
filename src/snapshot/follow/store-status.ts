/** Status of the store: whether it answers, and how much of the outage grace is left; stored, so that it outlives a restart. */
import type { Clock } from '../domain/clock.js';
import type { GivenDate } from './given-date.js';
import { readStoreStatus, writeStoreStatus } from './store-status-file.js';
import type { FollowEvent } from './follow-event.js';
import { OutageGrace } from './outage-grace.js';

/** How often the time of the store's last answer is written to disk: a killed process loses that much of its grace. */
const WRITE_INTERVAL_MS = 30_000;

export interface StoreStatusOptions {
  /** Of this namespace's local copies. */
  readonly directory: string;
  /** The store's, without credentials. */
  readonly address: string;
  readonly graceMs: number;
  readonly clock: Clock;
  readonly report: (event: FollowEvent) => void;
}

export class StoreStatus {
  readonly #options: StoreStatusOptions;
  readonly #grace: OutageGrace;
  #reachable: boolean | undefined;
  #lastGood: string | undefined;
  #date: GivenDate | undefined;
  #writtenAt = -Infinity;

  private constructor(
    options: StoreStatusOptions,
    grace: OutageGrace,
    from: { readonly lastGood: string | undefined; readonly date: GivenDate | undefined },
  ) {
    this.#options = options;
    this.#grace = grace;
    this.#lastGood = from.lastGood;
    this.#date = from.date;
  }

  /** Begins with the status that an earlier process on the same store has written. */
  static async resume(options: StoreStatusOptions): Promise<StoreStatus> {
    const { graceMs, clock } = options;
    const stored = await readStoreStatus(options.directory);
    const own = stored?.store === options.address ? stored : undefined;
    const grace = new OutageGrace({ graceMs, clock, lastAnswerMs: own?.atMs });
    return new StoreStatus(options, grace, { lastGood: own?.snapshotId, date: stored?.date });
  }

  /** The snapshot that may be served while the store does not answer; undefined once the store has withdrawn it. */
  get lastGood(): string | undefined {
    return this.#lastGood;
  }

  /** The date that was last given to what is served. */
  get date(): GivenDate | undefined {
    return this.#date;
  }

  /** Whether the store does not answer and the outage grace is over. */
  get isOver(): boolean {
    return this.#reachable === false && this.#grace.leftMs() <= 0;
  }

  /** Milliseconds until the outage grace is over, should the store stay silent; Infinity while it answers. */
  get leftMs(): number {
    return this.#reachable === false ? Math.max(0, this.#grace.leftMs()) : Infinity;
  }

  /** Records that the store has answered; true where it did not answer before. */
  async answered(): Promise<boolean> {
    this.#grace.renew();
    const hasChanged = this.#reachable !== true;
    if (hasChanged) this.#report(true, `${this.#options.address} answers.`);
    const interval = Math.min(WRITE_INTERVAL_MS, this.#options.graceMs / 10);
    if (this.#options.clock.elapsedMs() - this.#writtenAt >= interval) await this.write();
    return hasChanged;
  }

  /** Records that the store has not answered. */
  async silent(message: string): Promise<void> {
    if (this.#reachable === false) return;
    this.#report(false, `${this.#options.address} cannot be reached: ${message}`);
    await this.write();
  }

  async setLastGood(snapshotId: string | undefined): Promise<void> {
    if (this.#lastGood === snapshotId) return;
    this.#lastGood = snapshotId;
    await this.write();
  }

  /** To be called before the date is given to anybody: a process that is killed must not forget it. */
  async setDate(date: GivenDate): Promise<void> {
    if (JSON.stringify(date) === JSON.stringify(this.#date)) return;
    this.#date = date;
    await this.write();
  }

  /** Writes the status to disk. */
  async write(): Promise<void> {
    const { directory, address, clock, report } = this.#options;
    if (this.#reachable === undefined) return;
    this.#writtenAt = clock.elapsedMs();
    const status = {
      store: address,
      atMs: this.#grace.lastAnswerMs(),
      snapshotId: this.#lastGood,
      date: this.#date,
    };
    if (!Number.isFinite(status.atMs)) return; // it never answered: nothing to store
    try {
      await writeStoreStatus(directory, status);
    } catch (error) {
      report({ kind: 'store_status_not_written', message: String(error) });
    }
  }

  #report(reachable: boolean, detail: string): void {
    this.#reachable = reachable;
    const sinceMs = this.#options.clock.wallMs();
    this.#options.report({ kind: 'store', reachable, detail, sinceMs });
  }
}
