/** What the disk of the local copies has left, and what the copy that is served takes of it. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

export interface DiskUsage {
  readonly sizeBytes: number;
  readonly freeBytes: number;
  /** Of the copy that is served; undefined without one. */
  readonly copyBytes: number | undefined;
}

/** Undefined where the folder cannot be read. */
export async function readDiskUsage(
  directory: string,
  copy: string | undefined,
): Promise<DiskUsage | undefined> {
  try {
    const { bsize, blocks, bavail } = await statfs(directory);
    const copyBytes = copy === undefined ? undefined : await bytesBelow(copy);
    return { sizeBytes: blocks * bsize, freeBytes: bavail * bsize, copyBytes };
  } catch {
    return undefined;
  }
}

const BLOCK_BYTES = 512;

/** On the disk: a sparse file counts what it takes. */
async function bytesBelow(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).blocks * BLOCK_BYTES),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
