/** A station's workbook as Office Open XML: values, what they are, and their chart as a picture, which exceljs can hold. */
import exceljs from 'exceljs';
import type { StationWorkbook } from '../../../views/pages/portal/workbook.js';
import { xmlString } from './xlsx.js';
import { withoutTimes } from './zip-times.js';

const TIME_FORMAT = 'yyyy-mm-dd hh:mm';
const WIDTHS = { time: 17, offset: 9, value: 14, name: 26, text: 90 } as const;

/**
 * Times are dates of the network's clock, numbers are numbers, and text is never a formula. The same content gives the same
 * bytes.
 *
 * @param chart a PNG of `size` pixels; undefined where there is nothing to draw.
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
  workbook.creator = 'Bura';
  workbook.lastModifiedBy = 'Bura';
  workbook.created = new Date(generatedAtMs);
  workbook.modified = new Date(generatedAtMs);
  const sheet = workbook.addWorksheet(sheetName(values.sheet), {
    views: [{ state: 'frozen', xSplit: 2, ySplit: 1 }],
  });
  sheet.columns = values.columns.map((label, at) => ({
    header: xmlString(label),
    width: at === 0 ? WIDTHS.time : at === 1 ? WIDTHS.offset : WIDTHS.value,
    ...(at === 0 && { style: { numFmt: TIME_FORMAT } }),
  }));
  sheet.getRow(1).font = { bold: true };
  for (const row of values.rows) {
    sheet.addRow([new Date(row.shownMs), row.offset, ...row.values]);
  }
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 1, column: values.columns.length } };
  const facts = workbook.addWorksheet(sheetName(about.sheet));
  facts.columns = [{ width: WIDTHS.name, style: { font: { bold: true } } }, { width: WIDTHS.text }];
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

/** Excel takes 31 characters at most, and none of these. */
function sheetName(text: string): string {
  return text.replaceAll(/[[\]*?/\\:]/g, ' ').slice(0, 31);
}
