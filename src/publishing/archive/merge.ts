/**
 * Merges an addition into the files of the archive (`docs/operations/archive.md`): SQL over Parquet in DuckDB, on one
 * thread and in order, so that the same rows give the same bytes.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { hiddenPart } from '../../snapshot/domain/public.js';
import { Problems } from '../../snapshot/document/problems.js';
import { createPeriods, monthOf, RUNNING_HOURS, startOfMonth } from '../../snapshot/domain/days.js';
import { prettyUnit } from '../../snapshot/domain/units.js';
import {
  HOUR_MS,
  RETENTION_DAYS,
  retentionFromMs,
  utcDateTime,
} from '../../snapshot/domain/windows.js';
import { createZoneClock, DAY_HOURS, DAY_MS } from '../../snapshot/domain/zone-clock.js';
import { fieldsOf, HVD_COMPONENTS, type Field } from '../../views/hvd/fields.js';
import { viewHvdParameters, viewHvdStations } from '../../views/hvd/station-records.js';
import { quoted, type Database } from '../sql/database.js';
import {
  monthFolder,
  monthOfFolder,
  NO_SNAPSHOT_MS,
  utcMonthOf,
  type Addition,
  type WorkOptions,
} from './addition.js';
import { appendPeriods, periodRows } from './periods.js';
import { markTimesAsUtc } from './utc-times.js';

/** Number of repeated hours that a refusal lists. */
const MAX_REPEATED = 20;

/** Rows of a row group: balances the size of the footer and of groups for a reader of one series. */
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

/** Row keys and sort orders of the lists of stations and parameters with rows. */
const LISTS = {
  stations: { key: 'station_id', order: 'CAST(station_id AS BIGINT)' },
  parameters: { key: 'parameter_code', order: 'parameter_code' },
} as const;
type List = keyof typeof LISTS;

const KEY = 'station_id, parameter_code, time_start_utc';

const ORDER = `${LISTS.stations.order}, ${LISTS.parameters.order}`;

/** Columns of times of files other than days and months. */
const TIMES: ReadonlyMap<string, readonly string[]> = new Map(
  HVD_COMPONENTS.map((component) => [
    component,
    fieldsOf(component).flatMap(({ name, type }) => (type === 'datetime' ? name : [])),
  ]),
);

export interface MergeOptions extends WorkOptions {
  /** Database that can read and write files in `root`. */
  readonly database: Database;
  /** Folders with a file, such as `observations/year=2026/month=09`. */
  readonly folders: readonly string[];
  /** Downloads a folder's file, and returns the path of the copy; undefined without a file. */
  readonly fetch: (folder: string) => Promise<string | undefined>;
  /** Time of the newest snapshot, possibly the added one; `NO_SNAPSHOT_MS` without one. */
  readonly newestMs: number;
  /** Time of the newest snapshot before. */
  readonly beforeMs: number;
  /** Whether the archive's days are missing, or those of another clock. */
  readonly remakesDays: boolean;
}

/** Numbers of rows of past years, compared with the archive. */
export interface MergeCounts {
  readonly new: number;
  readonly equal: number;
  /** Rows with another value or unit. */
  readonly different: number;
  /** Rows within the newest snapshot's retention window, which are ignored. */
  readonly retained: number;
}

/**
 * Merges the added months, with their days and months by the network's clock. Merges all months where a station or
 * parameter has become hidden or may have lost its last row.
 *
 * @throws {DocumentError} for a repeated hour.
 * @throws {SqlError} with DuckDB's message; and what `fetch` and `readHiding` throw.
 */
export async function mergeAddition(
  addition: Addition,
  options: MergeOptions,
): Promise<Pick<Merge, 'files' | 'counts'>> {
  const lists = await writeLists(addition.publicSnapshot, options);
  const hidden = hiddenBy(await addition.readHiding());
  const merge = new Merge({ ...addition, ...options, lists, hidden });
  await merge.refuseOtherUnits();
  await merge.mergeMonths([...addition.rows.keys()]);
  const isAll = await merge.hasHiddenOrEmptySeries();
  const others = options.folders.filter(
    (one) => one.startsWith('observations/') && !addition.rows.has(one),
  );
  if (isAll) await merge.mergeMonths(others);
  await merge.mergePeriods(options.remakesDays ? others : []);
  await merge.mergeList('stations', isAll);
  await merge.mergeList('parameters', isAll);
  return merge;
}

type OfLists = Readonly<Record<List, string>>;

interface MergeInput extends Addition, MergeOptions {
  readonly lists: OfLists;
  readonly hidden: OfLists;
}

