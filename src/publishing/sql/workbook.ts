/** The sheets of an Office Open XML workbook as CSV files beside it: `NAME.xlsx.SHEET.csv`, the first as `NAME.xlsx.csv` too. */
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { unzipSync } from 'fflate';
import readWorkbook from 'read-excel-file/universal';
import type { Problems } from '../../snapshot/document/problems.js';

export interface FileOfFolder {
  /** Its path from the folder. */
  readonly name: string;
  /** Where it is, whatever leads there. */
  readonly source: string;
  /** Where it goes, for the script. */
  readonly target: string;
}

/** A million rows of five columns; the reader holds all of them, in six times as much memory. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

/** @returns the names of the files, as the workbook's own begins. @throws {DocumentError} where it is none, or ends early. */
export async function writeSheets(
  { name, source, target }: FileOfFolder,
  { problems }: { readonly problems: Problems },
): Promise<readonly string[]> {
  const bytes = await readFile(source);
  const sheets = await sheetsOf(bytes).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return problems.fail(name, `not a workbook that can be read: ${reason}`, { cause });
  });
  const endings = sheets.map(({ sheet }) => `.${sheet.replaceAll(/[/\\\0]/g, '_')}.csv`);
  for (const [index, { data }] of sheets.entries()) {
    const lines = data.map((row) => `${row.map((cell) => csvCell(textOf(cell))).join(',')}\n`);
    await writeFile(`${target}${endings[index] ?? ''}`, lines);
  }
  await symlink(`${basename(target)}${endings[0] ?? ''}`, `${target}.csv`);
  return ['.csv', ...endings].map((ending) => `${name}${ending}`);
}

async function sheetsOf(bytes: Buffer): ReturnType<typeof readWorkbook> {
  let unpackedBytes = 0;
  unzipSync(bytes, {
    filter: ({ originalSize }) => {
      unpackedBytes += originalSize;
      return false;
    },
  });
  if (unpackedBytes > MAX_UNPACKED_BYTES) {
    throw new RangeError(`${unpackedBytes} bytes unpacked, expected ${MAX_UNPACKED_BYTES} at most`);
  }
  return await readWorkbook(new Blob([bytes]), { trim: false });
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Times to the nearest second: they are parts of a day in a workbook. */
function textOf(cell: unknown): string {
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  if (!(cell instanceof Date)) return '';
  const milliseconds = Math.round(cell.getTime() / 1000) * 1000;
  return new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ');
}
