/**
 * Small JSON files and folders beside the local copies. Only folders with the service's mark are removed
 * (`docs/operations/running.md, "Local copies"`).
 *
 * The mark is a file that is written first and removed last, so that neither a killed import nor a killed removal
 * leaves bytes without it. Removing needs no space.
 */
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../files/file-error.js';
import { parseMembers, type JsonMembers } from '../domain/json-members.js';
import { isMissing, readFailure } from './read-failure.js';

export const MANIFEST_FILE = 'copy.json';

const MARK_FILE = 'made-by-bura';
const MARK_TEXT =
  'Made by bura from a published snapshot; bura removes this folder when it is not needed.\n';

/** @throws {Error} the system's own, `EEXIST` for an existing name. */
export async function createOwnFolder(path: string): Promise<void> {
  await mkdir(path);
  await writeFile(join(path, MARK_FILE), MARK_TEXT);
}

/** Creates the folder, or accepts an empty or marked one. @throws {Error} for a foreign folder. */
export async function ensureOwnFolder(path: string): Promise<void> {
  if (await isOwnFolder(path)) return;
  // Not with its parents, which only the lock creates.
  await mkdir(path).catch((error: unknown) => {
    if (systemCode(error) !== 'EEXIST') throw error;
  });
  const names = await readdir(path);
  if (names.length > 0) throw new Error(`${path} was not made by this service`);
  await writeFile(join(path, MARK_FILE), MARK_TEXT);
}

/**
 * Whether the folder carries the mark.
 *
 * @throws {Error} the system's own: an unreadable copy must not count as foreign.
 */
export async function isOwnFolder(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).includes(MARK_FILE);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Removes a folder of the service, after `isOwnFolder`. */
export async function removeOwnFolder(path: string): Promise<void> {
  const last: readonly string[] = [MANIFEST_FILE, MARK_FILE];
  const first = (await readdir(path)).filter((name) => !last.includes(name));
  for (const name of [...first, ...last]) {
    await rm(join(path, name), { recursive: true, force: true });
  }
  await rmdir(path).catch((error: unknown) => {
    // `removeLeftovers` may have removed the empty folder; foreign additions stay.
    if (systemCode(error) !== 'ENOENT') throw error;
  });
}

/**
 * The parsed content of a JSON file; undefined without a valid file.
 *
 * @throws {SnapshotError} `copy_unreadable`: try later.
 */
export async function readJsonFile<T>(
  path: string,
  parse: (members: JsonMembers) => T,
): Promise<T | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw readFailure(path, error, 'copy_damaged');
  }
  try {
    return parse(parseMembers(bytes));
  } catch {
    return undefined;
  }
}

export function numberMember(members: JsonMembers, name: string): number {
  const value = members[name];
  if (typeof value === 'number') return value;
  throw new TypeError(`${name} is not a number`);
}
