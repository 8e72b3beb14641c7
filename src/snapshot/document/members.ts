/** Takes members of one JSON object as exact values, and notes missing and wrong ones. */
import type { AdditionalMembers } from '../domain/model.js';
import { ID, LIST, TEXT, type JsonObject, type MemberType } from './member-types.js';
import { memberPath, unexpected, type Problems } from './problems.js';

/** One object of a document: methods take members by name, and note wrong ones; members not taken are additional. */
export class ObjectMembers {
  readonly path: string;
  readonly #object: JsonObject;
  readonly problems: Problems;
  readonly #taken = new Set<string>();

  constructor(object: JsonObject, { path, problems }: { path: string; problems: Problems }) {
    this.#object = object;
    this.path = path;
    this.problems = problems;
  }

  required<T>(name: string, type: MemberType<T>): T | undefined {
    if (Object.hasOwn(this.#object, name)) return this.#take(name, type);
    this.problems.add(memberPath(this.path, name), 'missing');
    return undefined;
  }

  /** A null member counts as absent. */
  optional<T>(name: string, type: MemberType<T>): T | undefined {
    this.leaveOut(name);
    return this.has(name) ? this.#take(name, type) : undefined;
  }

  /** Trimmed text; a blank one counts as absent. */
  optionalText(name: string): string | undefined {
    return this.optional(name, TEXT) || undefined;
  }

  /** Ids, ascending; notes repeated ones. */
  optionalIds(name: string): readonly number[] | undefined {
    const list = this.optional(name, LIST);
    if (list === undefined) return undefined;
    const ids = new Set<number>();
    list.forEach((element, index) => {
      const path = `${memberPath(this.path, name)}[${index}]`;
      const id = ID.parse(element);
      if (id === undefined) this.problems.add(path, unexpected('an id', element));
      else if (ids.has(id)) this.problems.add(path, `repeats ${id}`);
      else ids.add(id);
    });
    return [...ids].sort((a, b) => a - b);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#object, name) && this.#object[name] !== null;
  }

  /** Excludes members from the additional ones. */
  leaveOut(...names: readonly string[]): void {
    for (const name of names) this.#taken.add(name);
  }

  additional(): AdditionalMembers {
    return Object.fromEntries(
      Object.entries(this.#object).filter(([name]) => !this.#taken.has(name)),
    );
  }

  #take<T>(name: string, { expected, parse }: MemberType<T>): T | undefined {
    this.leaveOut(name);
    const value = this.#object[name];
    const parsed = parse(value);
    if (parsed === undefined) {
      this.problems.add(memberPath(this.path, name), unexpected(expected, value));
    }
    return parsed;
  }
}
