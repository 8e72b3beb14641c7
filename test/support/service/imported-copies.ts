/** Local copies that this build has imported for earlier tests: a document need not be imported again where a test only reads. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Pointer } from '../../../src/snapshot/store/pointer.js';

/** The built service, all of which may decide about the bytes of a copy. */
const BUILT = resolve('build/src');

/** One folder for each build, and in it one for each document; all of it goes when `build` is removed. */
const STORED = resolve('build/imported-copies');

let build: Promise<string> | undefined;

/**
 * Puts the copy of the pointer's document among a service's copies, if an earlier test has stored one.
 *
 * The service verifies it as it does every copy that it finds at its start.
 */
export async function placeStoredCopy(copies: string, pointer: Pointer): Promise<void> {
  const folder = await folderOf(pointer);
  if (existsSync(folder)) await cp(folder, copies, { recursive: true });
}

/** Stores the copy that a service has imported, the first and only one among its copies. */
export async function storeCopy(copies: string, pointer: Pointer): Promise<void> {
  const folder = await folderOf(pointer);
  if (existsSync(folder)) return;
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await mkdtemp(`${folder}-`);
  await cp(copies, temporary, {
    recursive: true,
    // The running service's own files and the locks of readers are not part of the copy.
    filter: (path) =>
      path === copies ||
      !/^~(?!history(?:$|\/.*\.past$|\/made-by-bura$))|(?:^|\/)lock\.mdb$/.test(
        relative(copies, path),
      ),
  });
  // Another test may have been faster, with the same copy.
  await rename(temporary, folder).catch(() => rm(temporary, { recursive: true }));
}

/** The folder of the document that a pointer names, by the digest of its stored bytes. */
async function folderOf({ sha256 }: Pointer): Promise<string> {
  build ??= buildDigest();
  return join(STORED, await build, sha256);
}

/** The digest of the built service and the version of Node: another one may render other bytes. */
async function buildDigest(): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  const entries = await readdir(BUILT, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.toSorted()) hash.update(path).update(await readFile(path));
  return hash.digest('hex').slice(0, 16);
}
