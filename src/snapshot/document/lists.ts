/** The lists of a document while it is read: elements by position and by id. */
import type { JsonValue } from '../domain/model.js';
import type { Elements } from './json/object-reader.js';
import { isJsonObject } from './member-types.js';
import { ObjectMembers } from './members.js';
import { unexpected, type Problems } from './problems.js';

/** Parses an element; undefined for an unreadable one, whose problems it notes. */
type ParseElement<T> = (members: ObjectMembers) => T | undefined;

/** One of the four lists; unreadable elements keep their position. */
export class ElementList<T extends { readonly id: number }> implements Elements {
  readonly name: string;
  readonly #parse: ParseElement<T>;
  readonly #problems: Problems;
  readonly #elements: (T | undefined)[] = [];
  readonly #byId = new Map<number, T>();
  #ended = false;
  #unreadable = false;

  /** @param name such as `stations`, for `station_id`. */
  constructor(name: string, parse: ParseElement<T>, problems: Problems) {
    this.name = name;
    this.#parse = parse;
    this.#problems = problems;
  }

  get #singular(): string {
    return this.name.slice(0, -1);
  }

  /** Number of elements; undefined if the array is missing. */
  get length(): number | undefined {
    return this.#ended ? this.size : undefined;
  }

  get size(): number {
    return this.#elements.length;
  }

  add(value: JsonValue): void {
    const path = `${this.name}[${this.size}]`;
    const element = this.#element(value, path);
    this.#elements.push(element);
    if (element === undefined) this.#unreadable = true;
    else if (this.#byId.has(element.id)) {
      this.#problems.add(`${path}.${this.#singular}_id`, `repeats ${element.id}`);
    } else this.#byId.set(element.id, element);
  }

  end(): void {
    this.#ended = true;
  }

  /** Replaces every readable element; its id stays. */
  refine(refined: (element: T, path: string) => T): void {
    for (const [index, element] of this.entries()) {
      const other = refined(element, `${this.name}[${index}]`);
      this.#elements[index] = other;
      if (this.#byId.get(element.id) === element) this.#byId.set(element.id, other);
    }
  }

  byId(id: number): T | undefined {
    return this.#byId.get(id);
  }

  /** Whether no element has the id; false if the list is missing or partly unreadable, as that is reported already. */
  lacks(id: number): boolean {
    return this.#ended && !this.#unreadable && !this.#byId.has(id);
  }

  /** Notes a reference to an element that does not exist. */
  checkReference(path: string, id: number): void {
    if (this.lacks(id)) this.#problems.add(path, `no ${this.#singular} has id ${id}`);
  }

  *entries(): Generator<readonly [number, T], void, undefined> {
    for (const [index, element] of this.#elements.entries()) {
      if (element !== undefined) yield [index, element];
    }
  }

  ordered(): readonly T[] {
    return [...this.#byId.values()].sort((a, b) => a.id - b.id);
  }

  #element(value: JsonValue, path: string): T | undefined {
    if (isJsonObject(value)) {
      return this.#parse(new ObjectMembers(value, { path, problems: this.#problems }));
    }
    this.#problems.add(path, unexpected('an object', value));
    return undefined;
  }
}
