/** The local copies that stay on disk: found by their snapshot, verified, and removed when nobody needs them any more. */
import {
  copiesOf,
  copyDirectory,
  listCopies,
  removeCopy,
  removeLeftovers,
  type CopyName,
} from '../local/copies.js';
import { verifyCopy, type CopyManifest } from '../local/manifest.js';
import { isOwnFolder } from '../local/own-folders.js';
import { failureOf, type Failures } from './failures.js';

export interface KeptCopiesOptions {
  /** Of this namespace's local copies; nobody else uses it. */
  readonly directory: string;
  /** This build: a copy that another one has made is served only until there is one of its own. */
  readonly build: string;
  readonly expectedSchemaVersion: string;
  /** Directories of the copies that somebody still reads: their files stay. */
  readonly inUse: () => ReadonlySet<string>;
}

export class KeptCopies {
  readonly #options: KeptCopiesOptions;
  readonly #failures: Failures;
  /** The copies that stay: the one served last, then the one before, so that going back needs no import. */
  #recent: readonly CopyName[];

  /** @param copies those that an earlier run has left. */
  constructor(options: KeptCopiesOptions, failures: Failures, copies: readonly CopyName[]) {
    this.#options = options;
    this.#failures = failures;
    // Newest id first: where there are more than two, the other ones are older.
    this.#recent = copies.toSorted((a, b) => (a.snapshotId < b.snapshotId ? 1 : -1));
  }

  directoryOf(name: CopyName): string {
    return copyDirectory(this.#options.directory, name);
  }

  /** Copies of one snapshot, that of this build first. */
  async of(snapshotId: string | undefined): Promise<readonly CopyName[]> {
    const { directory, build } = this.#options;
    return await copiesOf(directory, { snapshotId, build });
  }

  /** The copy of one snapshot that this build has made, or undefined where there is none. */
  async own(snapshotId: string): Promise<CopyName | undefined> {
    const name = { snapshotId, build: this.#options.build };
    return (await isOwnFolder(this.directoryOf(name))) ? name : undefined;
  }

  /** The copy's manifest, or undefined where it cannot be served; a damaged one is removed. */
  async verify(name: CopyName, read = verifyCopy): Promise<CopyManifest | undefined> {
    try {
      const manifest = await read(this.directoryOf(name));
      return manifest.schemaVersion === this.#options.expectedSchemaVersion ? manifest : undefined;
    } catch (error) {
      this.#failures.report(failureOf(error), name.snapshotId);
      await this.remove(name);
      return undefined;
    }
  }

  async remove(name: CopyName): Promise<void> {
    await removeCopy(this.#options.directory, name);
  }

  /** Removes what an import has begun. */
  async removeLeftovers(): Promise<void> {
    await removeLeftovers(this.#options.directory);
  }

  /** This copy is served now: it stays, and the one before. */
  keep(served: CopyName): void {
    const directory = this.directoryOf(served);
    const others = this.#recent.filter(
      (other) => other.build === this.#options.build && this.directoryOf(other) !== directory,
    );
    this.#recent = [served, ...others].slice(0, 2);
  }

  /** The one before may go: a disk for two copies has room for the next one without it. */
  giveUpPrevious(): void {
    this.#recent = this.#recent.slice(0, 1);
  }

  /**
   * Removes the copies that nobody needs any more.
   *
   * @param awaited snapshots whose copies of this build are needed, or may be soon.
   */
  async tidy(awaited: readonly string[]): Promise<void> {
    const { directory, inUse, build } = this.#options;
    const needed = [...this.#recent, ...awaited.map((snapshotId) => ({ snapshotId, build }))];
    const directories = new Set([...inUse(), ...needed.map((name) => this.directoryOf(name))]);
    for (const name of await listCopies(directory)) {
      if (!directories.has(this.directoryOf(name))) await this.remove(name);
    }
  }
}
