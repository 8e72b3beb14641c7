/**
 * Follows the store's pointer: has each new snapshot imported, verifies and activates its copy, and reports all steps.
 *
 * Decides what is active (`docs/operations/stores.md, "Store outages"`, `docs/operations/running.md, "Swaps"`) and
 * knows neither processes nor HTTP: `importSnapshot` makes copies, `apply` sends them to the fronts.
 */
import { systemClock, type Clock } from '../domain/clock.js';
import type { UnavailableReason } from '../domain/active-state.js';
import { listCopies, listForeignEntries, removeLeftovers, type CopyName } from '../local/copies.js';
import type { CopyManifest } from '../local/manifest.js';
import type { Pointer } from '../store/pointer.js';
import type { PointerStore } from '../store/snapshot-store.js';
import { failureOf } from '../domain/snapshot-error.js';
import { Failures, NOT_SERVABLE } from './failures.js';
import { KeptCopies, type KeptCopiesOptions } from './kept-copies.js';
import { readPointer, type Reading } from './read-pointer.js';
import { RunningImport, type EndedImport, type RunningImportOptions } from './running-import.js';
import { ActiveCopy, type ActiveCopyOptions } from './active-copy.js';
import { StoreStatus } from './store-status.js';

/** A store that is slower counts as unreachable. */
const POLL_LIMIT_MS = 5000;

/** Time limit for a hanging store at the end of the outage grace. */
const LAST_POLL_LIMIT_MS = 250;

/** Longest poll interval during an outage. */
const OUTAGE_POLL_MS = 5000;

export interface FollowOptions
  extends
    KeptCopiesOptions,
    Pick<RunningImportOptions, 'importSnapshot'>,
    Pick<ActiveCopyOptions, 'apply' | 'report'> {
  readonly store: PointerStore;
  /** Called at every poll with the snapshots that the pointer withdraws. */
  readonly onRemoved?: (snapshotIds: readonly string[]) => void;
  /** Called at each poll that the store answers. */
  readonly onAnswered?: () => void;
  readonly pollMs: number;
  /** 0: no snapshot is active without the store. */
  readonly graceMs: number;
}

/** Begins to follow, with the copies of an earlier run. */
export async function follow(options: FollowOptions): Promise<Follower> {
  const { store, directory, graceMs, report, clock = systemClock } = options;
  await removeLeftovers(directory);
  const foreignEntries = await listForeignEntries(directory);
  if (foreignEntries.length > 0)
    report({ kind: 'foreign_entries', directory, names: foreignEntries });
  const copies = await listCopies(directory);
  const { address } = store;
  const storeStatus = await StoreStatus.resume({ directory, address, graceMs, clock, report });
  return new Follower(options, clock, storeStatus, copies);
}

export class Follower {
  readonly #options: FollowOptions;
  readonly #clock: Clock;
  readonly #storeStatus: StoreStatus;
  readonly #failures: Failures;
  readonly #copies: KeptCopies;
  readonly #served: ActiveCopy;
  readonly #import: RunningImport;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #wake = new AbortController();
  /** The last pointer that was read, usable or not. */
  #seen: Pointer | undefined;
  #wanted: Pointer | undefined;
  #isReverifyDue = false;

  /** @param found local copies of an earlier run. */
  constructor(
    options: FollowOptions,
    clock: Clock,
    storeStatus: StoreStatus,
    found: readonly CopyName[],
  ) {
    const onEnd = (): void => {
      this.poll();
    };
    const failures = new Failures(options.report, clock);
    const copies = new KeptCopies(options, failures, found);
    this.#options = options;
    this.#clock = clock;
    this.#storeStatus = storeStatus;
    this.#failures = failures;
    this.#copies = copies;
    this.#served = new ActiveCopy({ ...options, clock, copies, storeStatus, failures });
    this.#import = new RunningImport({ ...options, clock, onEnd });
    this.#ended = this.#run();
  }

  /** Remaining outage grace; Infinity while the store answers. */
  get graceLeftSeconds(): number {
    return this.#storeStatus.leftMs / 1000;
  }

  /** Polls the pointer and removes old copies now. */
  poll(): void {
    this.#wake.abort();
  }

  /** Verifies the active copy, which a front has reported as damaged, and replaces it if it is. */
  reverify(): void {
    this.#isReverifyDue = true;
    this.poll();
  }

