/**
 * Starts child processes that cache the store's archive, and sends the archive's state to the fronts. Failures here do
 * not affect the serving of the snapshot.
 */
import {
  archiveFolder,
  readState,
  statePath,
  type ArchiveState,
} from '../snapshot/archive/archive-state.js';
import { removeKeptFiles } from '../snapshot/archive/keep-archive.js';
import { BackOff } from '../snapshot/domain/back-off.js';
import { systemClock } from '../snapshot/domain/clock.js';
import { LastingFailures } from '../snapshot/domain/lasting-failures.js';
import { messageOf, SnapshotError } from '../snapshot/domain/snapshot-error.js';
import { addressWithoutCredentials } from '../snapshot/store/store-address.js';
import type { StoreAccess } from '../snapshot/store/open.js';
import type { FromKeeper } from '../workers/messages.js';
import { runChild } from './child-run.js';

/** Time limit of one run; files that it has cached stay for the next run. */
const DEADLINE_MS = 600_000;

const DELAYS = { firstMs: 5_000, longestMs: 40_000 };

/** Delay of a further run for damaged files that fronts have reported during a run. */
const SUSPECT_MS = 1_000;

export interface ArchiveKeepingOptions {
  readonly store: StoreAccess;
  /** Reads the stored index; undefined without an archive. */
  readonly readIndex: (signal: AbortSignal) => Promise<Uint8Array | undefined>;
  readonly directory: string;
  /** Whether files may be fetched: not during an import, nor before there is a snapshot. */
  readonly mayFetch: () => boolean;
  /** Limit of the cached files. */
  readonly diskBytes: number;
  /** Bytes of the disk that cached files must leave free. */
  readonly freeBytes: () => Promise<number>;
  readonly onState: (state: ArchiveState) => void;
  /** Called with lasting failures at their beginning and once an hour; with undefined at their end. */
  readonly onFailure: (message: string | undefined) => void;
}

export class ArchiveKeeping {
  pid: number | undefined;
  /** Why files are missing or the last run failed; undefined where all is well. */
  problem: string | undefined;
  readonly #options: ArchiveKeepingOptions;
  readonly #folder: string;
  readonly #statePath: string;
  readonly #failures = new LastingFailures(systemClock);
  /** SHA-256 of files that fronts have found damaged since the last run. */
  readonly #suspects = new Set<string>();
  readonly #ending = new AbortController();
  #run = new AbortController();
  #state: ArchiveState = { kind: 'unknown' };
  /** The index of the last successful run, and the time when the next run is due. */
  #done: { readonly index: string | undefined; readonly dueMs: number } | undefined;
  #turn: Promise<void> | undefined;
  readonly #backOff = new BackOff(DELAYS);
  #retryAt = 0;

  constructor(options: ArchiveKeepingOptions) {
    this.#options = options;
    this.#folder = archiveFolder(options.directory);
    this.#statePath = statePath(this.#folder, addressWithoutCredentials(options.store.address));
  }

  get state(): ArchiveState {
    return this.#state;
  }

  /** Sends the fronts the state of an earlier run. */
  async resume(): Promise<void> {
    try {
      this.#onState(await readState(this.#statePath));
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Reads the store's index, and starts a process where needed; returns at once. */
  poll(): void {
    if (this.#ending.signal.aborted || performance.now() < this.#retryAt) return;
    this.#turn ??= this.#look()
      .catch((error: unknown) => {
        this.#fail(error);
      })
      .finally(() => {
        this.#turn = undefined;
        // After a failure `#fail` has set the timer of the retry.
        if (this.#suspects.size > 0 && this.#backOff.failures === 0) this.#again(SUSPECT_MS);
      });
  }

  /** Fetches a damaged file again. */
  reverify(sha256: string): void {
    this.#suspects.add(sha256);
    this.#done = undefined;
    this.poll();
  }

  /** Removes the cached files, to make space for an import. @returns whether there were any. */
  async giveWay(): Promise<boolean> {
    this.#run.abort();
    await this.#turn;
    this.#done = undefined;
    const hasFreed = await removeKeptFiles(this.#folder).catch(() => false);
    if (hasFreed && this.#state.kind !== 'unknown') this.#onState({ ...this.#state, kept: [] });
    return hasFreed;
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#run.abort();
    await this.#turn;
  }

  async #look(): Promise<void> {
    const { readIndex, mayFetch } = this.#options;
    const bytes = await readIndex(this.#ending.signal);
    const index = bytes && Buffer.from(bytes).toString();
    if (index === undefined && this.#state.kind === 'unknown') {
      // No process is needed: nothing is cached, so there are no files to remove a day after the store lost its
      // archive.
      this.#onState({ kind: 'none', sinceMs: Date.now(), kept: [] });
      this.#done = { index, dueMs: Infinity };
    }
    const done = this.#done;
    const isDone = done !== undefined && done.index === index && Date.now() < done.dueMs;
    if (!isDone && mayFetch() && !this.#ending.signal.aborted) await this.#keep(index);
    else if (!isDone) return;
    this.#succeed();
  }

  async #keep(index: string | undefined): Promise<void> {
    const { store, diskBytes, freeBytes } = this.#options;
    const suspects = [...this.#suspects];
    this.#run = new AbortController();
    const [folder, state] = [this.#folder, this.#statePath];
    const files = { folder, state, index, diskBytes, freeBytes: await freeBytes(), suspects };
    const { last, how } = await runChild<FromKeeper>({
      what: 'the process that keeps the archive',
      role: 'archive',
      module: new URL('../workers/archive-process.js', import.meta.url),
      request: { store, ...files },
      deadlineMs: DEADLINE_MS,
      signal: this.#run.signal,
      onProcess: (pid) => {
        this.pid = pid;
      },
      onMessage: (message) => {
        if (message.kind === 'state') this.#onState(message.state);
        return message.kind === 'state' ? 'goes on' : 'ends';
      },
    });
    if (last?.kind === 'failed') throw new SnapshotError(last.failure.code, last.failure.message);
    if (last?.kind !== 'done') throw new SnapshotError('import_failed', how);
    for (const one of suspects) this.#suspects.delete(one);
    // Fronts may have found other damaged files meanwhile.
    if (this.#suspects.size === 0) this.#done = { index, dueMs: last.dueMs };
  }

  #onState(state: ArchiveState): void {
    this.#state = state;
    this.#options.onState(state);
  }

  #succeed(): void {
    this.#backOff.succeed();
    const leftOut = this.#state.kind === 'there' ? this.#state.leftOut.length : 0;
    if (leftOut > 0) this.#say(`${leftOut} files do not fit into ARCHIVE_DISK_MB or on the disk`);
    else if (this.problem !== undefined) {
      this.problem = undefined;
      if (this.#failures.end()) this.#options.onFailure(undefined);
    }
  }

  #fail(error: unknown): void {
    if (this.#ending.signal.aborted) return;
    const delayMs = this.#backOff.fail();
    this.#retryAt = performance.now() + delayMs;
    this.#again(delayMs + 1);
    // The first failure of a store that has gone away since the pointer was read is not reported.
    const isAway = error instanceof SnapshotError && error.code === 'store_unreachable';
    if (!isAway || this.#backOff.failures > 1) this.#say(messageOf(error));
  }

  #again(delayMs: number): void {
    setTimeout(() => {
      this.poll();
    }, delayMs).unref();
  }

  #say(problem: string): void {
    this.problem = problem;
    if (this.#failures.isDue(problem)) this.#options.onFailure(problem);
  }
}
