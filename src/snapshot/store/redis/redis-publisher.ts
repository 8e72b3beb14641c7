/**
 * Writes one document into a Redis store, chunk by chunk under a name of its own, which lives for ten minutes; then all at
 * once it gets its own name and is in the index. So a publisher that is killed leaves nothing for long.
 */
import { randomBytes } from 'node:crypto';
import { Digester, digesting } from '../../domain/digest.js';
import { SnapshotError } from '../../domain/snapshot-error.js';
import { removedSnapshot, type NewSnapshot } from '../store.js';
import { encodeEntry } from './index-entry.js';
import type { RedisAccess } from './redis-access.js';
import { APPEND, COMMIT } from './redis-scripts.js';

/** Half of the longest value that a server takes. */
const DOCUMENT_BYTES_MAX = 256 * 1024 * 1024;

/** Of a document, sent at once at the least: each chunk is a round trip, and a compressor gives 16 KiB at a time. */
const CHUNK_BYTES = 256 * 1024;

/** Times that a document is written anew because a failover has lost some of it. */
const MAX_ATTEMPTS = 3;

export interface WriteOptions {
  readonly access: RedisAccess;
  readonly snapshot: NewSnapshot;
  /** Called before the first byte is written; what it throws ends the write. */
  readonly onBegin: () => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Answers whether the document was written: false where the id was stored before, in whatever bytes.
 *
 * @throws {SnapshotError} `document_corrupt`, `snapshot_removed`, `store_full`, `store_unreachable`.
 */
export async function writeDocument(options: WriteOptions): Promise<boolean> {
  const { access, snapshot, onBegin, signal } = options;
  const { snapshotId, sizeBytes } = snapshot;
  if (sizeBytes > DOCUMENT_BYTES_MAX) {
    const most = `${DOCUMENT_BYTES_MAX} at the most`;
    throw access.full(`${snapshotId} has ${sizeBytes} bytes; a Redis store takes ${most}`);
  }
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (await access.isRemoved(snapshotId, signal))
      throw removedSnapshot(access.address, snapshotId);
    // Another publisher may have been faster.
    if ((await access.entry(snapshotId, signal)) !== undefined) return false;
    if (attempt === 0) await onBegin();
    if (await write(options)) return true;
  }
  const what = `${snapshotId} was lost ${MAX_ATTEMPTS} times while it was written`;
  throw new SnapshotError('store_unreachable', `${access.address}: ${what}`);
}

/** False where some of it has been lost meanwhile, or somebody else has stored this id, or removed it. */
async function write({ access, snapshot, signal }: WriteOptions): Promise<boolean> {
  const { keys } = access;
  const { snapshotId, sizeBytes, sha256 } = snapshot;
  const doing = `write ${snapshotId}`;
  const unfinished = keys.unfinished(`${snapshotId}:${randomBytes(12).toString('hex')}`);
  const digester = new Digester();
  let isAway = false;
  try {
    let written = 0;
    for await (const chunk of inChunks(digesting(snapshot.open(), digester))) {
      const appended = { keys: [unfinished], values: [String(written), chunk] };
      if (!(await access.evaluate(doing, APPEND, appended, signal))) return false;
      written += chunk.byteLength;
    }
    if (digester.digest().sha256 !== sha256) {
      const what = `the document of ${snapshotId} changed while it was being published`;
      throw new SnapshotError('document_corrupt', what);
    }
    const entry = encodeEntry({ sizeBytes, sha256, storedAtMs: Date.now() });
    const committed = {
      keys: [unfinished, keys.index, keys.document(snapshotId), keys.removed],
      values: [snapshotId, entry, String(sizeBytes)],
    };
    return await access.evaluate(doing, COMMIT, committed, signal);
  } catch (error) {
    isAway = error instanceof SnapshotError && error.code === 'store_unreachable';
    throw error;
  } finally {
    const remove = ['UNLINK', unfinished];
    if (!isAway) await access.run(doing, (server) => server.send(remove)).catch(() => undefined);
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
