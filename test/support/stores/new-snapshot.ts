/** Small snapshots for tests of stores. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { SnapshotError } from '../../../src/snapshot/domain/snapshot-error.js';
import type { NewSnapshot } from '../../../src/publishing/writable-snapshot-store.js';
import { snapshotDocument } from '../documents/documents.js';

/** A small valid snapshot. @param filler changes its bytes, but not its id. */
export function newSnapshot(snapshotId: string, filler = ''): NewSnapshot {
  // Several texts, as the length of one is limited.
  const texts = filler.match(/[^]{1,65536}/g) ?? [];
  const document = snapshotDocument({ snapshot_id: snapshotId, filler: texts });
  return storedAs(snapshotId, gzipSync(JSON.stringify(document)));
}

export function storedAs(snapshotId: string, bytes: Buffer): NewSnapshot {
  return {
    snapshotId,
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    open: () => Readable.from([bytes]),
  };
}

/** The code of the work's failure, or `done`. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof SnapshotError) return error.code;
    throw error;
  }
  return 'done';
}
