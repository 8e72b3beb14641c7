/** One stored series: hours, values, and positions of the records' texts. */
import { SnapshotError } from '../../domain/snapshot-error.js';
import { FORMS, type Form, type TextForm } from './record-layout.js';

/** Consecutive records of one series, compressed together. */
export interface Run {
  readonly firstRecord: number;
  readonly deflate: Readonly<Record<Form, DeflatedRun>>;
}

/** In the file of runs; its text lacks the last record's end, which follows as its own block (`gzip-member.ts`). */
export interface DeflatedRun {
  readonly offset: number;
  readonly bytes: number;
  readonly crc32: number;
}

/** The columns of one series, an entry a record, ascending by hour. */
export interface SeriesColumns {
  readonly hours: Int32Array;
  readonly values: Float64Array;
  /** End of each record in the series' text and in its CSV, including the record end. */
  readonly ends: Uint32Array;
  /** Offset of the series in the file of texts. */
  readonly textOffset: number;
  /** Offset of the series in the file of CSV. */
  readonly csvOffset: number;
  readonly runs: readonly Run[];
}

/** Numbers of records and runs, offsets of text and CSV. */
const HEAD_BYTES = 24;
const HOUR_BYTES = 4;
/** In the text and in the CSV. */
const END_BYTES = 2 * 4;
const VALUE_BYTES = 8;
/** First record, and in each form an offset, a length and a checksum. */
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
    // As in memory: Node's processors are little-endian, except s390x.
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at);
    at += column.byteLength;
  }
  return bytes;
}

/** Read in place, so that a few records cost the same in any series. */
export class StoredSeries {
  readonly records: number;
  readonly textOffset: number;
  readonly #view: DataView;
  readonly #runs: number;
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

  /** Offset of `record` in the series' text; for the one after the last the end. */
  textStart(record: number): number {
    return record === 0 ? 0 : this.#view.getUint32(this.#endsAt + (record - 1) * END_BYTES, true);
  }

  /** Offset of `record` in the file of a form (`record-layout.ts`); for the one after the last the end. */
  startIn(form: TextForm, record: number): number {
    if (form !== 'csv') return this.textOffset + this.textStart(record);
    const end = this.#endsAt + (record - 1) * END_BYTES + 4;
    return this.#view.getFloat64(16, true) + (record === 0 ? 0 : this.#view.getUint32(end, true));
  }

  /** The first record at this hour or later; the number of records without one. */
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
