/** The local copies on disk: finds them by snapshot, verifies them, and removes unused ones. */
import { join } from 'node:path';
import { systemClock, type Clock } from '../domain/clock.js';
import { failureOf, SnapshotError } from '../domain/snapshot-error.js';
import { copiesOf, copyDirectory, listCopies, removeCopy, type CopyName } from '../local/copies.js';
import { ENVIRONMENT_FILE } from '../local/environment.js';
import { verifyCopy, type CopyManifest } from '../local/manifest.js';
import { isOwnFolder } from '../local/own-files.js';
import type { DocumentName } from '../domain/snapshot-id.js';
import type { Pointer } from '../store/pointer.js';
import type { Failures } from './failures.js';

/** Time for which a former copy is kept, with its bulk files at their addresses; and maximal number of them. */
const FORMER_MS = 15 * 60_000;
const FORMER_MAX = 12;

export interface KeptCopiesOptions {
  /** Directory of this namespace's local copies, owned by this instance. */
  readonly directory: string;
  /** This build. A copy of another build is active only until this build has its own. */
  readonly build: string;
  readonly expectedSchemaVersion: string;
  /** Directories of copies with readers, which stay. */
  readonly inUse: () => ReadonlySet<string>;
  readonly clock?: Clock;
  /** Number of past snapshots in the history: a copy outside of it could not be active again without an import. */
  readonly historySnapshots?: number;
}

export class KeptCopies {
  readonly #options: KeptCopiesOptions;
  readonly #clock: Clock;
  readonly #failures: Failures;
  /** The copies that stay: the active one, and former ones, the last one first. */
  #recent: readonly CopyName[];
  /** When former copies are no longer kept, by the monotonic clock. */
  readonly #endMs = new WeakMap<CopyName, number>();

  constructor(options: KeptCopiesOptions, failures: Failures, copies: readonly CopyName[]) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#failures = failures;
    // The greatest id, usually the newest, first: `keep` drops copies from the end.
    this.#recent = copies.toSorted((a, b) => (a.snapshotId < b.snapshotId ? 1 : -1));
  }

  directoryOf(name: CopyName): string {
    return copyDirectory(this.#options.directory, name);
  }

  fileOf(name: CopyName): string {
    return join(this.directoryOf(name), ENVIRONMENT_FILE);
  }

  /** Copies of one document, beginning with the copy of this build. */
  async of(document: DocumentName | undefined): Promise<readonly CopyName[]> {
    const { directory, build } = this.#options;
    return document === undefined ? [] : await copiesOf(directory, { ...document, build });
  }

  /** This build's copy of the pointer's document, if any. */
  async own(pointer: Pointer): Promise<CopyName | undefined> {
    const name = this.#ownName(pointer);
    return (await isOwnFolder(this.directoryOf(name))) ? name : undefined;
  }

  #ownName({ snapshotId, sha256 }: Pointer): CopyName {
    return { snapshotId, documentSha256: sha256, build: this.#options.build };
  }

  /** The copy's manifest, or why it is unusable. Removes a damaged copy; a copy that cannot be read for now stays. */
  async verify(
    name: CopyName,
    read = verifyCopy,
  ): Promise<CopyManifest | 'unusable' | 'unreadable'> {
    try {
      const manifest = await read(this.directoryOf(name));
      const isReadable = manifest.schemaVersion === this.#options.expectedSchemaVersion;
      return isReadable ? manifest : 'unusable';
    } catch (error) {
      const isDamaged = error instanceof SnapshotError && error.code === 'copy_damaged';
      // A copy of another build may have another format, and is no failure.
      if (!isDamaged || name.build === this.#options.build) {
        this.#failures.report(failureOf(error), name.snapshotId);
      }
      if (!isDamaged) return 'unreadable';
      await this.remove(name);
      return 'unusable';
    }
  }

  async remove(name: CopyName): Promise<void> {
    await removeCopy(this.#options.directory, name);
  }

  /** Keeps this active copy and its former ones. */
  keep(active: CopyName): void {
    const former = this.former(active);
    const endMs = this.#clock.elapsedMs() + FORMER_MS;
    for (const one of former) this.#endMs.set(one, this.#endMs.get(one) ?? endMs);
    this.#recent = [active, ...former];
  }

  /** The last active copy before this one, for a rollback without an import, and those of the last minutes. */
  former(active: CopyName): readonly CopyName[] {
    const [directory, nowMs] = [this.directoryOf(active), this.#clock.elapsedMs()];
    const most = Math.max(1, Math.min(FORMER_MAX, this.#options.historySnapshots ?? FORMER_MAX));
    return this.#recent
      .filter((one) => one.build === this.#options.build && this.directoryOf(one) !== directory)
      .filter((one, at) => at === 0 || (this.#endMs.get(one) ?? Infinity) > nowMs)
      .slice(0, most);
  }

  /** Gives up former copies, so that the disk needs space for only two. */
  giveUpFormer(): void {
    this.#recent = this.#recent.slice(0, 1);
  }

  /** Gives up the copies of removed snapshots. */
  forget(snapshotIds: readonly string[]): void {
    this.#recent = this.#recent.filter(({ snapshotId }) => !snapshotIds.includes(snapshotId));
  }

  /** Removes copies that are no longer needed. @param awaited pointers whose copies of this build are needed soon. */
  async tidy(awaited: readonly Pointer[]): Promise<void> {
    const { directory, inUse } = this.#options;
    const needed = [...this.#recent, ...awaited.map((pointer) => this.#ownName(pointer))];
    const directories = new Set([...inUse(), ...needed.map((name) => this.directoryOf(name))]);
    for (const name of await listCopies(directory)) {
      if (!directories.has(this.directoryOf(name))) await this.remove(name);
    }
  }
}
