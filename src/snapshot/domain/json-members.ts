/** Reads a small JSON object that may be cut or damaged: each member is checked when it is taken. */

/** Unchecked members of a JSON object. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** The members of the JSON object in a text or UTF-8 bytes. @throws {TypeError} "it is not ..." for anything else. */
export function parseMembers(json: string | Uint8Array): JsonMembers {
  let value: unknown;
  try {
    const text =
      typeof json === 'string' ? json : new TextDecoder('utf-8', { fatal: true }).decode(json);
    value = JSON.parse(text);
  } catch (cause) {
    throw new TypeError('it is not JSON in UTF-8', { cause });
  }
  return membersOf(value);
}

/** The members of a nested object. @throws {TypeError} for a value that is not an object. */
export function membersOf(value: unknown): JsonMembers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError('it is not a JSON object');
  }
  return { ...value };
}

/** A text, matching `form` if given. @throws {TypeError} naming the member. */
export function textMember(members: JsonMembers, name: string, form = /^/): string {
  const value = members[name];
  if (typeof value === 'string' && form.test(value)) return value;
  throw new TypeError(`${name} is ${value === undefined ? 'missing' : 'not of the expected form'}`);
}

/** An integer above 0. @throws {TypeError} naming the member. */
export function countMember(members: JsonMembers, name: string): number {
  const value = members[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw new TypeError(`${name} is not a positive integer`);
}

export function numberMember(members: JsonMembers, name: string): number {
  const value = members[name];
  if (typeof value === 'number') return value;
  throw new TypeError(`${name} is not a number`);
}
