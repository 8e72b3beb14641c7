/** The archive of a life, by DuckDB: the newest snapshot within its 30 days, and older rows as they were. */
import { HOUR_MS, RETENTION_HOURS } from './network.js';
import type { Oracle } from './oracle.js';

export class ArchiveOracle {
  #newestMs: number | undefined;

  get isThere(): boolean {
    return this.#newestMs !== undefined;
  }

  /** Adds a snapshot. @returns false for one that is older than the archive, which is refused. */
  async merge(oracle: Oracle): Promise<boolean> {
    const nowMs = oracle.generatedAtMs;
    if (nowMs < (this.#newestMs ?? -Infinity)) return false;
    if (this.#newestMs === undefined) {
      await oracle.rows(`CREATE TABLE main.archived (station_id BIGINT, code VARCHAR, start_ms BIGINT,
        value DOUBLE, unit VARCHAR, published_ms BIGINT, updated_ms BIGINT)`);
    }
    this.#newestMs = nowMs;
    await oracle.rows(`CREATE OR REPLACE TABLE main.merged AS
      SELECT * FROM main.archived WHERE start_ms < ${nowMs - RETENTION_HOURS * HOUR_MS}
        AND NOT ${hiddenSql(oracle)}
      UNION ALL
      SELECT s.station_id, s.code, s.start_ms, s.value, s.unit, coalesce(a.published_ms, ${nowMs}),
        CASE WHEN a.code IS NOT NULL AND a.value IS NOT DISTINCT FROM s.value THEN a.updated_ms ELSE ${nowMs} END
      FROM seen s LEFT JOIN main.archived a USING (station_id, code, start_ms)`);
    await oracle.rows('CREATE OR REPLACE TABLE main.archived AS SELECT * FROM main.merged');
    return true;
  }

  /** Folders and numbers of rows of the months that may be served: those without a row that the snapshot hides. */
  async months(active: Oracle): Promise<readonly (readonly [string, number])[]> {
    const rows = await active.rows(`SELECT ${MONTH} AS month, count(*)::DOUBLE AS rows
      FROM main.archived GROUP BY month HAVING NOT bool_or(${hiddenSql(active)}) ORDER BY month`);
    return rows.map((row) => [String(row['month']), Number(row['rows'])]);
  }

  /** @param path of the month in the archive. @param file its bytes. @returns the first row that differs. */
  async difference(active: Oracle, path: string, file: string): Promise<string | undefined> {
    const seconds = (column: string): string => `epoch_ms(${column}) // 1000`;
    const got = `SELECT station_id::BIGINT AS station_id, parameter_code AS code, epoch_ms(time_start_utc) AS start_ms,
      value, unit, ${seconds('published_at_utc')} AS published, ${seconds('updated_at_utc')} AS updated
      FROM read_parquet('${file}')`;
    const want = `SELECT station_id, code, start_ms, value, unit, published_ms // 1000, updated_ms // 1000
      FROM main.archived WHERE ${MONTH} = '${path.replace(/\/[^/]*$/, '')}'`;
    const rows =
      await active.rows(`(SELECT 'served' AS side, * FROM (${got} EXCEPT ALL ${want}) LIMIT 1)
      UNION ALL (SELECT 'expected', * FROM (${want} EXCEPT ALL ${got}) LIMIT 1)`);
    return rows.length === 0 ? undefined : JSON.stringify(rows);
  }
}

const MONTH = `strftime(make_timestamp(start_ms * 1000), 'observations/year=%Y/month=%m')`;

/** Whether a row of the archive is of a station that a snapshot hides. */
function hiddenSql({ network }: Oracle): string {
  const hidden = network.stations.flatMap((one) =>
    one['public'] === false ? Number(one['station_id']) : [],
  );
  return hidden.length === 0 ? 'false' : `station_id IN (${hidden.join(', ')})`;
}
