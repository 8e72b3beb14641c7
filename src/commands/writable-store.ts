/** Opens the store of the settings for commands that write to it. */
import { isWritable, openStore } from '../snapshot/store/open.js';
import type { WritableSnapshotStore } from '../snapshot/store/store.js';
import type { Settings } from '../settings.js';
import { UsageError } from './usage-error.js';

/** @throws {UsageError} when the store is read-only. */
export function openWritableStore(settings: Settings): WritableSnapshotStore {
  const store = openStore({ address: settings.snapshotStore, keyPrefix: settings.keyPrefix });
  if (isWritable(store)) return store;
  throw new UsageError(
    `SNAPSHOT_STORE ${store.address} is read-only: this command needs file:PATH`,
  );
}
