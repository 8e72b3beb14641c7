/** Office Open XML workbooks of export rows and of a station; the only file that loads exceljs. */
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import exceljs from 'exceljs';
import { EXPORT_COLUMNS, type ExportColumn, type ExportRow } from '../../../views/export-table.js';
import type { StationWorkbook } from '../../../views/pages/portal/workbook-sheets.js';
import { withoutTimes } from './zip-times.js';

const NUMBER_FORMATS = {
  // Prevents exponents in large ids.
  integer: '0',
  decimal: '0.00',
  text: '@',
} as const satisfies Readonly<Record<ExportColumn['type'], string>>;

const WIDTHS = { integer: 14, decimal: 12, text: 24 } as const;

/** Author and times of a workbook; the times are the snapshot's, so that equal content gives equal bytes. */
function propertiesOf(generatedAtMs: number) {
  const made = new Date(generatedAtMs);
  return { creator: 'Bura', lastModifiedBy: 'Bura', created: made, modified: made };
}

/** A workbook of one sheet; text is never a formula. Equal rows give equal bytes. */
export async function xlsxFile(
  rows: readonly ExportRow[],
  generatedAtMs: number,
): Promise<Uint8Array> {
  const stream = new PassThrough();
  const bytes = buffer(stream);
  const workbook = new exceljs.stream.xlsx.WorkbookWriter({
    stream,
    useSharedStrings: true,
    useStyles: true,
  });
  Object.assign(workbook, propertiesOf(generatedAtMs));
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
  return withoutTimes(await bytes);
}

function cellValue(row: ExportRow, { name, type }: ExportColumn): string | number {
  return type === 'text' ? xmlString(row[name]) : row[name];
}

const TIME_FORMAT = 'yyyy-mm-dd hh:mm';
const STATION_WIDTHS = { time: 17, offset: 9, value: 14, name: 26, text: 90 } as const;

/**
 * A station's values, their description, and their chart as a picture, since exceljs writes no charts. Times are dates
 * in the network's time zone; text is never a formula. Equal content gives equal bytes.
 *
 * @param options.picture the chart as a PNG with its size in pixels, shown at half that size; undefined without values.
 */
export async function stationXlsx(
  { values, about, chart }: StationWorkbook,
  {
    generatedAtMs,
    picture,
  }: {
    readonly generatedAtMs: number;
    readonly picture:
      { readonly png: Uint8Array; readonly width: number; readonly height: number } | undefined;
  },
): Promise<Uint8Array> {
  const workbook = new exceljs.Workbook();
  Object.assign(workbook, propertiesOf(generatedAtMs));
  const sheet = workbook.addWorksheet(sheetName(values.sheet), {
    views: [{ state: 'frozen', xSplit: 2, ySplit: 1 }],
  });
  sheet.columns = values.columns.map((label, at) => ({
    header: xmlString(label),
    width: at === 0 ? STATION_WIDTHS.time : at === 1 ? STATION_WIDTHS.offset : STATION_WIDTHS.value,
    ...(at === 0 && { style: { numFmt: TIME_FORMAT } }),
  }));
  sheet.getRow(1).font = { bold: true };
  for (const row of values.rows) {
    sheet.addRow([new Date(row.shownMs), row.offset, ...row.values]);
  }
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 1, column: values.columns.length } };
  const facts = workbook.addWorksheet(sheetName(about.sheet));
  facts.columns = [
    { width: STATION_WIDTHS.name, style: { font: { bold: true } } },
    { width: STATION_WIDTHS.text },
  ];
  for (const [name, text] of about.rows) facts.addRow([xmlString(name), xmlString(text)]);
  if (picture !== undefined) {
    const { png, width, height } = picture;
    const image = workbook.addImage({ buffer: Buffer.from(png).buffer, extension: 'png' });
    workbook
      .addWorksheet(sheetName(chart.sheet), { views: [{ showGridLines: false }] })
      .addImage(image, { tl: { col: 0, row: 0 }, ext: { width: width / 2, height: height / 2 } });
  }
  return withoutTimes(new Uint8Array(await workbook.xlsx.writeBuffer()));
}

/** A name that Excel accepts: at most 31 characters, without the replaced signs. */
function sheetName(text: string): string {
  return text.replaceAll(/[[\]*?/\\:]/g, ' ').slice(0, 31);
}

/**
 * Text as `ST_Xstring` (ISO/IEC 29500-1 §22.9.2.19): characters that XML forbids or changes become `_xHHHH_`, and so
 * does the underscore of a text that looks like such an escape.
 */
function xmlString(text: string): string {
  return text.replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_').replaceAll(ESCAPED, (sign) => {
    const digits = sign.charCodeAt(0).toString(16).toUpperCase();
    return `_x${digits.padStart(4, '0')}_`;
  });
}

/** A carriage return would be read as a line feed; exceljs drops DEL. */
const ESCAPED = /[\0-\x08\x0B-\x1F\x7F\uFFFE\uFFFF]/g;
