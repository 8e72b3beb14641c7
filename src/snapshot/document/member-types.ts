/** Types of members: each has a parser, and the expected form for messages. */
import { HOUR_MINUTES, type HourMinute, type JsonValue } from '../domain/model.js';
import { parseDay, parseHourOfDay, parseInstant, UTC_DATE_TIME } from './rows/dates.js';

export type JsonObject = Readonly<Record<string, JsonValue>>;

export interface MemberType<T> {
  /** Completes "expected ...". */
  readonly expected: string;
  /** Undefined for a value of another type, and for a missing member. */
  readonly parse: (value: JsonValue | undefined) => T | undefined;
}

export const ID: MemberType<number> = {
  expected: 'an integer from 0 to 9007199254740991',
  // Adding 0 makes -0 an ordinary 0.
  parse: (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value + 0 : undefined,
};

/** A member whose text `parse` reads. */
function textOf<T>(expected: string, parse: (text: string) => T | undefined): MemberType<T> {
  return { expected, parse: (value) => (typeof value === 'string' ? parse(value) : undefined) };
}

export const TEXT = textOf('a text', (text) => text.trim());

export const KEY = textOf('a text that is not blank', (text) => text.trim() || undefined);

export const BOOLEAN: MemberType<boolean> = {
  expected: 'true or false',
  parse: (value) => (typeof value === 'boolean' ? value : undefined),
};

export const NUMBER: MemberType<number> = {
  expected: 'a number',
  parse: (value) => (typeof value === 'number' ? value : undefined),
};

/** A number from `from` to `to`, both included. */
export function numberFrom(from: number, to: number): MemberType<number> {
  return {
    expected: `a number from ${from} to ${to}`,
    parse: (value) =>
      typeof value === 'number' && value >= from && value <= to ? value : undefined,
  };
}

/** An existing date. */
export const DATE = textOf('a date YYYY-MM-DD', (text) =>
  parseDay(text.trim()) === undefined ? undefined : text.trim(),
);

export function oneOf<T extends string>(choices: readonly T[]): MemberType<T> {
  return textOf(`one of ${choices.join(', ')}`, (text) =>
    choices.find((choice) => choice === text.trim()),
  );
}

export const LIST: MemberType<readonly JsonValue[]> = {
  expected: 'an array',
  parse: (value) => (Array.isArray(value) ? value : undefined),
};

export const OBJECT: MemberType<JsonObject> = {
  expected: 'an object',
  parse: (value) => (value !== undefined && isJsonObject(value) ? value : undefined),
};

export const DAY = textOf(DATE.expected, parseDay);

export const HOUR_OF_DAY = textOf('a full hour HH:00', parseHourOfDay);

export const INSTANT = textOf(UTC_DATE_TIME, parseInstant);

export const HOUR_MINUTE: MemberType<HourMinute> = {
  expected: '0, 15, 30 or 45',
  parse: (value) => HOUR_MINUTES.find((minute) => minute === value),
};

export const NUMBER_OR_NULL: MemberType<number> = {
  expected: 'a number or null',
  parse(value) {
    if (value === null) return NaN;
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  },
};

export function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
