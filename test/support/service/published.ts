/** What must hold of a file store at any moment: read from the files themselves, without our own code. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The id that the pointer names, after its size and digest have been compared with the document. */
export async function verifiedActiveId(namespace: string): Promise<string | undefined> {
  let text: string;
  try {
    text = await readFile(join(namespace, 'active.json'), 'utf8');
  } catch {
    return undefined;
  }
  const pointer = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const document = await readFile(join(namespace, String(pointer['document'])));
  const sha256 = createHash('sha256').update(document).digest('hex');
  if (pointer['size_bytes'] !== document.length || pointer['sha256'] !== sha256) {
    throw new Error(`the pointer does not fit its document: ${text}`);
  }
  return String(pointer['snapshot_id']);
}

/** Every file of a namespace but the pointer and the documents. */
export async function leftovers(namespace: string): Promise<readonly string[]> {
  const names = await readdir(namespace, { recursive: true });
  return names.filter(
    (name) => name !== 'active.json' && name !== 'snapshots' && !name.endsWith('.json.gz'),
  );
}
