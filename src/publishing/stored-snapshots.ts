/** What commands do with the snapshots of a store, of whatever kind: store one, make one active, list them. */
import { digestOf, type Digest } from '../snapshot/domain/digest.js';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';
import { isSnapshotId } from '../snapshot/domain/snapshot-id.js';
import { documentPath } from '../snapshot/store/pointer.js';
import {
  missingSnapshot,
  type NewSnapshot,
  type Pointer,
  type SnapshotStore,
  type StoredSnapshot,
  type WritableSnapshotStore,
} from '../snapshot/store/store.js';
import { verifyDocument } from './verify-document.js';

/** Instances keep 144 past snapshots; so many of them may be nonsense. */
const MAX_REMOVED = 144;

/** A stored snapshot as `list` shows it. */
export interface ListedSnapshot extends StoredSnapshot {
  readonly active: boolean;
}

/**
 * Stores a document, and reads it back. Answers whether it is new: the same bytes again are no error.
 *
 * @throws {SnapshotError} `snapshot_conflict` where the id is stored with other bytes, and what the store throws.
 */
export async function storeSnapshot(
  store: WritableSnapshotStore,
  snapshot: NewSnapshot,
  signal?: AbortSignal,
): Promise<boolean> {
  const { snapshotId, sha256 } = snapshot;
  const isNew = await store.write(snapshot, signal);
  const stored = await digestOf(await store.openDocument({ snapshotId }, signal));
  if (stored.sha256 === sha256) return isNew;
  throw new SnapshotError(
    'snapshot_conflict',
    `${snapshotId} is stored already with other bytes (${stored.sizeBytes} bytes, SHA-256 ${stored.sha256})`,
  );
}

/**
 * Makes a stored snapshot the active one: size, digest and schema version of the pointer are read from the stored bytes.
 *
 * @throws {SnapshotError} `snapshot_missing`, `document_corrupt`, and what the store throws.
 */
export async function activateSnapshot(
  store: WritableSnapshotStore,
  snapshotId: string,
): Promise<Pointer> {
  if (!isSnapshotId(snapshotId)) throw missingSnapshot(store.address, snapshotId);
  const document = await store.openDocument({ snapshotId });
  const { schemaVersion, ...stored } = await verifyDocument(document, snapshotId);
  if (schemaVersion === undefined) {
    throw new SnapshotError('document_corrupt', `${snapshotId} has no schema_version`);
  }
  return await movePointer(store, { snapshotId, schemaVersion, ...stored });
}

/** Moves the pointer to a stored snapshot, now. @throws {SnapshotError} what the store throws. */
export async function movePointer(
  store: WritableSnapshotStore,
  to: Digest & Pick<Pointer, 'snapshotId' | 'schemaVersion'>,
): Promise<Pointer> {
  const { snapshotId, schemaVersion, sizeBytes, sha256 } = to;
  const document = documentPath(snapshotId);
  const removed = (await pointerOrNone(store))?.removed?.filter((id) => id !== snapshotId);
  const activatedAtMs = Date.now();
  const pointer = {
    ...{ snapshotId, schemaVersion, document, sizeBytes, sha256, activatedAtMs },
    ...(removed && { removed }),
  };
  await store.movePointer(pointer);
  return pointer;
}

/**
 * Removes a stored snapshot, and has every instance leave it out of its history. One that is not stored any more is in
 * histories all the same: answers whether it was stored.
 *
 * @throws {SnapshotError} `snapshot_active`, and what the store throws.
 */
export async function removeSnapshot(
  store: WritableSnapshotStore,
  snapshotId: string,
): Promise<boolean> {
  const isStored = await store.remove(snapshotId).then(
    () => true,
    (error: unknown) => {
      if (error instanceof SnapshotError && error.code === 'snapshot_missing') return false;
      throw error;
    },
  );
  const pointer = await pointerOrNone(store);
  if (pointer !== undefined) {
    const others = pointer.removed?.filter((id) => id !== snapshotId) ?? [];
    await store.movePointer({
      ...pointer,
      removed: [snapshotId, ...others].slice(0, MAX_REMOVED),
    });
  }
  return isStored;
}

/** All stored snapshots, newest first. @throws {SnapshotError} what the store throws. */
export async function listSnapshots(
  store: WritableSnapshotStore,
): Promise<readonly ListedSnapshot[]> {
  const stored = await store.list();
  const activeId = (await pointerOrNone(store))?.snapshotId;
  return stored
    .map((snapshot) => ({ ...snapshot, active: snapshot.snapshotId === activeId }))
    .sort(newestFirst);
}

/** The order of `listSnapshots`. */
export function newestFirst(a: StoredSnapshot, b: StoredSnapshot): number {
  if (a.storedAtMs !== b.storedAtMs) return b.storedAtMs - a.storedAtMs;
  return a.snapshotId < b.snapshotId ? 1 : -1;
}

/** A malformed pointer is none: an operator needs to choose a better one. */
async function pointerOrNone(store: SnapshotStore): Promise<Pointer | undefined> {
  try {
    const reading = await store.readPointer();
    return reading.kind === 'pointer' ? reading.pointer : undefined;
  } catch (error) {
    if (error instanceof SnapshotError && error.code === 'pointer_malformed') return undefined;
    throw error;
  }
}
