/** Validates snapshot ids (`docs/snapshot-format.md, "Identifiers"`) before they become part of a path or key. */

const SNAPSHOT_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Whether a value is a snapshot id: `[A-Za-z0-9._-]{1,128}`, and neither `.` nor `..`, which name directories. */
export function isSnapshotId(value: unknown): value is string {
  return typeof value === 'string' && SNAPSHOT_ID.test(value) && value !== '.' && value !== '..';
}

/** The identity of a stored document: ids are not used again, but if one is, its bytes tell. */
export interface DocumentName {
  readonly snapshotId: string;
  /** SHA-256 of the stored document: 64 lower-case hexadecimal digits. */
  readonly documentSha256: string;
}
