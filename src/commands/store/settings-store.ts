/** Opens the store of the settings for a command, and closes it at the end. */
import { isWritable, openObjects } from '../../snapshot/store/open.js';
import { SnapshotStore } from '../../snapshot/store/snapshot-store.js';
import { WritableSnapshotStore } from '../../publishing/writable-snapshot-store.js';
import { assertApart, storeAccess, type Settings } from '../../settings.js';
import { interruptible } from '../output/interruption.js';
import { printNote } from '../output/terminal.js';
import { UsageError } from '../command.js';

/** Time that a command waits for a store that is away; a failover takes less (`docs/operations/stores.md, "Redis"`). */
export const RETRY_FOR_MS = 60_000;

/** Runs work with the store. SIGINT and SIGTERM abort its signal, which also ends waiting for the store. */
export async function withStore<T>(
  settings: Settings,
  work: (store: SnapshotStore, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  assertApart(settings);
  return await interruptible(async (signal) => {
    const objects = openObjects({
      ...storeAccess(settings),
      retryForMs: RETRY_FOR_MS,
      signal,
      onNote: printNote,
    });
    try {
      const store = isWritable(objects)
        ? new WritableSnapshotStore(objects)
        : new SnapshotStore(objects);
      return await work(store, signal);
    } finally {
      objects.close();
    }
  });
}

export async function withWritableStore<T>(
  settings: Settings,
  work: (store: WritableSnapshotStore, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return await withStore(settings, async (store, signal) => {
    if (store instanceof WritableSnapshotStore) return await work(store, signal);
    throw new UsageError(
      `SNAPSHOT_STORE ${store.address} is read-only: this command needs file:PATH or a Redis URL`,
    );
  });
}
