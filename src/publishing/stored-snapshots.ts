/** What commands do with the snapshots of a store, of whatever kind: store one, make one active, list them. */
import { digestOf, type Digest } from '../snapshot/domain/digest.js';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';
import { isSnapshotId } from '../snapshot/domain/snapshot-id.js';
import { documentPath } from '../snapshot/store/pointer.js';
import {
  missingSnapshot,
  type NewSnapshot,
  type Pointer,
  type StoredSnapshot,
  type WritableSnapshotStore,
} from '../snapshot/store/store.js';
import { checkDocument } from './verify-document.js';

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
  const isNew = await store.write(snapshot, signal);
  await compareStored(store, snapshot, signal);
  return isNew;
}

/**
 * Reads what is stored under the id of a document.
 *
 * @throws {SnapshotError} `snapshot_conflict` for other bytes, `snapshot_missing`, and what the store throws.
 */
export async function compareStored(
  store: WritableSnapshotStore,
  { snapshotId, sha256 }: Pick<NewSnapshot, 'snapshotId' | 'sha256'>,
  signal?: AbortSignal,
): Promise<void> {
  const stored = await digestOf(await store.openDocument({ snapshotId }, signal));
  if (stored.sha256 === sha256) return;
  throw new SnapshotError(
    'snapshot_conflict',
    `${snapshotId} is stored already with other bytes (${stored.sizeBytes} bytes, SHA-256 ${stored.sha256})`,
  );
}

/**
 * Makes a stored snapshot the active one, after it has been checked as one that is published; but for the gates, which
 * going back to an older one would not pass.
 *
 * @throws {SnapshotError} `snapshot_missing`, `snapshot_removed`, and what `checkDocument` and the store throw.
 */
export async function activateSnapshot(
  store: WritableSnapshotStore,
  snapshotId: string,
  signal?: AbortSignal,
): Promise<Pointer> {
  if (!isSnapshotId(snapshotId)) throw missingSnapshot(store.address, snapshotId);
  const document = await store.openDocument({ snapshotId }, signal);
  const { snapshot, ...stored } = await checkDocument(document, { name: snapshotId, snapshotId });
  const { schemaVersion } = snapshot.header;
  return await movePointer(store, { snapshotId, schemaVersion, ...stored });
}

/** Moves the pointer to a stored snapshot, now. @throws {SnapshotError} what the store throws. */
export async function movePointer(
  store: WritableSnapshotStore,
  to: Digest & Pick<Pointer, 'snapshotId' | 'schemaVersion'>,
): Promise<Pointer> {
  const { snapshotId, schemaVersion, sizeBytes, sha256 } = to;
  const document = documentPath(snapshotId);
  return await store.movePointer((before) => ({
    snapshotId,
    schemaVersion,
    document,
    sizeBytes,
    sha256,
    activatedAtMs: Date.now(),
    ...(before?.removed && { removed: before.removed }),
  }));
}

/** All stored snapshots, newest first. @throws {SnapshotError} what the store throws. */
export async function listSnapshots(
  store: WritableSnapshotStore,
): Promise<readonly ListedSnapshot[]> {
  const stored = await store.list();
  const activeId = await activeIdOf(store);
  return stored
    .map((snapshot) => ({ ...snapshot, active: snapshot.snapshotId === activeId }))
    .sort(newestFirst);
}

/** The order of `listSnapshots`. */
export function newestFirst(a: StoredSnapshot, b: StoredSnapshot): number {
  if (a.storedAtMs !== b.storedAtMs) return b.storedAtMs - a.storedAtMs;
  return a.snapshotId < b.snapshotId ? 1 : -1;
}

/** A malformed pointer names none: an operator needs to choose a better one. */
async function activeIdOf(store: WritableSnapshotStore): Promise<string | undefined> {
  try {
    const reading = await store.readPointer();
    return reading.kind === 'pointer' ? reading.pointer.snapshotId : undefined;
  } catch (error) {
    if (error instanceof SnapshotError && error.code === 'pointer_malformed') return undefined;
    throw error;
  }
}
