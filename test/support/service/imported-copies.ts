/** Caches local copies that this build has imported, for tests that only read. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Pointer } from '../../../src/snapshot/store/pointer.js';

/** The built service, which determines the bytes of a copy. */
const BUILT = resolve('build/src');

/** A folder for each build, and in it one for each document; removed with `build`. */
const STORED = resolve('build/imported-copies');

let build: Promise<string> | undefined;

/** Puts a cached copy of the pointer's document among a service's copies; the service verifies it at its start. */
export async function placeStoredCopy(copies: string, pointer: Pointer): Promise<void> {
  const folder = await folderOf(pointer);
  if (existsSync(folder)) await cp(folder, copies, { recursive: true });
}

/** Caches the copy of a service that has only one. */
export async function storeCopy(copies: string, pointer: Pointer): Promise<void> {
  const folder = await folderOf(pointer);
  if (existsSync(folder)) return;
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await mkdtemp(`${folder}-`);
  await cp(copies, temporary, {
    recursive: true,
    // The service's other files and LMDB's lock are not part of the copy.
    filter: (path) =>
      path === copies ||
      !/^~(?!history(?:$|\/.*\.past$|\/made-by-bura$))|(?:^|\/)lock\.mdb$/.test(
        relative(copies, path),
      ),
  });
  // Another test may have been faster, with the same copy.
  await rename(temporary, folder).catch(() => rm(temporary, { recursive: true }));
}

async function folderOf({ sha256 }: Pointer): Promise<string> {
  build ??= buildDigest();
  return join(STORED, await build, sha256);
}

/** The digest of the built service and the version of Node, which determine the bytes. */
async function buildDigest(): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  const entries = await readdir(BUILT, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const path of paths.toSorted()) hash.update(path).update(await readFile(path));
  return hash.digest('hex').slice(0, 16);
}
