/** Reads what legal pages show of a snapshot: its header, its files and its publisher. */
import type { SnapshotReader } from '../../../snapshot/local/reader.js';
import { BULK_FILES } from '../../../views/hvd/bulk.js';
import type { LegalSource } from '../../../views/pages/legal/legal-page.js';

/** @throws {SnapshotError} `copy_damaged`. */
export function readLegalSource(reader: SnapshotReader): LegalSource {
  const sizes = new Map(reader.bundle().map(({ name, sizeBytes }) => [name, sizeBytes]));
  return {
    header: reader.header,
    publisher: reader.publisher(),
    files: BULK_FILES.flatMap(({ name }) => {
      const sizeBytes = sizes.get(name);
      return sizeBytes === undefined ? [] : [{ name, sizeBytes }];
    }),
  };
}
