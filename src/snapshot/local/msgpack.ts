/** Bytes and plain values of one record, checked as they are read: the door to msgpack. */
import { decode, Encoder } from '@msgpack/msgpack';
import { SnapshotError } from '../domain/snapshot-error.js';

/** One for all records: an import writes thousands of small ones, and a new encoder begins with a new buffer. */
const encoder = new Encoder();

export function encodeRecord(value: unknown): Uint8Array {
  return encoder.encode(value);
}

/** @throws {SnapshotError} `copy_damaged`, like all that follow here. */
export function decodeRecord(bytes: Uint8Array): unknown {
  try {
    return decode(bytes);
  } catch (cause) {
    throw new SnapshotError('copy_damaged', 'a record of the local copy cannot be decoded', {
      cause,
    });
  }
}

export function asNumbers(value: unknown): readonly number[] {
  return asArray(value).map(asNumber);
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : unexpected('an array', value);
}

export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...value }
    : unexpected('an object', value);
}

export function asNumber(value: unknown): number {
  return typeof value === 'number' ? value : unexpected('a number', value);
}

export function asString(value: unknown): string {
  return typeof value === 'string' ? value : unexpected('a text', value);
}

function unexpected(expected: string, value: unknown): never {
  throw new SnapshotError(
    'copy_damaged',
    `a record of the local copy holds ${typeof value} where ${expected} belongs`,
  );
}

export function asBoolean(value: unknown): boolean {
  return typeof value === 'boolean' ? value : unexpected('a truth value', value);
}

/** What `read` gives, or undefined where the record says null. */
export function asOptional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === null || value === undefined ? undefined : read(value);
}

export function asBytes(value: unknown): Uint8Array {
  return value instanceof Uint8Array ? value : unexpected('bytes', value);
}
