/** One stored series: hours, values, and the offsets of its records' texts. */
import { SnapshotError } from '../../domain/snapshot-error.js';
import type { Hours } from '../../domain/model.js';
import { wholeHours } from '../../domain/windows.js';
import { FORMS, type Form, type TextForm } from './record-layout.js';

/** Consecutive records of one series, compressed together. */
export interface Run {
  readonly firstRecord: number;
  readonly deflate: Readonly<Record<Form, DeflatedRun>>;
}

/** A compressed run in `runsFile`. The text lacks the last record's end, which follows in a block of its own. */
export interface DeflatedRun {
  readonly offset: number;
  readonly bytes: number;
  readonly crc32: number;
}

/** The columns of one series, with an entry for each record, ascending by hour. */
export interface SeriesColumns {
  readonly hours: Hours;
  readonly values: Float64Array;
  /** Two offsets for each record, both after the record end: in the series' text, and in its CSV. */
  readonly ends: Uint32Array;
  /** Offset of the series in the file of texts. */
  readonly textOffset: number;
  /** Offset of the series in the file of CSV. */
  readonly csvOffset: number;
  readonly runs: readonly Run[];
}

/** The numbers of records and runs, and the offsets of text and CSV. */
const HEAD_BYTES = 24;
const HOUR_BYTES = 4;
/** The end of a record in the text, and in the CSV. */
const END_BYTES = 2 * 4;
const VALUE_BYTES = 8;
/** The first record, and for each form an offset, a length and a checksum. */
const RUN_BYTES = 4 + 2 * 16;

/** Encodes a series, little-endian: head, runs, hours, ends, values. */
export function encodeSeries(columns: SeriesColumns): Uint8Array {
  const { hours, values, ends, textOffset, csvOffset, runs } = columns;
  const records = hours.length;
  const bytes = Buffer.allocUnsafe(
    HEAD_BYTES + runs.length * RUN_BYTES + records * (HOUR_BYTES + END_BYTES + VALUE_BYTES),
  );
  bytes.writeUInt32LE(records, 0);
  bytes.writeUInt32LE(runs.length, 4);
  bytes.writeDoubleLE(textOffset, 8);
  let at = bytes.writeDoubleLE(csvOffset, 16);
  for (const { firstRecord, deflate } of runs) {
    at = bytes.writeUInt32LE(firstRecord, at);
    for (const form of FORMS) {
      at = bytes.writeDoubleLE(deflate[form].offset, at);
      at = bytes.writeUInt32LE(deflate[form].bytes, at);
      at = bytes.writeUInt32LE(deflate[form].crc32, at);
    }
  }
  for (const column of [wholeHours(hours), ends, values]) {
    // Copied as in memory: all processors that Node supports are little-endian, except s390x.
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at += column.byteLength;
  }
  return bytes;
}

/** Reads a stored series in place, so that a few records cost the same in a series of any length. */
export class StoredSeries {
  readonly records: number;
  readonly #view: DataView;
  readonly #shift: number;
  readonly #runs: number;
  readonly #hoursAt: number;
  readonly #endsAt: number;
  readonly #valuesAt: number;

  /**
   * @param bytes of `encodeSeries`, unchanged. Throws `copy_damaged` if their length is wrong.
   * @param shift `hourShift` of the snapshot.
   */
  constructor(bytes: Uint8Array, shift: number) {
    this.#shift = shift;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isLong = bytes.byteLength >= HEAD_BYTES;
    this.records = isLong ? this.#view.getUint32(0, true) : 0;
    this.#runs = isLong ? this.#view.getUint32(4, true) : 0;
    this.#hoursAt = HEAD_BYTES + this.#runs * RUN_BYTES;
    this.#endsAt = this.#hoursAt + this.records * HOUR_BYTES;
    this.#valuesAt = this.#endsAt + this.records * END_BYTES;
    if (!isLong || bytes.byteLength !== this.#valuesAt + this.records * VALUE_BYTES) {
      throw new SnapshotError('copy_damaged', 'a series has another length than it says');
    }
  }

  /** Hours since the epoch, UTC. */
  hour(record: number): number {
    return this.#view.getInt32(this.#hoursAt + record * HOUR_BYTES, true) + this.#shift;
  }

  /** NaN for null. */
  value(record: number): number {
    return this.#view.getFloat64(this.#valuesAt + record * VALUE_BYTES, true);
  }

  /** Offset of a record in a form's file (`record-layout.ts`); the number of records gives the end of the series. */
  startIn(form: TextForm, record: number): number {
    const [startAt, column] = form === 'csv' ? [16, 4] : [8, 0];
    const start = this.#view.getFloat64(startAt, true);
    if (record === 0) return start;
    return start + this.#view.getUint32(this.#endsAt + (record - 1) * END_BYTES + column, true);
  }

  /** Index of the first record at this hour or later; the number of records if there is no such record. */
  firstAtOrAfter(hour: number): number {
    let low = 0;
    let high = this.records;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.hour(middle) < hour) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  runs(): readonly Run[] {
    return Array.from({ length: this.#runs }, (_, run) => {
      const at = HEAD_BYTES + run * RUN_BYTES;
      const deflate = { json: this.#deflatedRun(at + 4), ndjson: this.#deflatedRun(at + 20) };
      return { firstRecord: this.#view.getUint32(at, true), deflate };
    });
  }

  #deflatedRun(at: number): DeflatedRun {
    return {
      offset: this.#view.getFloat64(at, true),
      bytes: this.#view.getUint32(at + 8, true),
      crc32: this.#view.getUint32(at + 12, true),
    };
  }
}
