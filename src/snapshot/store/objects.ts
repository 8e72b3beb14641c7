/** A store of objects by name: what its three kinds have in common, and all that snapshots and the archive need of them. */
import type { Readable } from 'node:stream';
import { Digester, digesting, type Digest } from '../domain/digest.js';
import { SnapshotError } from '../domain/snapshot-error.js';
import { snapshotIdOf } from './pointer.js';

/** Longest content of a name that is replaced, such as `active.json`; of a longer one no more than this and a byte is read. */
export const NAMED_BYTES_MAX = 1024 * 1024;

export interface OpenOptions {
  /** Expected size of the object: at most one byte more is read, enough to refuse it. Default: all. */
  readonly sizeBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Names are paths of plain segments, such as `snapshots/ID.json.gz`, relative to the store's namespace. */
export interface ObjectStore {
  /** As settings name it, without credentials: for logs and readiness. */
  readonly address: string;

  /**
   * Content of a name that is replaced, as the store has it now; undefined without it.
   *
   * @throws {SnapshotError} `store_unreachable`.
   */
  read(name: string, signal?: AbortSignal): Promise<Uint8Array | undefined>;

  /**
   * Stored bytes of an object, not verified: the reader compares size and digest. The stream is read to its end, or
   * destroyed by its reader or an aborted `signal`.
   *
   * @throws {SnapshotError} `store_unreachable`, `snapshot_missing`; the stream fails with the same.
   */
  open(name: string, options?: OpenOptions): Promise<Readable>;

  /** Calls back when the name may have been replaced, where the store can notice; polling goes on as a safety net. */
  watch(name: string, onChange: () => void): { close(): void };

  /** Ends all connections; reads that are under way fail. The store is not used after it. */
  close(): void;
}

export interface StoredObject {
  readonly name: string;
  readonly sizeBytes: number;
  /** Epoch milliseconds, UTC. */
  readonly storedAtMs: number;
  /** Where the store keeps it. */
  readonly sha256?: string;
}

/** Bytes on their way into a store, with their digest. */
export interface NewObject extends Digest {
  /** The bytes, from the first to the last, at every call. */
  open(): Readable;
}

/** One atomic step on a name that is replaced. */
export interface Change {
  readonly name: string;
  /** Content that was read under the name. */
  readonly from: Uint8Array | undefined;
  /** New content. Default: it stays. */
  readonly to?: string | undefined;
  /** Objects that must be there. */
  readonly needs?: readonly string[];
  /** An object that is removed, where it is there. The name of a snapshot is retired: none is ever stored under it again. */
  readonly removes?: string;
}

export interface WritableObjectStore extends ObjectStore {
  /** Creates the namespace of the store if it is missing. */
  prepare(): Promise<void>;

  /** All objects in a folder, such as `snapshots`, in no order. */
  list(folder: string): Promise<readonly StoredObject[]>;

  /** Undefined where there is no such object. */
  stat(name: string): Promise<StoredObject | undefined>;

  /** Whether a snapshot of this name was removed: no object is stored under it again. */
  isRetired(name: string, signal?: AbortSignal): Promise<boolean>;

  /**
   * Stores an object under a new name; `present` for a name in use, whatever its bytes, and `retired` for a removed
   * one. Atomic, also when the process dies or the `signal` is aborted.
   *
   * @throws {SnapshotError} `document_corrupt` (bytes differ from size or digest), `disk_full`, `store_full`,
   * `store_read_only`, `store_unreachable`.
   */
  put(
    name: string,
    object: NewObject,
    signal?: AbortSignal,
  ): Promise<'stored' | 'present' | 'retired'>;

  /**
   * @returns false where the name holds another content by now, or a needed object is gone.
   * @throws {SnapshotError} `disk_full`, `store_read_only`, `store_unreachable`.
   */
  change(change: Change): Promise<boolean>;

  /** Removes what killed publishers left behind; answers how many. */
  removeOrphans(): Promise<number>;
}

/** The error for an object that a store does not hold. */
export function missingObject(address: string, name: string): SnapshotError {
  const snapshotId = snapshotIdOf(name);
  const what = snapshotId === undefined ? name : `snapshot ${JSON.stringify(snapshotId)}`;
  return new SnapshotError('snapshot_missing', `${address} holds no ${what}`);
}

/** The bytes of an object. @throws {SnapshotError} `document_corrupt`, at their end, if they are not the promised ones. */
export async function* promisedBytes(
  object: NewObject,
  what: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const digester = new Digester();
  for await (const chunk of digesting(object.open(), digester)) {
    signal?.throwIfAborted();
    yield chunk;
  }
  if (digester.digest().sha256 !== object.sha256) {
    const message = `the document of ${what} changed while it was being published`;
    throw new SnapshotError('document_corrupt', message);
  }
  signal?.throwIfAborted();
}
