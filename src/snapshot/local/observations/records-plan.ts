/**
 * Plans the answer to a filter and a window from stored records: in fronts for a few records, in workers for many.
 *
 * The cost depends on the answer, not on the snapshot: records are found by bisection, and only the runs at the ends of
 * a window are compressed again.
 */
import type { ZlibOptions } from 'node:zlib';
import { looksAtStations, type Selection } from '../../domain/selection.js';
import type { HourInterval } from '../../domain/windows.js';
import { ChunkList, fill, type Plan } from '../plan.js';
import {
  checksumOf,
  deflateText,
  EMPTY_CHECKSUM,
  joinChecksums,
  STORED_HEAD_BYTES,
} from './gzip-member.js';
import { RECORD_END, runsFile, TEXT_FILE, type Form, type TextForm } from './record-layout.js';
import type { SeriesKey, SeriesList } from './series-list.js';
import type { DeflatedRun, Run, StoredSeries } from './stored-series.js';

/** A source of records; both methods throw `copy_damaged`. */
export interface RecordsSource {
  series(key: SeriesKey): StoredSeries;
  readInto(bytes: Uint8Array, file: string, offset: number): void;
}

export interface FoundRecords {
  readonly records: number;
  /** In order; each piece has records. */
  readonly pieces: readonly Piece[];
}

/** Text of consecutive records of one series, with the record ends. */
interface Piece {
  readonly offset: number;
  readonly length: number;
  /** The stored run, if the piece is a whole run. */
  readonly run: Run | undefined;
}

/**
 * Compression while a client waits. Level 4 takes twice the time and saves an eighth of the bytes; a third of zlib's
 * default memory saves a fifth of the time of a request for one day.
 */
const COMPRESSION: ZlibOptions = { level: 2, memLevel: 6, windowBits: 14, chunkSize: 4096 };

/** Fewer records are not worth compressing. */
const GZIP_RECORDS_MIN = 3;

/** Waiting text is compressed as soon as it has this length, which bounds the memory of a plan. */
const TEXT_BYTES_MAX = 1024 * 1024;

export interface RecordsForm {
  /** Records in JSON and NDJSON differ only in their ends. */
  readonly form: TextForm;
  readonly gzip: boolean;
}

/** Limit of series for a front: each is read as a whole (12 kB for 30 days) in 3 µs. */
const FEW_SERIES = 16;

/** Limit of records for a front: one and a half whole series, compressed in less than 0.3 ms. */
const FEW_RECORDS = 1000;

export interface RecordsQuery extends RecordsForm {
  readonly selection: Selection;
  readonly interval: HourInterval;
}

/**
 * Plans a few records in this thread, which is faster than to ask a worker; undefined for many.
 *
 * @throws {SnapshotError} `copy_damaged`.
 */
