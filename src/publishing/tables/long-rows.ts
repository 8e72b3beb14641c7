/** A long table of measurements, one row a value, its columns named as the members → rows of the document. */
import { parseDay, parseHourOfDay, DAY_HOURS } from '../../snapshot/document/rows/dates.js';
import type { Problems } from '../../snapshot/document/problems.js';
import { columnsOf, RecordWriter } from './cells.js';
import type { ReadTable } from './build-lists.js';
import { NumberCells } from './number-cells.js';
import type { TableFile } from './table-file.js';
import { findForm } from './table-form.js';
import type { TableOptions } from './table-options.js';
import { readTable } from './table-reader.js';
import type { RowText } from './write-rows.js';

/** @throws {DocumentError} for a table or columns that cannot be read; what is wrong in a cell is noted. */
export async function* longRows(
  file: TableFile,
  options: {
    readonly tableOptions: TableOptions;
    readonly problems: Problems;
    readonly onProgress?: (bytesRead: number) => void;
    /** Takes the table that is read. */
    readonly onTable: (table: ReadTable) => void;
  },
): AsyncGenerator<RowText, void, undefined> {
  const { tableOptions, problems } = options;
  const form = await findForm(file, { ...tableOptions, problems });
  const records = readTable(file, { ...options, form });
  const header = (await records.next()).value ?? [];
  const { name: fileName } = file;
  const columns = columnsOf('measurements', { ...tableOptions, header, fileName, problems });
  problems.throwIfAny();
  options.onTable({ file, form, columns });
  const numbers = new NumberCells({ ...tableOptions, ...form });
  const writer = new RecordWriter('measurements', {
    ...{ columns, numbers, problems },
    options: tableOptions,
  });
  const [date = -1, time = -1] = ['date', 'time'].map(
    (name) => columns.find((column) => column.name === name)?.position,
  );
  let index = 0;
  for await (const record of records) {
    yield { json: writer.write(record, index), hour: hourOf(record[date], record[time]) };
    index += 1;
  }
}

function hourOf(date = '', time = ''): number | undefined {
  const day = parseDay(date);
  const hourOfDay = parseHourOfDay(time);
  return day === undefined || hourOfDay === undefined ? undefined : day * DAY_HOURS + hourOfDay;
}
