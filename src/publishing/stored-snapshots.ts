/** What commands do with the snapshots of a store, of whatever kind: store one, make one active, list them. */
import { Digester, digesting, type Digest } from '../snapshot/domain/digest.js';
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
import { checkDocument, verifyDocument } from './verify-document.js';

/** A stored snapshot as `list` shows it. */
export interface ListedSnapshot extends StoredSnapshot {
  readonly active: boolean;
}

export interface StoreOptions {
  /** Nothing is stored: answers what would be. Default: false. */
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Stores a document, unless one is stored under its id. Answers whether it is new, and the digest of what is stored: plain
 * and gzip, or gzip of two levels, hold one document when the text inside is the same.
 *
 * @throws {SnapshotError} `snapshot_conflict` where the id is stored with another document, and what the store throws.
 */
export async function storeSnapshot(
  store: WritableSnapshotStore,
  snapshot: NewSnapshot,
  { dryRun = false, signal }: StoreOptions = {},
): Promise<{ readonly isNew: boolean; readonly stored: Digest }> {
  const { snapshotId, sha256 } = snapshot;
  const isNew = dryRun
    ? !(await store.list()).some((one) => one.snapshotId === snapshotId)
    : await store.write(snapshot, signal);
  if (isNew) return { isNew, stored: snapshot };
  const bytes = await store.openDocument({ snapshotId }, signal);
  const stored = await verifyDocument(bytes, snapshotId);
  if (stored.sha256 !== sha256) {
    const own = await verifyDocument(snapshot.open(), snapshotId);
    if (own.textSha256 !== stored.textSha256) {
      const what = `${stored.sizeBytes} bytes, SHA-256 ${stored.sha256}`;
      const message = `${snapshotId} is stored already with other bytes (${what})`;
      throw new SnapshotError('snapshot_conflict', message);
    }
  }
  return { isNew, stored };
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
  const digester = new Digester();
  const bytes = digesting(await store.openDocument({ snapshotId }, signal), digester);
  const { header } = await checkDocument(bytes, { name: snapshotId, snapshotId });
  const { schemaVersion } = header;
  return await movePointer(store, { snapshotId, schemaVersion, ...digester.digest() });
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
