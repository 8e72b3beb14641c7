/** The directory of local copies: one folder a snapshot, and temporary ones while an import runs. */
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Begins the name of a copy that is being made; no snapshot id has a tilde. */
const TEMPORARY_PREFIX = '~';

/** Where the copy of a snapshot lies, complete or not there at all. */
export function copyDirectory(directory: string, snapshotId: string): string {
  return join(directory, snapshotId);
}

/** A new empty folder for a copy in the making, named after this process. */
export async function createTemporary(directory: string, snapshotId: string): Promise<string> {
  const temporary = join(directory, `${TEMPORARY_PREFIX}${process.pid}-${snapshotId}`);
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true });
  return temporary;
}

/** Makes a sealed temporary folder the snapshot's copy, in place of an older one: by one rename. */
export async function commitTemporary(paths: {
  readonly temporary: string;
  readonly target: string;
  readonly directory: string;
}): Promise<void> {
  await flushDirectory(paths.temporary);
  await rm(paths.target, { recursive: true, force: true });
  await rename(paths.temporary, paths.target);
  await flushDirectory(paths.directory);
}

/** Ids of the copies that are there, complete as far as their name tells. */
export async function listCopies(directory: string): Promise<readonly string[]> {
  return (await folders(directory)).filter((name) => !name.startsWith(TEMPORARY_PREFIX));
}

export async function removeCopy(directory: string, snapshotId: string): Promise<void> {
  await rm(copyDirectory(directory, snapshotId), { recursive: true, force: true });
}

/** Removes what imports that were killed left behind; to be called while none runs. */
export async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await folders(directory)) {
    if (name.startsWith(TEMPORARY_PREFIX)) {
      await rm(join(directory, name), { recursive: true, force: true });
    }
  }
}

async function folders(directory: string): Promise<readonly string[]> {
  await mkdir(directory, { recursive: true });
  const entries = await readdir(directory, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

async function flushDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
