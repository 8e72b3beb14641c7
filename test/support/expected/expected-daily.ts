/** Expected daily values as CSV, from the rows of an archive. */
import type { StoredArchive } from '../stores/stored-archive.js';

/** Rows of table `daily` that meet an SQL condition, read by DuckDB and written as CSV. */
export async function expectedDaily(
  { database }: StoredArchive,
  condition: string,
): Promise<string> {
  const rows = await database.rows(
    `SELECT station_id, parameter_code, unit, CAST(date AS VARCHAR) AS date, mean, minimum, maximum, hours,
      strftime(published_at_utc, '%Y-%m-%dT%H:%M:%SZ') AS published,
      strftime(updated_at_utc, '%Y-%m-%dT%H:%M:%SZ') AS updated, data_status
    FROM main.daily WHERE ${condition}
    ORDER BY CAST(station_id AS BIGINT), parameter_code, daily.date, unit`,
  );
  const decimal = (value: unknown): string => {
    if (typeof value !== 'number') return '';
    return Number.isInteger(value) ? `${value}.0` : String(value);
  };
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
  const lines = rows.map((row) => {
    const code = textOf(row['parameter_code']);
    const cells = [
      textOf(row['station_id']),
      code.includes(',') ? `"${code}"` : code,
      textOf(row['unit']),
      textOf(row['date']),
      ...['mean', 'minimum', 'maximum'].map((name) => decimal(row[name])),
      String(Number(row['hours'])),
      ...['published', 'updated', 'data_status'].map((name) => textOf(row[name])),
    ];
    return `${cells.join(',')}\r\n`;
  });
  const names =
    'station_id,parameter_code,unit,date,mean,minimum,maximum,hours,published_at_utc,updated_at_utc,data_status';
  return `${names}\r\n${lines.join('')}`;
}
