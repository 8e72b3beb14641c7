/** Verifies the bulk bundle of a local copy: every file, and its gzip form, is there, is not empty and has its digest (`deep` readiness). */
import { Digester, type Digest } from '../../../snapshot/domain/digest.js';
import { SnapshotError } from '../../../snapshot/domain/snapshot-error.js';
import { bulkFileName } from '../../../snapshot/local/bundle.js';
import { SEGMENT_BYTES, type FileReader } from '../../../snapshot/local/files.js';
import { openSnapshot } from '../../open-snapshot.js';
import type { BundleVerdict, SnapshotLocation } from '../../messages.js';

/** @throws {SnapshotError} `copy_damaged` where the copy cannot be opened, or does not say which files there are. */
export function verifyBundle(location: SnapshotLocation): BundleVerdict {
  const { reader } = openSnapshot(location);
  for (const { name, gzip, ...identity } of reader.bundle()) {
    const fault =
      faultOf(reader.files, bulkFileName(name), identity) ??
      (gzip && faultOf(reader.files, bulkFileName(name, 'gzip'), gzip));
    if (fault !== undefined) return { ok: false, detail: `${name} ${fault}` };
  }
  return { ok: true };
}

/** What is wrong with one stored file; undefined where it is what was written. */
function faultOf(files: FileReader, name: string, expected: Digest): string | undefined {
  if (expected.sizeBytes === 0) return 'is empty';
  const digest = digestOf(files, name, expected.sizeBytes);
  if (digest === undefined) return 'is damaged';
  return digest === expected.sha256 ? undefined : 'does not have the SHA-256 that the index says';
}

/** Undefined where a segment is missing, or is not what was written. */
function digestOf(files: FileReader, name: string, sizeBytes: number): string | undefined {
  const digester = new Digester();
  try {
    for (let offset = 0; offset < sizeBytes; offset += SEGMENT_BYTES) {
      digester.add(files.segment(name, offset / SEGMENT_BYTES));
    }
  } catch (error) {
    if (error instanceof SnapshotError && error.code === 'copy_damaged') return undefined;
    throw error;
  }
  return digester.digest().sha256;
}
