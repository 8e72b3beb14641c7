/** The `file:` store (`docs/snapshot-format.md, "File store"`). A crash leaves the old state and at most an orphan. */
import { rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import {
  claimName,
  makeDirectory,
  namesIn,
  removeAbandoned,
  syncDirectory,
  temporaryPath,
  writeDurably,
} from '../../../files/durable-file.js';
import { systemCode } from '../../../files/file-error.js';
import { withLock } from '../../../files/lock-folder.js';
import {
  openRegularFile,
  readAtMost,
  readChunk,
  statIfExists,
} from '../../../files/regular-file.js';
import {
  missingObject,
  NAMED_BYTES_MAX,
  promisedBytes,
  type Change,
  type NewObject,
  type OpenOptions,
  type StoredObject,
  type WritableObjectStore,
} from '../objects.js';
import { snapshotIdOf } from '../pointer.js';
import { pulledStream } from '../pulled-stream.js';
import { fileFailure } from './file-failure.js';

/** File with the ids of removed snapshots, one per line: 1.6 MB a year, with a publish every ten minutes. */
const REMOVED_NAME = 'removed.txt';
const REMOVED_BYTES_MAX = 64 * 1024 * 1024;

/** A folder that exists while a process changes the store. */
const LOCK_NAME = '.lock';

export interface FileObjectsOptions {
  readonly address: string;
  readonly root: string;
  readonly keyPrefix: string;
  /** Aborts the wait for another process that changes the store. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit for the other process; default: 30 s. */
  readonly lockTimeoutMs?: number | undefined;
  /** Receives messages for operators. */
  readonly onNote?: ((note: string) => void) | undefined;
}

export class FileObjects implements WritableObjectStore {
  readonly address: string;
  readonly #root: string;
  readonly #namespace: string;
  readonly #options: FileObjectsOptions;

  constructor(options: FileObjectsOptions) {
    const { address, root, keyPrefix } = options;
    this.address = address;
    this.#options = options;
    this.#root = root;
    this.#namespace = join(root, keyPrefix);
  }

  async read(name: string, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    signal?.throwIfAborted();
    return await this.#attempt(
      `read ${name}`,
      async () => (await this.#content(name)) ?? (await this.#contentBelowRoot(name)),
    );
  }

  async open(name: string, { sizeBytes = Infinity, signal }: OpenOptions = {}): Promise<Readable> {
    signal?.throwIfAborted();
    const doing = `read ${name}`;
    const file = await this.#attempt(doing, () => openRegularFile(this.#pathOf(name)));
    if (file === undefined) throw missingObject(this.address, name);
    const { size } = await this.#attempt(doing, () => file.stat());
    const to = Math.min(size, sizeBytes + 1);
    let from = 0;
    return pulledStream({
      pull: () =>
        this.#attempt(doing, async () => {
          if (from >= to) return undefined;
          const chunk = await readChunk(file, { from, to });
          if (chunk.byteLength === 0) throw new Error('it was cut while it was read');
          from += chunk.byteLength;
          return chunk;
        }),
      close: () => file.close(),
      signal,
    });
  }

  /** Does nothing: each file is closed after it is read. */
  close(): void {}

  async prepare(): Promise<void> {
    await this.#attempt('make its directory', () => makeDirectory(this.#root));
  }

  async list(folder: string): Promise<readonly StoredObject[]> {
    return await this.#attempt(`list ${folder}`, async () => {
      const names = await namesIn(this.#pathOf(folder), { recursive: true });
      const statuses = await Promise.all(names.map((name) => this.#statOf(`${folder}/${name}`)));
      return statuses.filter((one) => one !== undefined);
    });
  }

  async stat(name: string): Promise<StoredObject | undefined> {
    return await this.#attempt(`read ${name}`, () => this.#statOf(name));
  }

  async isRetired(name: string): Promise<boolean> {
    const snapshotId = snapshotIdOf(name);
    if (snapshotId === undefined) return false;
    return await this.#attempt(`read ${REMOVED_NAME}`, async () =>
      (await this.#removedIds()).split('\n').includes(snapshotId),
    );
  }

  async put(name: string, object: NewObject, signal?: AbortSignal) {
    const path = this.#pathOf(name);
    const folder = this.#pathOf(name.split('/')[0] ?? '');
    return await this.#attempt(`write ${name}`, async () => {
      await makeDirectory(dirname(path));
      if ((await statIfExists(path)) !== undefined) return 'present';
      if (await this.isRetired(name)) return 'retired';
      const temporary = temporaryPath(folder);
      await writeDurably(temporary, promisedBytes(object, snapshotIdOf(name) ?? name, signal));
      try {
        if (!(await claimName(temporary, path))) return 'present';
        // A removal may run meanwhile. It retires the name before it removes the object.
        if (!(await this.isRetired(name))) return 'stored';
        await rm(path, { force: true });
        return 'retired';
      } finally {
        await rm(temporary, { force: true });
      }
    });
  }

  async change(change: Change): Promise<boolean> {
    const { name, removes } = change;
    const { signal, lockTimeoutMs: timeoutMs, onNote } = this.#options;
    return await this.#attempt(removes ? `remove ${removes}` : `write ${name}`, async () => {
      await makeDirectory(dirname(this.#pathOf(name)));
      const onWait = (): void => onNote?.(`${this.address}: another process changes it; waiting`);
      const options = { signal, timeoutMs, onWait };
      const lock = this.#pathOf(LOCK_NAME);
      // Undefined after another process has taken over the lock, and perhaps changed the store.
      return (await withLock(lock, (folder) => this.#change(change, folder), options)) ?? false;
    });
  }

  /** @param folder this process's folder in the lock: after the loss of the lock, all renames from or to it fail. */
  async #change(change: Change, folder: string): Promise<boolean> {
    const { name, from, to, needs = [], removes } = change;
    const before = await this.#content(name);
    if (from === undefined ? before : !before || Buffer.compare(from, before)) return false;
    for (const one of needs) {
      if (!(await this.#statOf(one)) || (await this.isRetired(one))) return false;
    }
    if (removes !== undefined) {
      // The name is retired first: if this process is killed afterwards, the same command completes the removal.
      const snapshotId = snapshotIdOf(removes);
      if (snapshotId !== undefined) await this.#retire(snapshotId, folder);
      if (await this.#statOf(removes)) await moveInto(folder, this.#pathOf(removes));
    }
    if (to !== undefined) await this.#replace(name, to, folder);
    return true;
  }

  async #replace(name: string, content: string, folder: string): Promise<void> {
    const next = join(folder, 'next');
    const path = this.#pathOf(name);
    await writeDurably(next, content);
    await rename(next, path);
    await syncDirectory(dirname(path));
  }

  async removeOrphans(): Promise<number> {
    return await this.#attempt('remove orphans', async () => {
      let removed = 0;
      for (const folder of ['', 'snapshots', 'archive', LOCK_NAME]) {
        removed += await removeAbandoned(this.#pathOf(folder));
      }
      return removed;
    });
  }

  #pathOf(name: string): string {
    return join(this.#namespace, name);
  }

  async #content(name: string): Promise<Uint8Array | undefined> {
    return await readAtMost(this.#pathOf(name), NAMED_BYTES_MAX + 1);
  }

  /**
   * The content, read after the root was found. A missing root means an unmounted disk, hence an unknown pointer. The
   * first read does not count: the disk may have been mounted after it.
   */
  async #contentBelowRoot(name: string): Promise<Uint8Array | undefined> {
    if (!(await stat(this.#root)).isDirectory())
      throw new Error(`${this.#root} is not a directory`);
    return await this.#content(name);
  }

  async #statOf(name: string): Promise<StoredObject | undefined> {
    const status = await statIfExists(this.#pathOf(name));
    if (status?.isFile() !== true) return undefined;
    return { name, sizeBytes: status.size, storedAtMs: Math.floor(status.mtimeMs) };
  }

  async #removedIds(): Promise<string> {
    const bytes = await readAtMost(this.#pathOf(REMOVED_NAME), REMOVED_BYTES_MAX + 1);
    if (bytes === undefined) return '';
    if (bytes.length > REMOVED_BYTES_MAX) throw new Error(`${REMOVED_NAME} is too long`);
    return Buffer.from(bytes).toString();
  }

  async #retire(snapshotId: string, folder: string): Promise<void> {
    const ids = await this.#removedIds();
    if (ids.split('\n').includes(snapshotId)) return;
    // An operator may have edited the file and left out the last line feed.
    const isWhole = /(?:^|\n)$/.test(ids);
    await this.#replace(REMOVED_NAME, `${ids}${isWhole ? '' : '\n'}${snapshotId}\n`, folder);
  }

  async #attempt<T>(doing: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw fileFailure(error, `${doing} in ${this.address}`);
    }
  }
}

/** Moves an object into the lock's folder, which is removed later. */
async function moveInto(folder: string, path: string): Promise<void> {
  try {
    await rename(path, join(folder, 'gone'));
  } catch (error) {
    if (systemCode(error) !== 'EXDEV') throw error;
    // The object is on another disk than the lock: it is removed directly, if the lock is still held.
    await stat(folder);
    await rm(path);
  }
  await syncDirectory(dirname(path));
}
