/**
 * The rows of one snapshot and the files of the archive → new files (`docs/operations/archive.md`). All of it is SQL over
 * Parquet in DuckDB, on one thread and in order, so that the same rows give the same bytes.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { Problems } from '../../snapshot/document/problems.js';
import { inObservationOrder } from '../../snapshot/domain/observation-order.js';
import { publicPart } from '../../snapshot/domain/public.js';
import { HOUR_MS, retainedHours, utcDateTime } from '../../snapshot/domain/windows.js';
import { DATA_STATUS, fieldsOf, type Field } from '../../views/hvd/fields.js';
import { viewHvdParameters, viewHvdStations } from '../../views/hvd/records.js';
import { observationsParquet } from '../../workers/formats/parquet/observations-parquet.js';
import { quoted, type Database } from '../sql/database.js';

/** Hours that are there twice, of which a refusal tells. */
const MAX_REPEATED = 20;

/** A reader of one station and parameter reads the footer and the groups that may have it: both are about as large then. */
const GROUP_ROWS = 10_240;

const SQL_TYPES = {
  string: 'VARCHAR',
  enum: 'VARCHAR',
  decimal: 'DOUBLE',
  integer: 'BIGINT',
  boolean: 'BOOLEAN',
  datetime: 'TIMESTAMPTZ',
  date: 'DATE',
} as const satisfies Record<Field['type'], string>;

/** The lists of those that have a row: what each is sorted by, and found by in rows. */
const LISTS = {
  stations: { key: 'station_id', order: 'CAST(station_id AS BIGINT)' },
  parameters: { key: 'parameter_code', order: 'parameter_code' },
} as const;
type List = keyof typeof LISTS;

const ORDER = `${LISTS.stations.order}, ${LISTS.parameters.order}`;

export interface MergeOptions {
  readonly database: Database;
  /** A local folder that the database may read and write. */
  readonly root: string;
  /** The folders of the archive that have a file, such as `observations/year=2026/month=09`. */
  readonly folders: readonly string[];
  /** Path of a local copy of the file in a folder of the archive; undefined where it has none. */
  readonly fetch: (folder: string) => Promise<string | undefined>;
}

/**
 * Paths of new files by their folders in the archive, also of those that are as before and of those without a row. Only the
 * months of the snapshot's retention window are read, and the daily values of their years; but all months where somebody
 * has become hidden, or may have no row any more.
 *
 * @throws {SqlError} in DuckDB's own words; and what `fetch` throws.
 */
export async function mergeSnapshot(
  snapshot: Snapshot,
  options: MergeOptions,
): Promise<ReadonlyMap<string, string>> {
  const { folders } = options;
  const shown = publicPart(snapshot);
  const merge = new Merge(options, await writeLists(shown, options), snapshot);
  const rows = await writeRows(shown, options);
  const { from, to } = retainedHours(snapshot.header.generatedAtMs);
  const hours = Array.from({ length: to - from }, (_, at) => from + at);
  const open = new Set(hours.map(monthOf));
  const all = new Set([...open, ...folders.filter((one) => one.startsWith('observations/'))]);
  const isAll = await merge.hidesSomebody();
  await merge.mergeMonths(rows, { months: isAll ? all : open, snapshot });
  const hasLost = !isAll && (await merge.hasLostSomebody());
  if (hasLost) await merge.mergeMonths(rows, { months: all, snapshot });
  await merge.mergeDays();
  for (const list of ['stations', 'parameters'] as const) {
    await merge.mergeList(list, { isAll: isAll || hasLost, isNewer: true });
  }
  return merge.files;
}

/** Tables of years past, checked. */
export interface PastTables {
  /** Their lists, generated one hour after the newest row; its rows are some of them. */
  readonly snapshot: Snapshot;
  /** Paths of files of rows that are shown, by the folder of their month in the archive. */
  readonly months: ReadonlyMap<string, readonly string[]>;
  /** Names of files that no statement of `bura.sql` has read. */
  readonly unread: readonly string[];
}

/**
 * The same of tables: they add the rows that the archive does not have, but of no hour that is the newest snapshot's.
 *
 * @param options.since when the newest snapshot was generated, epoch milliseconds; undefined where there is none.
 * @param options.active what is hidden in it is left out; undefined where there is none.
 * @throws {DocumentError} for an hour that is there twice.
 */
export async function mergeTables(
  { snapshot, months }: PastTables,
  options: MergeOptions & {
    readonly since: number | undefined;
    readonly active: Snapshot | undefined;
    readonly onProgress: (doneMonths: number, months: number) => void;
  },
): Promise<ReadonlyMap<string, string>> {
  const { since, active, onProgress } = options;
  const merge = new Merge(options, await writeLists(publicPart(snapshot), options), active);
  const window = since === undefined ? 'false' : isRetained(since);
  let done = 0;
  for (const [month, paths] of months) {
    onProgress(done, months.size);
    await merge.addMonth(month, { fresh: parquet(paths), window, snapshot });
    done += 1;
  }
  await merge.mergeDays();
  for (const list of ['stations', 'parameters'] as const) {
    await merge.mergeList(list, { isAll: false, isNewer: false });
  }
  return merge.files;
}

