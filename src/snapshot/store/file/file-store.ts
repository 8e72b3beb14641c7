/** The `file:` store (`docs/snapshot-format.md, "File store"`): a directory, written so that a crash leaves the old state and at most an orphan. */
import { rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { Digester, digesting } from '../../domain/digest.js';
import { SnapshotError } from '../../domain/snapshot-error.js';
import { isSnapshotId } from '../../domain/snapshot-id.js';
import {
  claimName,
  makeDirectory,
  namesIn,
  removeAbandoned,
  replaceFile,
  syncDirectory,
  temporaryPath,
  writeDurably,
} from './durable-file.js';
import { systemCode } from '../../document/file-error.js';
import { fileFailure } from './file-failure.js';
import { watchFile } from './file-watch.js';
import { decodePointer, documentPath, encodePointer, MAX_POINTER_BYTES } from '../pointer.js';
import { openRegularFile, readAtMost, readChunk, statIfExists } from './regular-file.js';
import { pulledStream } from '../pulled-stream.js';
import {
  assertInactive,
  missingSnapshot,
  type DocumentLocation,
  type NewSnapshot,
  type Pointer,
  type PointerReading,
  type StoredSnapshot,
  type WritableSnapshotStore,
} from '../store.js';

const POINTER_NAME = 'active.json';
const DOCUMENT_SUFFIX = '.json.gz';

export interface FileStoreOptions {
  /** As settings name it. */
  readonly address: string;
  /** Absolute. */
  readonly root: string;
  readonly keyPrefix: string;
}

export class FileStore implements WritableSnapshotStore {
  readonly address: string;
  readonly #root: string;
  readonly #namespace: string;
  readonly #snapshots: string;
  readonly #pointerPath: string;
  constructor({ address, root, keyPrefix }: FileStoreOptions) {
    this.address = address;
    this.#root = root;
    this.#namespace = join(root, keyPrefix);
    this.#snapshots = join(this.#namespace, 'snapshots');
    this.#pointerPath = join(this.#namespace, POINTER_NAME);
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
    return pulledStream({
      pull: () => this.#attempt(doing, () => readChunk(file)),
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

  async write(snapshot: NewSnapshot, signal?: AbortSignal): Promise<boolean> {
    const document = documentPath(snapshot.snapshotId);
    const path = join(this.#namespace, document);
    return await this.#attempt(`write ${document}`, async () => {
      await makeDirectory(this.#snapshots);
      if ((await statIfExists(path)) !== undefined) return false;
      return await this.#write(path, snapshot, signal);
    });
  }

  async movePointer(to: Pointer): Promise<void> {
    await this.#attempt(`write ${POINTER_NAME}`, async () => {
      const before = await this.#pointerBytes();
      await replaceFile(this.#pointerPath, encodePointer(to));
      // `remove` may have taken the document after it was verified: then nothing was activated.
      if ((await statIfExists(join(this.#namespace, to.document))) === undefined) {
        await this.#putPointerBack(before);
        throw missingSnapshot(this.address, to.snapshotId);
      }
    });
  }

  async remove(snapshotId: string): Promise<void> {
    if (!isSnapshotId(snapshotId)) throw missingSnapshot(this.address, snapshotId);
    const path = join(this.#namespace, documentPath(snapshotId));
    const aside = temporaryPath(this.#snapshots);
    try {
      await this.#refuseActive(snapshotId);
      await rename(path, aside);
      try {
        // It may have been activated meanwhile; from here on `activate` does not find it.
        await this.#refuseActive(snapshotId);
      } catch (error) {
        await rename(aside, path);
        throw error;
      }
      await rm(aside);
      await syncDirectory(this.#snapshots);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') throw missingSnapshot(this.address, snapshotId, error);
      throw this.#failure(error, `remove ${documentPath(snapshotId)}`);
    }
  }

  async prepare(): Promise<void> {
    await this.#attempt('make its directory', () => makeDirectory(this.#root));
  }

  async removeOrphans(): Promise<number> {
    return await this.#attempt('remove orphans', async () => {
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
      return await claimName(temporary, path);
    } finally {
      await rm(temporary, { force: true });
    }
  }

  async #putPointerBack(before: Uint8Array | undefined): Promise<void> {
    if (before === undefined) await rm(this.#pointerPath, { force: true });
    else await replaceFile(this.#pointerPath, Buffer.from(before).toString('utf8'));
  }

  /** With a malformed pointer nothing is known to be inactive, so nothing is removed. */
  async #refuseActive(snapshotId: string): Promise<void> {
    const reading = await this.readPointer();
    assertInactive(reading.kind === 'pointer' ? reading.pointer : undefined, snapshotId);
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
