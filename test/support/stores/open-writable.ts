/** Opens stores for tests, and closes them. */
import type { Test } from 'tap';
import { isWritable, openStore, type OpenStoreOptions } from '../../../src/snapshot/store/open.js';
import type { WritableSnapshotStore } from '../../../src/snapshot/store/store.js';

/** The store of the namespace `sepa`, closed when the test is over. */
export function openWritable(
  t: Test,
  address: string,
  options: Partial<OpenStoreOptions> = {},
): WritableSnapshotStore {
  const store = openStore({ address, keyPrefix: 'sepa', ...options });
  if (!isWritable(store)) throw new Error('expected a store that can be written');
  t.teardown(() => {
    store.close();
  });
  return store;
}
