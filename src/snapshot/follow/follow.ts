/**
 * Follows the store's pointer: has each new snapshot imported, verifies its local copy, has it served, and reports all of it.
 *
 * It decides what is served (`docs/operations.md, "Store outages"`, `docs/operations.md, "Swaps"`) and knows neither processes nor HTTP: `importSnapshot` makes
 * copies, `apply` hands them to whoever serves them.
 */
import { Backoff } from './backoff.js';
import { systemClock, type Clock } from '../domain/clock.js';
import { SnapshotError, type SnapshotErrorCode } from '../domain/snapshot-error.js';
import type { FollowEvent } from './follow-event.js';
import {
  copyDirectory,
  listCopies,
  listStrangers,
  removeCopy,
  removeLeftovers,
  type CopyName,
} from '../local/copies.js';
import { readManifest, verifyCopy, type CopyManifest } from '../local/manifest.js';
import { readPointer, type Reading } from './read-pointer.js';
import type { Serving, UnavailableReason } from '../domain/serving-state.js';
import { StoreStatus } from './store-status.js';
import type { Pointer, SnapshotStore } from '../store/store.js';

const LOADING = 'The active snapshot is not loaded yet.';

export interface FollowOptions {
  readonly store: SnapshotStore;
  readonly expectedSchemaVersion: string;
  /** This build: a copy that another one has made is served only until there is one of its own. */
  readonly build: string;
  /** Of this namespace's local copies; nobody else uses it. */
  readonly directory: string;
  readonly pollMs: number;
  /** 0: nothing is served without the store. */
  readonly graceMs: number;
  /**
   * Makes the pointer's local copy, verified against the pointer's size and digest.
   *
   * Never called while another call is under way; an abort ends it soon.
   */
  readonly importSnapshot: (pointer: Pointer, signal: AbortSignal) => Promise<unknown>;
  /** Has `serving` served. False where no front can; then the previous snapshot still is. Never rejects. */
  readonly apply: (serving: Serving) => Promise<boolean>;
  /** Directories of the copies that somebody still reads: their files stay. */
  readonly inUse: () => ReadonlySet<string>;
  readonly report: (event: FollowEvent) => void;
  /** Default: the system's. */
  readonly clock?: Clock;
}

interface Import {
  readonly pointer: Pointer;
  readonly abort: AbortController;
  /** Never rejects. */
  readonly ended: Promise<void>;
  /** A newer pointer has come, and the import goes on all the same. */
  isOvertaken: boolean;
  outcome?:
    | { readonly ok: true; readonly importMs: number }
    | { readonly ok: false; readonly error: unknown };
}

/** Begins to follow; what an earlier run has left in the directory is taken up. */
export async function follow(options: FollowOptions): Promise<Follower> {
  const { store, directory, graceMs, report, clock = systemClock } = options;
  await removeLeftovers(directory);
  const strangers = await listStrangers(directory);
  if (strangers.length > 0) report({ kind: 'strangers', directory, names: strangers });
  const copies = await listCopies(directory);
  const storeStatus = await StoreStatus.resume({
    directory,
    address: store.address,
    graceMs,
    clock,
    report,
  });
  return new Follower(options, { clock, storeStatus, copies });
}

export class Follower {
  readonly #options: FollowOptions;
  readonly #clock: Clock;
  readonly #storeStatus: StoreStatus;
  readonly #backoff: Backoff;
  readonly #stop = new AbortController();
  readonly #startedAtMs: number;
  /** The copies that stay on disk: the one served last, then the one before, so that going back needs no import. */
  #recent: readonly CopyName[];
  readonly #ended: Promise<void>;
  #wake = new AbortController();

  #serving: CopyManifest | undefined;
  /** The reason that is reported while nothing is served. */
  #unavailable: { readonly reason: UnavailableReason; readonly detail: string };
  #wanted: Pointer | undefined;
  #import: Import | undefined;
  #lastFailure: string | undefined;
  /** An import was ended for a newer pointer, and what the pointer names is not served yet. */
  #isBehind = false;
  #isSuspect = false;

  /** @param from.copies those that an earlier run has left. */
  constructor(
    options: FollowOptions,
    from: {
      readonly clock: Clock;
      readonly storeStatus: StoreStatus;
      readonly copies: readonly CopyName[];
    },
  ) {
    const { clock, storeStatus, copies } = from;
    this.#options = options;
    this.#clock = clock;
    this.#storeStatus = storeStatus;
    // Newest id first: where there are more than two, the other ones are older.
    this.#recent = copies.toSorted((a, b) => (a.snapshotId < b.snapshotId ? 1 : -1));
    this.#backoff = new Backoff(clock);
    this.#startedAtMs = clock.wallMs();
    this.#unavailable = { reason: 'starting', detail: LOADING };
    this.#ended = this.#run();
  }

