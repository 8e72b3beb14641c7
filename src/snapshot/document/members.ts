/** Takes the members of one JSON object for exact values, noting every one that is missing or wrong. */
import type { AdditionalMembers, JsonValue } from '../domain/model.js';
import { parseDay } from './rows/dates.js';
import { memberPath, unexpected, type Problems } from './problems.js';

export type JsonObject = Readonly<Record<string, JsonValue>>;

/** Numbers a member may have, both ends included. */
interface NumberRange {
  readonly from: number;
  readonly to: number;
}

export function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * One object of a document. Every method takes one member by its name; a wrong one is noted and answered with
 * `undefined`, as an absent one is. What was not taken is additional.
 */
export class Members {
  readonly path: string;
  readonly #object: JsonObject;
  readonly #problems: Problems;
  readonly #taken = new Set<string>();

  constructor(object: JsonObject, { path, problems }: { path: string; problems: Problems }) {
    this.#object = object;
    this.path = path;
    this.#problems = problems;
  }

  /** An integer from 0 to 2^53 - 1. */
  id(name: string): number | undefined {
    return this.#required(name, 'an integer from 0 to 9007199254740991', asId);
  }

  /** A text, trimmed. */
  text(name: string): string | undefined {
    return this.#required(name, 'a text', asText);
  }

  /** A text that is not blank, trimmed. */
  key(name: string): string | undefined {
    return this.#required(name, 'a text that is not blank', (value) => asText(value) || undefined);
  }

  /** An array, its elements as they are. */
  list(name: string): readonly JsonValue[] | undefined {
    return this.#required(name, 'an array', asList);
  }

  object(name: string): JsonObject | undefined {
    return this.#required(name, 'an object', (value) => (isJsonObject(value) ? value : undefined));
  }

  /** A text, trimmed; a blank one is an absent one. */
  optionalText(name: string): string | undefined {
    return this.#optional(name, 'a text', asText) || undefined;
  }

  optionalBoolean(name: string): boolean | undefined {
    return this.#optional(name, 'true or false', (value) =>
      typeof value === 'boolean' ? value : undefined,
    );
  }

  optionalNumber(name: string, range?: NumberRange): number | undefined {
    const expected =
      range === undefined ? 'a number' : `a number from ${range.from} to ${range.to}`;
    return this.#optional(name, expected, (value) => asNumber(value, range));
  }

  /** `YYYY-MM-DD`, a real date. */
  optionalDate(name: string): string | undefined {
    return this.#optional(name, 'a date YYYY-MM-DD', (value) => {
      const text = asText(value);
      return text !== undefined && parseDay(text) !== undefined ? text : undefined;
    });
  }

  optionalChoice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    return this.#optional(name, `one of ${choices.join(', ')}`, (value) => {
      const text = asText(value);
      return choices.find((choice) => choice === text);
    });
  }

  /** Ids, ascending; one that repeats is noted. */
  optionalIds(name: string): readonly number[] | undefined {
    const list = this.#optional(name, 'an array', asList);
    if (list === undefined) return undefined;
    const ids = new Set<number>();
    list.forEach((element, index) => {
      const path = `${memberPath(this.path, name)}[${index}]`;
      const id = asId(element);
      if (id === undefined) this.#problems.add(path, unexpected('an id', element));
      else if (ids.has(id)) this.#problems.add(path, `repeats ${id}`);
      else ids.add(id);
    });
    return [...ids].sort((a, b) => a - b);
  }

  /** Whether a member is there and not null. */
  has(name: string): boolean {
    return Object.hasOwn(this.#object, name) && this.#object[name] !== null;
  }

  /** Keeps members out of the additional ones. */
  leaveOut(...names: readonly string[]): void {
    for (const name of names) this.#taken.add(name);
  }

  /** Every member that no other method has taken. */
  additional(): AdditionalMembers {
    return Object.fromEntries(
      Object.entries(this.#object).filter(([name]) => !this.#taken.has(name)),
    );
  }

  #required<T>(
    name: string,
    expected: string,
    parse: (value: JsonValue) => T | undefined,
  ): T | undefined {
    const value = this.#take(name);
    if (value !== undefined) return this.#parsed(name, expected, parse, value);
    this.#problems.add(memberPath(this.path, name), 'missing');
    return undefined;
  }

  #optional<T>(
    name: string,
    expected: string,
    parse: (value: JsonValue) => T | undefined,
  ): T | undefined {
    const value = this.#take(name);
    // A null optional member is an absent one.
    return value === undefined || value === null
      ? undefined
      : this.#parsed(name, expected, parse, value);
  }

  #take(name: string): JsonValue | undefined {
    this.#taken.add(name);
    return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
  }

  #parsed<T>(
    name: string,
    expected: string,
    parse: (value: JsonValue) => T | undefined,
    value: JsonValue,
  ): T | undefined {
    const parsed = parse(value);
    if (parsed === undefined) {
      this.#problems.add(memberPath(this.path, name), unexpected(expected, value));
    }
    return parsed;
  }
}

function asId(value: JsonValue): number | undefined {
  // Adding 0 makes an id of -0 the 0 that it is.
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? value + 0
    : undefined;
}

function asText(value: JsonValue): string | undefined {
  return typeof value === 'string' ? value.trim() : undefined;
}

function asNumber(value: JsonValue, range?: NumberRange): number | undefined {
  if (typeof value !== 'number') return undefined;
  return range === undefined || (value >= range.from && value <= range.to) ? value : undefined;
}

function asList(value: JsonValue): readonly JsonValue[] | undefined {
  return Array.isArray(value) ? value : undefined;
}
