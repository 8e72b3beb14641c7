/** Tables of two years, and the expected archive, computed without the service's code. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Chance } from '../../../support/faults/chance.js';
import { inOrder, type ArchivedRow, type Expected } from './archive-world.js';

const HOUR_MS = 3_600_000;
const DAYS = 730;
/** Station 5 and SO2 are in no snapshot; station 7 and NO are hidden. */
const STATIONS = [2, 5, 10, 7] as const;
const COMPONENTS = ['PM10', 'SO2', 'm,p-Xylene', 'NO'] as const;
const HIDDEN: ReadonlySet<string> = new Set(['7', 'NO']);

interface PastRow {
  readonly station: number;
  readonly code: string;
  readonly timeMs: number;
  readonly value: number | null;
}

/** Rows of the two years before `endMs`, unordered; exactly one is in the last hour. */
export function pastRows(chance: Chance, endMs: number): readonly PastRow[] {
  const rows: PastRow[] = [{ station: 5, code: 'SO2', timeMs: endMs - HOUR_MS, value: 1 }];
  for (let hour = 2; hour < DAYS * 24; hour += 1) {
    for (const station of STATIONS) {
      if (chance.number() > 0.1) continue;
      const value = chance.number() < 0.05 ? null : chance.integer(4000) / 10 - 5;
      const code = chance.oneOf(COMPONENTS);
      rows.push({ station, code, timeMs: endMs - hour * HOUR_MS, value });
    }
  }
  return rows.toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0));
}

/** The expected archive after adding the rows. @param sinceMs generation time of the archive's newest snapshot. */
export function withPast(
  before: Expected | undefined,
  rows: readonly PastRow[],
  sinceMs = -Infinity,
): Expected {
  const keyOf = (row: Pick<ArchivedRow, 'station_id' | 'parameter_code' | 'timeMs'>): string =>
    `${row.station_id}|${row.parameter_code}|${row.timeMs}`;
  const union = new Map(before?.rows.map((row) => [keyOf(row), row]));
  const publishedMs = Math.max(...rows.map(({ timeMs }) => timeMs)) + HOUR_MS;
  const times = { publishedMs, updatedMs: publishedMs };
  for (const { station, code, timeMs, value } of rows) {
    if (HIDDEN.has(code) || HIDDEN.has(String(station))) continue;
    if (timeMs < sinceMs && timeMs >= sinceMs - 30 * 24 * HOUR_MS) continue;
    const row = { station_id: String(station), parameter_code: code, timeMs, value, unit: 'ppb' };
    const key = keyOf(row);
    if (!union.has(key)) union.set(key, { ...row, ...times });
  }
  const names = (
    keys: readonly string[],
    known: ReadonlyMap<string, string> | undefined,
    prefix: string,
  ) => {
    const sorted = [...new Set(keys)].sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1));
    return new Map(sorted.map((key) => [key, known?.get(key) ?? `${prefix}${key}`]));
  };
  const all = [...union.values()].sort(inOrder);
  return {
    rows: all,
    stations: names(
      all.map((row) => row.station_id),
      before?.stations,
      'Past S',
    ),
    parameters: names(
      all.map((row) => row.parameter_code),
      before?.parameters,
      'Past ',
    ),
  };
}

/** Writes the five tables as CSV files; that of the rows is gzipped. */
export async function writeCsv(folder: string, rows: readonly PastRow[]): Promise<void> {
  const lines = rows.map(({ station, code, timeMs, value }) => {
    const [date, time] = new Date(timeMs).toISOString().slice(0, 16).split('T');
    const component = COMPONENTS.findIndex((one) => one === code) + 1;
    return `${station},${component},${date ?? ''},${time ?? ''},${value ?? ''}`;
  });
  await writeLists(folder);
  const text = ['station_id,component_id,date,time,value', ...lines, ''].join('\n');
  await writeFile(join(folder, 'measurements.csv.gz'), gzipSync(text));
}

/** Writes an export whose `bura.sql` makes the same tables. */
export async function writeExport(folder: string, rows: readonly PastRow[]): Promise<void> {
  const lines = rows.map(({ station, code, timeMs, value }) => {
    return `${station};"${code}";${new Date(timeMs).toISOString()};${value ?? ''}\n`;
  });
  await writeLists(folder);
  await writeFile(join(folder, 'rows.txt'), lines.join(''));
  const lists = ['organizations', 'networks', 'stations', 'components'];
  const views = lists.map((list) => `CREATE VIEW ${list} AS FROM read_csv('${list}.csv');\n`);
  await writeFile(
    join(folder, 'bura.sql'),
    `${views.join('')} CREATE VIEW measurements AS FROM read_csv('rows.txt', delim = ';', header = false,
      columns = {station_id: INTEGER, short_name: VARCHAR, time_start_utc: TIMESTAMPTZ, value: DOUBLE});`,
  );
}

async function writeLists(folder: string): Promise<void> {
  await mkdir(folder);
  const isShown = (key: string | number): string => (HIDDEN.has(String(key)) ? '0' : '1');
  const tables = {
    organizations: ['organization_id,name,short_name', '1,Agency,A'],
    networks: ['network_id,network_code,name,short_name', '1,N,Network,N'],
    components: [
      'component_id,short_name,unit,description,public',
      ...COMPONENTS.map((code, at) => `${at + 1},"${code}",ppb,"Past ${code}",${isShown(code)}`),
    ],
    stations: [
      'station_id,station_name,station_code,organization_id,network_id,public',
      ...STATIONS.map((id) => `${id},Past S${id},S${id},1,1,${isShown(id)}`),
    ],
  };
  for (const [name, lines] of Object.entries(tables)) {
    await writeFile(join(folder, `${name}.csv`), [...lines, ''].join('\n'));
  }
}
