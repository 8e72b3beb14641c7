/** Reads files of the archive that is served: those that are kept from the local disk, the others through the archive process. */
import { openSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { SnapshotError } from '../domain/snapshot-error.js';
import { openDirectory } from '../local/open-directory.js';
import { isMissing } from '../local/read-failure.js';
import type { ArchiveFile, ArchiveIndex } from '../store/archive-index.js';

/** Where the files of an archive are. */
export interface ArchiveSource {
  /** Of those that are kept. */
  readonly folder: string;
  /** The archive process listens at this name in the folder. */
  readonly socket: string;
}

/** An archive as it is served: plain data. */
export interface ServedArchive extends ArchiveSource {
  readonly index: ArchiveIndex;
  /** Changes with the index. */
  readonly digest: string;
  /** SHA-256 of the files that are kept. */
  readonly kept: readonly string[];
}

export interface ServedFile extends ArchiveFile {
  readonly isKept: boolean;
}

export interface ByteRange {
  /** The first byte, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

export function keptPath(folder: string, { sha256 }: Pick<ArchiveFile, 'sha256'>): string {
  return join(folder, `${sha256}.parquet`);
}

/** A descriptor of the copy; undefined where it is not kept, or not any more, because a newer index does not name it. */
export function openKept({ folder }: ArchiveSource, file: ServedFile): number | undefined {
  if (!file.isKept) return undefined;
  try {
    return openSync(keptPath(folder, file), 'r');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * The bytes of a range that is not empty, from the store, to be read or destroyed. Those of a whole file end as such only
 * where they have its digest.
 *
 * @throws {SnapshotError} `store_unreachable`: the store does not give them.
 */
export async function readStored(
  source: ArchiveSource,
  file: ServedFile,
  { from, to, signal }: ByteRange & { readonly signal?: AbortSignal },
): Promise<Readable> {
  try {
    const path = `/${file.path}?from=${from}&to=${to}&size=${file.sizeBytes}`;
    return await ask(source, path, signal);
  } catch (cause) {
    const message = `cannot read ${file.path}: ${String(cause)}`;
    throw new SnapshotError('store_unreachable', message, { cause });
  }
}

async function ask(
  { folder, socket }: ArchiveSource,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Readable> {
  const opened = openDirectory(folder);
  try {
    const socketPath = join(opened.path, socket);
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ socketPath, path, signal, agent: false }, resolve).once('error', reject);
    });
    // Whoever reads it learns why it ends; nobody may be reading yet.
    message.on('error', () => undefined);
    if (message.statusCode === 200) return message;
    message.destroy();
    throw new Error('the store does not give it');
  } finally {
    opened.close();
  }
}
