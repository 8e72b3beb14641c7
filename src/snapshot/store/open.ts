/** Opens the store behind an address; the only module that knows which kinds of stores there are. */
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

/** Access to a store: plain values, so that a process can send them to another one. */
export interface StoreAccess {
  /** As settings name it, with credentials. */
  readonly address: string;
  readonly keyPrefix: string;
  /** A file of certificates that servers are verified by. Default: those of the system. */
  readonly redisCaFile?: string;
  /** Password of the sentinels themselves. Default: they ask for no password. */
  readonly redisSentinelPassword?: string;
}

export interface OpenStoreOptions extends StoreAccess {
  /** How long an operation is tried again while a Redis server cannot be reached. Default: 0, not at all. */
  readonly retryForMs?: number;
  /** Aborts waiting for a store that is away or in use. Default: it waits. */
  readonly signal?: AbortSignal;
  /** Receives one line that operators should know. Default: none. */
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
        `"${address.slice(0, 200)}" is no store's address: expected ${STORE_ADDRESS_FORM}`,
      );
  }
}

export function isWritable(store: ObjectStore): store is WritableObjectStore {
  return 'put' in store;
}

/** Its snapshots, to be read. @throws {SnapshotError} `store_unsupported`. */
export function openStore(options: OpenStoreOptions): SnapshotStore {
  return new SnapshotStore(openObjects(options));
}

/**
 * The pointer behind an address, for a process that must not hang with the store.
 *
 * @throws {SnapshotError} `store_unsupported`.
 */
export function openPointer(options: OpenStoreOptions): PointerStore {
  const store = openStore(options);
  // The others wait for sockets, which take no thread.
  return parseStoreAddress(options.address)?.kind === 'file' ? new OneReadAtATime(store) : store;
}
