/** Export rows as an Office Open XML workbook: the door to exceljs. */
import { Writable } from 'node:stream';
import exceljs from 'exceljs';
import { EXPORT_COLUMNS, type ExportColumn, type ExportRow } from '../../../views/export-table.js';
import { withoutTimes } from './zip-times.js';

const NUMBER_FORMATS = {
  // A large id is not to be shown in exponents.
  integer: '0',
  decimal: '0.00',
  text: '@',
} as const satisfies Readonly<Record<ExportColumn['type'], string>>;

const WIDTHS = { integer: 14, decimal: 12, text: 24 } as const;

/**
 * A workbook of one sheet: the column names, then one line a row; text is text and never a formula.
 *
 * The same rows give the same bytes.
 */
export async function xlsxFile(
  rows: readonly ExportRow[],
  generatedAtMs: number,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const workbook = new exceljs.stream.xlsx.WorkbookWriter({
    stream,
    useSharedStrings: true,
    useStyles: true,
  });
  workbook.creator = 'Bura';
  workbook.lastModifiedBy = 'Bura';
  workbook.created = new Date(generatedAtMs);
  workbook.modified = new Date(generatedAtMs);
  const sheet = workbook.addWorksheet('measurements', {
    views: [{ state: 'frozen', ySplit: 1 }],
  });
  sheet.columns = EXPORT_COLUMNS.map(({ name, type }) => ({
    key: name,
    width: WIDTHS[type],
    style: { numFmt: NUMBER_FORMATS[type] },
  }));
  const head = sheet.addRow(EXPORT_COLUMNS.map(({ name }) => name));
  head.font = { bold: true };
  head.commit();
  for (const row of rows) {
    sheet.addRow(EXPORT_COLUMNS.map((column) => cellValue(row, column))).commit();
  }
  await workbook.commit();
  return withoutTimes(Buffer.concat(chunks));
}

function cellValue(row: ExportRow, { name, type }: ExportColumn): string | number {
  return type === 'text' ? xmlString(row[name]) : row[name];
}

/**
 * Text as `ST_Xstring` has it (ISO/IEC 29500-1 §22.9.2.19): what XML cannot hold, or would change, is written
 * `_xHHHH_`, and so is the underscore of a text that looks like it.
 */
export function xmlString(text: string): string {
  return text.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_').replaceAll(ESCAPED, (sign) => {
    const digits = sign.charCodeAt(0).toString(16).toUpperCase();
    return `_x${digits.padStart(4, '0')}_`;
  });
}

/** A carriage return would be read as a line feed; exceljs drops DEL. */
const ESCAPED = /[\0-\x08\x0B-\x1F\x7F\uFFFE\uFFFF]/g;
