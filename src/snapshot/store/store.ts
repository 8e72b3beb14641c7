/** The snapshot store's interface: a pointer and immutable documents. One file a kind of store. */
import type { Readable } from 'node:stream';

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
}

/** Which document is meant; a pointer is one. */
export interface DocumentLocation {
  readonly snapshotId: string;
  /** Where the pointer says that it lies. Default: where the store itself puts a document of this id. */
  readonly document?: string;
}

export type PointerReading =
  | { readonly kind: 'pointer'; readonly pointer: Pointer }
  /** The store answers and says that no snapshot is active. */
  | { readonly kind: 'absent' };

/** One stored snapshot, as `list` shows it. */
export interface StoredSnapshot {
  readonly snapshotId: string;
  readonly sizeBytes: number;
  /** Epoch milliseconds, UTC. */
  readonly storedAtMs: number;
  readonly active: boolean;
}

/** The order of `list`. */
export function newestFirst(a: StoredSnapshot, b: StoredSnapshot): number {
  if (a.storedAtMs !== b.storedAtMs) return b.storedAtMs - a.storedAtMs;
  return a.snapshotId < b.snapshotId ? 1 : -1;
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
  readonly schemaVersion: string;
  /** The bytes to store (gzip), from the first to the last, at every call. */
  open(): Readable;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** A store that can be written too, as the commands of an operator need it. */
export interface WritableSnapshotStore extends SnapshotStore {
  /** Creates the namespace of the store, where there is none yet. */
  prepare(): Promise<void>;

  /** Newest first. */
  list(): Promise<readonly StoredSnapshot[]>;

  /**
   * Stores a document; visible to `list` all at once or not at all, whenever the process dies.
   *
   * Answers whether it is new: the same bytes again are no error. An aborted `signal` leaves nothing behind.
   *
   * @throws {SnapshotError} `snapshot_conflict`, `document_corrupt` (the bytes are not those that size and digest
   * promise), `disk_full`, `store_full`, `store_read_only`, `store_unreachable`.
   */
  put(snapshot: NewSnapshot, signal?: AbortSignal): Promise<boolean>;

  /**
   * Moves the pointer to a stored snapshot, atomically; the pointer's size, digest and schema version are read
   * from the stored bytes.
   *
   * @throws {SnapshotError} `snapshot_missing`, `document_corrupt`, `disk_full`, `store_read_only`, `store_unreachable`.
   */
  activate(snapshotId: string): Promise<Pointer>;

  /**
   * Removes a stored snapshot that is not active.
   *
   * @throws {SnapshotError} `snapshot_active`, `snapshot_missing`, `store_unreachable`.
   */
  remove(snapshotId: string): Promise<void>;

  /** Removes what killed publishers left behind; answers how many. */
  removeOrphans(): Promise<number>;
}
