/** Validates snapshot ids (`docs/snapshot-format.md, "Identifiers"`) before they become part of a path or key. */

const SNAPSHOT_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Whether a value is a snapshot id: `[A-Za-z0-9._-]{1,128}`, except `.` and `..`. */
export function isSnapshotId(value: unknown): value is string {
  return typeof value === 'string' && SNAPSHOT_ID.test(value) && value !== '.' && value !== '..';
}

/** The identity of a stored document: an id, and a digest in case an id is reused. */
export interface DocumentName {
  readonly snapshotId: string;
  /** 64 lower-case hexadecimal digits, of the stored bytes. */
  readonly documentSha256: string;
}