export function planInline(
  source: RecordsSource,
  list: SeriesList,
  query: RecordsQuery,
): Plan | undefined {
  const { selection, interval } = query;
  const { stationIds, parameterCodes } = selection;
  // Without stations all series would be searched.
  if (stationIds === undefined ? list.length > FEW_SERIES : stationIds.length > 1) return undefined;
  if (looksAtStations(selection) || (parameterCodes?.length ?? 0) > FEW_SERIES) return undefined;
  const keys = list.select(selection);
  if (keys.length > FEW_SERIES) return undefined;
  const selected = findRecords(source, keys, interval, query);
  if (selected.records > FEW_RECORDS) return undefined;
  const steps = planInSteps(source, selected, query);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** Records of the given series within the interval. */
export function findRecords(
  source: Pick<RecordsSource, 'series'>,
  keys: readonly SeriesKey[],
  interval: HourInterval,
  form: RecordsForm,
): FoundRecords {
  const pieces: Piece[] = [];
  let records = 0;
  for (const key of keys) records += addPieces(source.series(key), interval, form, pieces);
  return { records, pieces };
}

/** Adds the pieces of one series, each within one run where runs are stored. @returns the number of records. */
function addPieces(
  series: StoredSeries,
  { from, to }: HourInterval,
  { form, gzip }: RecordsForm,
  pieces: Piece[],
): number {
  const first = series.firstAtOrAfter(from);
  const end = series.firstAtOrAfter(to);
  const runs = gzip && form !== 'csv' ? series.runs() : [undefined];
  for (const [index, run] of runs.entries()) {
    const runStart = run?.firstRecord ?? 0;
    const runEnd = runs[index + 1]?.firstRecord ?? series.records;
    const [start, stop] = [Math.max(first, runStart), Math.min(end, runEnd)];
    if (start >= stop) continue;
    const offset = series.startIn(form, start);
    const isWhole = start === runStart && stop === runEnd;
    const length = series.startIn(form, stop) - offset;
    pieces.push({ offset, length, run: isWhole ? run : undefined });
  }
  return Math.max(0, end - first);
}

/**
 * Plans records in order (JSON with commas between them), as text or as raw DEFLATE for `withEnvelope`; yields after
 * each piece.
 */
export function* planInSteps(
  source: Pick<RecordsSource, 'readInto'>,
  selected: FoundRecords,
  form: RecordsForm,
): Generator<void, Plan, undefined> {
  if (!isDeflated(selected, form)) return planText(selected, form);
  const { records, pieces } = selected;
  const deflated = new DeflatedRecords(source, form.form);
  const last = pieces.at(-1);
  for (const piece of pieces) {
    deflated.add(piece, form.form !== 'json' || piece !== last);
    yield;
  }
  return deflated.finish(records);
}

/** Whether records are compressed; one or two fit in a packet, so compression would save nothing. */
function isDeflated({ records }: FoundRecords, { gzip }: RecordsForm): boolean {
  return gzip && records >= GZIP_RECORDS_MIN;
}

function planText({ records, pieces }: FoundRecords, { form }: RecordsForm): Plan {
  const list = new ChunkList();
  const last = pieces.at(-1);
  // A JSON list has separators only between records.
  const lastEndBytes = form === 'json' ? RECORD_END[form].length : 0;
  for (const piece of pieces) {
    const { offset, length } = piece;
    list.addRange(TEXT_FILE[form], offset, piece === last ? length - lastEndBytes : length);
  }
  const { chunks, totalBytes } = list;
  return { coding: 'identity', records, totalBytes, chunks };
}

/** Reused buffer of the compressor's input: garbage of this size costs more than the compression. */
const scratch = new Uint8Array(256 * 1024);

/** Takes whole runs as stored, and compresses the text between them together. */
class DeflatedRecords {
  readonly #source: Pick<RecordsSource, 'readInto'>;
  readonly #form: TextForm;
  readonly #chunks = new ChunkList();
  readonly #end: Uint8Array;
  #checksum = EMPTY_CHECKSUM;
  #waiting = new ChunkList();

  constructor(source: Pick<RecordsSource, 'readInto'>, form: TextForm) {
    this.#source = source;
    this.#form = form;
    this.#end = Buffer.from(RECORD_END[form]);
  }

  add({ offset, length, run }: Piece, hasEnd: boolean): void {
    const textBytes = length - this.#end.byteLength;
    const form = this.#form;
    if (run && form !== 'csv') this.#addRun(form, run.deflate[form], { textBytes, hasEnd });
    else this.#addText(offset, hasEnd ? length : textBytes);
  }

  finish(records: number): Plan {
    this.#compress();
    const { chunks, totalBytes } = this.#chunks;
    return { coding: 'gzip', records, totalBytes, chunks, checksum: this.#checksum };
  }

  /** @param run.textBytes length of the text without the last record's end. */
  #addRun(
    form: Form,
    { offset, bytes, crc32 }: DeflatedRun,
    run: { readonly textBytes: number; readonly hasEnd: boolean },
  ): void {
    this.#compress();
    const endBlock = run.hasEnd ? STORED_HEAD_BYTES + this.#end.byteLength : 0;
    this.#chunks.addRange(runsFile(form), offset, bytes + endBlock);
    this.#checksum = joinChecksums(this.#checksum, { crc32, textBytes: run.textBytes });
    if (run.hasEnd) this.#checksum = joinChecksums(this.#checksum, checksumOf(this.#end));
  }

  #addText(offset: number, length: number): void {
    this.#waiting.addRange(TEXT_FILE[this.#form], offset, length);
    if (this.#waiting.totalBytes >= TEXT_BYTES_MAX) this.#compress();
  }

  #compress(): void {
    if (this.#waiting.totalBytes === 0) return;
    const { totalBytes, chunks } = this.#waiting;
    this.#waiting = new ChunkList();
    const isShort = totalBytes <= scratch.byteLength;
    const text = isShort ? scratch.subarray(0, totalBytes) : new Uint8Array(totalBytes);
    fill(text, chunks, this.#source);
    const { bytes, checksum } = deflateText(text, COMPRESSION);
    // Copied, since a view would send the whole buffer of zlib to another thread.
    this.#chunks.addBytes(Uint8Array.from(bytes));
    this.#checksum = joinChecksums(this.#checksum, checksum);
  }
}
