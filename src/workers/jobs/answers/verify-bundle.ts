/** Verifies the bulk bundle of a local copy: every file is there, is not empty and has its digest (`deep` readiness). */
import { Digester } from '../../../snapshot/domain/digest.js';
import { bulkFileName, type BundleFile } from '../../../snapshot/local/bundle.js';
import { SEGMENT_BYTES, type FileReader } from '../../../snapshot/local/files.js';
import { openSnapshot } from '../../open-snapshot.js';
import type { BundleVerdict, SnapshotLocation } from '../../messages.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function verifyBundle(location: SnapshotLocation): BundleVerdict {
  const { reader } = openSnapshot(location);
  for (const file of reader.bundle()) {
    if (file.sizeBytes === 0) return { ok: false, detail: `${file.name} is empty` };
    if (digestOf(reader.files, file) !== file.sha256) {
      return { ok: false, detail: `${file.name} does not have the SHA-256 that the index says` };
    }
  }
  return { ok: true };
}

function digestOf(files: FileReader, { name, sizeBytes }: BundleFile): string {
  const digester = new Digester();
  for (let offset = 0; offset < sizeBytes; offset += SEGMENT_BYTES) {
    digester.add(files.segment(bulkFileName(name), offset / SEGMENT_BYTES));
  }
  return digester.digest().sha256;
}
