/** Whether the store answers, since when, and how long that may be overlooked; all of it outlives a restart. */
import type { Clock } from '../domain/clock.js';
import { readContact, writeContact } from './store-status-file.js';
import type { FollowEvent } from './follow-event.js';
import { Grace } from './outage-grace.js';

/** How often a contact is written down; what a killed process loses of its grace. */
const CONTACT_INTERVAL_MS = 30_000;

export interface StoreContactOptions {
  /** Of this namespace's local copies. */
  readonly directory: string;
  /** The store's, without credentials. */
  readonly address: string;
  readonly graceMs: number;
  readonly clock: Clock;
  readonly report: (event: FollowEvent) => void;
}

export class StoreContact {
  readonly #options: StoreContactOptions;
  readonly #grace: Grace;
  #reachable: boolean | undefined;
  #lastGood: string | undefined;
  #writtenAt = -Infinity;

  private constructor(options: StoreContactOptions, grace: Grace, lastGood: string | undefined) {
    this.#options = options;
    this.#grace = grace;
    this.#lastGood = lastGood;
  }

  /** Takes up what an earlier run on the same store has left. */
  static async resume(options: StoreContactOptions): Promise<StoreContact> {
    const { graceMs, clock } = options;
    const contact = await readContact(options.directory);
    const known = contact?.store === options.address ? contact : undefined;
    const grace = new Grace({ graceMs, clock, lastContactMs: known?.atMs });
    return new StoreContact(options, grace, known?.snapshotId);
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
    if (isNews) this.#tell(true, `${this.#options.address} answers.`);
    const interval = Math.min(CONTACT_INTERVAL_MS, this.#options.graceMs / 10);
    if (this.#options.clock.elapsedMs() - this.#writtenAt >= interval) await this.keep();
    return isNews;
  }

  /** It has not. */
  async silent(message: string): Promise<void> {
    if (this.#reachable === false) return;
    this.#tell(false, `${this.#options.address} cannot be reached: ${message}`);
    await this.keep();
  }

  async setLastGood(snapshotId: string | undefined): Promise<void> {
    if (this.#lastGood === snapshotId) return;
    this.#lastGood = snapshotId;
    await this.keep();
  }

  /** Writes it down as it stands. */
  async keep(): Promise<void> {
    const { directory, address, clock, report } = this.#options;
    if (this.#reachable === undefined) return;
    this.#writtenAt = clock.elapsedMs();
    const contact = {
      store: address,
      atMs: this.#grace.lastContactMs(),
      snapshotId: this.#lastGood,
    };
    if (!Number.isFinite(contact.atMs)) return; // it never answered: nothing to keep
    try {
      await writeContact(directory, contact);
    } catch (error) {
      report({ kind: 'contact_not_kept', message: String(error) });
    }
  }

  #tell(reachable: boolean, detail: string): void {
    this.#reachable = reachable;
    const sinceMs = this.#options.clock.wallMs();
    this.#options.report({ kind: 'store', reachable, detail, sinceMs });
  }
}
