/** Small JSON files that this service keeps beside its local copies. */
import { readFile } from 'node:fs/promises';
import { parseMembers, type JsonMembers } from '../domain/json-members.js';

/** What a file says; undefined where there is none, or nothing that `parse` understands: it may have been cut. */
export async function readJsonFile<T>(
  path: string,
  parse: (members: JsonMembers) => T,
): Promise<T | undefined> {
  try {
    return parse(parseMembers(await readFile(path)));
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
