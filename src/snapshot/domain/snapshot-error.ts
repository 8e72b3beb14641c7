/** Errors of a snapshot, its document, its store and its local copy, by code. */

export const SNAPSHOT_ERROR_CODES = [
  // The store does not answer, or not in time.
  'store_unreachable',
  // No room in the memory of the store's server.
  'store_full',
  // The store is read-only, and a write was asked for.
  'store_read_only',
  // The store's address is of no kind that this version can open.
  'store_unsupported',
  // The pointer is there, but is not a pointer.
  'pointer_malformed',
  // The pointer or the caller names a snapshot that the store does not hold.
  'snapshot_missing',
  // The id is stored already, with other bytes.
  'snapshot_conflict',
  // The active snapshot is never removed.
  'snapshot_active',
  // The id was removed from the store, and is not used again.
  'snapshot_removed',
  // A document's bytes do not match the pointer's size or SHA-256, or end too early.
  'document_corrupt',
  // A document is not what `docs/snapshot-format.md, "Checks"` asks for; the message lists the first problems by path.
  'document_invalid',
  // A schema version that is not the expected one, or not known.
  'schema_version',
  // The local copy is missing, incomplete or damaged.
  'copy_damaged',
  // The local copy, or a file beside it or of the service, cannot be read at the moment: that says nothing of its bytes, and it stays.
  'copy_unreadable',
  // The stored rows of a past snapshot are missing or damaged.
  'history_damaged',
  // A file of the archive, or its index, is not what it should be.
  'archive_damaged',
  // The archive has a newer snapshot already, or is being replaced by others.
  'archive_conflict',
  // No room on the disk for a local copy or a document.
  'disk_full',
  // An import ended without a result: killed, out of memory, or past its deadline.
  'import_failed',
  // A read after the lease was released.
  'lease_ended',
] as const;
export type SnapshotErrorCode = (typeof SNAPSHOT_ERROR_CODES)[number];

export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  /** Used by logs, metrics, exit codes and answers. */
  readonly code: SnapshotErrorCode;

  constructor(code: SnapshotErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
