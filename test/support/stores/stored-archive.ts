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
  readonly bytes: ReadonlyMap<string, Buffer>;
  /** A database with the files' contents in the tables `observations`, `daily`, `monthly`, `stations` and `parameters`. */
  readonly database: DuckDb;
}

/** Contents of the archive: hourly values of three parameters at each station. */
export interface ArchiveOptions {
  /** Such as `2025-11`, ascending. */
  readonly months: readonly string[];
  readonly stations?: number;
  readonly first?: number;
  /** Ids of stations to leave out; default: 9, which the test documents hide. */
  readonly without?: readonly number[];
  /** SQL that changes the table `observations` before the files are made. */
  readonly changes?: string;
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
  const values: Readonly<Record<string, string>> = {
    first: String(first),
    end: String(first + stations),
    without: [0, ...without].join(),
    starts: starts.join(', '),
  };
  const sql = await readFile('test/fixtures/archive/observations.sql', 'utf8');
  await database.rows(sql.replaceAll(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? ''));
  if (changes !== '') await database.rows(changes);
  await database.rows(await readFile('test/fixtures/archive/tables.sql', 'utf8'));
  const parts: (readonly [folder: string, query: string, order: string])[] = [
    ['stations', 'FROM stations', 'CAST(station_id AS BIGINT)'],
    ['parameters', 'FROM parameters', 'parameter_code'],
    ['monthly', 'FROM monthly', `${ORDER}, month, unit`],
  ];
  for (const month of months) {
    const folder = `observations/year=${month.slice(0, 4)}/month=${month.slice(5)}`;
    const query = `FROM observations WHERE strftime(time_start_utc, '%Y-%m') = '${month}'`;
    parts.push([folder, query, `${ORDER}, time_start_utc`]);
  }
  for (const year of new Set(months.map((month) => month.slice(0, 4)))) {
    const query = `FROM daily WHERE year(date) = ${year}`;
    parts.push([`daily/year=${year}`, query, `${ORDER}, date, unit`]);
  }
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

/** Replaces the index, as a publisher's last step; it says that the old files were replaced `ageMs` ago. */
export async function storeIndex(
  published: string,
  files: readonly StoredFile[],
  ageMs = 0,
): Promise<void> {
  const path = join(published, 'archive', 'index.json');
  const text = await readFile(path, 'utf8').catch(() => '');
  const before = (text === '' ? {} : JSON.parse(text)) as Partial<Pick<StoredArchive, 'files'>>;
  const named = new Set(files.map((file) => file.path));
  const replaced_at_utc = `${new Date(Date.now() - ageMs).toISOString().slice(0, 19)}Z`;
  const gone = (before.files ?? []).filter((file) => !named.has(file.path));
  const replaced = gone.map((file) => ({ ...file, replaced_at_utc }));
  const zone = { time_zone: 'Europe/Belgrade' };
  const index = { generated_at_utc: '2026-01-10T06:00:00Z', ...zone, files, replaced };
  await writeFile(`${path}.new`, `${JSON.stringify(index)}\n`);
  await rename(`${path}.new`, path);
}

export async function removeArchive(published: string): Promise<void> {
  await rm(join(published, 'archive', 'index.json'));
}

/** Times of the first and last row, null in tables without times, and the number of rows. */
async function spanOf(database: DuckDb, query: string) {
  const [, table] = /^FROM (observations|daily|monthly)/.exec(query) ?? [];
  const column = { observations: 'time_start_utc', monthly: 'month' }[String(table)] ?? 'date';
  const text = (end: string): string =>
    table === undefined ? 'NULL' : `strftime(${end}(${column})::TIMESTAMP, '%Y-%m-%dT%H:%M:%SZ')`;
  const [row = {}] = await database.rows(
    `SELECT CAST(count(*) AS INTEGER) AS rows, ${text('min')} AS first, ${text('max')} AS last FROM (${query})`,
  );
  const { rows, first, last } = row as { rows: number; first: string | null; last: string | null };
  return { from: first, to: last, rows };
}
