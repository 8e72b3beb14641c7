/** Verifies the bulk bundle of a copy, for deep readiness: all files exist, are not empty and match their digests. */
import { Digester, type Digest } from '../../../snapshot/domain/digest.js';
import { SnapshotError } from '../../../snapshot/domain/snapshot-error.js';
import { bulkFileName } from '../../../snapshot/local/keys.js';
import { SEGMENT_BYTES } from '../../../snapshot/local/copy-files.js';
import type { SnapshotReader } from '../../../snapshot/local/reader.js';
import { openSnapshot } from '../../open-snapshot.js';
import type { BundleVerdict, SnapshotLocation } from '../../messages.js';

/** @throws {SnapshotError} `copy_damaged` for an unreadable copy or index. */
export function verifyBundle(location: SnapshotLocation): BundleVerdict {
  const { reader } = openSnapshot(location);
  for (const { name, gzip, ...identity } of reader.record('bundle')) {
    const fault =
      faultOf(reader, bulkFileName(name), identity) ??
      (gzip && faultOf(reader, bulkFileName(name, 'gzip'), gzip));
    if (fault !== undefined) return { ok: false, detail: `${name} ${fault}` };
  }
  return { ok: true };
}

/** The fault of one stored file, if any. */
function faultOf(reader: SnapshotReader, name: string, expected: Digest): string | undefined {
  if (expected.sizeBytes === 0) return 'is empty';
  const digest = digestOf(reader, name, expected.sizeBytes);
  if (digest === undefined) return 'is damaged';
  return digest === expected.sha256 ? undefined : 'does not have the SHA-256 that the index says';
}

const READ_BYTES = 16 * SEGMENT_BYTES;

/** The SHA-256 of a stored file; undefined if a segment is missing or damaged. */
function digestOf(reader: SnapshotReader, name: string, sizeBytes: number): string | undefined {
  const digester = new Digester();
  try {
    for (let offset = 0; offset < sizeBytes; offset += READ_BYTES) {
      digester.add(reader.read(name, offset, Math.min(READ_BYTES, sizeBytes - offset)));
    }
  } catch (error) {
    if (error instanceof SnapshotError && error.code === 'copy_damaged') return undefined;
    throw error;
  }
  return digester.digest().sha256;
}
