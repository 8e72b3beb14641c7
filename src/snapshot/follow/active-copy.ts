/** The active copy with its date, or the reason for its absence; `apply` sends it to the fronts. */
import type { Clock } from '../domain/clock.js';
import {
  modificationDate,
  type ActiveState,
  type UnavailableReason,
} from '../domain/active-state.js';
import type { CopyName } from '../local/copies.js';
import { identityAt } from '../local/identity.js';
import { readManifest, verifyCopy, type CopyManifest } from '../local/manifest.js';
import type { Pointer } from '../store/pointer.js';
import { NOT_SERVABLE, type Failures } from './failures.js';
import type { FollowEvent } from './follow-event.js';
import type { KeptCopies } from './kept-copies.js';
import type { StoreStatus } from './store-status.js';

const LOADING = 'The active snapshot is not loaded yet.';

export interface ActiveCopyOptions {
  /** This build, which renders the answers that a copy lacks. */
  readonly build: string;
  /** Activates a state in the fronts; never rejects. @returns false if no front could: the previous state stays. */
  readonly apply: (serving: ActiveState) => Promise<boolean>;
  readonly report: (event: FollowEvent) => void;
  readonly clock: Clock;
  readonly copies: KeptCopies;
  readonly storeStatus: StoreStatus;
  readonly failures: Failures;
}

export class ActiveCopy {
  readonly #options: ActiveCopyOptions;
  readonly #startedAtMs: number;
  #copy: CopyManifest | undefined;
  /** Identity of the copy's file at its activation. */
  #file: string | undefined;
  #isGone = false;
  #lastModified: number | undefined;
  /** Number of former copies that the fronts keep open. */
  #former = 0;
  /** The reported reason while no copy is active. */
  #unavailable: { readonly reason: UnavailableReason; readonly detail: string };

  constructor(options: ActiveCopyOptions) {
    this.#options = options;
    this.#startedAtMs = options.clock.wallMs();
    this.#unavailable = { reason: 'starting', detail: LOADING };
  }

  get copy(): CopyManifest | undefined {
    return this.#copy;
  }

