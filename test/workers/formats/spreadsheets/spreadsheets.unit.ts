/** XLSX and ODS have the contents of the CSV, for any texts and numbers; no text becomes a formula or breaks a file. */
import fc from 'fast-check';
import t from 'tap';
import {
  exportRows,
  renderExportCsv,
  type ExportPoint,
} from '../../../../src/views/export-table.js';
import { odsFile } from '../../../../src/workers/formats/spreadsheets/ods.js';
import { xlsxFile } from '../../../../src/workers/formats/spreadsheets/xlsx.js';
import { scaled } from '../../../support/faults/chance.js';
import { cellsOf } from '../../../support/readers/csv.js';
import { readOds, readXlsx, type Cell } from '../../../support/readers/spreadsheets.js';

const GENERATED_AT_MS = Date.parse('2026-09-10T00:00:00Z');

const SERIES = {
  organization_id: 1,
  organization_name: 'Agencija',
  station_id: 9_007_199_254_740_991,
  station_name: 'Ниш 😀',
  station_code: 'RS0001A',
  network_id: 3,
  network_code: 'DM',
  component_id: 5,
  component_short_name: 'PM2.5',
  unit: 'ug.m-3',
};

const PIECES = ['_x000D_', '_', 'x005F_', '\r', '\n', '\t', ' ', '=1+1', '<b>', '&amp;', ']]>'];

/** Types of the columns: ids and values are numbers. */
const TYPES = Array.from({ length: 13 }, (_, column): Cell['type'] =>
  [0, 2, 5, 9, 12].includes(column) ? 'number' : 'text',
);

void t.test('writes the largest and smallest values, and the same bytes again', async (t) => {
  const all = [-0, 5e-324, -0.004, 1e20, -2.5e21];
  const shown = ['0.00', '0.00', '0.00', '100000000000000000000.00', '-2500000000000000000000.00'];
  const rows = exportRows(SERIES, all.map(point));
  const [, ...csv] = cellsOf(renderExportCsv(rows));
  t.equal(csv.map((row) => row.at(-1)).join(), shown.join());
  const ods = odsFile(rows, GENERATED_AT_MS);
  const [, ...cells] = readOds(ods);
  t.equal(cells.map((row) => row.at(-1)?.text).join(), shown.join());
  t.same(odsFile(rows, GENERATED_AT_MS), ods);
  t.same(await xlsxFile(rows, GENERATED_AT_MS), await xlsxFile(rows, GENERATED_AT_MS));
});

void t.test('gives any text back from both, as text', async (t) => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...PIECES)).map((parts) => parts.join('')),
  );
  await fc.assert(
    fc.asyncProperty(text, text, async (name, unit) => {
      const rows = exportRows({ ...SERIES, station_name: name, unit }, [point(1)]);
      const csv = cellsOf(renderExportCsv(rows));
      if (csv[1]?.[3] !== name || csv[1][11] !== unit) throw new Error('not in the CSV');
      const wanted = csv.map((row, index) =>
        row.map((one, column): Cell => ({
          type: index === 0 ? 'text' : (TYPES[column] ?? 'text'),
          text: one,
        })),
      );
      same(readXlsx(await xlsxFile(rows, GENERATED_AT_MS)), wanted);
      same(
        readOds(odsFile(rows, GENERATED_AT_MS)),
        wanted.map((row) => row.map((cell) => ({ ...cell, text: withoutForbidden(cell.text) }))),
      );
    }),
    { numRuns: scaled(10) },
  );
  t.pass('all of them');
});

void t.test('says what an OpenDocument file is where it is looked for', async (t) => {
  const file = Buffer.from(odsFile(exportRows(SERIES, [point(1)]), GENERATED_AT_MS));
  t.equal(file.readUInt32LE(0), 0x04034b50);
  t.equal(file.readUInt16LE(8), 0, 'not compressed');
  t.equal(file.readUInt16LE(28), 0, 'no extra field');
  const start = 'mimetypeapplication/vnd.oasis.opendocument.spreadsheet';
  t.equal(file.toString('latin1', 30, 30 + start.length), start);
});

function point(value: number): ExportPoint {
  return { date: '2026-09-09', time: '23:00', value };
}

/** Removes characters that XML 1.0 cannot hold (§2.2). */
function withoutForbidden(text: string): string {
  return text.replaceAll(/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]/g, '\uFFFD');
}

function same(found: unknown, wanted: unknown): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${a} instead of ${b}`);
}
