/** The directory of local copies: one folder for each snapshot and build, and temporary folders while an import runs. */
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../store/file/durable-file.js';

/** Begins the name of a copy that is being made; no snapshot id has a tilde. */
const TEMPORARY_PREFIX = '~';

/** What names a local copy: the snapshot that it is of, and the build that has made it. */
export interface CopyName {
  readonly snapshotId: string;
  readonly build: string;
}

/** Where a copy lies, complete or not there at all. */
export function copyDirectory(directory: string, { snapshotId, build }: CopyName): string {
  return join(directory, `${snapshotId}~${build}`);
}

/** A new empty folder for a copy in the making, named after this process. */
export async function createTemporary(directory: string, snapshotId: string): Promise<string> {
  const temporary = join(directory, `${TEMPORARY_PREFIX}${process.pid}-${snapshotId}`);
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true });
  return temporary;
}

/** Makes a sealed temporary folder the snapshot's copy by one rename; it replaces an older one. */
export async function commitTemporary(paths: {
  readonly temporary: string;
  readonly target: string;
  readonly directory: string;
}): Promise<void> {
  await syncDirectory(paths.temporary);
  await rm(paths.target, { recursive: true, force: true });
  await rename(paths.temporary, paths.target);
  await syncDirectory(paths.directory);
}

/** The copies that are there, complete as far as their names show. */
export async function listCopies(directory: string): Promise<readonly CopyName[]> {
  return (await folders(directory)).flatMap((name) => parseCopyName(name) ?? []);
}

export async function removeCopy(directory: string, name: CopyName): Promise<void> {
  await rm(copyDirectory(directory, name), { recursive: true, force: true });
}

/** Removes every folder that is no copy: what imports that were killed left behind. To be called while none runs. */
export async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await folders(directory)) {
    if (parseCopyName(name) !== undefined) continue;
    await rm(join(directory, name), { recursive: true, force: true });
  }
}

/** Undefined for the name of another folder. */
function parseCopyName(name: string): CopyName | undefined {
  const [snapshotId, build] = name.split('~');
  return snapshotId && build ? { snapshotId, build } : undefined;
}

async function folders(directory: string): Promise<readonly string[]> {
  await mkdir(directory, { recursive: true });
  const entries = await readdir(directory, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}
