/** The interface of `file:`, `http(s):` and Redis stores: objects by name, for snapshots and the archive. */
import type { Readable } from 'node:stream';
import { Digester, digesting, type Digest } from '../domain/digest.js';
import { SnapshotError } from '../domain/snapshot-error.js';
import { snapshotIdOf } from './pointer.js';

/** Limit of the content of a replaceable name, such as `active.json`; at most one byte more is read. */
export const NAMED_BYTES_MAX = 1024 * 1024;

export interface OpenOptions {
  /** Expected size: at most one byte more is read; default: all. */
  readonly sizeBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Names are paths of plain segments, such as `snapshots/ID.json.gz`, relative to the store's namespace. */
export interface ObjectStore {
  /** Without credentials, for logs and readiness. */
  readonly address: string;

  /** Current content of a replaceable name; undefined if missing. @throws {SnapshotError} `store_unreachable`. */
  read(name: string, signal?: AbortSignal): Promise<Uint8Array | undefined>;

  /**
   * Stored bytes of an object, not verified: the caller compares size and digest. The caller reads the stream to its
   * end or destroys it; an aborted `signal` destroys it too.
   *
   * @throws {SnapshotError} `store_unreachable`, `snapshot_missing`; the stream fails with the same errors.
   */
  open(name: string, options?: OpenOptions): Promise<Readable>;

  /**
   * Calls `onChange` when the content may have changed; polling is still needed. Missing for stores that report no
   * changes: a web server sends no events, and a disk does not report what other machines change.
   */
  watch?(name: string, onChange: () => void): { close(): void };

  /** Ends all connections and pending reads; the store is not used afterwards. */
  close(): void;
}

export interface StoredObject {
  readonly name: string;
  readonly sizeBytes: number;
  /** Epoch milliseconds, UTC. */
  readonly storedAtMs: number;
  readonly sha256?: string;
}

/** Bytes to be stored, with their digest. */
export interface NewObject extends Digest {
  /** A new stream of all bytes at each call. */
  open(): Readable;
}

/** An atomic step: replaces the content of a name, if it is still `from`. */
export interface Change {
  readonly name: string;
  readonly from: Uint8Array | undefined;
  /** Default: unchanged. */
  readonly to?: string | undefined;
  /** Objects that must exist. */
  readonly needs?: readonly string[];
  /** An object to remove, if it exists. The name of a removed snapshot is never used again. */
  readonly removes?: string;
}

export interface WritableObjectStore extends ObjectStore {
  /** Creates the store's namespace if missing. */
  prepare(): Promise<void>;

  /** All objects in a folder, such as `snapshots`, unordered. */
  list(folder: string): Promise<readonly StoredObject[]>;

  stat(name: string): Promise<StoredObject | undefined>;

  /** Whether a snapshot of this name was removed. */
  isRetired(name: string, signal?: AbortSignal): Promise<boolean>;

  /**
   * Stores an object under a new name; `present` for a name in use, whatever its bytes, and `retired` for the name of a
   * removed snapshot. Atomic, even if the process dies or the `signal` is aborted.
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
   * @returns false if the content is no longer `from`, or a needed object is missing.
   * @throws {SnapshotError} `disk_full`, `store_read_only`, `store_unreachable`.
   */
  change(change: Change): Promise<boolean>;

  /** Removes orphaned files of killed publishers. @returns the number of removed files. */
  removeOrphans(): Promise<number>;
}

export function missingObject(address: string, name: string): SnapshotError {
  const snapshotId = snapshotIdOf(name);
  const what = snapshotId === undefined ? name : `snapshot ${JSON.stringify(snapshotId)}`;
  return new SnapshotError('snapshot_missing', `${address} holds no ${what}`);
}

/** The bytes of an object. @throws {SnapshotError} `document_corrupt` at the end, if they differ from the digest. */
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
