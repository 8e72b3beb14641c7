/** The records of a local copy as bytes: the door to msgpack. */
import { decode, encode } from '@msgpack/msgpack';
import { SnapshotError } from '../errors.js';
import { WINDOWS, type Counts, type SnapshotHeader } from '../model.js';
import type { DeflateRun, Run, SeriesBlock } from './blocks.js';
import type { FileList } from './files.js';

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

export function encodeFileList(files: FileList): Uint8Array {
  return encode(files.map(({ name, sizeBytes }) => [name, sizeBytes]));
}

/** @throws {SnapshotError} `copy_damaged` for bytes that `encodeFileList` did not make. */
export function decodeFileList(bytes: Uint8Array): FileList {
  return asArray(decodeRecord(bytes)).map((file) => {
    const [name, sizeBytes] = asArray(file);
    return { name: asString(name), sizeBytes: asNumber(sizeBytes) };
  });
}

export function encodeBlocks(blocks: readonly SeriesBlock[]): Uint8Array {
  return encode(
    blocks.map(({ stationId, componentId, parameterCode, runs }) => [
      stationId,
      componentId,
      parameterCode,
      runs.map((run) => [
        ...[run.firstHour, run.lastHour, run.records, run.textOffset, run.textBytes],
        ...deflateNumbers(run.deflate.json),
        ...deflateNumbers(run.deflate.ndjson),
      ]),
    ]),
  );
}

/** @throws {SnapshotError} `copy_damaged` for bytes that `encodeBlocks` did not make. */
export function decodeBlocks(bytes: Uint8Array): readonly SeriesBlock[] {
  return asArray(decodeRecord(bytes)).map((block) => {
    const [stationId, componentId, parameterCode, runs] = asArray(block);
    return {
      stationId: asNumber(stationId),
      componentId: asNumber(componentId),
      parameterCode: asString(parameterCode),
      runs: asArray(runs).map((run) => decodeRun(asNumbers(run))),
    };
  });
}

function decodeRun(numbers: readonly number[]): Run {
  const [firstHour, lastHour, records, textOffset, textBytes, ...deflate] = numbers;
  return {
    firstHour: asNumber(firstHour),
    lastHour: asNumber(lastHour),
    records: asNumber(records),
    textOffset: asNumber(textOffset),
    textBytes: asNumber(textBytes),
    deflate: { json: decodeDeflate(deflate.slice(0, 3)), ndjson: decodeDeflate(deflate.slice(3)) },
  };
}

function deflateNumbers({ offset, bytes, crc32 }: DeflateRun): readonly number[] {
  return [offset, bytes, crc32];
}

function decodeDeflate([offset, bytes, crc32]: readonly number[]): DeflateRun {
  return { offset: asNumber(offset), bytes: asNumber(bytes), crc32: asNumber(crc32) };
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
