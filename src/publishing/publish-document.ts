/** Publishes a local snapshot document: checks it, stores it as gzip, then activates it. */
import { once } from 'node:events';
import { open, type FileHandle } from 'node:fs/promises';
import { PassThrough, Readable, type Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { isGzip } from '../snapshot/document/json/bytes.js';
import { Digester } from '../snapshot/domain/digest.js';
import type { Snapshot } from '../snapshot/domain/model.js';
import { messageOf } from '../snapshot/domain/snapshot-error.js';
import { systemCode } from '../files/file-error.js';
import { statRegularFile } from '../files/regular-file.js';
import type { Pointer } from '../snapshot/store/pointer.js';
import type { WritableSnapshotStore } from './writable-snapshot-store.js';
import { checkDocument } from './verify-document.js';

export interface PublishOptions {
  readonly store: WritableSnapshotStore;
  /** Path of a JSON file, plain or gzip. */
  readonly file: string;
  /** Whether to move the pointer. */
  readonly activate: boolean;
  /** Called with the checked snapshot before it is stored; refuses by throwing. */
  readonly passGates?: (snapshot: Snapshot) => Promise<void>;
  /** Called with the stored snapshot, after the pointer has moved if `activate` is true; not in a dry run. */
  readonly archive?: (snapshot: Snapshot) => Promise<void>;
  /** Stores nothing; default: false. */
  readonly dryRun?: boolean;
  /** Called with the checked bytes of the file in the first step, and the stored bytes in the second. */
  readonly onProgress?: (step: string, doneBytes: number, totalBytes: number) => void;
  /** Aborts before the pointer moves; then at most a complete inactive document stays in the store. */
  readonly signal?: AbortSignal;
}

export interface Published {
  readonly snapshotId: string;
  readonly rows: number;
  readonly sizeBytes: number;
  readonly storedBefore: boolean;
  readonly pointer: Pointer | undefined;
}

/**
 * Publishes a document; publishing it again is no error.
 *
 * Reads the file once, and meanwhile keeps its gzip bytes in memory, some nine bytes a row. The bytes of a gzip file
 * are kept as they are, so that the pointer has the digest that the operator's `sha256sum` shows. A killed publisher
 * leaves files only in the store.
 *
 * @throws {SnapshotError} what `checkDocument` throws, `snapshot_conflict` (the id is stored with another document),
 * `snapshot_removed`, and what the store throws.
 */
export async function publishDocument(options: PublishOptions): Promise<Published> {
  const { store, dryRun = false, signal } = options;
  const { file, totalBytes } = await openFile(options.file);
  const read = reported(file.createReadStream(), { step: 'checking', totalBytes }, options);
  const digester = new Digester();
  const chunks: Uint8Array[] = [];
  const bytes = gathered(read, (chunk) => {
    digester.add(chunk);
    chunks.push(chunk);
  });
  const snapshot = await checkDocument(bytes, { name: options.file });
  const { snapshotId, schemaVersion } = snapshot.header;
  await options.passGates?.(snapshot);
  await store.refuseRemoved(snapshotId);
  // Orphaned objects of killed publishers may take the space that the document needs.
  if (!dryRun) await removeOrphans(store);
  const digest = digester.digest();
  const storing = { step: 'storing', totalBytes: digest.sizeBytes };
  const open = () => Readable.from(reported(chunks, storing, options));
  const document = { snapshotId, ...digest, open };
  const { isNew, stored } = await store.store(document, { dryRun, signal });
  signal?.throwIfAborted();
  const pointer =
    options.activate && !dryRun
      ? await store.movePointer({ snapshotId, schemaVersion, ...stored })
      : undefined;
  if (!dryRun) await options.archive?.(snapshot);
  const rows = snapshot.observations.hours.length;
  return { snapshotId, rows, sizeBytes: digest.sizeBytes, storedBefore: !isNew, pointer };
}

const NOT_WRITABLE = ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT'];

/** Removes orphaned objects. Ignores a store that cannot be written, as storing the document will report it. */
async function removeOrphans(store: WritableSnapshotStore): Promise<void> {
  try {
    await store.objects.removeOrphans();
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (!NOT_WRITABLE.includes(systemCode(cause) ?? '')) throw error;
  }
}

async function openFile(path: string): Promise<{ file: FileHandle; totalBytes: number }> {
  try {
    const { size: totalBytes } = await statRegularFile(path);
    return { file: await open(path), totalBytes };
  } catch (error) {
    throw new Error(`cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
}

async function* reported(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { step, totalBytes }: { readonly step: string; readonly totalBytes: number },
  { signal, onProgress }: PublishOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  let doneBytes = 0;
  for await (const chunk of bytes) {
    signal?.throwIfAborted();
    doneBytes += chunk.byteLength;
    onProgress?.(step, doneBytes, totalBytes);
    yield chunk;
  }
}

/** Passes bytes on; `keep` gets them as gzip, the same for the same bytes, as zlib writes neither name nor time. */
async function* gathered(
  bytes: AsyncIterable<Uint8Array>,
  keep: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let gzip: Transform | undefined;
  try {
    for await (const chunk of bytes) {
      gzip ??= (isGzip(chunk) ? new PassThrough() : createGzip({ level: 6 })).on('data', keep);
      gzip.write(chunk);
      yield chunk;
      if (gzip.writableNeedDrain) await once(gzip, 'drain');
    }
    if (gzip !== undefined) await finished(gzip.end());
  } finally {
    gzip?.destroy();
  }
}
