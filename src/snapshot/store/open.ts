/** Opens the store behind an address; the only module that knows all kinds of stores. */
import { SnapshotError } from '../domain/snapshot-error.js';
import {
  addressWithoutCredentials,
  parseStoreAddress,
  STORE_ADDRESS_FORM,
} from './store-address.js';
import { FileObjects } from './file/file-objects.js';
import { OneReadAtATime } from './file/one-read.js';
import { HttpObjects } from './http/http-objects.js';
import type { ObjectStore, WritableObjectStore } from './objects.js';
import { RedisObjects } from './redis/redis-objects.js';
import { SnapshotStore, type PointerStore } from './snapshot-store.js';

/** Access to a store as plain values, for messages between processes. */
export interface StoreAccess {
  /** May contain credentials. */
  readonly address: string;
  readonly keyPrefix: string;
  /** A file of CA certificates; default: the system's. */
  readonly redisCaFile?: string;
  /** Password of the sentinels; default: none. */
  readonly redisSentinelPassword?: string;
}

export interface OpenStoreOptions extends StoreAccess {
  /** Time for which operations are retried while a Redis server is away; default: 0. */
  readonly retryForMs?: number;
  /** Aborts the wait for a store that is away or in use. */
  readonly signal?: AbortSignal;
  /** Receives messages for operators. */
  readonly onNote?: (note: string) => void;
}

/** The store behind an address, not connected yet. @throws {SnapshotError} `store_unsupported`. */
export function openObjects(options: OpenStoreOptions): ObjectStore | WritableObjectStore {
  const { keyPrefix, signal, onNote = () => undefined } = options;
  const address = addressWithoutCredentials(options.address);
  const parsed = parseStoreAddress(options.address);
  switch (parsed?.kind) {
    case 'file':
      return new FileObjects({ address, root: parsed.root, keyPrefix, signal, onNote });
    case 'http':
      return new HttpObjects({ ...parsed, address, keyPrefix });
    case 'redis':
      return new RedisObjects({
        address: parsed.server,
        shown: address,
        keyPrefix,
        caFile: options.redisCaFile,
        sentinelPassword: options.redisSentinelPassword,
        retryForMs: options.retryForMs ?? 0,
        signal,
        onNote,
      });
    case undefined:
      throw new SnapshotError(
        'store_unsupported',
        `"${address.slice(0, 200)}" is not a store address: expected ${STORE_ADDRESS_FORM}`,
      );
  }
}

export function isWritable(store: ObjectStore): store is WritableObjectStore {
  return 'put' in store;
}

/** The snapshots of a store, for reading. @throws {SnapshotError} `store_unsupported`. */
export function openStore(options: OpenStoreOptions): SnapshotStore {
  return new SnapshotStore(openObjects(options));
}

/** A store's pointer, for a process that must not hang with the store. @throws {SnapshotError} `store_unsupported`. */
export function openPointer(options: OpenStoreOptions): PointerStore {
  const store = openStore(options);
  // Reads from other stores wait for sockets, which block no thread.
  return parseStoreAddress(options.address)?.kind === 'file' ? new OneReadAtATime(store) : store;
}
