/** Opens the store behind an address; the only module that knows which kinds of stores there are. */
import { SnapshotError } from '../domain/snapshot-error.js';
import { addressWithoutCredentials, parseStoreAddress, STORE_ADDRESS_FORM } from './address.js';
import { FileStore } from './file/file-store.js';
import { RemotePointer } from './file/remote-pointer.js';
import { HttpStore } from './http/http-store.js';
import { RedisStore } from './redis/redis-store.js';
import type { PointerStore, SnapshotStore, WritableSnapshotStore } from './store.js';

/** What a store is reached by: plain values, so that a process can send them to another one. */
export interface StoreAccess {
  /** As settings name it, with credentials. */
  readonly address: string;
  readonly keyPrefix: string;
  /** A file of certificates that servers are verified by. Default: those of the system. */
  readonly redisCaFile?: string;
  /** Of the sentinels themselves. Default: they ask for none. */
  readonly redisSentinelPassword?: string;
}

export interface OpenStoreOptions extends StoreAccess {
  /** How long an operation is tried again while a Redis server cannot be reached. Default: 0, not at all. */
  readonly retryForMs?: number;
  /** Aborted, nothing is waited for any more that is away or in use. Default: it is. */
  readonly signal?: AbortSignal;
  /** Is given one line about what an operator should know. Default: nobody is told. */
  readonly onNote?: (note: string) => void;
}

/**
 * The store behind an address; nothing is read or connected yet.
 *
 * @throws {SnapshotError} `store_unsupported`.
 */
export function openStore(options: OpenStoreOptions): SnapshotStore | WritableSnapshotStore {
  const { keyPrefix, signal, onNote = () => undefined } = options;
  const address = addressWithoutCredentials(options.address);
  const parsed = parseStoreAddress(options.address);
  switch (parsed?.kind) {
    case 'file':
      return new FileStore({ address, root: parsed.root, keyPrefix, signal });
    case 'http':
      return new HttpStore({ ...parsed, address, keyPrefix });
    case 'redis':
      return new RedisStore({
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

/**
 * The pointer of the store behind an address, for a process that may never hang with the store.
 *
 * @throws {SnapshotError} `store_unsupported`.
 */
export function openPointer(options: OpenStoreOptions): PointerStore {
  const { address, keyPrefix } = options;
  const parsed = parseStoreAddress(address);
  // The others wait for sockets, which take no thread.
  if (parsed?.kind !== 'file') return openStore(options);
  return new RemotePointer({
    address: addressWithoutCredentials(address),
    root: parsed.root,
    keyPrefix,
  });
}

export function isWritable(store: SnapshotStore): store is WritableSnapshotStore {
  return 'write' in store;
}
