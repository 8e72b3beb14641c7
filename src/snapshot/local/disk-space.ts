/** Frees space on the disk of the local copies for imports, by removing long texts. */
import { lstat, rm, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { namesIn } from '../../files/durable-file.js';

/** Folder of long answers within a local copy, which workers make again. */
export const TEXTS_FOLDER = 'texts';

/** An import needs the size of the largest copy, twice. */
const RESERVED_COPIES = 2;

interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/**
 * Frees space for local copies: removes long texts, the least recently read first, until `neededBytes` are free; none
 * when all of them would not be enough, since the supervisor then removes cached archive files and imports again. Open
 * files can still be read to their end.
 *
 * @returns bytes that are free.
 */
export async function freeDiskSpace(directory: string, neededBytes: number): Promise<number> {
  let free = await freeBytes(directory);
  if (free >= neededBytes) return free;
  const files = (await filesBelow(directory)).filter(({ path }) => isReplaceable(path));
  const replaceable = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (free + replaceable < neededBytes) return free;
  files.sort((a, b) => a.mtimeMs - b.mtimeMs);
  for (const { path } of files) {
    if (free >= neededBytes) break;
    await rm(path, { force: true });
    free = await freeBytes(directory);
  }
  return free;
}

/** Bytes that caches may still take, so that an import as large as the last one fits; negative: bytes to free. */
export async function spareBytes(directory: string): Promise<number> {
  const copies = new Map<string, number>();
  for (const { path, bytes } of await filesBelow(directory)) {
    const folder = dirname(path);
    const isCopy = dirname(folder) === directory && !basename(folder).startsWith('~');
    if (isCopy) copies.set(folder, (copies.get(folder) ?? 0) + bytes);
  }
  return (await freeBytes(directory)) - RESERVED_COPIES * Math.max(0, ...copies.values());
}

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

async function filesBelow(directory: string): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const name of await namesIn(directory, { recursive: true })) {
    const path = join(directory, name);
    const status = await lstat(path).catch(() => undefined);
    if (status?.isFile() !== true) continue;
    files.push({ path, bytes: status.blocks * 512, mtimeMs: status.mtimeMs });
  }
  return files;
}

/** A worker is writing a temporary file. */
function isReplaceable(path: string): boolean {
  return basename(dirname(path)) === TEXTS_FOLDER && path.endsWith('.gz');
}
