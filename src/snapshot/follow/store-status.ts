/**
 * Status of the store: whether it answers, its last answer, and the snapshot for outages. A file keeps the status over
 * restarts (`docs/operations/stores.md, "Store outages"`).
 */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../domain/clock.js';
import { LastingFailures } from '../domain/lasting-failures.js';
import { membersOf, numberMember, textMember, type JsonMembers } from '../domain/json-members.js';
import type { DocumentName } from '../domain/snapshot-id.js';
import { readJsonFile } from '../local/own-files.js';
import type { FollowEvent } from './follow-event.js';

/** File name. Snapshot ids have no tilde, so no local copy has this name. */
const FILE = '~contact.json';

/** Interval of writing the time of the store's last answer: a killed process loses that much of its grace. */
const WRITE_INTERVAL_MS = 30_000;

export interface StoreStatusOptions {
  readonly directory: string;
  /** Without credentials. */
  readonly address: string;
  readonly graceMs: number;
  readonly clock: Clock;
  readonly report: (event: FollowEvent) => void;
}

/** A snapshot that was active. */
export interface LastGood extends DocumentName {
  /** Activation time in its pointer: epoch milliseconds, UTC; undefined if unknown. */
  readonly activatedAtMs: number | undefined;
}

export class StoreStatus {
  readonly #options: StoreStatusOptions;
  #reachable: boolean | undefined;
  /** Last answer by the monotonic clock, possibly before this process's start; -Infinity before the first answer. */
  #answeredAt: number;
  #lastGood: LastGood | undefined;
  #writtenAt = -Infinity;
  readonly #outage: LastingFailures;
  readonly #unwritten: LastingFailures;
  /** Last change of `#reachable`: epoch milliseconds, UTC. */
  #sinceMs = 0;

  private constructor(options: StoreStatusOptions, stored: StoredStatus | undefined) {
    const { clock } = options;
    this.#options = options;
    this.#outage = new LastingFailures(clock);
    this.#unwritten = new LastingFailures(clock);
    // A stored time in the future means that the wall clock was set back: the grace then counts from now.
    this.#answeredAt =
      Math.min(0, (stored?.atMs ?? -Infinity) - clock.wallMs()) + clock.elapsedMs();
    this.#lastGood = stored?.lastGood;
  }

  /** Begins with the status that an earlier process has written for the same store. */
  static async resume(options: StoreStatusOptions): Promise<StoreStatus> {
    // Undefined without a valid file: the store must answer first.
    const stored = await readJsonFile(join(options.directory, FILE), statusOf);
    return new StoreStatus(options, stored?.store === options.address ? stored : undefined);
  }

  /** The snapshot for outages; undefined once the store has withdrawn it. */
  get lastGood(): LastGood | undefined {
    return this.#lastGood;
  }

  /** Remaining outage grace in milliseconds; Infinity while the store answers. */
  get leftMs(): number {
    if (this.#reachable !== false) return Infinity;
    const { graceMs, clock } = this.#options;
    return Math.max(0, this.#answeredAt + graceMs - clock.elapsedMs());
  }

  /** Records an answer. @returns whether it ends an outage. */
  async answered(): Promise<boolean> {
    const { address, graceMs, clock } = this.#options;
    this.#answeredAt = clock.elapsedMs();
    const hasChanged = this.#reachable !== true;
    this.#outage.end();
    if (hasChanged) this.#report(true, `${address} answers.`);
    const interval = Math.min(WRITE_INTERVAL_MS, graceMs / 10);
    if (this.#answeredAt - this.#writtenAt >= interval) await this.write();
    return hasChanged;
  }

  /** Records that the store does not answer; reported at the beginning of the outage and once an hour. */
  async silent(message: string): Promise<void> {
    if (!this.#outage.isDue('silent')) return;
    this.#report(false, `${this.#options.address} cannot be reached: ${message}`);
    await this.write();
  }

  async setLastGood(served: LastGood | undefined): Promise<void> {
    if (JSON.stringify(served) === JSON.stringify(this.#lastGood)) return;
    this.#lastGood = served;
    await this.write();
  }

  /** Writes the status by one rename: a killed process leaves the old file or the new one. */
  async write(): Promise<void> {
    const { directory, address, clock, report } = this.#options;
    const atMs = clock.wallMs() - (clock.elapsedMs() - this.#answeredAt);
    // Without any answer there is nothing to store.
    if (this.#reachable === undefined || !Number.isFinite(atMs)) return;
    this.#writtenAt = clock.elapsedMs();
    const path = join(directory, FILE);
    const status = { store: address, atMs, lastGood: this.#lastGood };
    try {
      await writeFile(`${path}.new`, JSON.stringify(status satisfies StoredStatus));
      await rename(`${path}.new`, path);
      if (this.#unwritten.end()) report({ kind: 'store_status_written' });
    } catch (error) {
      const message = String(error);
      if (this.#unwritten.isDue(message)) report({ kind: 'store_status_not_written', message });
    }
  }

  #report(reachable: boolean, detail: string): void {
    if (this.#reachable !== reachable) this.#sinceMs = this.#options.clock.wallMs();
    this.#reachable = reachable;
    this.#options.report({ kind: 'store', reachable, detail, sinceMs: this.#sinceMs });
  }
}

interface StoredStatus {
  /** Without credentials: the status of another store is ignored. */
  readonly store: string;
  /** Time of the last answer: epoch milliseconds, UTC. */
  readonly atMs: number;
  /** The local copy for outages; undefined when the store has withdrawn it. */
  readonly lastGood: LastGood | undefined;
}

function statusOf(members: JsonMembers): StoredStatus {
  const { lastGood } = members;
  return {
    store: textMember(members, 'store'),
    atMs: numberMember(members, 'atMs'),
    lastGood: lastGood === undefined ? undefined : lastGoodOf(membersOf(lastGood)),
  };
}

function lastGoodOf(members: JsonMembers): LastGood {
  const { activatedAtMs } = members;
  return {
    snapshotId: textMember(members, 'snapshotId'),
    documentSha256: textMember(members, 'documentSha256'),
    activatedAtMs: activatedAtMs === undefined ? undefined : numberMember(members, 'activatedAtMs'),
  };
}
