/** Observations: a row for each hour of a station, a column for each parameter (docs/http-api/files.md, "CSV"). */
import { HOUR_MS, utcDateTime } from '../../snapshot/domain/windows.js';
import { csvCell, csvDecimal, CSV_LINE_END, csvLine } from '../csv.js';
import type { HourTable } from '../hour-table.js';
import { cached } from '../../texts/cached.js';

const COLUMNS = ['station_id', 'station_name', 'time_start_utc', 'time_end_utc'] as const;

/** @param codes parameter codes of the columns, in their order. */
export function viewWideCsv(codes: readonly string[]): HourTable {
  const hourText = cached(
    (hour: number) => `,${utcDateTime(hour * HOUR_MS)},${utcDateTime((hour + 1) * HOUR_MS)}`,
  );
  return {
    head: csvLine([...COLUMNS, ...codes]),
    itemsOf({ id, name }, rows) {
      const start = `${csvCell(String(id))},${csvCell(name)}`;
      return rows.map(([hour, cells]) => {
        let text = start + hourText(hour);
        for (const value of cells) text += Number.isNaN(value) ? ',' : `,${csvDecimal(value)}`;
        return text + CSV_LINE_END;
      });
    },
    separator: '',
    tail: () => '',
  };
}
