/** Opens the store behind an address; the only module that knows which kinds of stores there are. */
import { SnapshotError } from '../domain/snapshot-error.js';
import { addressWithoutCredentials, parseStoreAddress, STORE_ADDRESS_FORM } from './address.js';
import { FileStore } from './file/file-store.js';
import { HttpStore } from './http/http-store.js';
import type { SnapshotStore, WritableSnapshotStore } from './store.js';

export interface OpenStoreOptions {
  /** `file:PATH` or an `http(s)://` URL. */
  readonly address: string;
  readonly keyPrefix: string;
}

/**
 * The store behind an address; nothing is read or connected yet.
 *
 * @throws {SnapshotError} `store_unsupported`.
 */
export function openStore(options: OpenStoreOptions): SnapshotStore | WritableSnapshotStore {
  const { keyPrefix } = options;
  const address = addressWithoutCredentials(options.address);
  const parsed = parseStoreAddress(options.address);
  switch (parsed?.kind) {
    case 'file':
      return new FileStore({ address, root: parsed.root, keyPrefix });
    case 'http':
      return new HttpStore({ ...parsed, address, keyPrefix });
    case 'redis':
      throw new SnapshotError(
        'store_unsupported',
        `${address}: redis stores are not supported yet; use file:PATH or an http(s):// URL`,
      );
    case undefined:
      throw new SnapshotError(
        'store_unsupported',
        `"${address.slice(0, 200)}" is no store's address: expected ${STORE_ADDRESS_FORM}`,
      );
  }
}

export function isWritable(store: SnapshotStore): store is WritableSnapshotStore {
  return 'put' in store;
}
