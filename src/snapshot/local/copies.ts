/** The directory of local copies: a folder for each snapshot and build, and temporary folders. */
import { readdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SnapshotError } from '../domain/snapshot-error.js';
import { isSnapshotId, type DocumentName } from '../domain/snapshot-id.js';
import { syncDirectory } from '../../files/durable-file.js';
import { exists } from '../../files/regular-file.js';
import { createOwnFolder, isOwnFolder, removeOwnFolder } from './own-files.js';
import { unlessMissing } from './read-failure.js';

/** Prefix of entries that are not copies: temporary folders and files of the service. No snapshot id has a tilde. */
const OTHER_PREFIX = '~';

const TEMPORARY_NAME = /^~\d+-/;

/** The identity of a local copy: its document and its build. */
export interface CopyName extends DocumentName {
  readonly build: string;
}

export function copyDirectory(directory: string, name: CopyName): string {
  const { snapshotId, documentSha256, build } = name;
  return join(directory, [snapshotId, documentSha256, build].join('~'));
}

/**
 * Creates a temporary folder for a new copy, named after this process and the snapshot.
 *
 * @throws {SnapshotError} `import_failed` if a foreign file or folder has its name, or the name of the copy.
 */
export async function createTemporary(directory: string, name: CopyName): Promise<string> {
  const temporary = join(directory, `${OTHER_PREFIX}${process.pid}-${name.snapshotId}`);
  await assertOwn(copyDirectory(directory, name));
  await assertOwn(temporary);
  await removeOwnFolder(temporary);
  await createOwnFolder(temporary);
  return temporary;
}

/** Renames a finished temporary folder to the snapshot's copy. Replaces an older copy, but no foreign folder. */
export async function commitTemporary(
  temporary: string,
  { directory, name }: { readonly directory: string; readonly name: CopyName },
): Promise<void> {
  await syncDirectory(temporary);
  await removeCopy(directory, name);
  await assertOwn(copyDirectory(directory, name));
  await rename(temporary, copyDirectory(directory, name));
  await syncDirectory(directory);
}

/** Copies: folders with the name of a copy and the service's mark. */
export async function listCopies(directory: string): Promise<readonly CopyName[]> {
  const copies: CopyName[] = [];
  for (const folder of await folders(directory)) {
    const name = parseCopyName(folder);
    if (name && (await isOwnFolder(join(directory, folder)))) copies.push(name);
  }
  return copies;
}

/** Copies of a document; copies of this build come first. */
export async function copiesOf(
  directory: string,
  { snapshotId, documentSha256, build }: CopyName,
): Promise<readonly CopyName[]> {
  const copies = (await listCopies(directory)).filter(
    (copy) => copy.snapshotId === snapshotId && copy.documentSha256 === documentSha256,
  );
  return copies.toSorted((a, b) => Number(b.build === build) - Number(a.build === build));
}

/** Removes a copy, if it exists; a foreign folder stays. */
export async function removeCopy(directory: string, name: CopyName): Promise<void> {
  await removeOwnFolder(copyDirectory(directory, name));
}

/** Removes temporary folders of killed imports and removals, and copies of old layouts; only while no import runs. */
export async function removeLeftovers(directory: string): Promise<void> {
  for (const folder of await folders(directory)) {
    const isTemporary = TEMPORARY_NAME.test(folder);
    if (!isTemporary && folder.startsWith(OTHER_PREFIX)) continue;
    const path = join(directory, folder);
    const isCopy = parseCopyName(folder) !== undefined;
    if (!isCopy && (await isOwnFolder(path))) await removeOwnFolder(path);
    // A kill before the mark was written, or after its removal, leaves an empty folder; `rmdir` removes no other.
    else if (isCopy || isTemporary) await rmdir(path).catch(() => undefined);
  }
}

/** Names of foreign entries, which are not touched. */
export async function listForeignEntries(directory: string): Promise<readonly string[]> {
  const foreignEntries: string[] = [];
  for (const entry of await entries(directory)) {
    const path = join(directory, entry.name);
    const isOwn = entry.isDirectory()
      ? await isOwnFolder(path).catch(() => false)
      : entry.name.startsWith(OTHER_PREFIX);
    if (!isOwn) foreignEntries.push(entry.name);
  }
  return foreignEntries;
}

function parseCopyName(name: string): CopyName | undefined {
  const [snapshotId, documentSha256, build, ...more] = name.split('~');
  if (!isSnapshotId(snapshotId) || !documentSha256 || !build || more.length > 0) return undefined;
  return { snapshotId, documentSha256, build };
}

async function assertOwn(path: string): Promise<void> {
  if (!(await exists(path)) || (await isOwnFolder(path))) return;
  throw new SnapshotError(
    'import_failed',
    `${path} was not made by this service, which therefore does not replace it: move it away`,
  );
}

async function folders(directory: string): Promise<readonly string[]> {
  const all = await entries(directory);
  return all.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

/** The entries of the directory; empty if it is missing, since only the lock creates it. */
async function entries(directory: string) {
  return (await unlessMissing(readdir(directory, { withFileTypes: true }))) ?? [];
}
