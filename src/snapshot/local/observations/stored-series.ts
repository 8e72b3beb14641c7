/** One series as a local copy stores it: its hours and values, and where the text of each record lies. */
import { SnapshotError } from '../../domain/snapshot-error.js';
import { FORMS, type Form, type TextForm } from './record-layout.js';

/** Consecutive records of one series, compressed on their own. */
export interface Run {
  /** Within the series. */
  readonly firstRecord: number;
  readonly deflate: Readonly<Record<Form, DeflatedRun>>;
}

/** In the file of runs; its text lacks the last record's end, which follows as a block of its own (`gzip-member.ts`). */
export interface DeflatedRun {
  readonly offset: number;
  readonly bytes: number;
  /** CRC-32 of its text. */
  readonly crc32: number;
}

/** The stored columns of one series; the three columns have one entry a record, ascending by hour. */
export interface SeriesColumns {
  /** Since the epoch, UTC. */
  readonly hours: Int32Array;
  /** NaN for null. */
  readonly values: Float64Array;
  /** Where each record ends, with its record end: in the series' text, then in its CSV, relative to their begins. */
  readonly ends: Uint32Array;
  /** Where the series' text begins in the file of texts. */
  readonly textOffset: number;
  /** Where the series' records begin in the file of CSV. */
  readonly csvOffset: number;
  readonly runs: readonly Run[];
}

/** Numbers of records and of runs, the offsets of the text and of the CSV. */
const HEAD_BYTES = 24;
const HOUR_BYTES = 4;
/** In the text and in the CSV. */
const END_BYTES = 2 * 4;
const VALUE_BYTES = 8;
/** Its first record, and in each form an offset, a length and a checksum. */
const RUN_BYTES = 4 + 2 * 16;

/** Little-endian: head, runs, hours, ends, values. */
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
  for (const column of [hours, ends, values]) {
    // As they lie in memory: every processor that Node runs on is little-endian, but for s390x.
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at += column.byteLength;
  }
  return bytes;
}

/** Read in place, so that to find a few of its records costs the same in a series of any length. */
export class StoredSeries {
  readonly records: number;
  /** Where its text begins in the file of texts. */
  readonly textOffset: number;
  readonly #view: DataView;
  readonly #runs: number;
  /** Where the columns begin. */
  readonly #hoursAt: number;
  readonly #endsAt: number;
  readonly #valuesAt: number;

  /** @param bytes of `encodeSeries`, unchanged. Throws `copy_damaged` for others. */
  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isLong = bytes.byteLength >= HEAD_BYTES;
    this.records = isLong ? this.#view.getUint32(0, true) : 0;
    this.#runs = isLong ? this.#view.getUint32(4, true) : 0;
    this.textOffset = isLong ? this.#view.getFloat64(8, true) : 0;
    this.#hoursAt = HEAD_BYTES + this.#runs * RUN_BYTES;
    this.#endsAt = this.#hoursAt + this.records * HOUR_BYTES;
    this.#valuesAt = this.#endsAt + this.records * END_BYTES;
    if (!isLong || bytes.byteLength !== this.#valuesAt + this.records * VALUE_BYTES) {
      throw new SnapshotError('copy_damaged', 'a series has another length than it says');
    }
  }

  /** Hours since the epoch, UTC. */
  hour(record: number): number {
    return this.#view.getInt32(this.#hoursAt + record * HOUR_BYTES, true);
  }

  /** NaN for null. */
  value(record: number): number {
    return this.#view.getFloat64(this.#valuesAt + record * VALUE_BYTES, true);
  }

  /** Where the text of `record` begins, relative to the begin of the series' text; of the one after the last, where all end. */
  textStart(record: number): number {
    return record === 0 ? 0 : this.#view.getUint32(this.#endsAt + (record - 1) * END_BYTES, true);
  }

  /** Where `record` begins in the file of a form's text (`record-layout.ts`); of the one after the last, where all end. */
  startIn(form: TextForm, record: number): number {
    if (form !== 'csv') return this.textOffset + this.textStart(record);
    const end = this.#endsAt + (record - 1) * END_BYTES + 4;
    return this.#view.getFloat64(16, true) + (record === 0 ? 0 : this.#view.getUint32(end, true));
  }

  /** The first record whose hour is not before this one; the number of records when there is no such record. */
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

  /** In the order of the records. */
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
