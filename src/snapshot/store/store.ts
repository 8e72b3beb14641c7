/** The snapshot store's interface: a pointer and immutable documents. One file a kind of store. */
import type { Readable } from 'node:stream';
import { SnapshotError } from '../domain/snapshot-error.js';

/** The pointer: names the active snapshot, with what its document is verified by. `pointer.ts` parses and checks it. */
export interface Pointer {
  readonly snapshotId: string;
  readonly schemaVersion: string;
  /** Where the document lies, relative to the store's namespace, such as `snapshots/ID.json.gz`. */
  readonly document: string;
  /** Of the document as it is stored (gzip). */
  readonly sizeBytes: number;
  /** Lower-case hex, of the document as it is stored. */
  readonly sha256: string;
  /** Epoch milliseconds, UTC. */
  readonly activatedAtMs: number;
  /** Snapshots that an operator has removed, the last one first: instances name them no more. Default: none. */
  readonly removed?: readonly string[];
}

/** Which document is meant; a pointer is one. */
export interface DocumentLocation {
  readonly snapshotId: string;
  /** Where the pointer says that it lies. Default: where the store itself puts a document of this id. */
  readonly document?: string;
  /** As the pointer says. Default: not known. */
  readonly sizeBytes?: number;
}

export type PointerReading =
  | { readonly kind: 'pointer'; readonly pointer: Pointer }
  /** The store answers and says that no snapshot is active. */
  | { readonly kind: 'absent' };

/** One stored snapshot. */
export interface StoredSnapshot {
  readonly snapshotId: string;
  readonly sizeBytes: number;
  /** Epoch milliseconds, UTC. */
  readonly storedAtMs: number;
}

/** The failure of whoever asks for a snapshot that a store does not hold. */
export function missingSnapshot(
  address: string,
  snapshotId: string,
  cause?: unknown,
): SnapshotError {
  const message = `${address} holds no snapshot ${JSON.stringify(snapshotId.slice(0, 200))}`;
  return new SnapshotError('snapshot_missing', message, { cause });
}

/** The failure of whoever stores or activates a snapshot under an id that was removed: entity tags are made of ids. */
export function removedSnapshot(address: string, snapshotId: string): SnapshotError {
  const why = 'an id is never used again, whatever the bytes: build the document with another one';
  const message = `${snapshotId} was removed from ${address}, and ${why} (--snapshot-id)`;
  return new SnapshotError('snapshot_removed', message);
}

/** @throws {SnapshotError} `snapshot_active`, where the pointer names this snapshot. */
export function assertInactive(pointer: Pointer | undefined, snapshotId: string): void {
  if (pointer?.snapshotId !== snapshotId) return;
  throw new SnapshotError('snapshot_active', `${snapshotId} is the active snapshot`);
}

/** What a running service follows. */
export interface PointerStore {
  /** As settings name it, without credentials: for logs and readiness. */
  readonly address: string;
  /** Of the process that looks at it, where that is one of its own. */
  readonly pid?: number | undefined;

  /**
   * The active pointer, from the store itself or confirmed by it as unchanged.
   *
   * @throws {SnapshotError} `store_unreachable`, `pointer_malformed`.
   */
  readPointer(signal?: AbortSignal): Promise<PointerReading>;

  /** Calls back when the pointer may have moved, where the store can notice; polling goes on as a safety net. */
  watch(onChange: () => void): { close(): void };

  /** Ends all connections; whatever is under way fails. The store is not used any more. */
  close(): void;
}

/** The read-only interface. */
export interface SnapshotStore extends PointerStore {
  /**
   * The stored bytes of a document. Nothing is verified here: the reader compares size and digest.
   *
   * The stream is ended, or destroyed by its reader; an aborted `signal` destroys it.
   *
   * @throws {SnapshotError} `store_unreachable`, `snapshot_missing`; the stream fails with the same.
   */
  openDocument(at: DocumentLocation, signal?: AbortSignal): Promise<Readable>;
}

/** A document on its way into a store: it has been checked, and is gzip. */
export interface NewSnapshot {
  readonly snapshotId: string;
  /** The bytes to store (gzip), from the first to the last, at every call. */
  open(): Readable;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

export interface RemoveOptions {
  /** Whether instances leave it out of their history, which the pointer tells them. Default: false. */
  readonly withdraw?: boolean;
}

/** A store that can be written too: the steps of `src/publishing`, which are all that an operator's commands need of it. */
export interface WritableSnapshotStore extends SnapshotStore {
  /** Creates the namespace of the store, where there is none yet. */
  prepare(): Promise<void>;

  /** In no order. */
  list(): Promise<readonly StoredSnapshot[]>;

  /** Whether a snapshot of this id was ever removed. */
  isRemoved(snapshotId: string): Promise<boolean>;

  /**
   * Writes a document, unless one is stored under its id, in whatever bytes; answers whether it was written.
   *
   * It is visible to `list` all at once or not at all, whenever the process dies. An aborted `signal` leaves nothing behind.
   *
   * @throws {SnapshotError} `document_corrupt` (the bytes are not those that size and digest promise), `snapshot_removed`,
   * `disk_full`, `store_full`, `store_read_only`, `store_unreachable`.
   */
  write(snapshot: NewSnapshot, signal?: AbortSignal): Promise<boolean>;

  /**
   * Moves the pointer to a document that is stored, in one step: nobody else moves it between.
   *
   * @param change gives the new pointer for the one that is there, undefined where there is none or a malformed one. It may
   * be called more than once.
   * @throws {SnapshotError} `snapshot_missing`, `document_corrupt`, `disk_full`, `store_read_only`, `store_unreachable`.
   */
  movePointer(change: (before: Pointer | undefined) => Pointer): Promise<Pointer>;

  /**
   * Removes a snapshot that is not active, in one step, and keeps its id: no other is ever stored under it. Answers whether
   * it was stored.
   *
   * @throws {SnapshotError} `snapshot_active`, `pointer_malformed` (nothing is known to be inactive), `store_unreachable`.
   */
  remove(snapshotId: string, options?: RemoveOptions): Promise<boolean>;

  /** Removes what killed publishers left behind; answers how many. */
  removeOrphans(): Promise<number>;
}
