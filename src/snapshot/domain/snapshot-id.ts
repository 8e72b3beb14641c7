/** What a snapshot may be called (`docs/snapshot-format.md, "Identifiers"`): the one check that stands before an id becomes part of a path or a key. */

const SNAPSHOT_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Whether a value is a snapshot id: `[A-Za-z0-9._-]{1,128}`, and neither `.` nor `..`, which name directories. */
export function isSnapshotId(value: unknown): value is string {
  return typeof value === 'string' && SNAPSHOT_ID.test(value) && value !== '.' && value !== '..';
}

/** What a stored document is known by: ids are not used again, and where one is, its bytes tell. */
export interface DocumentName {
  readonly snapshotId: string;
  /** SHA-256 of the stored document: 64 lower-case hexadecimal digits. */
  readonly documentSha256: string;
}
