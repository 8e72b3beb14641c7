/** `bura prune`: removes orphans of killed publishers, old inactive snapshots, and replaced files of the archive. */
import { pruneArchive } from '../../publishing/archive/archive-objects.js';
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import type { WritableSnapshotStore } from '../../publishing/writable-snapshot-store.js';
import type { Settings } from '../../settings.js';
import type { Flags } from '../command.js';
import { printLine } from '../output/terminal.js';
import { withWritableStore } from './settings-store.js';

/** `--keep` is the number of newest snapshots that stay, beside the active one. */
export async function prune(settings: Settings, { keep }: Flags): Promise<void> {
  await withWritableStore(settings, async (store, signal) => {
    const orphans = await store.objects.removeOrphans();
    const snapshots = await store.list();
    let removed = 0;
    for (const { snapshotId, active } of snapshots.slice(Number(keep))) {
      signal.throwIfAborted();
      if (active || !(await removeIfInactive(store, snapshotId))) continue;
      removed += 1;
      printLine(`removed ${snapshotId}`);
    }
    const files = await pruneArchive(store.objects);
    if (files > 0) printLine(`files of the archive removed: ${files}`);
    const remaining = snapshots.length - removed;
    printLine(`snapshots removed: ${removed}, kept: ${remaining}; orphans removed: ${orphans}`);
  });
}

/** False when the snapshot was activated or removed after it was listed. */
async function removeIfInactive(store: WritableSnapshotStore, snapshotId: string) {
  try {
    return await store.remove(snapshotId);
  } catch (error) {
    if (error instanceof SnapshotError && error.code === 'snapshot_active') return false;
    throw error;
  }
}
