/** Expected daily values as CSV, from the rows of an archive. */
import type { StoredArchive } from '../stores/stored-archive.js';

/** Rows of table `daily` that meet an SQL condition, read by DuckDB and written as CSV. */
export async function expectedDaily(
  { database }: StoredArchive,
  condition: string,
): Promise<string> {
  const rows = await database.rows(
    `SELECT station_id, parameter_code, unit, CAST(date AS VARCHAR) AS date, mean, sum, minimum, maximum,
      hours, hours_expected, highest_8h_mean,
      strftime(published_at_utc, '%Y-%m-%dT%H:%M:%SZ') AS published,
      strftime(updated_at_utc, '%Y-%m-%dT%H:%M:%SZ') AS updated, data_status
    FROM main.daily WHERE ${condition}
    ORDER BY CAST(station_id AS BIGINT), parameter_code, daily.date, unit`,
  );
  const cellOf = (name: string, value: unknown): string => {
    if (typeof value === 'number') {
      const hasPoint = name.startsWith('hours') || !Number.isInteger(value);
      return hasPoint ? String(value) : `${value}.0`;
    }
    const text = typeof value === 'string' ? value : '';
    return text.includes(',') ? `"${text}"` : text;
  };
  const lines = rows.map((row) => {
    const cells = Object.entries(row).map(([name, value]) => cellOf(name, value));
    return `${cells.join(',')}\r\n`;
  });
  const names =
    'station_id,parameter_code,unit,date,mean,sum,minimum,maximum,hours,hours_expected,highest_8h_mean,published_at_utc,updated_at_utc,data_status';
  return `${names}\r\n${lines.join('')}`;
}

/** Exact members of the months of December 2025 and January 2026, in the order of answers. */
export async function expectedMonths({ database }: StoredArchive): Promise<readonly object[]> {
  return await database.rows(`SELECT station_id, parameter_code, unit, strftime(month, '%Y-%m') AS month, sum, minimum,
      maximum, hours, hours_expected, days, strftime(published_at_utc, '%Y-%m-%dT%H:%M:%SZ') AS published_at_utc,
      strftime(updated_at_utc, '%Y-%m-%dT%H:%M:%SZ') AS updated_at_utc, data_status
    FROM main.monthly WHERE monthly.month BETWEEN '2025-12-01' AND '2026-01-01'
    ORDER BY CAST(station_id AS BIGINT), parameter_code, monthly.month, unit`);
}
