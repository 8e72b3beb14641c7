/** The `file:` store (`docs/snapshot-format.md, "File store"`): a directory, written so that a crash leaves the old state and at most an orphan. */
import { appendFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Digester, digesting } from '../../domain/digest.js';
import { SnapshotError } from '../../domain/snapshot-error.js';
import { isSnapshotId } from '../../domain/snapshot-id.js';
import {
  alone,
  claimName,
  makeDirectory,
  namesIn,
  removeAbandoned,
  replaceFile,
  syncDirectory,
  temporaryPath,
  writeDurably,
} from '../../../files/durable-file.js';
import { systemCode } from '../../../files/file-error.js';
import { fileFailure } from './file-failure.js';
import { watchFile } from './file-watch.js';
import {
  decodePointer,
  documentPath,
  encodePointer,
  MAX_POINTER_BYTES,
  pointerIn,
  withdrawing,
} from '../pointer.js';
import {
  openRegularFile,
  readAtMost,
  readChunk,
  readRegularFile,
  statIfExists,
} from '../../../files/regular-file.js';
import { pulledStream } from '../pulled-stream.js';
import {
  assertInactive,
  missingSnapshot,
  removedSnapshot,
  type DocumentLocation,
  type NewSnapshot,
  type Pointer,
  type PointerReading,
  type RemoveOptions,
  type StoredSnapshot,
  type WritableSnapshotStore,
} from '../store.js';

const POINTER_NAME = 'active.json';
const DOCUMENT_SUFFIX = '.json.gz';
/** Ids of removed snapshots, one a line: 1.6 MB for a year of a publish every ten minutes. */
const REMOVED_NAME = 'removed.txt';
/** There while a process changes what is stored. */
const LOCK_NAME = '.lock';

export interface FileStoreOptions {
  /** As settings name it. */
  readonly address: string;
  /** Absolute. */
  readonly root: string;
  readonly keyPrefix: string;
  /** Aborted, another process that changes the store is not waited for any more. Default: it is. */
  readonly signal?: AbortSignal | undefined;
}

export class FileStore implements WritableSnapshotStore {
  readonly address: string;
  readonly #root: string;
  readonly #namespace: string;
  readonly #snapshots: string;
  readonly #pointerPath: string;
  readonly #removedPath: string;
  readonly #signal: AbortSignal | undefined;
  constructor({ address, root, keyPrefix, signal }: FileStoreOptions) {
    this.address = address;
    this.#signal = signal;
    this.#root = root;
    this.#namespace = join(root, keyPrefix);
    this.#snapshots = join(this.#namespace, 'snapshots');
    this.#pointerPath = join(this.#namespace, POINTER_NAME);
    this.#removedPath = join(this.#namespace, REMOVED_NAME);
  }

