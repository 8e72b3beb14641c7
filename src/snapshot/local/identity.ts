/** The identity of a file or folder: the same path may later lead to another file. */
import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { unlessMissing } from './read-failure.js';

/** Device and inode, unique among existing and open files. */
export function identityOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): string {
  return `${dev}-${ino}`;
}

/** Identity of the file at a path; undefined if missing. @throws {Error} any other error of the system. */
export async function identityAt(path: string): Promise<string | undefined> {
  const status = await unlessMissing(stat(path, { bigint: true }));
  return status && identityOf(status);
}
