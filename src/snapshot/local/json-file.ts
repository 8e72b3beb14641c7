/** Small JSON files that this service keeps beside its local copies. */
import { readFile } from 'node:fs/promises';
import { parseMembers, type JsonMembers } from '../domain/json-members.js';
import { isMissing, readFailure } from './read-failure.js';

/**
 * What a file says; undefined where there is none, or nothing that `parse` understands: it may have been cut.
 *
 * @throws {SnapshotError} `copy_unreadable`: it cannot be read at the moment.
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

/** @throws {TypeError} naming the member. */
export function numberMember(members: JsonMembers, name: string): number {
  const value = members[name];
  if (typeof value === 'number') return value;
  throw new TypeError(`${name} is no number`);
}
