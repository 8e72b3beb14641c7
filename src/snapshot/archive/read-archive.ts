/** Reads files of the archive that is served: those that are kept from the local disk, the others through the archive process. */
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { openRegularFile } from '../../files/regular-file.js';
import { SnapshotError } from '../domain/snapshot-error.js';
import { openDirectory } from '../local/open-directory.js';
import type { ArchiveFile, ArchiveIndex } from '../store/archive-index.js';

/** Where the files of an archive are. */
export interface ArchiveSource {
  /** Of those that are kept. */
  readonly folder: string;
  /** The archive process listens at this name in the folder; undefined while there is no such process. */
  readonly socket: string | undefined;
}

/** An archive as it is served: plain data. */
export interface ServedArchive extends ArchiveSource {
  readonly index: ArchiveIndex;
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

/** Read ahead of a slow reader, at the most. */
const READ_BYTES = 128 * 1024;

export function keptPath(folder: string, { sha256 }: Pick<ArchiveFile, 'sha256'>): string {
  return join(folder, `${sha256}.parquet`);
}

/**
 * The bytes of a range that is not empty, as they come. Those of a whole file end as such only where they have its digest.
 *
 * @throws {SnapshotError} `store_unreachable`: it is not kept, and the store does not give it.
 */
export async function* readArchiveFile(
  source: ArchiveSource,
  file: ServedFile,
  { from, to, signal }: ByteRange & { readonly signal?: AbortSignal },
): AsyncGenerator<Uint8Array, void, undefined> {
  const opened = file.isKept && (await openRegularFile(keptPath(source.folder, file)));
  if (opened) {
    yield* opened.createReadStream({ start: from, end: to - 1, highWaterMark: READ_BYTES });
    return;
  }
  const path = `/${file.path}?from=${from}&to=${to}&size=${file.sizeBytes}`;
  try {
    yield* await ask(source, path, signal);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const message = `cannot read ${file.path}: ${why}`;
    throw new SnapshotError('store_unreachable', message, { cause });
  }
}

async function ask(
  { folder, socket }: ArchiveSource,
  path: string,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage & AsyncIterable<Uint8Array>> {
  if (socket === undefined) throw new Error('the archive process has not started yet');
  const opened = openDirectory(folder);
  try {
    const socketPath = join(opened.path, socket);
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ socketPath, path, signal, agent: false }, resolve).once('error', reject);
    });
    if (message.statusCode === 200) return message;
    message.destroy();
    throw new Error('the store does not give it');
  } finally {
    opened.close();
  }
}