/** Relations that DuckDB reads. */
type Lists = Record<List, string>;

async function writeRows(shown: Snapshot, { root }: MergeOptions): Promise<string> {
  const { header, components, observations } = shown;
  const series = inObservationOrder(observations.series, components);
  const path = join(root, 'fresh.parquet');
  await writeFile(path, observationsParquet({ header, observations, series, metadata: {} }));
  return parquet([path]);
}

async function writeLists(shown: Snapshot, { root }: MergeOptions): Promise<Lists> {
  const write = async (list: List, records: readonly object[]): Promise<string> => {
    const json = join(root, `fresh-${list}.json`);
    await writeFile(json, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const columns = fieldsOf(list).map(({ name, type }) => `${name}: '${SQL_TYPES[type]}'`);
    return `read_json(${quoted(json)}, format = 'nd', columns = {${columns.join(', ')}})`;
  };
  return {
    stations: await write('stations', viewHvdStations(shown.stations, shown)),
    parameters: await write('parameters', viewHvdParameters(shown.components)),
  };
}

class Merge {
  /** New files by folder. */
  readonly files = new Map<string, string>();
  readonly #options: MergeOptions;
  readonly #lists: Lists;
  /** Conditions, of those that the snapshot hides. */
  readonly #hidden: Record<List, string>;

  constructor(options: MergeOptions, lists: Lists, snapshot: Snapshot | undefined) {
    this.#options = options;
    this.#lists = lists;
    const { stations, components } = snapshot ?? { stations: [], components: [] };
    const shown = new Set(components.flatMap((one) => (one.public ? one.shortName : [])));
    const codes = components.flatMap(({ shortName }) => (shown.has(shortName) ? [] : shortName));
    const ids = stations.flatMap((one) => (one.public ? [] : String(one.id)));
    this.#hidden = {
      stations: isOneOf('station_id', ids),
      parameters: isOneOf('parameter_code', codes),
    };
  }

  /** Whether the archive has somebody whom the snapshot hides. */
  async hidesSomebody(): Promise<boolean> {
    for (const list of ['stations', 'parameters'] as const) {
      const before = await this.#options.fetch(list);
      const found = `FROM ${parquet([before ?? ''])} WHERE ${this.#hidden[list]} LIMIT 1`;
      if (before !== undefined && (await this.#has(found))) return true;
    }
    return false;
  }

  /** Whether the months that were merged had somebody whom they have no more. */
  async hasLostSomebody(): Promise<boolean> {
    const months = [...this.files.keys()];
    const before = (await Promise.all(months.map(this.#options.fetch))).filter(
      (one) => one !== undefined,
    );
    if (before.length === 0) return false;
    for (const { key } of Object.values(LISTS)) {
      const had = `SELECT ${key} FROM ${parquet(before)}`;
      if (await this.#has(`${had} EXCEPT SELECT ${key} FROM ${this.#months()} LIMIT 1`))
        return true;
    }
    return false;
  }

  /** The newest wins: within the retention window nothing is kept that the snapshot does not have. */
  async mergeMonths(
    rows: string,
    { months, snapshot }: { readonly months: Iterable<string>; readonly snapshot: Snapshot },
  ): Promise<void> {
    const { generatedAtMs } = snapshot.header;
    const generatedAt = timestamp(generatedAtMs);
    for (const month of months) {
      const before = await this.#before(month, rows);
      const { stations, parameters } = this.#hidden;
      const first = Date.parse(month.replace(/\D+(\d+)\D+(\d+)/, '$1-$2-01T00:00:00Z'));
      const next = new Date(first).setUTCMonth(new Date(first).getUTCMonth() + 1);
      await this.#write(
        month,
        `WITH before AS (FROM ${before} WHERE NOT (${stations}) AND NOT (${parameters})),
          fresh AS (FROM ${rows} WHERE ${isBetween(first, next)})
        SELECT fresh.* REPLACE (
          coalesce(before.published_at_utc, ${generatedAt}) AS published_at_utc,
          CASE WHEN before.station_id IS NULL OR before.value IS DISTINCT FROM fresh.value
            THEN ${generatedAt} ELSE before.updated_at_utc END AS updated_at_utc)
        FROM fresh LEFT JOIN before USING (station_id, parameter_code, time_start_utc)
        UNION ALL BY NAME
        FROM before WHERE NOT ${isRetained(generatedAtMs)}`,
        `${ORDER}, time_start_utc`,
      );
    }
  }

  /** What is there stays, and nothing is added where the condition `window` holds. */
  async addMonth(
    month: string,
    of: { readonly fresh: string; readonly window: string; readonly snapshot: Snapshot },
  ): Promise<void> {
    const { fresh, window, snapshot } = of;
    const twice = await this.#options.database.texts(
      `SELECT station_id, parameter_code, strftime(time_start_utc, '%Y-%m-%d %H:%M') FROM ${fresh}
      GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL LIMIT ${MAX_REPEATED}`,
    );
    const problems = new Problems();
    for (const [station = '', code = '', time = ''] of twice) {
      problems.add('measurements', `repeats station ${station}, component ${code}, ${time}`);
    }
    problems.throwIfAny();
    const before = await this.#before(month, fresh);
    const { stations, parameters } = this.#hidden;
    const generatedAt = timestamp(snapshot.header.generatedAtMs);
    await this.#write(
      month,
      `SELECT * REPLACE (${generatedAt} AS published_at_utc, ${generatedAt} AS updated_at_utc)
      FROM ${fresh} ANTI JOIN ${before} AS before USING (station_id, parameter_code, time_start_utc)
      WHERE NOT ${window} AND NOT (${stations}) AND NOT (${parameters})
      UNION ALL BY NAME FROM ${before}`,
      `${ORDER}, time_start_utc`,
    );
  }

  /** The days of the months that were merged; the others of their years stay. */
  async mergeDays(): Promise<void> {
    const merged = [...this.files.keys()];
    for (const year of new Set(merged.map((month) => /\d{4}/.exec(month)?.[0] ?? ''))) {
      const months = merged.filter((month) => month.includes(`year=${year}`));
      const days = `SELECT station_id, parameter_code, CAST(time_start_utc AS DATE) AS date,
          favg(value) AS mean, min(value) AS minimum, max(value) AS maximum,
          CAST(count(value) AS INTEGER) AS hours,
          min(published_at_utc) AS published_at_utc, max(updated_at_utc) AS updated_at_utc,
          ${quoted(DATA_STATUS)} AS data_status
        FROM ${this.#months(months)} GROUP BY ALL`;
      const before = await this.#before(`daily/year=${year}`, `(${days})`);
      const others = months.map((month) => Number(month.slice(-2))).join(', ');
      await this.#write(
        `daily/year=${year}`,
        `${days} UNION ALL BY NAME FROM ${before} WHERE month(date) NOT IN (${others})`,
        `${ORDER}, date`,
      );
    }
  }

  /**
   * Everyone with a row, with the last description.
   *
   * @param options.isAll whether all months were merged. @param options.isNewer whether the archive's own is older.
   */
  async mergeList(
    list: List,
    { isAll, isNewer }: { readonly isAll: boolean; readonly isNewer: boolean },
  ): Promise<void> {
    const { key, order } = LISTS[list];
    const fresh = this.#lists[list];
    const before = await this.#before(list, fresh);
    const [newer, older] = isNewer ? [fresh, before] : [before, fresh];
    const rows = `SELECT ${key} FROM ${this.#months()}`;
    const known = isAll ? rows : `${rows} UNION SELECT ${key} FROM ${before}`;
    await this.#write(
      list,
      `FROM (FROM ${newer} UNION ALL BY NAME
          FROM ${older} WHERE NOT (${this.#hidden[list]}) AND ${key} NOT IN (SELECT ${key} FROM ${newer}))
        WHERE ${key} IN (${known})`,
      order,
    );
  }

  async #has(query: string): Promise<boolean> {
    return (await this.#options.database.texts(query)).length > 0;
  }

  /** What the archive has in a folder; where it has none, no rows like others. */
  async #before(folder: string, like: string): Promise<string> {
    const path = await this.#options.fetch(folder);
    return path === undefined ? `(FROM ${like} WHERE false)` : parquet([path]);
  }

  #months(months?: readonly string[]): string {
    const merged =
      months ?? [...this.files.keys()].filter((one) => one.startsWith('observations/'));
    return parquet(merged.map((month) => this.files.get(month) ?? ''));
  }

  /** Snappy, as the bulk file has it: every reader of Parquet knows it. */
  async #write(folder: string, query: string, order: string): Promise<void> {
    const path = join(this.#options.root, `new-${folder.replaceAll('/', '-')}.parquet`);
    await this.#options.database.run(`COPY (FROM (${query}) ORDER BY ${order})
      TO ${quoted(path)} (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${GROUP_ROWS})`);
    this.files.set(folder, path);
  }
}

/** The folder of the month of an hour since the epoch. */
export function monthOf(hour: number): string {
  const [year = '', month = ''] = utcDateTime(hour * HOUR_MS).split('-');
  return `observations/year=${year}/month=${month}`;
}

function isBetween(fromMs: number, toMs: number): string {
  return `(time_start_utc >= ${timestamp(fromMs)} AND time_start_utc < ${timestamp(toMs)})`;
}

function isRetained(generatedAtMs: number): string {
  const { from, to } = retainedHours(generatedAtMs);
  return isBetween(from * HOUR_MS, to * HOUR_MS);
}

function timestamp(epochMs: number): string {
  return `TIMESTAMPTZ '${utcDateTime(epochMs)}'`;
}

function isOneOf(column: string, values: readonly string[]): string {
  return values.length === 0
    ? 'false'
    : `${column} IN (${values.map((one) => quoted(one)).join(', ')})`;
}

function parquet(paths: readonly string[]): string {
  return `read_parquet([${paths.map((path) => quoted(path)).join(', ')}], hive_partitioning = false)`;
}
