/** Takes a snapshot document from a local file into a store: checked whole, stored as gzip, then made the active one. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Digester, digesting, digestOf, type Digest } from '../snapshot/domain/digest.js';
import type { Snapshot } from '../snapshot/domain/model.js';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';
import { systemCode } from '../snapshot/document/file-error.js';
import { statRegularFile } from '../snapshot/store/file/regular-file.js';
import {
  removedSnapshot,
  type NewSnapshot,
  type Pointer,
  type WritableSnapshotStore,
} from '../snapshot/store/store.js';
import { compareStored, movePointer, storeSnapshot } from './stored-snapshots.js';
import { checkDocument, verifyDocument } from './verify-document.js';

interface PublishProgress {
  readonly step: 'checking' | 'compressing' | 'storing';
  /** Of the file. */
  readonly doneBytes: number;
  readonly totalBytes: number;
}

export interface PublishOptions {
  readonly store: WritableSnapshotStore;
  /** A path: `.json`, or the same as gzip; told apart by content. */
  readonly file: string;
  /** Whether the pointer moves to it. */
  readonly activate: boolean;
  /** Called with what has been checked, before anything is stored; it refuses by throwing. Default: nothing is refused. */
  readonly examine?: (snapshot: Snapshot) => Promise<void>;
  /** Nothing is stored. Default: false. */
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: PublishProgress) => void;
  /** Aborted before the pointer moves: nothing is left behind but a document that was stored whole. */
  readonly signal?: AbortSignal;
}

export interface Published {
  readonly snapshotId: string;
  /** Of measurements. */
  readonly rows: number;
  /** As stored (gzip). */
  readonly sizeBytes: number;
  /** The same document was stored already. */
  readonly storedBefore: boolean;
  readonly pointer: Pointer | undefined;
}

/** Of a disk that takes nothing. */
const NOT_WRITABLE = ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT'];

/** Leftovers that cannot be removed keep nobody from publishing: where nothing can be written, the writing says so. */
async function removeOrphans(store: WritableSnapshotStore): Promise<void> {
  try {
    await store.removeOrphans();
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (!NOT_WRITABLE.includes(systemCode(cause) ?? '')) throw error;
  }
}

/**
 * Publishes a document; the same one again is no error.
 *
 * A gzip file is stored byte for byte, so that the digest in the pointer is the one that the operator's own
 * `sha256sum` shows. Plain JSON is compressed on its way, twice (once for the digest): the copy in the store is
 * then the only file that is ever written, and the only one that a killed publisher can leave behind.
 *
 * @throws {SnapshotError} what `checkDocument` throws, `snapshot_conflict` (the id is stored with another document),
 * `snapshot_removed`, `document_corrupt` (the file changed meanwhile), and what the store throws.
 */
export async function publishDocument(options: PublishOptions): Promise<Published> {
  const { store, signal } = options;
  const file = await inspect(options.file);
  const bytes = fileBytes(file, 'checking', options);
  const { snapshot: document, ...fileDigest } = await checkDocument(bytes, { name: file.path });
  const { snapshotId, schemaVersion } = document.header;
  await options.examine?.(document);
  if (await store.isRemoved(snapshotId)) throw removedSnapshot(store.address, snapshotId);
  const digest = file.gzip ? fileDigest : await digestCompressed(file, fileDigest, options);
  const rows = document.observations.hours.length;
  // What publishers that were killed have left is space that this one may need.
  if (options.dryRun !== true) await removeOrphans(store);
  const open = () => storedBytes(fileBytes(file, 'storing', options), file);
  const { isNew, stored } = await storeUnlessEqual({ snapshotId, ...digest, open }, file, options);
  signal?.throwIfAborted();
  const pointer =
    options.activate && !options.dryRun
      ? await movePointer(store, { snapshotId, schemaVersion, ...stored })
      : undefined;
  return { snapshotId, rows, sizeBytes: digest.sizeBytes, storedBefore: !isNew, pointer };
}

/** A local file as it was found. */
interface InspectedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly gzip: boolean;
}

async function inspect(path: string): Promise<InspectedFile> {
  try {
    const { size: sizeBytes } = await statRegularFile(path);
    const file = await open(path);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
      // RFC 1952 §2.3.1
      const gzip = bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
      return { path, sizeBytes, gzip };
    } finally {
      await file.close();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`cannot read ${path}: ${why}`, { cause: error });
  }
}

/** Of the gzip that plain JSON becomes; the text must be the one that has been checked. */
async function digestCompressed(file: InspectedFile, checked: Digest, options: PublishOptions) {
  const text = new Digester();
  const bytes = digesting(fileBytes(file, 'compressing', options), text);
  const stored = await digestOf(storedBytes(bytes, file));
  if (text.digest().sha256 !== checked.sha256) {
    throw new SnapshotError('document_corrupt', `${file.path} changed while it was being read`);
  }
  return stored;
}

/** Stores it, or sees whether that could be done. Answers what is stored under the id: the same document, if in other bytes, where it was there before. */
async function storeUnlessEqual(
  snapshot: NewSnapshot,
  file: InspectedFile,
  { store, dryRun, signal }: PublishOptions,
): Promise<{ readonly isNew: boolean; readonly stored: Digest }> {
  try {
    if (dryRun !== true) {
      return { isNew: await storeSnapshot(store, snapshot, signal), stored: snapshot };
    }
    await compareStored(store, snapshot, signal);
    return { isNew: false, stored: snapshot };
  } catch (error) {
    if (dryRun === true && error instanceof SnapshotError && error.code === 'snapshot_missing') {
      return { isNew: true, stored: snapshot };
    }
    if (!(error instanceof SnapshotError) || error.code !== 'snapshot_conflict') throw error;
    // Plain and gzip, or gzip of two levels, hold one document when the text inside is the same.
    const { snapshotId } = snapshot;
    const bytes = await store.openDocument({ snapshotId }, signal);
    const stored = await verifyDocument(bytes, snapshotId);
    const own = await verifyDocument(snapshot.open(), file.path);
    if (stored.textSha256 !== own.textSha256) throw error;
    return { isNew: false, stored };
  }
}

/** The bytes to store; the same at every call, as the chunks that the compressor sees are the same. */
function storedBytes(bytes: AsyncIterable<Uint8Array>, file: InspectedFile): Readable {
  if (file.gzip) return Readable.from(bytes, { objectMode: false });
  // The header that zlib writes holds neither name nor time. The failure is the stream's own.
  return pipeline(bytes, createGzip({ level: 6 }), () => undefined);
}

async function* fileBytes(
  file: InspectedFile,
  step: PublishProgress['step'],
  { signal, onProgress }: PublishOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  let doneBytes = 0;
  const bytes: AsyncIterable<Uint8Array> = createReadStream(file.path);
  for await (const chunk of bytes) {
    signal?.throwIfAborted();
    doneBytes += chunk.byteLength;
    onProgress?.({ step, doneBytes, totalBytes: file.sizeBytes });
    yield chunk;
  }
}