  /** Looks now: at the pointer, and at which old copies may go. */
  look(): void {
    this.#wake.abort();
  }

  /** Whoever serves the active copy has trouble with it: it is verified again, and replaced if it is damaged. */
  doubt(): void {
    this.#isSuspect = true;
    this.look();
  }

  /** Ends what is under way, an import too; what is served stays as it is. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.look();
    await this.#ended;
    await this.#endImport();
    await this.#storeStatus.write();
  }

  async #run(): Promise<void> {
    const watch = this.#options.store.watch(() => {
      this.look();
    });
    while (!this.#stop.signal.aborted) {
      this.#wake = new AbortController();
      await this.#turn();
      await this.#clock.wait(this.#delayMs(), this.#wake.signal);
    }
    watch.close();
  }

  /** One look at all there is to decide. Turns never overlap. */
  async #turn(): Promise<void> {
    try {
      if (this.#isSuspect) await this.#verifyAgain();
      await this.#onImportEnded();
      const reading = await readPointer(this.#options.store, this.#stop.signal);
      if (!this.#stop.signal.aborted) await this.#onReading(reading);
      await this.#tidy();
    } catch (error) {
      // A full or broken disk, most likely: the next turn may find it mended.
      this.#fail(failureOf(error), this.#wanted?.snapshotId);
    }
  }

  async #onReading(reading: Reading): Promise<void> {
    if (reading.kind === 'unreachable') {
      await this.#onUnreachable(reading.message);
      return;
    }
    if (await this.#storeStatus.answered()) this.#backoff.forget();
    switch (reading.kind) {
      case 'absent':
        await this.#withdraw('pointer_absent', 'No snapshot is active in the store.');
        return;
      case 'malformed':
        this.#fail({ code: 'pointer_malformed', message: reading.message });
        await this.#serveLastGood();
        return;
      case 'pointer':
        await this.#want(reading.pointer);
    }
  }

  /** The store does not answer: the snapshot is served for the rest of the outage grace, and no longer. */
  async #onUnreachable(message: string): Promise<void> {
    await this.#storeStatus.silent(message);
    if (!this.#storeStatus.isOver) {
      // Only after a start: what the store itself has withdrawn stays so.
      if (this.#unavailable.reason === 'starting') await this.#serveLastGood();
      if (this.#serving !== undefined) return;
    }
    await this.#beUnavailable('store_unreachable', 'The snapshot store cannot be reached.');
  }

  /** The store answers that no snapshot is active, or none that this build can read: then none is served, at once. */
  async #withdraw(reason: UnavailableReason, detail: string): Promise<void> {
    this.#wanted = undefined;
    this.#isBehind = false;
    this.#backoff.forget();
    this.#lastFailure = undefined;
    await this.#endImport();
    await this.#beUnavailable(reason, detail);
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
    if (this.#import !== undefined) {
      if (isSameDocument(this.#import.pointer, pointer)) return;
      if (await this.#overtake(this.#import, pointer)) return;
    }
    if (this.#serving?.snapshotId === pointer.snapshotId && this.#compare(this.#serving, pointer)) {
      this.#isBehind = false;
      return;
    }
    if (this.#backoff.dueInMs(pointer) > 0) {
      await this.#serveLastGood();
    } else if (await this.#serveCopyOf(pointer)) {
      this.#isBehind = false;
    } else {
      await this.#serveLastGood();
      this.#startImport(pointer);
    }
  }

  /**
   * A newer pointer has come while an import runs: answers whether the import goes on.
   *
   * The first one is ended, for its snapshot is out of date. The next ones are not, until what the pointer names is
   * served: a pointer that moves faster than an import runs would never be followed. Nor does one go on where the
   * pointer has gone back to what is served or can be at once, or gives other bytes under the same id.
   */
  async #overtake(running: Import, pointer: Pointer): Promise<boolean> {
    const { report, build } = this.#options;
    const { snapshotId } = pointer;
    const isThere =
      this.#serving?.snapshotId === snapshotId ||
      running.pointer.snapshotId === snapshotId ||
      (await this.#copiesOf(snapshotId)).some((copy) => copy.build === build);
    const finishes = this.#isBehind && !isThere;
    if (!running.isOvertaken || !finishes) {
      report({ kind: 'overtaken', snapshotId: running.pointer.snapshotId, finishes });
    }
    if (finishes) {
      running.isOvertaken = true;
      return true;
    }
    this.#isBehind = true;
    await this.#endImport();
    return false;
  }

  /** The pointer names what is being served. False: by another build's copy, which is to be replaced. */
  #compare(serving: CopyManifest, pointer: Pointer): boolean {
    if (serving.documentSha256 === pointer.sha256) {
      if (serving.build !== this.#options.build) return false;
      this.#forgetFailures();
      return true;
    }
    // Clients hold validators made of the id: other bytes under it would never reach them.
    const message = `the pointer gives ${pointer.snapshotId}, which is being served, another digest; an id is never reused`;
    this.#fail({ code: 'snapshot_conflict', message }, pointer.snapshotId);
    return true;
  }

  #startImport(pointer: Pointer): void {
    const { importSnapshot, report } = this.#options;
    const { snapshotId, sizeBytes } = pointer;
    const abort = new AbortController();
    const startedAt = this.#clock.elapsedMs();
    report({ kind: 'importing', snapshotId, sizeBytes });
    const end = (outcome: NonNullable<Import['outcome']>): void => {
      running.outcome = outcome;
      this.look();
    };
    const ended = importSnapshot(pointer, abort.signal).then(
      () => {
        end({ ok: true, importMs: this.#clock.elapsedMs() - startedAt });
      },
      (error: unknown) => {
        end({ ok: false, error });
      },
    );
    const running: Import = { pointer, abort, ended, isOvertaken: false };
    this.#import = running;
  }

  async #endImport(): Promise<void> {
    this.#import?.abort.abort();
    await this.#import?.ended;
    this.#import = undefined;
  }

  /** Takes up an import that has come to its end. */
  async #onImportEnded(): Promise<void> {
    const running = this.#import;
    if (running?.outcome === undefined) return;
    this.#import = undefined;
    const { pointer, outcome } = running;
    // The copy stays where it is, and is found when the store is back.
    if (outcome.ok && this.#storeStatus.isOver) return;
    if (outcome.ok && (await this.#serveCopyOf(pointer, outcome.importMs))) return;
    this.#backoff.failed(pointer);
    const failure = outcome.ok ? NOT_SERVABLE : failureOf(outcome.error);
    this.#fail(failure, pointer.snapshotId);
    // A disk for two copies has room for the next one without the previous one.
    if (failure.code === 'disk_full') this.#recent = this.#recent.slice(0, 1);
    await removeLeftovers(this.#options.directory);
  }

  /** Whether the pointer's copy is there; then it is what is served. */
  async #serveCopyOf(pointer: Pointer, importMs?: number): Promise<boolean> {
    const { directory, build } = this.#options;
    const name = { snapshotId: pointer.snapshotId, build };
    if (!(await this.#copiesOf(pointer.snapshotId)).some((copy) => copy.build === build))
      return false;
    // An import has just read all that it wrote, to seal it.
    const read = importMs === undefined ? verifyCopy : readManifest;
    const manifest = await this.#verify(name, read);
    if (manifest?.documentSha256 !== pointer.sha256) {
      await removeCopy(directory, name);
      return false;
    }
    if (!(await this.#serve(manifest))) return false;
    this.#forgetFailures();
    const timed = pointer.activatedAtMs >= this.#startedAtMs;
    this.#options.report({
      kind: 'activated',
      snapshotId: pointer.snapshotId,
      ...(importMs === undefined ? {} : { importMs }),
      ...(timed ? { publishToVisibleMs: this.#clock.wallMs() - pointer.activatedAtMs } : {}),
    });
    return true;
  }

  /** Serves the last good copy while nothing newer can be served. */
  async #serveLastGood(): Promise<void> {
    if (this.#serving !== undefined) return;
    for (const name of await this.#copiesOf(this.#storeStatus.lastGood)) {
      const manifest = await this.#verify(name);
      if (manifest === undefined || !(await this.#serve(manifest))) continue;
      this.#options.report({ kind: 'activated', snapshotId: manifest.snapshotId });
      return;
    }
    await this.#storeStatus.setLastGood(undefined);
    await this.#beUnavailable('starting', LOADING);
  }

  /** Copies of one snapshot, that of this build first. */
  async #copiesOf(snapshotId: string | undefined): Promise<readonly CopyName[]> {
    const { directory, build } = this.#options;
    const copies = (await listCopies(directory)).filter((copy) => copy.snapshotId === snapshotId);
    return copies.toSorted((a, b) => Number(b.build === build) - Number(a.build === build));
  }

  /** Whether it is served now; a copy that is whole, but of no use to anybody, is removed. */
  async #serve(manifest: CopyManifest): Promise<boolean> {
    const { apply, directory: copies } = this.#options;
    const { snapshotId } = manifest;
    const directory = copyDirectory(copies, manifest);
    const build = this.#renderingBuild(manifest);
    if (!(await apply({ kind: 'snapshot', snapshotId, directory, build }))) {
      this.#fail(NOT_SERVABLE, snapshotId);
      await removeCopy(copies, manifest);
      return false;
    }
    this.#serving = manifest;
    const others = this.#recent.filter(
      (other) => other.build === this.#options.build && copyDirectory(copies, other) !== directory,
    );
    this.#recent = [manifest, ...others].slice(0, 2);
    await this.#storeStatus.setLastGood(snapshotId);
    return true;
  }

  /** Some answers lie finished in the copy, others are rendered now: by two builds, no entity tag of either fits. */
  #renderingBuild({ build }: CopyName): string {
    return build === this.#options.build ? build : `${build}-${this.#options.build}`;
  }

  async #beUnavailable(reason: UnavailableReason, detail: string): Promise<void> {
    const isNews = reason !== this.#unavailable.reason || detail !== this.#unavailable.detail;
    if (this.#serving === undefined && !isNews) return;
    this.#serving = undefined;
    this.#unavailable = { reason, detail };
    await this.#options.apply({ kind: 'unavailable', reason, detail });
    this.#options.report({ kind: 'unavailable', reason, detail });
  }

  async #verifyAgain(): Promise<void> {
    this.#isSuspect = false;
    if (this.#serving === undefined) return;
    if ((await this.#verify(this.#serving)) !== undefined) return;
    await this.#storeStatus.setLastGood(undefined);
    await this.#beUnavailable('starting', 'The local copy is damaged and is made anew.');
  }

  /** The copy's manifest, or undefined where it cannot be served; a damaged one is removed. */
  async #verify(name: CopyName, read = verifyCopy): Promise<CopyManifest | undefined> {
    const { directory, expectedSchemaVersion } = this.#options;
    try {
      const manifest = await read(copyDirectory(directory, name));
      return manifest.schemaVersion === expectedSchemaVersion ? manifest : undefined;
    } catch (error) {
      this.#fail(failureOf(error), name.snapshotId);
      await removeCopy(directory, name);
      return undefined;
    }
  }

  /** Removes the copies that nobody needs any more. */
  async #tidy(): Promise<void> {
    const { directory, inUse, build } = this.#options;
    // The copy of an import is there a moment before the import has ended.
    const wanted = [this.#wanted, this.#import?.pointer].flatMap((pointer) => pointer ?? []);
    const needed = [...this.#recent, ...wanted.map(({ snapshotId }) => ({ snapshotId, build }))];
    const neededDirectories = new Set([
      ...inUse(),
      ...needed.map((name) => copyDirectory(directory, name)),
    ]);
    for (const name of await listCopies(directory)) {
      if (!neededDirectories.has(copyDirectory(directory, name))) await removeCopy(directory, name);
    }
  }

  #fail(failure: Failure, snapshotId?: string): void {
    // Every other malformed pointer is somebody's new act, so there the message counts.
    const about = JSON.stringify([failure.code, snapshotId ?? failure.message]);
    const repeated = about === this.#lastFailure;
    this.#lastFailure = about;
    const named = snapshotId === undefined ? {} : { snapshotId };
    this.#options.report({ kind: 'failed', ...failure, ...named, repeated });
  }

  #forgetFailures(): void {
    this.#backoff.forget();
    this.#lastFailure = undefined;
  }

  #delayMs(): number {
    const dueMs = this.#wanted === undefined ? 0 : this.#backoff.dueInMs(this.#wanted);
    const graceMs = this.#serving === undefined ? Infinity : this.#storeStatus.leftMs;
    return Math.min(this.#options.pollMs, graceMs, dueMs > 0 ? dueMs : Infinity);
  }
}

interface Failure {
  readonly code: SnapshotErrorCode;
  readonly message: string;
}

const NOT_SERVABLE: Failure = {
  code: 'copy_damaged',
  message: 'there is no local copy that can be served',
};

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return { code: error instanceof SnapshotError ? error.code : 'import_failed', message };
}

function isSameDocument(a: Pointer, b: Pointer): boolean {
  return a.snapshotId === b.snapshotId && a.sha256 === b.sha256 && a.document === b.document;
}
