/** Snapshots to be stored that are no documents: a store knows no more of them than their schema version. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { SnapshotError } from '../../../src/snapshot/domain/snapshot-error.js';
import type { NewSnapshot } from '../../../src/snapshot/store/store.js';

/** @param filler makes other bytes of the same id. */
export function newSnapshot(snapshotId: string, filler = ''): NewSnapshot {
  const text = JSON.stringify({ filler, schema_version: '1.2.0', snapshot_id: snapshotId });
  const bytes = gzipSync(text);
  return {
    snapshotId,
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    open: () => Readable.from([bytes]),
  };
}

/** The code that work fails with, or `done`. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof SnapshotError) return error.code;
    throw error;
  }
  return 'done';
}
