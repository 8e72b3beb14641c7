/** Writes files that appear whole or not at all, and removes temporary ones of killed processes. */
import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import {
  link,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { systemCode } from './file-error.js';
import { statIfExists } from './regular-file.js';

const TEMPORARY_NAME = /^\.tmp-([0-9a-f]{8})-(\d{1,10})-[0-9a-f]{12}(?:\.json\.gz)?$/;

/** A temporary file that was not written for this long is abandoned: process ids repeat, also between machines. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/** Errors of a file system without hard links, such as FAT. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** A temporary name beside the final one, with the process and the machine that write the file. */
export function temporaryPath(directory: string): string {
  return join(directory, `.tmp-${pidNamespace()}-${process.pid}-${randomBytes(6).toString('hex')}`);
}

/** Creates a directory with its parents, so that they survive a power loss. */
export async function makeDirectory(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) {
    await syncDirectory(dirname(made));
  }
}

/** Writes a new file to the disk before the promise resolves; a failure leaves no file. */
export async function writeDurably(
  path: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await open(path, 'wx');
  try {
    try {
      await writeFile(file, content);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const directory = dirname(path);
  const temporary = temporaryPath(directory);
  await writeDurably(temporary, content);
  try {
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(directory);
}

/** Renames a finished temporary file. @returns false where the name is in use. */
export async function claimName(temporary: string, path: string): Promise<boolean> {
  try {
    // Unlike a rename, a link fails where the name exists: of two publishers one wins.
    await link(temporary, path);
    await rm(temporary);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (!NO_LINKS.includes(systemCode(error) ?? '')) throw error;
    // Without links, on FAT for example, the check and the rename are two steps.
    if ((await statIfExists(path)) !== undefined) return false;
    await rename(temporary, path);
  }
  await syncDirectory(dirname(path));
  return true;
}

/** Removes the temporary files and folders in a directory whose writers are gone. @returns their number. */
export async function removeAbandoned(directory: string): Promise<number> {
  let removed = 0;
  for (const name of await namesIn(directory)) {
    const path = join(directory, name);
    if (!TEMPORARY_NAME.test(name) || !(await isAbandoned(path, name))) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

/** Runs work with a temporary folder that only its user can read; removes temporary folders of exited processes. */
export async function withTemporaryFolder<T>(
  directory: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await removeAbandoned(directory).catch(() => undefined);
  const folder = temporaryPath(directory);
  await mkdir(folder, { mode: 0o700 });
  try {
    return await work(await realpath(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The names in a directory, with `recursive` also all paths below it; empty if the directory is missing. */
export async function namesIn(
  directory: string,
  { recursive = false }: { readonly recursive?: boolean } = {},
): Promise<readonly string[]> {
  try {
    return await readdir(directory, { recursive });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Makes names in a directory survive a power loss. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } catch (error) {
    // Some network file systems lack this call, and keep names safe in another way.
    if (systemCode(error) !== 'EINVAL') throw error;
  } finally {
    await directory.close();
  }
}

async function isAbandoned(path: string, name: string): Promise<boolean> {
  if (isWriterGone(name)) return true;
  const status = await lstat(path).catch(() => undefined);
  // The status is undefined if the writer has just finished.
  return status !== undefined && Date.now() - status.mtimeMs > ABANDONED_AFTER_MS;
}

/** Whether the process in a temporary name is known to have exited; false for a process of another machine. */
export function isWriterGone(name: string): boolean {
  const [, where, pid] = TEMPORARY_NAME.exec(name) ?? [];
  return where === pidNamespace() && !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) !== 'ESRCH';
  }
}

/** The namespace of process ids: the machine, and on Linux the container. */
function pidNamespace(): string {
  let namespace = '';
  try {
    namespace = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Other systems than Linux have no such namespaces: the machine's name is enough.
  }
  return createHash('sha256').update(`${hostname()} ${namespace}`).digest('hex').slice(0, 8);
}
