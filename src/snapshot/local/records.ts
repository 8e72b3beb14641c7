/** The records of a local copy as bytes: the door to msgpack. */
import { decode, encode } from '@msgpack/msgpack';
import { SnapshotError } from '../errors.js';
import { WINDOWS, type Counts, type SnapshotHeader } from '../model.js';

/** One day of one series: hours since the epoch, ascending, and their values; NaN for null. */
export interface DayRecord {
  readonly hours: readonly number[];
  readonly values: readonly number[];
}

export function encodeDay(record: DayRecord): Uint8Array {
  return encode([record.hours, record.values]);
}

/** @throws {SnapshotError} `copy_damaged` for bytes that `encodeDay` did not make. */
export function decodeDay(bytes: Uint8Array): DayRecord {
  const [hours, values] = asArray(decodeRecord(bytes));
  return { hours: asNumbers(hours), values: asNumbers(values) };
}

/** The header is the record that is written last: where it can be read, the copy is complete. */
export function encodeHeader(header: SnapshotHeader): Uint8Array {
  return encode(header);
}

/** @throws {SnapshotError} `copy_damaged` for bytes that `encodeHeader` did not make. */
export function decodeHeader(bytes: Uint8Array): SnapshotHeader {
  const header = asObject(decodeRecord(bytes));
  const windows = asArray(header['supportedWindows']);
  return {
    schemaVersion: asString(header['schemaVersion']),
    snapshotId: asString(header['snapshotId']),
    generatedAtMs: asNumber(header['generatedAtMs']),
    supportedWindows: WINDOWS.filter((window) => windows.includes(window)),
    counts: decodeCounts(asObject(header['counts'])),
  };
}

function decodeCounts(counts: Readonly<Record<string, unknown>>): Counts {
  return {
    organizations: asNumber(counts['organizations']),
    networks: asNumber(counts['networks']),
    stations: asNumber(counts['stations']),
    components: asNumber(counts['components']),
    measurement_rows: asNumber(counts['measurement_rows']),
  };
}

function decodeRecord(bytes: Uint8Array): unknown {
  try {
    return decode(bytes);
  } catch (cause) {
    throw new SnapshotError('copy_damaged', 'a record of the local copy cannot be decoded', {
      cause,
    });
  }
}

function asNumbers(value: unknown): readonly number[] {
  return asArray(value).map(asNumber);
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : unexpected('an array', value);
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...value }
    : unexpected('an object', value);
}

function asNumber(value: unknown): number {
  return typeof value === 'number' ? value : unexpected('a number', value);
}

function asString(value: unknown): string {
  return typeof value === 'string' ? value : unexpected('a text', value);
}

function unexpected(expected: string, value: unknown): never {
  throw new SnapshotError(
    'copy_damaged',
    `a record of the local copy holds ${typeof value} where ${expected} belongs`,
  );
}
