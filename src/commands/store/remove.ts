/** `bura remove`: a snapshot that was published by mistake, from the store and from the history of every instance. */
import { SnapshotError } from '../../snapshot/domain/snapshot-error.js';
import { isSnapshotId } from '../../snapshot/domain/snapshot-id.js';
import type { Settings } from '../../settings.js';
import { UsageError, type Flags } from '../command.js';
import { printLine } from '../output/terminal.js';
import { withWritableStore } from './settings-store.js';

export async function remove(settings: Settings, _flags: Flags, id: string): Promise<void> {
  if (!isSnapshotId(id)) throw new UsageError(`${JSON.stringify(id)} is no snapshot id`);
  const isStored = await withWritableStore(settings, async (store) => {
    try {
      return await store.remove(id, { withdraw: true });
    } catch (error) {
      if (!(error instanceof SnapshotError) || error.code !== 'snapshot_active') throw error;
      const message = `${error.message}: activate another one first`;
      throw new SnapshotError(error.code, message, { cause: error });
    }
  });
  const store = isStored ? 'removed from the store' : 'it is not in the store';
  printLine(`${id}: ${store}; instances leave it out of history and feed at their next poll`);
}