async function writeLists(publicSnapshot: Snapshot, { root }: MergeOptions): Promise<OfLists> {
  const write = async (list: List, records: readonly object[]): Promise<string> => {
    const json = join(root, `fresh-${list}.json`);
    await writeFile(json, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    const columns = fieldsOf(list).map(({ name, type }) => `${name}: '${SQL_TYPES[type]}'`);
    return `read_json(${quoted(json)}, format = 'nd', columns = {${columns.join(', ')}})`;
  };
  return {
    stations: await write('stations', viewHvdStations(publicSnapshot.stations, publicSnapshot)),
    parameters: await write('parameters', viewHvdParameters(publicSnapshot.components)),
  };
}

/** SQL conditions for the stations and parameters that a snapshot hides. */
function hiddenBy(snapshot: Snapshot | undefined): OfLists {
  const { stationIds, parameterCodes } = hiddenPart(snapshot ?? { stations: [], components: [] });
  return {
    stations: `list_contains(${texts(stationIds)}::VARCHAR[], station_id)`,
    parameters: `list_contains(${texts(parameterCodes)}::VARCHAR[], parameter_code)`,
  };
}

class Merge {
  /** Local paths of the written files by folder; files may be unchanged or empty. */
  readonly files = new Map<string, string>();
  /** Zeros for a snapshot. */
  readonly counts = { new: 0, equal: 0, different: 0, retained: 0 };
  readonly #input: MergeInput;
  readonly #units = new Set(['']);

  constructor(input: MergeInput) {
    this.#input = input;
  }

  /** Refuses parameters whose unit differs from the archive's last unit. */
  async refuseOtherUnits(): Promise<void> {
    const { lists, database, refuse } = this.#input;
    const before = await this.#before('parameters', lists.parameters);
    await this.#learnUnits(before, lists.parameters);
    const others = await database.texts(
      `SELECT parameter_code, fresh.unit, before.unit
      FROM ${lists.parameters} AS fresh JOIN ${before} AS before USING (parameter_code)
      WHERE notation(fresh.unit) <> notation(before.unit) ORDER BY ALL`,
    );
    refuse(
      others.map(([code = '', unit = '', was = '']) => ({
        gate: 'unit',
        message: `${code} is in ${unit} here, and in ${was} in the archive`,
      })),
    );
  }

  /** Whether a station or parameter is hidden, or has lost its last row in the merged months. */
  async hasHiddenOrEmptySeries(): Promise<boolean> {
    const { fetch, lists, hidden } = this.#input;
    const fetched = await Promise.all([...this.files.keys()].map(fetch));
    const months = fetched.filter((one) => one !== undefined);
    for (const list of ['stations', 'parameters'] as const) {
      const { key } = LISTS[list];
      if (months.length > 0 && (await fetch(list)) === undefined) return true;
      const before = await this.#before(list, lists[list]);
      if (await this.#has(`FROM ${before} WHERE ${hidden[list]}`)) return true;
      if (months.length === 0) continue;
      const had = `SELECT ${key} FROM ${parquet(months)}`;
      if (await this.#has(`${had} EXCEPT SELECT ${key} FROM ${this.#months()}`)) return true;
    }
    return false;
  }

  /**
   * A snapshot replaces all rows of its retention window. Past years add missing rows outside of that window, and
   * replace different ones where the command allows it.
   */
  async mergeMonths(months: readonly string[]): Promise<void> {
    const { rows, publicSnapshot, isNewer, overwrites, newestMs, hidden, onProgress } = this.#input;
    const generatedAt = timestamp(publicSnapshot.header.generatedAtMs);
    // Readers that follow `updated_at_utc` must see corrections of past years.
    const changedAt = isNewer ? generatedAt : timestamp(Date.now());
    const window = newestMs === NO_SNAPSHOT_MS ? 'false' : isRetained(newestMs);
    const kinds = overwrites ? `'new', 'different'` : `'new'`;
    const isShown = `NOT ${hidden.stations} AND NOT ${hidden.parameters}`;
    const none = `(FROM ${parquet([...rows.values()][0] ?? [])} WHERE false)`;
    for (const [at, month] of months.entries()) {
      onProgress('merging', at, months.length);
      const paths = rows.get(month) ?? [];
      const fresh = paths.length === 0 ? none : parquet(paths);
      if (paths.length > 1) await this.#refuseRepeated(fresh);
      const before = await this.#before(month, none);
      await this.#learnUnits(before, fresh);
      const compared = `
        WITH before AS (FROM ${before} WHERE ${isShown}),
        fresh AS (FROM ${fresh} WHERE ${isShown}),
        compared AS (
          SELECT CASE WHEN before.station_id IS NULL THEN 'new'
              WHEN before.value IS NOT DISTINCT FROM fresh.value
                AND notation(before.unit) = notation(fresh.unit) THEN 'equal'
              ELSE 'different' END AS kind,
            fresh.* REPLACE (
              coalesce(before.published_at_utc, ${generatedAt}) AS published_at_utc,
              CASE kind WHEN 'new' THEN ${generatedAt} WHEN 'different' THEN ${changedAt}
                ELSE before.updated_at_utc END AS updated_at_utc)
          FROM fresh LEFT JOIN before USING (${KEY}))`;
      const taken = isNewer ? 'true' : `kind IN (${kinds}) AND NOT ${window}`;
      const stays = isNewer ? `NOT ${window}` : 'true';
      const others = overwrites ? `ANTI JOIN (FROM compared WHERE ${taken}) USING (${KEY})` : '';
      await this.#write(
        month,
        `${compared} SELECT * EXCLUDE (kind) FROM compared WHERE ${taken}
        UNION ALL BY NAME FROM before ${others} WHERE ${stays}`,
        `${ORDER}, time_start_utc`,
      );
      if (!isNewer && paths.length > 0) await this.#count(compared, window);
    }
  }

  async #count(compared: string, window: string): Promise<void> {
    const counts = await this.#input.database.texts(
      `${compared} SELECT CASE WHEN ${window} THEN 'retained' ELSE kind END AS what, count(*)
      FROM compared GROUP BY what`,
    );
    const numbers = new Map(counts.map(([what, number]) => [what, Number(number)]));
    for (const what of ['new', 'equal', 'different', 'retained'] as const) {
      this.counts[what] += numbers.get(what) ?? 0;
    }
  }

  /**
   * Replaces the days and months with hours of merged or other UTC months, or in whose eight hours such hours are; a
   * period has a row for each unit.
   */
  async mergePeriods(others: readonly string[]): Promise<void> {
    const { root, database, timeZone, newestMs, beforeMs } = this.#input;
    const clock = createZoneClock(timeZone);
    const endHour = newestMs === NO_SNAPSHOT_MS ? Infinity : newestMs / HOUR_MS;
    const periods = createPeriods(clock, endHour);
    const hours = [...this.files.keys(), ...others].flatMap((folder) => {
      const month = monthOfFolder(folder);
      return [startOfMonth(month) * DAY_HOURS, startOfMonth(month + 1) * DAY_HOURS - 1];
    });
    // The last eight hours of the snapshot before had not ended.
    if (beforeMs !== NO_SNAPSHOT_MS) hours.push(beforeMs / HOUR_MS);
    const local = hours.flatMap((hour) => [hour, hour + RUNNING_HOURS - 1].map(clock.local));
    const months = [...new Set(local.map(({ day }) => monthOf(day)))].sort((a, b) => a - b);
    const [daily, monthly] = [join(root, 'daily.json'), join(root, 'monthly.json')];
    await writeFile(monthly, '');
    for (const year of new Set(months.map((month) => Math.floor(month / 12)))) {
      await writeFile(daily, '');
      for (const month of months.filter((one) => Math.floor(one / 12) === year)) {
        const from = periods.firstHourOf(startOfMonth(month)) - RUNNING_HOURS;
        const rows = await this.#hoursOf(from, periods.firstHourOf(startOfMonth(month + 1)));
        if (rows === undefined) continue;
        await appendPeriods(rows, month, { database, periods, daily, monthly });
      }
      await this.#writePeriods(`daily/year=${year}`, periodRows('daily', daily), 'date', months);
    }
    await this.#writePeriods('monthly', periodRows('monthly', monthly), 'month', months);
  }

  /** SQL for the rows between two hours, with a column `hour`; undefined where there are no files. */
  async #hoursOf(from: number, to: number): Promise<string | undefined> {
    const paths: string[] = [];
    for (let month = utcMonthOf(from); month <= utcMonthOf(to - 1); month += 1) {
      const folder = monthFolder(month);
      const path = this.files.get(folder) ?? (await this.#input.fetch(folder));
      if (path !== undefined) paths.push(path);
    }
    if (paths.length === 0) return undefined;
    await this.#learnUnits(parquet(paths));
    const [first, end] = [timestamp(from * HOUR_MS), timestamp(to * HOUR_MS)];
    return `(SELECT *, epoch_ms(time_start_utc) / ${HOUR_MS} AS hour FROM ${parquet(paths)}
      WHERE time_start_utc >= ${first} AND time_start_utc < ${end})`;
  }

  /** Writes periods, with those before of other months. */
  async #writePeriods(folder: string, rows: string, start: string, months: readonly number[]) {
    const month = `year(${start}) * 12 + month(${start}) - 1`;
    const others = `${await this.#before(folder, rows)} WHERE ${month} NOT IN (${months.join()})`;
    const all = `FROM ${rows} UNION ALL BY NAME FROM ${others}`;
    await this.#write(folder, all, `${ORDER}, ${start}, unit`);
  }

  /** Lists the stations or parameters with rows, as last described. @param isAll whether all months were merged. */
  async mergeList(list: List, isAll: boolean): Promise<void> {
    const { key, order } = LISTS[list];
    const { isNewer, lists } = this.#input;
    const before = await this.#before(list, lists[list]);
    const [newer, older] = isNewer ? [lists[list], before] : [before, lists[list]];
    const rows = `SELECT ${key} FROM ${this.#months()}`;
    const known = isAll ? rows : `${rows} UNION SELECT ${key} FROM ${before}`;
    await this.#write(
      list,
      `FROM (FROM ${newer} UNION ALL BY NAME
          FROM ${older} WHERE ${key} NOT IN (SELECT ${key} FROM ${newer}))
        WHERE ${key} IN (${known})`,
      order,
    );
  }

  /** Defines an SQL macro for the units of rows: which texts are the same unit. */
  async #learnUnits(...relations: readonly string[]): Promise<void> {
    const { database } = this.#input;
    const rows = relations
      .map((relation) => `SELECT DISTINCT unit FROM ${relation}`)
      .join(' UNION ');
    for (const [unit = ''] of await database.texts(rows)) this.#units.add(unit);
    const units = [...this.#units];
    const notations = units.map((one) => `WHEN ${quoted(one)} THEN ${quoted(prettyUnit(one))}`);
    await database.run(
      `CREATE OR REPLACE MACRO notation(text) AS CASE text ${notations.join(' ')} ELSE text END`,
    );
  }

  async #refuseRepeated(rows: string): Promise<void> {
    const repeated = await this.#input.database.texts(
      `SELECT station_id, parameter_code, strftime(time_start_utc, '%Y-%m-%d %H:%M') FROM ${rows}
      GROUP BY ALL HAVING count(*) > 1 ORDER BY ALL LIMIT ${MAX_REPEATED}`,
    );
    const problems = new Problems();
    for (const [station = '', code = '', time = ''] of repeated) {
      problems.add('measurements', `repeats station ${station}, component ${code}, ${time}`);
    }
    problems.throwIfAny();
  }

  async #has(query: string): Promise<boolean> {
    return (await this.#input.database.texts(`${query} LIMIT 1`)).length > 0;
  }

  /** SQL for the rows of a folder in the archive; without a file, for an empty table with the columns of `like`. */
  async #before(folder: string, like: string): Promise<string> {
    const path = await this.#input.fetch(folder);
    return path === undefined ? `(FROM ${like} WHERE false)` : parquet([path]);
  }

  #months(): string {
    const merged = [...this.files.keys()].filter((one) => one.startsWith('observations/'));
    return parquet(merged.map((month) => this.files.get(month) ?? ''));
  }

  /** Writes a file, with Snappy as in the bulk file: every reader of Parquet supports it. */
  async #write(folder: string, query: string, order: string): Promise<void> {
    const path = join(this.#input.root, `new-${folder.replaceAll('/', '-')}.parquet`);
    const times = TIMES.get(folder.split('/')[0] ?? '') ?? ['published_at_utc', 'updated_at_utc'];
    const inMs = times.map((one) => `CAST(CAST(${one} AS TIMESTAMP) AS TIMESTAMP_MS) AS ${one}`);
    const columns = inMs.length === 0 ? '*' : `* REPLACE (${inMs.join(', ')})`;
    await this.#input.database.run(`COPY (SELECT ${columns} FROM (${query}) ORDER BY ${order})
      TO ${quoted(path)} (FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE ${GROUP_ROWS})`);
    await markTimesAsUtc(path, times.length);
    this.files.set(folder, path);
  }
}

function isRetained(generatedAtMs: number): string {
  // Rows start at whole minutes.
  const fromMs = retentionFromMs(generatedAtMs);
  const [first, end] = [fromMs, fromMs + RETENTION_DAYS * DAY_MS].map(timestamp);
  return `(time_start_utc >= ${first} AND time_start_utc < ${end})`;
}

function timestamp(epochMs: number): string {
  return `TIMESTAMPTZ '${utcDateTime(epochMs)}'`;
}

function texts(values: readonly string[]): string {
  return `[${values.map((one) => quoted(one)).join(', ')}]`;
}

function parquet(paths: readonly string[]): string {
  return `read_parquet(${texts(paths)}, hive_partitioning = false)`;
}
