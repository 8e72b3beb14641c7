/** Days and months of hourly rows (`days.ts`): rows come from DuckDB, some stations at a time, and go back as JSON. */
import { appendFile } from 'node:fs/promises';
import { monthOf, type createPeriods, type PeriodFigures } from '../../snapshot/domain/days.js';
import { DATA_STATUS } from '../../views/hvd/fields.js';
import { quoted, type Database } from '../sql/database.js';

/** Hourly rows that are read at once, about 1 MB of text. With 100,000 the peak is 100 MB higher, at no gain in time. */
const BATCH_ROWS = 30_000;

/** The rows of one series in one unit, by columns, ascending by hour. */
interface SeriesRows {
  readonly station_id: string;
  readonly parameter_code: string;
  /** Units as written: one for all rows, or one for each. */
  readonly units: readonly string[];
  /** Hours since the epoch. */
  readonly hours: readonly number[];
  readonly values: readonly (number | null)[];
  /** Epoch milliseconds, UTC. */
  readonly published: readonly number[];
  readonly updated: readonly number[];
}

export interface PeriodsOptions {
  readonly database: Database;
  readonly periods: ReturnType<typeof createPeriods>;
  /** Paths of the files to which lines are added. */
  readonly daily: string;
  readonly monthly: string;
}

/**
 * Appends the days and the month of each series in a local month, unordered.
 *
 * @param rows SQL for the hours of the month and the seven hours before, at least, with a column `hour` (since the
 * epoch); the macro `notation` knows their units.
 * @param month months since year 0.
 * @throws {SqlError} with DuckDB's message.
 */
export async function appendPeriods(
  rows: string,
  month: number,
  { database, periods, daily, monthly }: PeriodsOptions,
): Promise<void> {
  // In the order of texts, so that DuckDB skips the other rows while it reads.
  const batches = await database.texts(`SELECT min(station_id), max(station_id) FROM (
      SELECT station_id, sum(count(*)) OVER (ORDER BY station_id) // ${BATCH_ROWS} AS batch
      FROM ${rows} GROUP BY station_id) GROUP BY batch ORDER BY 1`);
  for (const [first = '', last = ''] of batches) {
    const list = (column: string): string => `list(${column} ORDER BY hour)`;
    const ofSeries = await database.texts(`SELECT to_json({
        'station_id': station_id, 'parameter_code': parameter_code,
        'units': CASE WHEN min(unit) = max(unit) THEN [min(unit)] ELSE ${list('unit')} END,
        'hours': ${list('hour')}, 'values': ${list('value')},
        'published': ${list('epoch_ms(published_at_utc)')},
        'updated': ${list('epoch_ms(updated_at_utc)')}})
      FROM ${rows} WHERE station_id >= ${quoted(first)} AND station_id <= ${quoted(last)}
      GROUP BY station_id, parameter_code, notation(unit)`);
    const lines: Record<'daily' | 'monthly', string[]> = { daily: [], monthly: [] };
    for (const [text = ''] of ofSeries) {
      // DuckDB has written the members above.
      const of = JSON.parse(text) as SeriesRows;
      const values = of.values.map((value) => value ?? NaN);
      const series = { hours: of.hours, values, unit: of.units[0] ?? '' };
      const days = periods.daysOf(series).filter((day) => monthOf(day.firstDay) === month);
      for (const day of days) lines.daily.push(lineOf(day, of));
      for (const one of periods.monthsOf(series, days)) lines.monthly.push(lineOf(one, of));
    }
    await appendFile(daily, lines.daily.join(''));
    await appendFile(monthly, lines.monthly.join(''));
  }
}

/** SQL for the appended rows. */
export function periodRows(kind: 'daily' | 'monthly', path: string): string {
  const [start, days] = kind === 'daily' ? ['date', ''] : ['month', 'period.fullDays AS days,'];
  return `(SELECT station_id, parameter_code, unit, DATE '1970-01-01' + period.firstDay AS ${start},
      period.mean, period.sum, period.minimum, period.maximum, period.hours,
      (period.interval.to - period.interval.from)::INTEGER AS hours_expected, ${days}
      period.highest8hMean AS highest_8h_mean, make_timestamptz(published * 1000) AS published_at_utc,
      make_timestamptz(updated * 1000) AS updated_at_utc, ${quoted(DATA_STATUS)} AS data_status
    FROM read_json(${quoted(path)}, format = 'nd', columns = {station_id: 'VARCHAR',
      parameter_code: 'VARCHAR', unit: 'VARCHAR', published: 'BIGINT', updated: 'BIGINT',
      period: 'STRUCT(firstDay INTEGER, interval STRUCT("from" DOUBLE, "to" DOUBLE), hours INTEGER,
        mean DOUBLE, sum DOUBLE, minimum DOUBLE, maximum DOUBLE, highest8hMean DOUBLE,
        fullDays INTEGER)'}))`;
}

function lineOf(period: PeriodFigures, of: SeriesRows): string {
  const { station_id, parameter_code, units } = of;
  const { from, to } = period.rows;
  const unit = units[to - 1] ?? units[0];
  const published = Math.min(...of.published.slice(from, to));
  const updated = Math.max(...of.updated.slice(from, to));
  return `${JSON.stringify({ station_id, parameter_code, unit, published, updated, period })}\n`;
}
