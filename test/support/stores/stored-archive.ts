/** An archive in a file store, made by DuckDB alone. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Test } from 'tap';
import { openDuckDb, type DuckDb } from '../readers/duckdb.js';

export interface StoredFile {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly rows: number;
  readonly size_bytes: number;
  readonly sha256: string;
}

export interface StoredArchive {
  readonly files: readonly StoredFile[];
  /** The bytes of files by path. */
  readonly bytes: ReadonlyMap<string, Buffer>;
  /** A database with the files' contents in the tables `observations`, `daily`, `stations` and `parameters`. */
  readonly database: DuckDb;
}

/** Contents of the archive: hourly values of three parameters at each station. */
export interface ArchiveOptions {
  /** Such as `2025-11`, ascending. */
  readonly months: readonly string[];
  /** Number of stations; default: 12. */
  readonly stations?: number;
  /** Id of the first station; default: 1. */
  readonly first?: number;
  /** Ids of stations to leave out; default: 9, which the test documents hide. */
  readonly without?: readonly number[];
  /** SQL that changes the table `observations` before the files are made. */
  readonly changes?: string;
}

interface Index {
  readonly files?: readonly StoredFile[];
}

const ORDER = 'CAST(station_id AS BIGINT), parameter_code';

/** Stores the files, then the index. */
export async function storeArchive(
  t: Test,
  published: string,
  { months, stations = 12, first = 1, without = [9], changes = '' }: ArchiveOptions,
): Promise<StoredArchive> {
  const database = await openDuckDb(t);
  await database.rows("SET TimeZone = 'UTC'");
  const starts = months.map((month) => `TIMESTAMPTZ '${month}-01 00:00:00+00'`);
  await database.rows(`CREATE TABLE observations AS
    SELECT CAST(station AS VARCHAR) AS station_id, code AS parameter_code, hour AS time_start_utc,
      hour + INTERVAL 1 HOUR AS time_end_utc,
      CASE WHEN hash(station, code, hour) % 20 = 0 THEN NULL
        ELSE (hash(station, code, hour) % 4000) / 10.0 END::DOUBLE AS value,
      'ug/m3' AS unit, 'preliminary' AS data_status, 'hourly_mean' AS aggregation_type,
      hour + INTERVAL 2 HOUR AS published_at_utc, hour + INTERVAL 3 HOUR AS updated_at_utc,
      NULL::DOUBLE AS coverage
    FROM range(${first}, ${first + stations}) AS s(station), (VALUES ('NO2'), ('O3'), ('m,p-Xylene')) AS c(code),
      (SELECT unnest([${starts.join(', ')}]) AS first) AS m,
      range(m.first, m.first + INTERVAL 1 MONTH, INTERVAL 1 HOUR) AS h(hour)
    WHERE station NOT IN (${[0, ...without].join()})`);
  if (changes !== '') await database.rows(changes);
  // A day has a row for each unit; notations of the same unit share a row.
  await database.rows(`CREATE TABLE daily AS SELECT station_id, parameter_code,
      arg_max(unit, time_start_utc) AS unit, CAST(time_start_utc AS DATE) AS date, favg(value) AS mean, min(value) AS minimum,
      max(value) AS maximum, CAST(count(value) AS INTEGER) AS hours,
      min(published_at_utc) AS published_at_utc, max(updated_at_utc) AS updated_at_utc,
      'preliminary' AS data_status
    FROM observations GROUP BY station_id, parameter_code, date, replace(unit, 'µg m-3', 'ug/m3')`);
  await database.rows(
    `CREATE TABLE stations AS SELECT DISTINCT station_id, 'Station ' || station_id AS station_name FROM daily`,
  );
  await database.rows('CREATE TABLE parameters AS SELECT DISTINCT parameter_code FROM daily');
  const years = [...new Set(months.map((month) => month.slice(0, 4)))];
  const parts = [
    ...months.map((month) => {
      const folder = `observations/year=${month.slice(0, 4)}/month=${month.slice(5)}`;
      const query = `FROM observations WHERE strftime(time_start_utc, '%Y-%m') = '${month}'`;
      return [folder, query, `${ORDER}, time_start_utc`] as const;
    }),
    ...years.map(
      (year) =>
        [
          `daily/year=${year}`,
          `FROM daily WHERE year(date) = ${year}`,
          `${ORDER}, date, unit`,
        ] as const,
    ),
    ['stations', 'FROM stations', 'CAST(station_id AS BIGINT)'] as const,
    ['parameters', 'FROM parameters', 'parameter_code'] as const,
  ];
  const bytes = new Map<string, Buffer>();
  const files: StoredFile[] = [];
  for (const [folder, query, order] of parts) {
    const made = join(published, 'archive', `made-${process.pid}.parquet`);
    await mkdir(dirname(made), { recursive: true });
    await database.rows(`COPY (FROM (${query}) ORDER BY ${order}) TO '${made}'
      (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 2048)`);
    const content = await readFile(made);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const path = `${folder}/${sha256}.parquet`;
    await mkdir(join(published, 'archive', folder), { recursive: true });
    await rename(made, join(published, 'archive', path));
    bytes.set(path, content);
    files.push({ path, ...(await spanOf(database, query)), size_bytes: content.length, sha256 });
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  await storeIndex(published, files);
  return { files, bytes, database };
}

/**
 * Replaces the index, as a publisher's last step.
 *
 * @param ageMs how long ago the files of the old index are said to have been replaced.
 */
export async function storeIndex(
  published: string,
  files: readonly StoredFile[],
  ageMs = 0,
): Promise<void> {
  const path = join(published, 'archive', 'index.json');
  const text = await readFile(path, 'utf8').catch(() => '');
  const before = (text === '' ? {} : JSON.parse(text)) as Index;
  const named = new Set(files.map((file) => file.path));
  const replaced_at_utc = `${new Date(Date.now() - ageMs).toISOString().slice(0, 19)}Z`;
  const replaced = (before.files ?? [])
    .filter((file) => !named.has(file.path))
    .map((file) => ({ ...file, replaced_at_utc }));
  const index = { generated_at_utc: '2026-01-10T06:00:00Z', files, replaced };
  await writeFile(`${path}.new`, `${JSON.stringify(index)}\n`);
  await rename(`${path}.new`, path);
}

export async function removeArchive(published: string): Promise<void> {
  await rm(join(published, 'archive', 'index.json'));
}

async function spanOf(
  database: DuckDb,
  query: string,
): Promise<Pick<StoredFile, 'from' | 'to' | 'rows'>> {
  const time = /^FROM (observations|daily) /.exec(query)?.[1];
  const column = time === 'observations' ? 'time_start_utc' : 'date';
  const text = (end: string): string =>
    time === undefined ? 'NULL' : `strftime(${end}(${column})::TIMESTAMP, '%Y-%m-%dT%H:%M:%SZ')`;
  const [row] = await database.rows(
    `SELECT CAST(count(*) AS INTEGER) AS rows, ${text('min')} AS first, ${text('max')} AS last FROM (${query})`,
  );
  const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return { from: textOf(row?.['first']), to: textOf(row?.['last']), rows: Number(row?.['rows']) };
}
