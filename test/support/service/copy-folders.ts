/** The folders of local copies, whose names have a digest that tests need not know. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of a snapshot's copy, optionally of one build; a path that does not exist where there is no copy. */
export function copyFolder(copies: string, snapshotId: string, build = ''): string {
  const found = readdirSync(copies).filter(
    (name) => name.startsWith(`${snapshotId}~`) && name.endsWith(build),
  );
  if (found.length > 1) throw new Error(`${snapshotId} has several copies: ${found.join(', ')}`);
  return join(copies, found[0] ?? `${snapshotId}~none`);
}
