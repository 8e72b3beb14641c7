/** Converts the sheets of a workbook to CSV files `NAME.xlsx.SHEET.csv`, the first sheet also to `NAME.xlsx.csv`. */
import { createWriteStream } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Problems } from '../../snapshot/document/problems.js';
import { messageOf } from '../../snapshot/domain/snapshot-error.js';
import { readBook, type Book, type Sheet } from './workbook-parts.js';
import { cellAddress, readRows } from './workbook-rows.js';

export interface FileOfFolder {
  /** Path relative to the folder of exports. */
  readonly name: string;
  /** Path with all links resolved. */
  readonly source: string;
  /** Path of the file in the prepared folder. */
  readonly target: string;
}

interface WriteOptions {
  readonly problems: Problems;
  readonly signal?: AbortSignal | undefined;
}

/** Limit of all sheets as CSV: two cells, in row 1048576 and column XFD, turn a workbook of 1 kB into 17 GB. */
const MAX_CSV_BYTES = 512 * 1024 * 1024;

/**
 * Writes each sheet as a CSV file. Reads a sheet twice, first for its size, so that memory and disk use are bounded.
 *
 * @returns the names of the CSV files; the first name is a link, `NAME.xlsx.csv`.
 * @throws {DocumentError} for a file that is not a workbook, is damaged or is too large.
 * @throws {Error} the system's own, such as `EEXIST` for a sheet whose CSV file would have the name of another file.
 */
export async function writeSheets(
  { name, source, target }: FileOfFolder,
  { problems, signal }: WriteOptions,
): Promise<readonly string[]> {
  try {
    const book = await readBook(source);
    const endings = book.sheets.map(({ title }) => `.${title.replaceAll(/[/\\\0]/g, '_')}.csv`);
    let freeBytes = MAX_CSV_BYTES;
    for (const [index, sheet] of book.sheets.entries()) {
      const { columns, csvBytes } = await sizeOf(book, sheet, { freeBytes, signal });
      freeBytes -= csvBytes;
      // A new file, because an existing file or link at that path is the operator's.
      const file = createWriteStream(`${target}${endings[index] ?? ''}`, { flags: 'wx' });
      await pipeline(csvLines(book, sheet, columns), file);
    }
    await symlink(`${basename(target)}${endings[0] ?? ''}`, `${target}.csv`);
    return ['.csv', ...endings].map((ending) => `${name}${ending}`);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof Error && 'syscall' in cause) throw cause;
    return problems.fail(name, `not a workbook that can be read: ${messageOf(cause)}`, { cause });
  }
}

async function sizeOf(
  book: Book,
  sheet: Sheet,
  { freeBytes, signal }: { readonly freeBytes: number } & Pick<WriteOptions, 'signal'>,
): Promise<{ readonly columns: number; readonly csvBytes: number }> {
  let [columns, textBytes, csvBytes] = [0, 0, 0];
  for await (const { number, cells } of readRows(book, sheet)) {
    signal?.throwIfAborted();
    columns = Math.max(columns, cells.length);
    for (const cell of cells) if (cell !== '') textBytes += Buffer.byteLength(csvCell(cell));
    // A comma or a line end follows each cell.
    csvBytes = textBytes + number * columns;
    if (csvBytes > freeBytes) {
      const cell = cellAddress(number, columns);
      throw new RangeError(
        `sheet "${sheet.title}" has more than ${MAX_CSV_BYTES} bytes as CSV up to cell ${cell}`,
      );
    }
  }
  return { columns, csvBytes };
}

async function* csvLines(book: Book, sheet: Sheet, columns: number): AsyncGenerator<string> {
  let next = 1;
  for await (const { number, cells } of readRows(book, sheet)) {
    for (; next < number; next += 1) yield `${','.repeat(columns - 1)}\n`;
    yield `${cells.map(csvCell).join(',')}${','.repeat(columns - cells.length)}\n`;
    next += 1;
  }
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
