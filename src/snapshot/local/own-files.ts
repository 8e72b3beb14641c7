/**
 * Reads small JSON files, and creates and removes the folders of local copies. Only folders with the service's mark are
 * removed (`docs/operations/running.md, "Local copies"`). The mark is a file that is written first and removed last, so
 * a killed import or removal leaves no files without it. A removal needs no disk space.
 */
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../files/file-error.js';
import { parseMembers, type JsonMembers } from '../domain/json-members.js';
import { readFailure, unlessMissing } from './read-failure.js';

export const MANIFEST_FILE = 'copy.json';

const MARK_FILE = 'made-by-bura';
const MARK_TEXT =
  'Made by bura from a published snapshot; bura removes this folder when it is not needed.\n';

/** @throws {Error} the error of the system, such as `EEXIST` for an existing name. */
export async function createOwnFolder(path: string): Promise<void> {
  await mkdir(path);
  await writeFile(join(path, MARK_FILE), MARK_TEXT);
}

/** Creates a marked folder, or marks an empty one. @throws {Error} for a folder with foreign files. */
export async function ensureOwnFolder(path: string): Promise<void> {
  if (await isOwnFolder(path)) return;
  // Its parent folders are not created: only the lock creates them.
  await mkdir(path).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error;
  });
  const names = await readdir(path);
  if (names.length > 0) throw new Error(`${path} was not made by this service`);
  await writeFile(join(path, MARK_FILE), MARK_TEXT);
}

/**
 * Whether a folder has the mark.
 *
 * @throws {Error} the error of the system: an unreadable copy must not count as foreign.
 */
export async function isOwnFolder(path: string): Promise<boolean> {
  return (await unlessMissing(readdir(path)))?.includes(MARK_FILE) ?? false;
}

/** Removes a folder with the mark; any other stays. */
export async function removeOwnFolder(path: string): Promise<void> {
  if (!(await isOwnFolder(path))) return;
  const last: readonly string[] = [MANIFEST_FILE, MARK_FILE];
  const first = (await readdir(path)).filter((name) => !last.includes(name));
  for (const name of [...first, ...last]) {
    await rm(join(path, name), { recursive: true, force: true });
  }
  await rmdir(path).catch((error: unknown) => {
    // `removeLeftovers` may have removed the empty folder already.
    if (systemCode(error) !== 'ENOENT') throw error;
  });
}

/**
 * The parsed content of a JSON file; undefined if it is missing or invalid.
 *
 * @throws {SnapshotError} `copy_unreadable` if a later attempt may succeed.
 */
export async function readJsonFile<T>(
  path: string,
  parse: (members: JsonMembers) => T,
): Promise<T | undefined> {
  const bytes = await unlessMissing(readFile(path)).catch((error: unknown) => {
    throw readFailure(path, error, 'copy_damaged');
  });
  try {
    return bytes && parse(parseMembers(bytes));
  } catch {
    return undefined;
  }
}
