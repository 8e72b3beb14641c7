/** The identity of a file or folder, whose path may later have another one. */
import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isMissing } from './read-failure.js';

/** Device and inode, unique among existing and open files. */
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
