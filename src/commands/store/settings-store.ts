/** Opens the store of the settings for a command, and closes it when the command has ended. */
import { isWritable, openStore } from '../../snapshot/store/open.js';
import type { SnapshotStore, WritableSnapshotStore } from '../../snapshot/store/store.js';
import { assertApart, storeAccess, type Settings } from '../../settings.js';
import { printNote } from '../output/terminal.js';
import { UsageError } from '../command.js';

/** How long a command waits for a store that is away: a failover takes less (`docs/operations/stores.md, "Redis"`). */
export const RETRY_FOR_MS = 60_000;

export async function withStore<T>(
  settings: Settings,
  work: (store: SnapshotStore) => Promise<T>,
): Promise<T> {
  assertApart(settings);
  const store = openStore({
    ...storeAccess(settings),
    retryForMs: RETRY_FOR_MS,
    onNote: printNote,
  });
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

/** @throws {UsageError} when the store is read-only. */
export async function withWritableStore<T>(
  settings: Settings,
  work: (store: WritableSnapshotStore) => Promise<T>,
): Promise<T> {
  return await withStore(settings, async (store) => {
    if (isWritable(store)) return await work(store);
    throw new UsageError(
      `SNAPSHOT_STORE ${store.address} is read-only: this command needs file:PATH or a Redis URL`,
    );
  });
}
