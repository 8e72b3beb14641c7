/** The snapshot store: a pointer and immutable documents, in a store of objects. */
import type { Readable } from 'node:stream';
import { ARCHIVE_INDEX } from './archive-index.js';
import type { ObjectStore } from './objects.js';
import { decodePointer, documentPath, POINTER_NAME, type Pointer } from './pointer.js';

/**
 * Where a document is stored; a pointer states this too. If `document` is missing, it is the store's own path for the
 * snapshot id.
 */
type DocumentLocation = Pick<Pointer, 'snapshotId'> &
  Partial<Pick<Pointer, 'document' | 'sizeBytes'>>;

export type PointerReading =
  | { readonly kind: 'pointer'; readonly pointer: Pointer }
  /** The store answers, but no snapshot is active. */
  | { readonly kind: 'absent' };

export interface PointerStore
  extends
    Pick<SnapshotStore, 'address' | 'readPointer' | 'readArchive' | 'close'>,
    Partial<Pick<SnapshotStore, 'watch'>> {
  /** Whether a read is pending now and blocks a thread; undefined for stores whose reads never block one. */
  readonly isReading?: boolean;
}

export class SnapshotStore {
  readonly objects: ObjectStore;

  constructor(objects: ObjectStore) {
    this.objects = objects;
  }

  /** Without credentials, for logs and readiness. */
  get address(): string {
    return this.objects.address;
  }

  /** The active pointer. @throws {SnapshotError} `pointer_malformed`, and the errors of `ObjectStore`. */
  async readPointer(signal?: AbortSignal): Promise<PointerReading> {
    const bytes = await this.objects.read(POINTER_NAME, signal);
    return bytes === undefined
      ? { kind: 'absent' }
      : { kind: 'pointer', pointer: decodePointer(bytes) };
  }

  /** The stored archive index, or undefined. Read it after the pointer. @throws {SnapshotError} `store_unreachable`. */
  async readArchive(signal?: AbortSignal): Promise<Uint8Array | undefined> {
    return await this.objects.read(ARCHIVE_INDEX, signal);
  }

  /** Calls `onChange` when the pointer may have changed, if the store reports changes; polling is still needed. */
  watch(onChange: () => void): { close(): void } | undefined {
    return this.objects.watch?.(POINTER_NAME, onChange);
  }

  async openDocument(at: DocumentLocation, signal?: AbortSignal): Promise<Readable> {
    const { snapshotId, document = documentPath(snapshotId), sizeBytes } = at;
    return await this.objects.open(document, { sizeBytes, signal });
  }

  close(): void {
    this.objects.close();
  }
}
