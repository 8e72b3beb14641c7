/** Encodings of Parquet pages: runs of texts, doubles and times as bytes (Apache Parquet, "Encodings"). */
import { ByteWriter } from 'hyparquet-writer';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';

/** As many rows in a row, one after the other, that have the same text. */
export interface TextRun {
  readonly text: string;
  readonly rows: number;
}

/** What a column chunk consists of: one data page, and a dictionary page where there is a dictionary. */
export interface EncodedCells {
  readonly encoding: 'PLAIN' | 'RLE_DICTIONARY' | 'DELTA_BINARY_PACKED';
  readonly dictionary?: { readonly entries: number; readonly bytes: Uint8Array };
  /** Definition levels; empty where no cell may be null. */
  readonly levels: Uint8Array;
  readonly nulls: number;
  readonly bytes: Uint8Array;
  /** Bounds of the cells that are not null; undefined where there is none. */
  readonly bounds:
    readonly [min: string | number | bigint, max: string | number | bigint] | undefined;
}

const NOTHING = new Uint8Array(0);

/** Texts as a dictionary, and as runs of indexes in it: their cost goes by the runs, not by the rows. */
export function encodeTexts(runs: readonly TextRun[]): EncodedCells {
  const indexes = new Map<string, number>();
  for (const { text } of runs) if (!indexes.has(text)) indexes.set(text, indexes.size);
  const texts = [...indexes.keys()];
  const width = bitsOf(texts.length - 1);
  const page = new ByteWriter();
  page.appendUint8(width);
  for (const { text, rows } of merged(runs)) {
    page.appendVarInt(rows << 1);
    for (let bits = 0; bits < width; bits += 8) page.appendUint8((indexes.get(text) ?? 0) >> bits);
  }
  const dictionary = new ByteWriter();
  for (const text of texts) {
    const bytes = Buffer.from(text);
    dictionary.appendUint32(bytes.byteLength);
    dictionary.appendBytes(bytes);
  }
  const ordered = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return {
    encoding: 'RLE_DICTIONARY',
    dictionary: { entries: texts.length, bytes: dictionary.getBytes() },
    levels: NOTHING,
    nulls: 0,
    bytes: page.getBytes(),
    bounds: [ordered[0] ?? '', ordered.at(-1) ?? ''],
  };
}

function* merged(runs: readonly TextRun[]): Generator<TextRun, void, undefined> {
  let last: TextRun | undefined;
  for (const run of runs) {
    if (last?.text === run.text) last = { text: last.text, rows: last.rows + run.rows };
    else {
      if (last) yield last;
      last = run;
    }
  }
  if (last) yield last;
}

/** Doubles, NaN for null; with a dictionary where that takes at most half of the bytes. */
export function encodeDoubles(cells: Float64Array): EncodedCells {
  const { present, isPresent } = withoutNulls(cells);
  const levels = new ByteWriter();
  writeRleBitPackedHybrid(levels, isPresent, 1);
  const common = {
    levels: levels.getBytes(),
    nulls: cells.length - present.length,
    bounds: boundsOf(present),
  };
  const indexed = dictionaryOf(present);
  if (indexed === undefined) return { ...common, encoding: 'PLAIN', bytes: plainDoubles(present) };
  const { entries, indexes, width } = indexed;
  const page = new ByteWriter();
  page.appendUint8(width);
  writeRleBitPackedHybrid(page, indexes, width);
  const dictionary = { entries: entries.length, bytes: plainDoubles(entries) };
  return { ...common, encoding: 'RLE_DICTIONARY', dictionary, bytes: page.getBytes() };
}

// Plain loops below: over typed arrays, iterators and callbacks take several times as long until they are optimized.

function withoutNulls(cells: Float64Array): { present: Float64Array; isPresent: Uint8Array } {
  const present = new Float64Array(cells.length);
  const isPresent = new Uint8Array(cells.length);
  let count = 0;
  for (let row = 0; row < cells.length; row += 1) {
    const cell = cells[row] ?? NaN;
    if (Number.isNaN(cell)) continue;
    present[count] = cell;
    isPresent[row] = 1;
    count += 1;
  }
  return { present: present.subarray(0, count), isPresent };
}

