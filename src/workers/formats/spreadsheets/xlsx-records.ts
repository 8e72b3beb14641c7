/** Records of the first sheet of an Office Open XML workbook, its cells as text: dates as `YYYY-MM-DD HH:MM:SS`. */
import exceljs from 'exceljs';

export interface XlsxRecord {
  /** Of the sheet, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/** Of the days that Excel counts. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const YEAR_MS = 366 * 86_400_000;

/**
 * @param options.decimalComma numbers are given as `12,5`.
 * @param options.refuse is called where the file is no workbook.
 */
export async function* xlsxRecords(
  path: string,
  {
    decimalComma,
    refuse,
  }: {
    readonly decimalComma: boolean;
    readonly refuse: (message: string, options?: ErrorOptions) => never;
  },
): AsyncGenerator<XlsxRecord, void, undefined> {
  const workbook = new exceljs.stream.xlsx.WorkbookReader(path, {
    worksheets: 'emit',
    sharedStrings: 'cache',
    styles: 'cache',
    hyperlinks: 'ignore',
    entries: 'ignore',
  });
  try {
    for await (const sheet of workbook) {
      for await (const row of sheet) {
        const cells = Array.from({ length: row.cellCount }, (_cell, index) =>
          textOf(row.getCell(index + 1).value, decimalComma),
        );
        if (cells.some((cell) => cell !== '')) yield { line: row.number, cells };
      }
      return;
    }
  } catch (error) {
    refuse(`not a workbook: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function textOf(value: exceljs.CellValue, decimalComma: boolean): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') {
    return decimalComma ? String(value).replace('.', ',') : String(value);
  }
  if (value instanceof Date) return timeOf(value.getTime());
  if (typeof value !== 'object') return String(value);
  if ('richText' in value) return value.richText.map(({ text }) => text).join('');
  if ('text' in value) return value.text;
  if ('result' in value) return textOf(value.result, decimalComma);
  return 'error' in value ? value.error : '';
}

/** A time without a date is one of the first day, and its last hour ends at 24:00. */
function timeOf(epochMs: number): string {
  const seconds = Math.round((epochMs - EPOCH_MS) / 1000);
  if (epochMs - EPOCH_MS < YEAR_MS) {
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
    return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
  }
  return new Date(EPOCH_MS + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}
