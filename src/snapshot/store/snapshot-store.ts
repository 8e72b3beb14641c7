/** The snapshot store: a pointer and immutable documents, in a store of objects of whatever kind. */
import type { Readable } from 'node:stream';
import { ARCHIVE_INDEX } from './archive-index.js';
import type { ObjectStore } from './objects.js';
import { decodePointer, documentPath, POINTER_NAME, type Pointer } from './pointer.js';

/** Which document is meant; by its id alone, the one where the store itself puts it. A pointer is such a location. */
type DocumentLocation = Pick<Pointer, 'snapshotId'> &
  Partial<Pick<Pointer, 'document' | 'sizeBytes'>>;

export type PointerReading =
  | { readonly kind: 'pointer'; readonly pointer: Pointer }
  /** The store answers and says that no snapshot is active. */
  | { readonly kind: 'absent' };

/** The part of a store that a running service follows. */
export interface PointerStore extends Pick<
  SnapshotStore,
  'address' | 'readPointer' | 'readArchive' | 'watch' | 'close'
> {
  /** Whether a read that holds a thread has not ended. Default: no read holds one. */
  readonly isReading?: boolean;
}

/** A store as an instance reads it. */
export class SnapshotStore {
  readonly objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.objects = objects;
  }

  /** As settings name it, without credentials: for logs and readiness. */
  get address(): string {
    return this.objects.address;
  }

  /** The active pointer. @throws {SnapshotError} `pointer_malformed`, and what the store of objects throws. */
  async readPointer(signal?: AbortSignal): Promise<PointerReading> {
    const bytes = await this.objects.read(POINTER_NAME, signal);
    return bytes === undefined
      ? { kind: 'absent' }
      : { kind: 'pointer', pointer: decodePointer(bytes) };
  }

  /** The stored index of the archive, to be read after the pointer; undefined without one. @throws {SnapshotError} */
  async readArchive(signal?: AbortSignal): Promise<Uint8Array | undefined> {
    return await this.objects.read(ARCHIVE_INDEX, signal);
  }

  /** Calls back when the pointer may have moved, where the store can notice; polling goes on as a safety net. */
  watch(onChange: () => void): { close(): void } {
    return this.objects.watch(POINTER_NAME, onChange);
  }

  /** The stored bytes of a document, as the store of objects opens them. */
  async openDocument(at: DocumentLocation, signal?: AbortSignal): Promise<Readable> {
    const { snapshotId, document = documentPath(snapshotId), sizeBytes } = at;
    return await this.objects.open(document, { sizeBytes, signal });
  }

  close(): void {
    this.objects.close();
  }
}
