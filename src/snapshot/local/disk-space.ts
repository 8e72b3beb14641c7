/** Frees disk space for imports by removing long texts from local copies. */
import { lstat, rm, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { namesIn } from '../../files/durable-file.js';

/** Folder of long texts within a local copy, which workers can make again. */
export const TEXTS_FOLDER = 'texts';

/** An import needs twice the size of the largest copy. */
const RESERVED_COPIES = 2;

/**
 * Removes long texts, the least recently read first, until `neededBytes` are free. Removes none if all of them would
 * not be enough: the supervisor then removes cached archive files and repeats the import. Open files can still be read
 * to their end.
 *
 * @returns the number of free bytes.
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

/** Bytes that caches may still use while an import of the largest copy's size fits; if negative, bytes to free. */
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

async function filesBelow(directory: string) {
  const files: { path: string; bytes: number; mtimeMs: number }[] = [];
  for (const name of await namesIn(directory, { recursive: true })) {
    const path = join(directory, name);
    const status = await lstat(path).catch(() => undefined);
    if (status?.isFile() !== true) continue;
    files.push({ path, bytes: status.blocks * 512, mtimeMs: status.mtimeMs });
  }
  return files;
}

/** Whether a file is a complete long text; a worker is still writing a temporary file. */
function isReplaceable(path: string): boolean {
  return basename(dirname(path)) === TEXTS_FOLDER && path.endsWith('.gz');
}
