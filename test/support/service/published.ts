/** Invariants of a file store at any moment, read from its files without the service's code. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The result of `verifiedIdOf` for the folder of a namespace; undefined without a pointer. */
export async function verifiedActiveId(namespace: string): Promise<string | undefined> {
  if (!existsSync(join(namespace, 'active.json'))) return undefined;
  return await verifiedIdOf((path) => readFile(join(namespace, path)));
}

/** The id in the pointer. @throws {Error} where size or digest of its document differ. */
export async function verifiedIdOf(read: (path: string) => Promise<Buffer>): Promise<string> {
  const text = (await read('active.json')).toString();
  const pointer = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const document = await read(String(pointer['document']));
  const sha256 = createHash('sha256').update(document).digest('hex');
  if (pointer['size_bytes'] !== document.length || pointer['sha256'] !== sha256) {
    throw new Error(`the pointer does not fit its document: ${text}`);
  }
  return String(pointer['snapshot_id']);
}

/** All files of a namespace other than the pointer, the documents and the list of removed ids. */
export async function leftovers(namespace: string): Promise<readonly string[]> {
  const names = await readdir(namespace, { recursive: true });
  const known = ['active.json', 'removed.txt', 'snapshots'];
  return names.filter((name) => !known.includes(name) && !name.endsWith('.json.gz'));
}
