/** Verifies the bulk bundle of a local copy: every file is there, is not empty and has its digest (`deep` readiness). */
import { Digester } from '../../../snapshot/domain/digest.js';
import { SnapshotError } from '../../../snapshot/domain/snapshot-error.js';
import { bulkFileName, type BundleFile } from '../../../snapshot/local/bundle.js';
import { SEGMENT_BYTES, type FileReader } from '../../../snapshot/local/files.js';
import { openSnapshot } from '../../open-snapshot.js';
import type { BundleVerdict, SnapshotLocation } from '../../messages.js';

/** @throws {SnapshotError} `copy_damaged` where the copy cannot be opened, or does not say which files there are. */
export function verifyBundle(location: SnapshotLocation): BundleVerdict {
  const { reader } = openSnapshot(location);
  for (const file of reader.bundle()) {
    if (file.sizeBytes === 0) return { ok: false, detail: `${file.name} is empty` };
    const digest = digestOf(reader.files, file);
    if (digest === undefined) return { ok: false, detail: `${file.name} is damaged` };
    if (digest !== file.sha256) {
      return { ok: false, detail: `${file.name} does not have the SHA-256 that the index says` };
    }
  }
  return { ok: true };
}

/** Undefined where a segment is missing, or is not what was written. */
function digestOf(files: FileReader, { name, sizeBytes }: BundleFile): string | undefined {
  const digester = new Digester();
  try {
    for (let offset = 0; offset < sizeBytes; offset += SEGMENT_BYTES) {
      digester.add(files.segment(bulkFileName(name), offset / SEGMENT_BYTES));
    }
  } catch (error) {
    if (error instanceof SnapshotError && error.code === 'copy_damaged') return undefined;
    throw error;
  }
  return digester.digest().sha256;
}
