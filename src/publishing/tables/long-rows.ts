/** A long table of measurements, one row a value → rows of the document. */
import { parseDay, parseHourOfDay, DAY_HOURS } from '../../snapshot/document/rows/dates.js';
import type { Problems } from '../../snapshot/document/problems.js';
import { RecordWriter } from './cells.js';
import { readCsv, type CsvFile } from './csv-reader.js';
import type { RowText } from './write-rows.js';

/** @throws {DocumentError} for a table or columns that cannot be read; what is wrong in a cell is noted. */
export async function* longRows(
  file: CsvFile,
  options: { readonly problems: Problems; readonly onProgress?: (bytesRead: number) => void },
): AsyncGenerator<RowText, void, undefined> {
  const { problems } = options;
  const records = readCsv(file, options);
  const header = (await records.next()).value ?? [];
  const writer = new RecordWriter('measurements', { header, fileName: file.name, problems });
  problems.throwIfAny();
  const [date, time] = [writer.position('date'), writer.position('time')];
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
