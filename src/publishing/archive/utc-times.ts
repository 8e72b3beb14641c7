/** Marks times in Parquet files as UTC: DuckDB writes milliseconds only without a zone. */
import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';

/**
 * Logical type of milliseconds without a zone in Thrift's compact protocol (parquet-format, LogicalTypes.md,
 * "TIMESTAMP"): field 8, a struct of `isAdjustedToUTC` false and `unit` MILLIS; the ends of four structs.
 */
const MILLIS_WITHOUT_ZONE = Buffer.from([0x8c, 0x12, 0x1c, 0x1c, 0, 0, 0, 0]);
const IS_ADJUSTED_TO_UTC = Buffer.from([0x11]);

/** Size of the end of a file: the length of the footer, then `PAR1`. */
const TAIL_BYTES = 8;

/**
 * Marks the columns of milliseconds in a file as UTC, by one byte each.
 *
 * @param columns number of these columns. Only this number of matches is changed: the schema comes first in the footer, and
 * the statistics after it may contain the same bytes.
 */
export async function markTimesAsUtc(path: string, columns: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(TAIL_BYTES);
    await file.read(tail, 0, TAIL_BYTES, size - TAIL_BYTES);
    const start = size - TAIL_BYTES - tail.readUInt32LE();
    const footer = Buffer.alloc(size - start);
    await file.read(footer, 0, footer.length, start);
    let at = -1;
    for (let column = 0; column < columns; column += 1) {
      at = footer.indexOf(MILLIS_WITHOUT_ZONE, at + 1);
      assert(at >= 0, `${path} has ${column} columns of milliseconds, and not ${columns}`);
      await file.write(IS_ADJUSTED_TO_UTC, 0, 1, start + at + 1);
    }
  } finally {
    await file.close();
  }
}
