/** Whether the store answers, since when, and how long that may be overlooked; all of it outlives a restart. */
import type { Clock } from '../domain/clock.js';
import { readStoreStatus, writeStoreStatus } from './store-status-file.js';
import type { FollowEvent } from './follow-event.js';
import { OutageGrace } from './outage-grace.js';

/** How often an answer of the store is written down: what a killed process loses of its grace. */
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
  #writtenAt = -Infinity;

  private constructor(
    options: StoreStatusOptions,
    grace: OutageGrace,
    lastGood: string | undefined,
  ) {
    this.#options = options;
    this.#grace = grace;
    this.#lastGood = lastGood;
  }

  /** Takes up what an earlier run on the same store has left. */
  static async resume(options: StoreStatusOptions): Promise<StoreStatus> {
    const { graceMs, clock } = options;
    const stored = await readStoreStatus(options.directory);
    const own = stored?.store === options.address ? stored : undefined;
    const grace = new OutageGrace({ graceMs, clock, lastAnswerMs: own?.atMs });
    return new StoreStatus(options, grace, own?.snapshotId);
  }

  /** The copy that may be served without the store's word; undefined once the store has withdrawn it. */
  get lastGood(): string | undefined {
    return this.#lastGood;
  }

  /** Whether the store is silent, and has been for longer than may be overlooked. */
  get isOver(): boolean {
    return this.#reachable === false && this.#grace.leftMs() <= 0;
  }

  /** Until it is over, should the store stay silent; Infinity while it answers. */
  get leftMs(): number {
    return this.#reachable === false ? Math.max(0, this.#grace.leftMs()) : Infinity;
  }

  /** The store has answered. Whether that is news. */
  async answered(): Promise<boolean> {
    this.#grace.renew();
    const isNews = this.#reachable !== true;
    if (isNews) this.#report(true, `${this.#options.address} answers.`);
    const interval = Math.min(WRITE_INTERVAL_MS, this.#options.graceMs / 10);
    if (this.#options.clock.elapsedMs() - this.#writtenAt >= interval) await this.write();
    return isNews;
  }

  /** It has not. */
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

  /** Writes it down as it stands. */
  async write(): Promise<void> {
    const { directory, address, clock, report } = this.#options;
    if (this.#reachable === undefined) return;
    this.#writtenAt = clock.elapsedMs();
    const status = {
      store: address,
      atMs: this.#grace.lastAnswerMs(),
      snapshotId: this.#lastGood,
    };
    if (!Number.isFinite(status.atMs)) return; // it never answered: nothing to keep
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
