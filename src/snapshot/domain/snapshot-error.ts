/** Errors of snapshots, documents, stores and local copies, by code. */

export const SNAPSHOT_ERROR_CODES = [
  // The store does not answer in time.
  'store_unreachable',
  // The store's server has no free memory.
  'store_full',
  // A write to a read-only store.
  'store_read_only',
  // The store's address is of an unsupported kind.
  'store_unsupported',
  'pointer_malformed',
  'snapshot_missing',
  // The id is stored with other bytes.
  'snapshot_conflict',
  'snapshot_active',
  // The id was removed from the store, and is reserved.
  'snapshot_removed',
  // The document's bytes differ from the pointer's size or SHA-256, or end too early.
  'document_corrupt',
  // The document fails `docs/snapshot-format.md, "Checks"`; the message lists the first problems by path.
  'document_invalid',
  // An unexpected or unknown schema version.
  'schema_version',
  'copy_damaged',
  // The local copy or a file of the service is unreadable for the moment: it may be intact, and stays.
  'copy_unreadable',
  'history_damaged',
  'archive_damaged',
  // The archive has a newer snapshot, or other processes keep replacing it.
  'archive_conflict',
  // No space for a local copy or a document.
  'disk_full',
  // An import ended without a result: killed, out of memory, or past its deadline.
  'import_failed',
  // A read after the lease was released.
  'lease_ended',
  // A request for a feature that the snapshot lacks.
  'no_public_data',
  // A request for more rows than an answer may have.
  'too_many_rows',
] as const;
export type SnapshotErrorCode = (typeof SNAPSHOT_ERROR_CODES)[number];

export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
  readonly code: SnapshotErrorCode;

  constructor(code: SnapshotErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** An expected failure as data, for another thread or process. */
export interface Failure {
  readonly code: SnapshotErrorCode;
  readonly message: string;
}

/** An unexpected error is `import_failed`. */
export function failureOf(error: unknown): Failure {
  const code = error instanceof SnapshotError ? error.code : 'import_failed';
  return { code, message: messageOf(error) };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