  async readPointer(signal?: AbortSignal): Promise<PointerReading> {
    signal?.throwIfAborted();
    return await this.#attempt(`read ${POINTER_NAME}`, async () => {
      const bytes = (await this.#pointerBytes()) ?? (await this.#pointerBytesBelowRoot());
      if (bytes === undefined) return { kind: 'absent' };
      return { kind: 'pointer', pointer: decodePointer(bytes) };
    });
  }

  async openDocument(at: DocumentLocation, signal?: AbortSignal): Promise<Readable> {
    signal?.throwIfAborted();
    const document = at.document ?? documentPath(at.snapshotId);
    const doing = `read ${document}`;
    const path = join(this.#namespace, document);
    const file = await this.#attempt(doing, () => openRegularFile(path));
    if (file === undefined) throw missingSnapshot(this.address, at.snapshotId);
    let missingBytes = (await this.#attempt(doing, () => file.stat())).size;
    return pulledStream({
      pull: () =>
        this.#attempt(doing, async () => {
          const chunk = await readChunk(file);
          missingBytes -= chunk?.byteLength ?? 0;
          if (chunk === undefined && missingBytes > 0)
            throw new Error('it was cut while it was read');
          return chunk;
        }),
      close: () => file.close(),
      signal,
    });
  }

  watch(onChange: () => void): { close(): void } {
    return watchFile({ directory: this.#namespace, name: POINTER_NAME, onChange });
  }

  /** Files are closed when they have been read. */
  close(): void {
    // Nothing is held.
  }

  async list(): Promise<readonly StoredSnapshot[]> {
    return await this.#attempt('list snapshots', async () => {
      const found: StoredSnapshot[] = [];
      for (const name of await namesIn(this.#snapshots)) {
        const snapshotId = name.slice(0, -DOCUMENT_SUFFIX.length);
        if (!name.endsWith(DOCUMENT_SUFFIX) || !isSnapshotId(snapshotId)) continue;
        const status = await statIfExists(join(this.#snapshots, name));
        if (status?.isFile() !== true) continue;
        const { size: sizeBytes, mtimeMs } = status;
        found.push({ snapshotId, sizeBytes, storedAtMs: Math.floor(mtimeMs) });
      }
      return found;
    });
  }

  async isRemoved(snapshotId: string): Promise<boolean> {
    return await this.#attempt(`read ${REMOVED_NAME}`, async () =>
      (await this.#removedIds()).split('\n').includes(snapshotId),
    );
  }

  async write(snapshot: NewSnapshot, signal?: AbortSignal): Promise<boolean> {
    const document = documentPath(snapshot.snapshotId);
    const path = join(this.#namespace, document);
    return await this.#attempt(`write ${document}`, async () => {
      await makeDirectory(this.#snapshots);
      if ((await statIfExists(path)) !== undefined) return false;
      return await this.#write(path, snapshot, signal);
    });
  }

  async movePointer(change: (before: Pointer | undefined) => Pointer): Promise<Pointer> {
    return await this.#alone(`write ${POINTER_NAME}`, async () => {
      const to = change(pointerIn(await this.#pointerBytes()));
      // `remove` may have taken the document after it was verified.
      if ((await statIfExists(join(this.#namespace, to.document))) === undefined) {
        throw missingSnapshot(this.address, to.snapshotId);
      }
      await this.#refuseRemoved(to.snapshotId);
      await replaceFile(this.#pointerPath, encodePointer(to));
      return to;
    });
  }

  async remove(snapshotId: string, { withdraw = false }: RemoveOptions = {}): Promise<boolean> {
    if (!isSnapshotId(snapshotId)) throw missingSnapshot(this.address, snapshotId);
    const document = documentPath(snapshotId);
    const path = join(this.#namespace, document);
    // A root that is gone is not made here.
    await this.readPointer();
    await makeDirectory(this.#namespace);
    return await this.#alone(`remove ${document}`, async () => {
      const reading = await this.readPointer();
      const pointer = reading.kind === 'pointer' ? reading.pointer : undefined;
      assertInactive(pointer, snapshotId);
      // Before the document goes: killed in between, the same command again does the rest.
      await this.#keepRemoved(snapshotId);
      const isStored = (await statIfExists(path)) !== undefined;
      if (isStored) {
        await rm(path);
        await syncDirectory(this.#snapshots);
      }
      if (withdraw && pointer !== undefined) {
        await replaceFile(this.#pointerPath, encodePointer(withdrawing(pointer, snapshotId)));
      }
      return isStored;
    });
  }

  async prepare(): Promise<void> {
    await this.#attempt('make its directory', () => makeDirectory(this.#root));
  }

  async removeOrphans(): Promise<number> {
    if (!(await this.#attempt('remove orphans', () => statIfExists(this.#namespace)))) return 0;
    return await this.#alone('remove orphans', async () => {
      return (await removeAbandoned(this.#namespace)) + (await removeAbandoned(this.#snapshots));
    });
  }

  async #pointerBytes(): Promise<Uint8Array | undefined> {
    // One byte more than a pointer may have is enough to refuse it.
    return readAtMost(this.#pointerPath, MAX_POINTER_BYTES + 1);
  }

  /**
   * A root that is gone is a disk that is not mounted: nothing is known of the pointer then. Nor from a look before
   * the root was seen: the disk may have come back between the two, and data would answer 503 for a poll.
   */
  async #pointerBytesBelowRoot(): Promise<Uint8Array | undefined> {
    if (!(await stat(this.#root)).isDirectory()) throw new Error(`${this.#root} is no directory`);
    return this.#pointerBytes();
  }

  /** Writes a document under a temporary name and gives it its own, unless another publisher was faster. */
  async #write(path: string, snapshot: NewSnapshot, signal?: AbortSignal): Promise<boolean> {
    const temporary = temporaryPath(dirname(path));
    const digester = new Digester();
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of digesting(snapshot.open(), digester)) {
        signal?.throwIfAborted();
        yield chunk;
      }
    };
    await writeDurably(temporary, chunks());
    try {
      if (digester.digest().sha256 !== snapshot.sha256) {
        throw new SnapshotError(
          'document_corrupt',
          `the document of ${snapshot.snapshotId} changed while it was being published`,
        );
      }
      signal?.throwIfAborted();
      return await this.#alone(`write ${documentPath(snapshot.snapshotId)}`, async () => {
        await this.#refuseRemoved(snapshot.snapshotId);
        return await claimName(temporary, path);
      });
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async #removedIds(): Promise<string> {
    try {
      return (await readRegularFile(this.#removedPath)).toString();
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return '';
      throw error;
    }
  }

  async #refuseRemoved(snapshotId: string): Promise<void> {
    if (await this.isRemoved(snapshotId)) throw removedSnapshot(this.address, snapshotId);
  }

  async #keepRemoved(snapshotId: string): Promise<void> {
    if (await this.isRemoved(snapshotId)) return;
    // A power loss may have cut the last line.
    const isWhole = /(?:^|\n)$/.test(await this.#removedIds());
    await appendFile(this.#removedPath, `${isWhole ? '' : '\n'}${snapshotId}\n`, { flush: true });
    await syncDirectory(this.#namespace);
  }

  /** Does what changes the store while no other process does: what was read before a write holds when it is written. */
  async #alone<T>(doing: string, work: () => Promise<T>): Promise<T> {
    const lock = join(this.#namespace, LOCK_NAME);
    return await this.#attempt(doing, () => alone(lock, work, this.#signal));
  }

  async #attempt<T>(doing: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#failure(error, doing);
    }
  }

  #failure(error: unknown, doing: string): Error {
    return fileFailure(error, `${doing} in ${this.address}`);
  }
}
