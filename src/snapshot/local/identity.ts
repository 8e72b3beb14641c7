/** Which file or folder it is that lies under a path: another one may come into its place, under the same name. */
import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isMissing } from './read-failure.js';

/** By device and inode, which nothing else has that is there or open. */
export function identityOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}-${ino}`;
}

/** Identity of the file under the path; undefined without a file. @throws {Error} the system's own. */
export async function identityAt(path: string): Promise<string | undefined> {
  try {
    return identityOf(await stat(path, { bigint: true }));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
