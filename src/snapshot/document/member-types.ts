/** Types of the members of a document: words for a message, and the exact value of what was read. */
import type { JsonValue } from '../domain/model.js';
import { parseDay, parseHourOfDay, parseInstant, UTC_DATE_TIME } from './rows/dates.js';

export type JsonObject = Readonly<Record<string, JsonValue>>;

export interface MemberType<T> {
  /** Completes "expected ...". */
  readonly expected: string;
  /** Undefined for a value that is not of the type, and for none. */
  readonly parse: (value: JsonValue | undefined) => T | undefined;
}

export const ID: MemberType<number> = {
  expected: 'an integer from 0 to 9007199254740991',
  // Adding 0 makes an id of -0 the 0 that it is.
  parse: (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value + 0 : undefined,
};

/** Trimmed. */
export const TEXT: MemberType<string> = {
  expected: 'a text',
  parse: (value) => (typeof value === 'string' ? value.trim() : undefined),
};

export const KEY: MemberType<string> = {
  expected: 'a text that is not blank',
  parse: (value) => TEXT.parse(value) || undefined,
};

export const BOOLEAN: MemberType<boolean> = {
  expected: 'true or false',
  parse: (value) => (typeof value === 'boolean' ? value : undefined),
};

export const NUMBER: MemberType<number> = {
  expected: 'a number',
  parse: (value) => (typeof value === 'number' ? value : undefined),
};

/** Both ends included. */
export function numberFrom(from: number, to: number): MemberType<number> {
  return {
    expected: `a number from ${from} to ${to}`,
    parse: (value) =>
      typeof value === 'number' && value >= from && value <= to ? value : undefined,
  };
}

/** A real date, as it is written. */
export const DATE: MemberType<string> = {
  expected: 'a date YYYY-MM-DD',
  parse(value) {
    const text = TEXT.parse(value);
    return text !== undefined && parseDay(text) !== undefined ? text : undefined;
  },
};

export function oneOf<T extends string>(choices: readonly T[]): MemberType<T> {
  return {
    expected: `one of ${choices.join(', ')}`,
    parse(value) {
      const text = TEXT.parse(value);
      return choices.find((choice) => choice === text);
    },
  };
}

export const LIST: MemberType<readonly JsonValue[]> = {
  expected: 'an array',
  parse: (value) => (Array.isArray(value) ? value : undefined),
};

export const OBJECT: MemberType<JsonObject> = {
  expected: 'an object',
  parse: (value) => (value !== undefined && isJsonObject(value) ? value : undefined),
};

/** Days since the epoch. */
export const DAY: MemberType<number> = {
  expected: DATE.expected,
  parse: (value) => (typeof value === 'string' ? parseDay(value) : undefined),
};

export const HOUR_OF_DAY: MemberType<number> = {
  expected: 'a full hour HH:00',
  parse: (value) => (typeof value === 'string' ? parseHourOfDay(value) : undefined),
};

/** NaN for null. */
export const NUMBER_OR_NULL: MemberType<number> = {
  expected: 'a number or null',
  parse(value) {
    if (value === null) return NaN;
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  },
};

/** Epoch milliseconds. */
export const INSTANT: MemberType<number> = {
  expected: UTC_DATE_TIME,
  parse: (value) => (typeof value === 'string' ? parseInstant(value) : undefined),
};

export function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
