/** Reads finished answers for jobs, which so give the same values as the endpoints of those answers; each member is checked when it is taken. */
import { SnapshotError } from '../../../snapshot/domain/snapshot-error.js';
import type { SnapshotReader } from '../../../snapshot/local/reader.js';

/**
 * A finished answer as the value that its JSON says.
 *
 * @throws {SnapshotError} `copy_damaged` where there is none.
 */
export function readAnswer(reader: SnapshotReader, name: string): unknown {
  const bytes = reader.answer(name, 'identity');
  if (bytes === undefined) throw new SnapshotError('copy_damaged', `no finished answer ${name}`);
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}

/** A finished answer that is a list of objects; @throws {SnapshotError} `copy_damaged`. */
export function readAnswerList(
  reader: SnapshotReader,
  name: string,
): readonly Readonly<Record<string, unknown>>[] {
  return asArray(readAnswer(reader, name)).map(asObject);
}

/** @throws {SnapshotError} `copy_damaged`, like all that follow here. */
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
    `an answer of the local copy holds ${typeof value} where ${expected} belongs`,
  );
}