function dictionaryOf(
  cells: Float64Array,
): { entries: Float64Array; indexes: Uint32Array; width: number } | undefined {
  const byValue = new Map<number, number>();
  const indexes = new Uint32Array(cells.length);
  for (let row = 0; row < cells.length; row += 1) {
    const cell = cells[row] ?? NaN;
    let index = byValue.get(cell);
    if (index === undefined) {
      index = byValue.size;
      byValue.set(cell, index);
    }
    indexes[row] = index;
  }
  const width = bitsOf(byValue.size - 1);
  const bytes = byValue.size * DOUBLE_BYTES + (cells.length * width) / 8;
  if (bytes * 2 > cells.length * DOUBLE_BYTES || byValue.size === 0) return undefined;
  return { entries: Float64Array.from(byValue.keys()), indexes, width };
}

const DOUBLE_BYTES = Float64Array.BYTES_PER_ELEMENT;

function plainDoubles(values: Float64Array): Uint8Array {
  const bytes = new Uint8Array(values.length * DOUBLE_BYTES);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < values.length; index += 1) {
    view.setFloat64(index * DOUBLE_BYTES, values[index] ?? NaN, true);
  }
  return bytes;
}

function boundsOf(values: Float64Array): EncodedCells['bounds'] {
  let min = Infinity;
  let max = -Infinity;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? NaN;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  // Readers take a zero for either one, so a lower bound has to be the negative and an upper bound the positive one.
  return values.length === 0 ? undefined : [min === 0 ? -0 : min, max + 0];
}

/** Whole numbers below 2^53, such as epoch milliseconds, by their differences. */
export function encodeTimes(cells: Float64Array): EncodedCells {
  const page = new ByteWriter();
  appendDeltas(page, cells);
  const bounds = boundsOf(cells);
  return {
    encoding: 'DELTA_BINARY_PACKED',
    levels: NOTHING,
    nulls: 0,
    bytes: page.getBytes(),
    bounds: bounds && [BigInt(bounds[0]), BigInt(bounds[1])],
  };
}

const BLOCK_VALUES = 128;
const MINIBLOCKS = 4;
const MINIBLOCK_VALUES = BLOCK_VALUES / MINIBLOCKS;

function appendDeltas(page: ByteWriter, values: Float64Array): void {
  page.appendVarInt(BLOCK_VALUES);
  page.appendVarInt(MINIBLOCKS);
  page.appendVarInt(values.length);
  page.appendZigZag(BigInt(values[0] ?? 0));
  for (let start = 1; start < values.length; start += BLOCK_VALUES) {
    const end = Math.min(start + BLOCK_VALUES, values.length);
    // Above the least one; those that are missing in the last block count as none.
    const deltas = new Float64Array(BLOCK_VALUES);
    let least = Infinity;
    for (let at = start; at < end; at += 1) {
      const delta = (values[at] ?? 0) - (values[at - 1] ?? 0);
      deltas[at - start] = delta;
      if (delta < least) least = delta;
    }
    for (let at = 0; at < end - start; at += 1) deltas[at] = (deltas[at] ?? 0) - least;
    page.appendZigZag(BigInt(least));
    appendMiniblocks(page, deltas);
  }
}

function appendMiniblocks(page: ByteWriter, deltas: Float64Array): void {
  const widths = new Uint8Array(MINIBLOCKS);
  for (let at = 0; at < BLOCK_VALUES; at += 1) {
    const miniblock = Math.floor(at / MINIBLOCK_VALUES);
    widths[miniblock] = Math.max(widths[miniblock] ?? 0, bitsOf(deltas[at] ?? 0));
  }
  page.appendBytes(widths);
  for (const [index, width] of widths.entries()) {
    const start = index * MINIBLOCK_VALUES;
    if (width > 0) appendPacked(page, deltas.subarray(start, start + MINIBLOCK_VALUES), width);
  }
}

/** Bits from the lowest to the highest. By arithmetic, because numbers above 2^32 have no bits in JavaScript. */
function appendPacked(page: ByteWriter, values: Float64Array, width: number): void {
  let byte = 0;
  let used = 0;
  for (const value of values) {
    let rest = value;
    for (let left = width; left > 0;) {
      const taken = Math.min(8 - used, left);
      const base = 1 << taken;
      const above = Math.floor(rest / base);
      byte |= (rest - above * base) << used;
      rest = above;
      left -= taken;
      used += taken;
      if (used < 8) continue;
      page.appendUint8(byte);
      byte = 0;
      used = 0;
    }
  }
}

/** Bits that a whole number from 0 to 2^53 takes. */
function bitsOf(value: number): number {
  if (value <= 0) return 0;
  const high = Math.floor(value / 2 ** 32);
  return high > 0 ? 64 - Math.clz32(high) : 32 - Math.clz32(value);
}
