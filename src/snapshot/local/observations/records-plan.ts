/**
 * Finds the finished bytes of the records that a filter and a window leave.
 *
 * Used by front processes for a few records, and by workers for many. It costs what is answered, not what the snapshot
 * holds: a series' records are found by bisection, and only what a window cuts from a run is compressed again.
 */
import type { HourInterval } from '../../domain/windows.js';
import { SEGMENT_BYTES } from '../files.js';
import { ChunkList, type Plan } from '../plan.js';
import {
  checksumOf,
  deflateText,
  EMPTY_CHECKSUM,
  joinChecksums,
  STORED_HEAD_BYTES,
} from './gzip-member.js';
import { inForm, RECORD_END, runsFile, textFile, type Form } from './layout.js';
import type { SeriesKey } from './series-list.js';
import type { DeflatedRun, StoredSeries } from './stored-series.js';

/** Where records are read from; both throw `copy_damaged`. */
export interface RecordsSource {
  series(key: SeriesKey): StoredSeries;
  /** One segment of a file: bytes that never change. */
  segment(file: string, index: number): Uint8Array;
}

export interface FoundRecords {
  readonly records: number;
  /** In order, each with at least one record, `[first, end)`. */
  readonly parts: readonly {
    readonly series: StoredSeries;
    readonly first: number;
    readonly end: number;
  }[];
}

/** Level of what is compressed while a client waits: half a run takes 0.06 ms, at level 4 twice as long for an eighth less. */
const LEVEL = 2;

/** Three records are about as long as the smallest answer that is worth compressing. */
const GZIP_RECORDS_MIN = 3;

/** Text that is compressed at once: bounds what a plan holds in memory. */
const TEXT_BYTES_MAX = 1024 * 1024;

/** Of the given series, those records whose hour lies in the interval. */
export function findRecords(
  source: RecordsSource,
  keys: readonly SeriesKey[],
  { from, to }: HourInterval,
): FoundRecords {
  let records = 0;
  const parts = keys.flatMap((key) => {
    const series = source.series(key);
    const first = series.firstAtOrAfter(from);
    const end = series.firstAtOrAfter(to);
    if (first >= end) return [];
    records += end - first;
    return [{ series, first, end }];
  });
  return { records, parts };
}

/**
 * The records, one after the other, each but the last of a JSON list with its end: as text, or as raw DEFLATE that
 * `framed` makes a gzip member of.
 */
export function planRecords(
  source: RecordsSource,
  { records, parts }: FoundRecords,
  { form, gzip }: { readonly form: Form; readonly gzip: boolean },
): Plan {
  // A few records are less than a packet: compression saves nothing.
  const text =
    gzip && records >= GZIP_RECORDS_MIN
      ? new DeflatedRecords(source, form)
      : new PlainRecords(form);
  const last = parts.at(-1);
  for (const part of parts) {
    // A list has ends between records, not after the last one.
    const withoutEnd = form === 'json' && part === last ? RECORD_END.json.length : 0;
    text.add(part, withoutEnd);
  }
  return { records, ...text.finish() };
}

type Part = FoundRecords['parts'][number];
type Bytes = Omit<Plan, 'records'>;

class PlainRecords {
  readonly #chunks = new ChunkList();
  readonly #file: string;

  constructor(form: Form) {
    this.#file = textFile(form);
  }

  add({ series, first, end }: Part, withoutEnd: number): void {
    const start = series.textStart(first);
    const length = series.textStart(end) - start - withoutEnd;
    this.#chunks.addRange(this.#file, series.textOffset + start, length);
  }

  finish(): Bytes {
    const { chunks, totalBytes } = this.#chunks;
    return { coding: 'identity', totalBytes, chunks };
  }
}

/** Whole runs as they are stored; text between them is compressed together. */
class DeflatedRecords {
  readonly #source: RecordsSource;
  readonly #form: Form;
  readonly #chunks = new ChunkList();
  readonly #end: Uint8Array;
  #checksum = EMPTY_CHECKSUM;
  #texts: Uint8Array[] = [];
  #textBytes = 0;

  constructor(source: RecordsSource, form: Form) {
    this.#source = source;
    this.#form = form;
    this.#end = Buffer.from(RECORD_END[form]);
  }

  add({ series, first, end }: Part, withoutEnd: number): void {
    const runs = series.runs();
    for (const [index, { firstRecord, deflate }] of runs.entries()) {
      const endRecord = runs[index + 1]?.firstRecord ?? series.records;
      const from = Math.max(first, firstRecord);
      const to = Math.min(end, endRecord);
      if (from >= to) continue;
      const start = series.textStart(from);
      const length = series.textStart(to) - start - (to === end ? withoutEnd : 0);
      if (from === firstRecord && to === endRecord) {
        this.#addRun(deflate[this.#form], length, to !== end || withoutEnd === 0);
      } else {
        this.#addText(series.textOffset + start, length);
      }
    }
  }

  finish(): Bytes {
    this.#compress();
    const { chunks, totalBytes } = this.#chunks;
    return { coding: 'gzip', totalBytes, chunks, checksum: this.#checksum };
  }

  #addRun({ offset, bytes, crc32 }: DeflatedRun, textBytes: number, hasEnd: boolean): void {
    this.#compress();
    const endBytes = hasEnd ? this.#end.byteLength : 0;
    const endBlock = hasEnd ? STORED_HEAD_BYTES + endBytes : 0;
    this.#chunks.addRange(runsFile(this.#form), offset, bytes + endBlock);
    this.#checksum = joinChecksums(this.#checksum, { crc32, textBytes: textBytes - endBytes });
    if (hasEnd) this.#checksum = joinChecksums(this.#checksum, checksumOf(this.#end));
  }

  #addText(offset: number, length: number): void {
    this.#texts.push(readText(this.#source, this.#form, { offset, length }));
    this.#textBytes += length;
    if (this.#textBytes >= TEXT_BYTES_MAX) this.#compress();
  }

  #compress(): void {
    if (this.#texts.length === 0) return;
    const { bytes, checksum } = deflateText(Buffer.concat(this.#texts), LEVEL);
    this.#texts = [];
    this.#textBytes = 0;
    // A slice of what zlib allocates would travel whole to another thread.
    this.#chunks.addBytes(Uint8Array.from(bytes));
    this.#checksum = joinChecksums(this.#checksum, checksum);
  }
}

function readText(
  source: RecordsSource,
  form: Form,
  range: { readonly offset: number; readonly length: number },
): Uint8Array {
  return inForm(form, readRange(source, { file: textFile('ndjson'), ...range }));
}

/** Bytes of a file, as a copy. */
export function readRange(
  source: Pick<RecordsSource, 'segment'>,
  {
    file,
    offset,
    length,
  }: { readonly file: string; readonly offset: number; readonly length: number },
): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let filled = 0; filled < length;) {
    const at = offset + filled;
    const within = at % SEGMENT_BYTES;
    const segment = source.segment(file, Math.floor(at / SEGMENT_BYTES));
    const part = segment.subarray(within, within + length - filled);
    bytes.set(part, filled);
    filled += part.byteLength;
  }
  return bytes;
}