  /** Whether the active copy's folder was removed or replaced: open readers go on, but new ones would fail. */
  async isGone(): Promise<boolean> {
    if (this.#copy === undefined || this.#isGone) return this.#isGone;
    const { copies, failures } = this.#options;
    const folder = copies.directoryOf(this.#copy);
    const identity = identityAt(copies.fileOf(this.#copy));
    // A failed check says nothing about the file.
    this.#isGone = (await identity.catch(() => this.#file)) !== this.#file;
    const message = `${folder} was removed by another program: the snapshot is served from memory, and imported again`;
    if (this.#isGone) failures.report({ code: 'copy_damaged', message }, this.#copy.snapshotId);
    return this.#isGone;
  }

  /** Activates the pointer's copy of this build if it is intact. @returns whether it is active. */
  async serveCopyOf(pointer: Pointer, importMs?: number): Promise<boolean> {
    const { copies } = this.#options;
    const name = await copies.own(pointer);
    if (name === undefined) return false;
    // An import that has just ended has read all bytes of the copy, to seal it.
    const manifest = await copies.verify(name, importMs === undefined ? verifyCopy : readManifest);
    if (typeof manifest === 'string') return false;
    if (manifest.documentSha256 === pointer.sha256) {
      return await this.#serve(manifest, pointer, importMs);
    }
    await copies.remove(name);
    return false;
  }

  /**
   * Activates the last good copy if no snapshot is active; called when no newer one can be activated.
   *
   * @param pointer the store's pointer, if known.
   * @returns whether a snapshot is active.
   */
  async serveLastGood(pointer: Pointer | undefined): Promise<boolean> {
    const { copies, storeStatus } = this.#options;
    if (this.#copy !== undefined) return true;
    let isLost = true;
    for (const name of await copies.of(storeStatus.lastGood)) {
      const manifest = await copies.verify(name);
      if (manifest === 'unusable') continue;
      // A copy that is unreadable for the moment is tried again later.
      isLost = false;
      if (manifest !== 'unreadable' && (await this.#serve(manifest, pointer))) return true;
    }
    if (isLost) await storeStatus.setLastGood(undefined);
    return false;
  }

  async beUnavailable(reason: UnavailableReason, detail = LOADING): Promise<void> {
    const isNews = reason !== this.#unavailable.reason || detail !== this.#unavailable.detail;
    if (this.#copy === undefined && !isNews) return;
    this.#copy = undefined;
    this.#isGone = false;
    this.#unavailable = { reason, detail };
    await this.#options.apply({ kind: 'unavailable', reason, detail });
    this.#options.report({ kind: 'unavailable', reason, detail });
  }

  /** Verifies the active copy again, and withdraws a damaged one. @returns false if it is unreadable for the moment. */
  async reverify(): Promise<boolean> {
    const { copies, storeStatus } = this.#options;
    if (await this.isGone()) return true;
    const verified = this.#copy && (await copies.verify(this.#copy));
    if (verified === 'unusable') {
      await storeStatus.setLastGood(undefined);
      await this.beUnavailable('starting', 'The local copy is damaged and is made anew.');
    }
    return verified !== 'unreadable';
  }

  /** Updates `Last-Modified` if the pointer was moved to the active copy again, or its future time has passed. */
  async renewDate(copy: CopyManifest, { activatedAtMs }: Pointer): Promise<void> {
    const { storeStatus, clock } = this.#options;
    const lastModified = modificationDate(activatedAtMs, clock.wallMs());
    const isSame = storeStatus.lastGood?.activatedAtMs === activatedAtMs;
    if (isSame && lastModified === this.#lastModified) return;
    await this.#apply(copy, activatedAtMs);
  }

  /** Has the fronts close former copies that are no longer kept. */
  async renewFormer(): Promise<void> {
    const { copies, storeStatus } = this.#options;
    if (!this.#copy || copies.former(this.#copy).length === this.#former) return;
    await this.#apply(this.#copy, storeStatus.lastGood?.activatedAtMs);
  }

  /** Activates a copy; it stays on disk if no front can open it for the moment. @returns whether it is active. */
  async #serve(
    manifest: CopyManifest,
    pointer: Pointer | undefined,
    importMs?: number,
  ): Promise<boolean> {
    const { copies, failures, storeStatus, clock, report } = this.#options;
    const { snapshotId, documentSha256 } = manifest;
    const file = await identityAt(copies.fileOf(manifest));
    const isNamed = pointer?.snapshotId === snapshotId && pointer.sha256 === documentSha256;
    const activatedAtMs = (isNamed ? pointer : storeStatus.lastGood)?.activatedAtMs;
    if (!(await this.#apply(manifest, activatedAtMs))) {
      failures.report(NOT_SERVABLE, snapshotId);
      return false;
    }
    this.#copy = manifest;
    this.#file = file;
    this.#isGone = false;
    const isTimed = isNamed && pointer.activatedAtMs >= this.#startedAtMs;
    report({
      kind: 'activated',
      snapshotId,
      ...(importMs === undefined ? {} : { importMs }),
      ...(isTimed ? { publishToVisibleMs: clock.wallMs() - pointer.activatedAtMs } : {}),
    });
    return true;
  }

  /** @param activatedAtMs time in the pointer, or in the stored status while the pointer is unreadable. */
  async #apply(manifest: CopyManifest, activatedAtMs: number | undefined): Promise<boolean> {
    const { apply, copies, clock, storeStatus } = this.#options;
    const { snapshotId, documentSha256 } = manifest;
    const lastModified = modificationDate(activatedAtMs, clock.wallMs());
    const former = copies.former(manifest).map((name) => copies.directoryOf(name));
    const isServed = await apply({
      kind: 'snapshot',
      snapshotId,
      directory: copies.directoryOf(manifest),
      build: renderingBuild(manifest, this.#options.build),
      lastModified,
      activatedAtMs,
      former,
    });
    if (!isServed) return false;
    this.#lastModified = lastModified;
    this.#former = former.length;
    copies.keep(manifest);
    await storeStatus.setLastGood({ snapshotId, documentSha256, activatedAtMs });
    return true;
  }
}

/** The build id in a copy's entity tags: both ids if another build imported it, since each renders some answers. */
function renderingBuild(copy: CopyName, build: string): string {
  return copy.build === build ? build : `${copy.build}-${build}`;
}
