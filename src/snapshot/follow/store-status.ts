/**
 * Status of the store: whether it answers, and how much of the outage grace is left; with what was served last and its
 * date, it is written to disk, so that it outlives a restart (`docs/operations/stores.md, "Store outages"`).
 */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../domain/clock.js';
import { membersOf, textMember, type JsonMembers } from '../domain/json-members.js';
import type { DocumentName } from '../domain/snapshot-id.js';
import { numberMember, readJsonFile } from '../local/json-file.js';
import type { FollowEvent } from './follow-event.js';
import type { GivenDate } from './given-date.js';

/** No snapshot id has a tilde, so no local copy has this name. */
const FILE = '~contact.json';

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
  /** See `FollowOptions`. */
  readonly ownsDirectory: () => Promise<boolean>;
  /** See `FollowOptions`. */
  readonly formerStore: string | undefined;
}

export class StoreStatus {
  readonly #options: StoreStatusOptions;
  readonly #grace: OutageGrace;
  #reachable: boolean | undefined;
  #lastGood: DocumentName | undefined;
  #date: GivenDate | undefined;
  #writtenAt = -Infinity;

  private constructor(
    options: StoreStatusOptions,
    grace: OutageGrace,
    from: { readonly lastGood: DocumentName | undefined; readonly date: GivenDate | undefined },
  ) {
    this.#options = options;
    this.#grace = grace;
    this.#lastGood = from.lastGood;
    this.#date = from.date;
  }

  /** Begins with the status that an earlier process on the same store has written, or on the one that was followed before. */
  static async resume(options: StoreStatusOptions): Promise<StoreStatus> {
    const { graceMs, clock, address, formerStore } = options;
    const stored = await readStoreStatus(options.directory);
    const isOwn = stored !== undefined && [address, formerStore].includes(stored.store);
    const own = isOwn ? stored : undefined;
    const grace = new OutageGrace({ graceMs, clock, lastAnswerMs: own?.atMs });
    return new StoreStatus(options, grace, { lastGood: own?.lastGood, date: stored?.date });
  }

  /** The snapshot that may be served while the store does not answer; undefined once the store has withdrawn it. */
  get lastGood(): DocumentName | undefined {
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

  async setLastGood(document: DocumentName | undefined): Promise<void> {
    if (JSON.stringify(document) === JSON.stringify(this.#lastGood)) return;
    this.#lastGood = document;
    await this.write();
  }

  /** To be called before the date is given to anybody: a process that is killed must not forget it. */
  async setDate(date: GivenDate): Promise<void> {
    if (JSON.stringify(date) === JSON.stringify(this.#date)) return;
    this.#date = date;
    await this.write();
  }

  /** Writes the status to disk, by one rename: a killed process leaves the old file or the new one. */
  async write(): Promise<void> {
    const { directory, address, clock, report, ownsDirectory } = this.#options;
    const atMs = this.#grace.lastAnswerMs();
    // It never answered: there is nothing to store.
    if (this.#reachable === undefined || !Number.isFinite(atMs)) return;
    if (!(await ownsDirectory())) return;
    this.#writtenAt = clock.elapsedMs();
    const status = { store: address, atMs, lastGood: this.#lastGood, ...this.#date };
    const path = join(directory, FILE);
    try {
      await writeFile(`${path}.new`, JSON.stringify(status));
      await rename(`${path}.new`, path);
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

/** How long the last verified copy may still be served while the store cannot be reached. Counts down from the store's last answer: by the monotonic clock within one process, by the wall clock across a restart. */
export class OutageGrace {
  readonly #graceMs: number;
  readonly #clock: Clock;
  /** On the monotonic clock; may lie before the start of this process. */
  #answeredAt: number;

  /** `lastAnswerMs`: epoch milliseconds, UTC, as an earlier process stored it. */
  constructor(options: {
    readonly graceMs: number;
    readonly clock: Clock;
    readonly lastAnswerMs: number | undefined;
  }) {
    this.#graceMs = options.graceMs;
    this.#clock = options.clock;
    // An answer in the future means that the wall clock was set back: then it counts from now.
    const ageMs =
      options.lastAnswerMs === undefined
        ? Infinity
        : Math.max(0, options.clock.wallMs() - options.lastAnswerMs);
    this.#answeredAt = options.clock.elapsedMs() - ageMs;
  }

  /** The store has answered. */
  renew(): void {
    this.#answeredAt = this.#clock.elapsedMs();
  }

  /** Milliseconds that are left; the grace is over at zero and below. */
  leftMs(): number {
    return this.#graceMs - (this.#clock.elapsedMs() - this.#answeredAt);
  }

  /** Epoch milliseconds, UTC, of the last answer; -Infinity where there was none. */
  lastAnswerMs(): number {
    return this.#clock.wallMs() - (this.#clock.elapsedMs() - this.#answeredAt);
  }
}

/** What was written last. */
interface StoredStatus {
  /** The store's address without credentials: another store's word is worth nothing. */
  readonly store: string;
  /** When it last answered: epoch milliseconds, UTC. */
  readonly atMs: number;
  /** The local copy that may be served without it; undefined when the store has withdrawn it. */
  readonly lastGood: DocumentName | undefined;
  /** What this instance gave as `Last-Modified`, whatever the store was; undefined where it has given none. */
  readonly date: GivenDate | undefined;
}

/** Undefined where there is nothing, or half a file: as after a first start, the store has to answer. */
export async function readStoreStatus(directory: string): Promise<StoredStatus | undefined> {
  return await readJsonFile(join(directory, FILE), statusOf);
}

function statusOf(members: JsonMembers): StoredStatus {
  const { lastGood, ms } = members;
  return {
    store: textMember(members, 'store'),
    atMs: numberMember(members, 'atMs'),
    lastGood: lastGood === undefined ? undefined : documentOf(membersOf(lastGood)),
    date: ms === undefined ? undefined : dateOf(members),
  };
}

function documentOf(members: JsonMembers): DocumentName {
  return {
    snapshotId: textMember(members, 'snapshotId'),
    documentSha256: textMember(members, 'documentSha256'),
  };
}

function dateOf(members: JsonMembers): GivenDate {
  return {
    snapshotId: textMember(members, 'snapshotId'),
    build: textMember(members, 'build'),
    activatedAtMs: numberMember(members, 'activatedAtMs'),
    ms: numberMember(members, 'ms'),
    isAmbiguous: members['isAmbiguous'] !== false,
  };
}