  /** Ends polls and imports; the active snapshot stays. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.poll();
    await this.#ended;
    await this.#import.end();
    await this.#storeStatus.write();
  }

  async #run(): Promise<void> {
    const watch = this.#options.store.watch?.(() => {
      this.poll();
    });
    while (!this.#stop.signal.aborted) {
      this.#wake = new AbortController();
      await this.#turn();
      await this.#clock.wait(this.#delayMs(), this.#wake.signal);
    }
    watch?.close();
  }

  /** Polls the store, and acts on its answer. Turns never overlap. */
  async #turn(): Promise<void> {
    try {
      if (this.#isReverifyDue) {
        this.#isReverifyDue = false;
        if (!(await this.#served.reverify())) this.#isReverifyDue = true;
      }
      const ended = this.#import.takeEnded();
      if (ended !== undefined) await this.#onImportEnded(ended);
      const { signal } = this.#stop;
      const reading = await readPointer(this.#options.store, {
        signal,
        limitMs: this.#pollLimitMs(),
      });
      if (!this.#stop.signal.aborted) await this.#onReading(reading);
      await this.#served.renewFormer();
      // The running import's copy stays too: it appears a moment before the import's end.
      await this.#copies.tidy(
        [this.#wanted, this.#import.pointer].flatMap((pointer) => pointer ?? []),
      );
    } catch (error) {
      // Usually a full or broken disk, which the next turn may find repaired.
      this.#failures.report(failureOf(error), this.#wanted?.snapshotId);
    }
  }

  async #onReading(reading: Reading): Promise<void> {
    if (reading.kind === 'unreachable') {
      await this.#onUnreachable(reading.message);
      return;
    }
    this.#options.onAnswered?.();
    if (await this.#storeStatus.answered()) this.#failures.retryNow();
    switch (reading.kind) {
      case 'absent':
        await this.#withdraw('pointer_absent', 'No snapshot is active in the store.');
        return;
      case 'malformed':
        this.#failures.report({ code: 'pointer_malformed', message: reading.message });
        await this.#serveLastGood(this.#wanted);
        return;
      case 'pointer':
        this.#compareWithSeen(reading.pointer);
        this.#options.onRemoved?.(reading.pointer.removed ?? []);
        this.#copies.forget(reading.pointer.removed ?? []);
        await this.#want(reading.pointer);
    }
  }

  #compareWithSeen(pointer: Pointer): void {
    const olderByMs = (this.#seen?.activatedAtMs ?? -Infinity) - pointer.activatedAtMs;
    this.#seen = pointer;
    if (olderByMs <= 0) return;
    this.#options.report({ kind: 'pointer_older', snapshotId: pointer.snapshotId, olderByMs });
  }

  /** The store is unreachable: the snapshot stays active for the rest of the outage grace. */
  async #onUnreachable(message: string): Promise<void> {
    await this.#storeStatus.silent(message);
    // A withdrawn snapshot is never the last good copy.
    const isInGrace = this.#storeStatus.leftMs > 0;
    if (isInGrace && (await this.#served.serveLastGood(this.#wanted))) return;
    await this.#served.beUnavailable('store_unreachable', 'The snapshot store cannot be reached.');
  }

  /** The pointer is absent, or its schema version is not accepted: withdraws the active snapshot at once. */
  async #withdraw(reason: UnavailableReason, detail: string): Promise<void> {
    this.#wanted = undefined;
    this.#failures.end();
    await this.#import.end();
    await this.#served.beUnavailable(reason, detail);
    await this.#storeStatus.setLastGood(undefined);
  }

  async #want(pointer: Pointer): Promise<void> {
    const expected = this.#options.expectedSchemaVersion;
    if (pointer.schemaVersion !== expected) {
      await this.#withdraw(
        'schema_version',
        `The active snapshot has schema version ${pointer.schemaVersion}; this instance accepts ${expected}.`,
      );
      return;
    }
    this.#wanted = pointer;
    const isThere = async (): Promise<boolean> =>
      this.#served.copy?.snapshotId === pointer.snapshotId ||
      (await this.#copies.own(pointer)) !== undefined;
    if (await this.#import.continues(pointer, isThere)) return;
    const { copy } = this.#served;
    const isGone = await this.#served.isGone();
    if (!isGone && copy?.snapshotId === pointer.snapshotId && this.#compare(copy, pointer)) {
      await this.#served.renewDate(copy, pointer);
      return;
    }
    const isDue = this.#failures.dueInMs(pointer) === 0;
    if (isDue && (await this.#serveCopyOf(pointer))) return;
    await this.#serveLastGood(pointer);
    if (!isDue) return;
    // The status file is probably gone with the copy.
    if (isGone) await this.#storeStatus.write();
    this.#import.start(pointer);
  }

  /** Whether the active copy stays: false if another build made it. A pointer with another digest is reported. */
  #compare(copy: CopyManifest, pointer: Pointer): boolean {
    if (copy.documentSha256 === pointer.sha256) {
      if (copy.build !== this.#options.build) return false;
      this.#failures.end();
      return true;
    }
    // Clients hold validators made of the id, so they would never see other bytes under it.
    const message = `the pointer gives ${pointer.snapshotId}, which is being served, another digest; an id is never reused`;
    this.#failures.report({ code: 'snapshot_conflict', message }, pointer.snapshotId);
    return true;
  }

  /** Activates the copy of a finished import. */
  async #onImportEnded({ pointer, outcome }: EndedImport): Promise<void> {
    // After the outage grace the copy stays on disk, and is found when the store answers again.
    if (outcome.ok && this.#storeStatus.leftMs === 0) return;
    if (outcome.ok && (await this.#serveCopyOf(pointer, outcome.importMs))) return;
    const failure = outcome.ok ? NOT_SERVABLE : failureOf(outcome.error);
    this.#failures.reportImport(failure, pointer);
    if (failure.code === 'disk_full') this.#copies.giveUpFormer();
    await removeLeftovers(this.#options.directory);
  }

  async #serveLastGood(pointer: Pointer | undefined): Promise<void> {
    if (!(await this.#served.serveLastGood(pointer))) await this.#served.beUnavailable('starting');
  }

  async #serveCopyOf(pointer: Pointer, importMs?: number): Promise<boolean> {
    const isServed = await this.#served.serveCopyOf(pointer, importMs);
    if (isServed) this.#failures.end();
    return isServed;
  }

  /** A poll must not delay the end of the outage grace. */
  #pollLimitMs(): number {
    if (this.#served.copy === undefined) return POLL_LIMIT_MS;
    return Math.min(
      POLL_LIMIT_MS,
      Math.max(LAST_POLL_LIMIT_MS, Math.ceil(this.#storeStatus.leftMs)),
    );
  }

  #delayMs(): number {
    const dueMs = this.#failures.dueInMs(this.#wanted);
    const { leftMs } = this.#storeStatus;
    const graceMs = this.#served.copy === undefined ? Infinity : leftMs;
    const pollMs = Math.min(this.#options.pollMs, leftMs < Infinity ? OUTAGE_POLL_MS : Infinity);
    return Math.min(pollMs, graceMs, dueMs > 0 ? dueMs : Infinity);
  }
}
