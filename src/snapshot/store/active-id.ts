/** Which snapshot a store's list marks as the active one, in whatever state its pointer is. */
import { SnapshotError } from '../domain/snapshot-error.js';
import type { SnapshotStore } from './store.js';

/**
 * The id that the pointer names. A malformed pointer marks none: the list is what an operator needs to choose a better one.
 *
 * @throws {SnapshotError} `store_unreachable`.
 */
export async function activeIdOrNone(
  store: Pick<SnapshotStore, 'readPointer'>,
): Promise<string | undefined> {
  try {
    const reading = await store.readPointer();
    return reading.kind === 'pointer' ? reading.pointer.snapshotId : undefined;
  } catch (error) {
    if (error instanceof SnapshotError && error.code === 'pointer_malformed') return undefined;
    throw error;
  }
}
