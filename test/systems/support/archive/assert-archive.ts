/** Compares an archive with the expected one, read with hyparquet. */
import { createHash } from 'node:crypto';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { Test } from 'tap';
import type { Place } from './archive-place.js';
import { kindOf, type ArchivedRow, type Expected } from './archive-world.js';

/** Reads every file of the archive with hyparquet, and compares it with the expected rows. */
export async function assertArchive(
  t: Test,
  place: Pick<Place, 'files' | 'read'>,
  expected: Expected | undefined,
): Promise<void> {
  if (expected === undefined) throw new Error('there is no such step');
  const files = await place.files();
  const paths = files.map(({ path }) => path);
  t.strictSame(paths, paths.toSorted());
  const found = new Map<string, Record<string, unknown>[]>();
  for (const { path, rows, size_bytes: size, sha256, ...times } of files) {
    const bytes = await place.read(path);
    const digest = createHash('sha256').update(bytes).digest('hex');
    t.strictSame([bytes.length, digest], [size, sha256]);
    const read = await rowsOf(bytes);
    for (const [name, type] of timeTypesOf(bytes)) t.strictSame(type, MILLIS, `${path} ${name}`);
    const [folder = ''] = path.split(/\/[^/]+$/);
    t.equal(path, `${folder}/${sha256}.parquet`);
    found.set(folder, read);
    const keys = read.map((row) => timeOf(row['time_start_utc'] ?? row['date'])).sort();
    t.strictSame(
      { rows, ...times },
      { rows: read.length, from: keys[0] ?? null, to: keys.at(-1) ?? null },
    );
  }
  const byMonth = groupBy(expected.rows, ({ timeMs }) => {
    const [year = '', month = ''] = new Date(timeMs).toISOString().split('-');
    return `observations/year=${year}/month=${month}`;
  });
  const byYear = groupBy(
    expected.rows,
    ({ timeMs }) => `daily/year=${new Date(timeMs).getUTCFullYear()}`,
  );
  t.strictSame(
    [...found.keys()].sort(),
    [...byMonth.keys(), ...byYear.keys(), 'parameters', 'stations'].sort(),
  );
  for (const [folder, rows] of byMonth)
    t.strictSame(found.get(folder), rows.map(observationOf), folder);
  for (const [folder, rows] of byYear) assertDays(t, found.get(folder) ?? [], rows);
  const listed = (folder: string, key: string, name: string) =>
    new Map(found.get(folder)?.map((row) => [row[key], row[name]]));
  t.strictSame(listed('stations', 'station_id', 'station_name'), expected.stations);
  t.strictSame(listed('parameters', 'parameter_code', 'description'), expected.parameters);
}

/** The type of times, the same as in the bulk file. */
const MILLIS = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' };

function timeTypesOf(bytes: Buffer): readonly (readonly [string, unknown])[] {
  const { schema } = parquetMetadata(new Uint8Array(bytes).buffer);
  return schema.flatMap((one) =>
    one.name.endsWith('_utc') ? [[one.name, one.logical_type] as const] : [],
  );
}

async function rowsOf(bytes: Buffer): Promise<Record<string, unknown>[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  return await parquetReadObjects({ file });
}

function timeOf(value: unknown): string | undefined {
  return value instanceof Date ? `${value.toISOString().slice(0, 19)}Z` : undefined;
}

function observationOf(row: ArchivedRow) {
  const { station_id, parameter_code, timeMs, value, unit, publishedMs, updatedMs } = row;
  return {
    station_id,
    parameter_code,
    time_start_utc: new Date(timeMs),
    time_end_utc: new Date(timeMs + 3_600_000),
    value,
    unit,
    data_status: 'preliminary',
    aggregation_type: 'hourly_mean',
    published_at_utc: new Date(publishedMs),
    updated_at_utc: new Date(updatedMs),
    coverage: null,
  };
}

function assertDays(
  t: Test,
  found: readonly Record<string, unknown>[],
  rows: readonly ArchivedRow[],
): void {
  const days = groupBy(rows, ({ station_id, parameter_code, timeMs, unit }) => {
    const kind = kindOf(unit);
    return [station_id, parameter_code, new Date(timeMs).toISOString().slice(0, 10), kind].join(
      '|',
    );
  });
  const expected = [...days].map(([key, hours]) => {
    const values = hours.flatMap(({ value }) => value ?? []);
    const isEmpty = values.length === 0;
    const isDirection = key.endsWith('°');
    return [
      key.slice(0, key.lastIndexOf('|')),
      hours.at(-1)?.unit,
      isEmpty ? null : ((isDirection ? meanDirection(values) : meanOf(values))?.toFixed(6) ?? null),
      isEmpty || isDirection ? null : Math.min(...values),
      isEmpty || isDirection ? null : Math.max(...values),
      values.length,
      new Date(Math.min(...hours.map(({ publishedMs }) => publishedMs))),
      new Date(Math.max(...hours.map(({ updatedMs }) => updatedMs))),
      'preliminary',
    ];
  });
  const read = found.map((row) => [
    [row['station_id'], row['parameter_code'], timeOf(row['date'])?.slice(0, 10)].join('|'),
    row['unit'],
    typeof row['mean'] === 'number' ? row['mean'].toFixed(6) : row['mean'],
    ...['minimum', 'maximum', 'hours', 'published_at_utc', 'updated_at_utc', 'data_status'].map(
      (name) => row[name],
    ),
  ]);
  t.strictSame(read.map(String).sort(), expected.map(String).sort());
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The angle of the sum of unit vectors, clockwise from north, to nine digits; undefined where they cancel out. */
function meanDirection(degrees: readonly number[]): number | undefined {
  const turns = degrees.map((one) => (one * Math.PI) / 180);
  const [east, north] = [meanOf(turns.map(Math.sin)), meanOf(turns.map(Math.cos))];
  if (Math.hypot(east, north) < 1e-9) return undefined;
  const angle = (Math.atan2(east, north) * 180) / Math.PI;
  return Number((((angle % 360) + 360) % 360).toFixed(9));
}

function groupBy<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const key = keyOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}
