/** Opens stores for tests, and closes them. */
import type { Test } from 'tap';
import {
  isWritable,
  openObjects,
  type OpenStoreOptions,
} from '../../../src/snapshot/store/open.js';
import { WritableSnapshotStore } from '../../../src/publishing/writable-snapshot-store.js';

/** The store of the namespace `sepa`, closed after the test. */
export function openWritable(
  t: Test,
  address: string,
  options: Partial<OpenStoreOptions> = {},
): WritableSnapshotStore {
  const store = writableStore({ address, keyPrefix: 'sepa', ...options });
  t.teardown(() => {
    store.close();
  });
  return store;
}

/** A store that the caller closes. */
export function writableStore(options: OpenStoreOptions): WritableSnapshotStore {
  const objects = openObjects(options);
  if (!isWritable(objects)) throw new Error('expected a store that can be written');
  return new WritableSnapshotStore(objects);
}
