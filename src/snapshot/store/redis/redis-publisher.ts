/**
 * Writes one document into a Redis store, chunk by chunk under a name of its own, which lives for ten minutes; then all at
 * once it gets its own name and is in the index. So a publisher that is killed leaves nothing for long.
 */
import { randomBytes } from 'node:crypto';
import { Digester, digesting } from '../../domain/digest.js';
import { SnapshotError } from '../../domain/snapshot-error.js';
import type { NewSnapshot } from '../store.js';
import { encodeEntry } from './index-entry.js';
import type { RedisKeys } from './redis-keys.js';
import type { RedisLink } from './redis-link.js';
import { APPEND, COMMIT, evaluate } from './redis-scripts.js';

/** Of a document, sent at once at the least: each chunk is a round trip, and a compressor gives 16 KiB at a time. */
const CHUNK_BYTES = 256 * 1024;

export interface WriteOptions {
  readonly link: RedisLink;
  readonly keys: RedisKeys;
  readonly snapshot: NewSnapshot;
  readonly signal: AbortSignal | undefined;
}

/**
 * Answers whether the document was written: false where some of it has been lost meanwhile, or somebody else has stored
 * this id, or removed it.
 *
 * @throws {SnapshotError} `document_corrupt`, `store_full`, `store_unreachable`.
 */
export async function writeDocument({
  link,
  keys,
  snapshot,
  signal,
}: WriteOptions): Promise<boolean> {
  const { snapshotId, sizeBytes, sha256 } = snapshot;
  const doing = `write ${snapshotId}`;
  const unfinished = keys.unfinished(`${snapshotId}:${randomBytes(12).toString('hex')}`);
  const digester = new Digester();
  let isAway = false;
  try {
    let written = 0;
    for await (const chunk of inChunks(digesting(snapshot.open(), digester))) {
      const step = evaluate(APPEND, { keys: [unfinished], values: [String(written), chunk] });
      if (!(await link.run(doing, step, signal))) return false;
      written += chunk.byteLength;
    }
    if (digester.digest().sha256 !== sha256) {
      const what = `the document of ${snapshotId} changed while it was being published`;
      throw new SnapshotError('document_corrupt', what);
    }
    const entry = encodeEntry({ sizeBytes, sha256, storedAtMs: Date.now() });
    const step = evaluate(COMMIT, {
      keys: [unfinished, keys.index, keys.document(snapshotId), keys.removed],
      values: [snapshotId, entry, String(sizeBytes)],
    });
    return await link.run(doing, step, signal);
  } catch (error) {
    isAway = error instanceof SnapshotError && error.code === 'store_unreachable';
    throw error;
  } finally {
    if (!isAway) {
      await link.run(doing, (client) => client.unlink(unfinished)).catch(() => undefined);
    }
  }
}

async function* inChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk]);
    if (held.byteLength < CHUNK_BYTES) continue;
    yield held;
    held = Buffer.alloc(0);
  }
  if (held.byteLength > 0) yield held;
}
