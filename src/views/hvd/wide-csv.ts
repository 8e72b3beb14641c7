/** Observations: a row for each hour of a station, a column for each parameter (docs/http-api/files.md, "CSV"). */
import { HOUR_MS, utcDateTime } from '../../snapshot/domain/windows.js';
import { csvCell, csvDecimal, CSV_LINE_END, csvLine } from '../csv.js';
import { cached } from '../../texts/cached.js';

const COLUMNS = ['station_id', 'station_name', 'time_start_utc', 'time_end_utc'] as const;

/** @param codes parameter codes of the columns, in their order. */
export function wideCsvHeader(codes: readonly string[]): string {
  return csvLine([...COLUMNS, ...codes]);
}

/** Makes a renderer of rows for each station. Hours count from the epoch, UTC; a cell without a value is NaN. */
export function createWideCsv(): (station: {
  readonly id: number;
  readonly name: string;
}) => (hour: number, cells: Float64Array) => string {
  const hourText = cached(
    (hour: number) => `,${utcDateTime(hour * HOUR_MS)},${utcDateTime((hour + 1) * HOUR_MS)}`,
  );
  return ({ id, name }) => {
    const start = `${csvCell(String(id))},${csvCell(name)}`;
    return (hour, cells) => {
      let text = start + hourText(hour);
      for (const value of cells) text += Number.isNaN(value) ? ',' : `,${csvDecimal(value)}`;
      return text + CSV_LINE_END;
    };
  };
}
