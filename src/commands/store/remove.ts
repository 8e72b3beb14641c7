/** `bura remove`: removes a snapshot that was published by mistake from the store and from all histories. */
import { isSnapshotId } from '../../snapshot/domain/snapshot-id.js';
import type { Settings } from '../../settings.js';
import { UsageError, type Flags } from '../command.js';
import { printLine } from '../output/terminal.js';
import { withWritableStore } from './settings-store.js';

export async function remove(settings: Settings, _flags: Flags, id: string): Promise<void> {
  if (!isSnapshotId(id)) throw new UsageError(`${JSON.stringify(id)} is not a snapshot id`);
  const isStored = await withWritableStore(settings, (store) =>
    store.remove(id, { withdraw: true }),
  );
  const store = isStored ? 'removed from the store' : 'it is not in the store';
  printLine(`${id}: ${store}; instances leave it out of history at their next poll`);
}
