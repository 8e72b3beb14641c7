/** A store with an archive, what tests do with it, and its comparison with the expected one, read with hyparquet. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import type { Snapshot } from '../../../../src/snapshot/domain/model.js';
import {
  addToArchive,
  type ReadAddition,
} from '../../../../src/publishing/archive/add-to-archive.js';
import { chanceOf, type Chance } from '../../../support/faults/chance.js';
import {
  COMMAND,
  runBura,
  type CommandOptions,
  type CommandResult,
} from '../../../support/service/command.js';
import { storedAs } from '../../../support/stores/new-snapshot.js';
import { writableStore } from '../../../support/stores/open-writable.js';
import type { StoredFile } from '../../../support/stores/stored-archive.js';
import { kindOf, type ArchivedRow, type Expected, type Step } from './archive-world.js';

interface ArchivePlace {
  readonly address: string;
  readonly flip: (name: string, at: number) => Promise<void>;
  /** Makes an object appear two days older. */
  readonly age: (name: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
}

type Outcome = Readonly<{ code?: number; stdout?: string | RegExp; stderr?: string | RegExp }>;
export type Place = ArchivePlace & ReturnType<typeof placeOn> & { readonly folder: string };
export type MakePlace = (t: Test, folder: string) => Promise<ArchivePlace>;

export function placeOn(t: Test, address: string) {
  const store = writableStore({ address, keyPrefix: 'demo' });
  t.teardown(() => {
    store.close();
  });
  const bura = (words: readonly string[], options: CommandOptions = {}): Promise<CommandResult> =>
    runBura(words, { ...options, env: { SNAPSHOT_STORE: address, ...options.env } });
  /** Runs a command, which must end in this way; default: with exit code 0. */
  const run = async (words: readonly string[], outcome: Outcome = {}): Promise<void> => {
    t.match(await bura(words), { code: 0, ...outcome }, words.join(' '));
  };
  const indexText = async (): Promise<string> =>
    Buffer.from((await store.objects.read('archive/index.json')) ?? []).toString();
  return {
    objects: store.objects,
    read: async (name: string): Promise<Buffer> =>
      await buffer(await store.objects.open(`archive/${name}`)),
    bura,
    run,
    /** Runs `bura archive`; units of the worlds change. */
    archive: (words: readonly string[], outcome: Outcome = { stderr: /^$/ }): Promise<void> =>
      run(archiving(words), outcome),
    store: async (steps: readonly Step[]): Promise<void> => {
      for (const { id, document } of steps) {
        await store.store(storedAs(id, gzipSync(JSON.stringify(document))));
      }
    },
    indexText,
    files: async (): Promise<readonly StoredFile[]> => {
      const text = await indexText();
      return text === '' ? [] : (JSON.parse(text) as { files: StoredFile[] }).files;
    },
    /** Names of all stored Parquet files, whether the index names them or not. */
    stored: async (): Promise<readonly string[]> => {
      const objects = await store.objects.list('archive');
      return objects.flatMap(({ name }) => (name.endsWith('.parquet') ? name : [])).sort();
    },
    kill: async (words: readonly string[], afterMs: number): Promise<void> => {
      await bura(archiving(words), {
        onStart: (child) => void after(afterMs).then(() => child.kill('SIGKILL')),
      });
    },
    /** Adds to the archive, to which another process adds a snapshot just before the index is replaced. */
    addDuring: async (added: Snapshot | ReadAddition, other: Step): Promise<void> => {
      let merges = 0;
      await addToArchive(store.objects, added, {
        signal: new AbortController().signal,
        refuse: () => undefined,
        timeZone: 'Europe/Belgrade',
        onProgress: (step, done) => {
          if (step !== 'archiving' || done > 0 || (merges += 1) > 1) return;
          const env = { SNAPSHOT_STORE: address };
          execFileSync(process.execPath, [COMMAND, ...archiving([other.id])], { env });
        },
      });
      t.equal(merges, 2, 'it has merged anew');
    },
  };
}

export function archiving(words: readonly string[]): readonly string[] {
  return ['archive', ...words, '--allow', 'unit'];
}

export function testerOf(kind: string, makePlace: MakePlace) {
  return (name: string, body: (t: Test, place: Place, chance: Chance) => Promise<void>): void => {
    void t.test(`${kind}: ${name}`, async (t) => {
      const folder = t.testdir();
      const place = await makePlace(t, folder);
      await body(t, { ...place, folder, ...placeOn(t, place.address) }, chanceOf(t));
    });
  };
}

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
    const file = new Uint8Array(bytes).buffer;
    const read = await parquetReadObjects({ file });
    for (const { name, logical_type: type } of parquetMetadata(file).schema) {
      if (name.endsWith('_utc')) t.strictSame(type, MILLIS, `${path} ${name}`);
    }
    const [folder = ''] = path.split(/\/[^/]+$/);
    t.equal(path, `${folder}/${sha256}.parquet`);
    found.set(folder, read);
    const keys = read
      .map((row) => timeOf(row['time_start_utc'] ?? row['date'] ?? row['month']))
      .sort();
    const span = { from: keys[0] ?? null, to: keys.at(-1) ?? null };
    t.strictSame({ rows, ...times }, { rows: read.length, ...span });
  }
  const byMonth = groupBy(expected.rows, ({ timeMs }) => {
    const [year = '', month = ''] = new Date(timeMs).toISOString().split('-');
    return `observations/year=${year}/month=${month}`;
  });
  const byYear = groupBy(expected.rows, ({ timeMs }) => `daily/year=${dateOf(timeMs).slice(0, 4)}`);
  const folders = [...byMonth.keys(), ...byYear.keys(), 'monthly', 'parameters', 'stations'];
  t.strictSame([...found.keys()].sort(), folders.sort());
  for (const [folder, rows] of byMonth)
    t.strictSame(found.get(folder), rows.map(observationOf), folder);
  for (const [folder, rows] of byYear) assertPeriods(t, found.get(folder) ?? [], rows, 'date');
  assertPeriods(t, found.get('monthly') ?? [], expected.rows, 'month');
  const listed = (folder: string, key: string, name: string) =>
    new Map(found.get(folder)?.map((row) => [row[key], row[name]]));
  t.strictSame(listed('stations', 'station_id', 'station_name'), expected.stations);
  t.strictSame(listed('parameters', 'parameter_code', 'description'), expected.parameters);
}

/** Columns of a period that are compared as they are. */
const PLAIN =
  'sum minimum maximum hours hours_expected days published_at_utc updated_at_utc data_status';
/** The default clock of commands. */
const CLOCK = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Belgrade',
  dateStyle: 'short',
});
/** The type of times, the same as in the bulk file. */
const MILLIS = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' };

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

/** Dates by time: formatting is slow. */
const dates = new Map<number, string>();

function dateOf(timeMs: number): string {
  const date = dates.get(timeMs) ?? CLOCK.format(timeMs);
  dates.set(timeMs, date);
  return date;
}

/** Number of hours of a local day, `YYYY-MM-DD`, or of a month, `YYYY-MM`. */
function hoursOf(period: string): number {
  const middleMs = Date.parse(period);
  const around = Array.from({ length: 33 * 24 }, (_, at) => middleMs + (at - 24) * 3_600_000);
  return around.filter((timeMs) => dateOf(timeMs).startsWith(period)).length;
}

/** Compares days or months; the highest means of eight hours are compared in `test/differential`. */
function assertPeriods(
  t: Test,
  found: readonly Record<string, unknown>[],
  rows: readonly ArchivedRow[],
  start: 'date' | 'month',
): void {
  const length = start === 'date' ? 10 : 7;
  const lengths = new Map<string, number>();
  const expectedHours = (period: string): number => {
    const hours = lengths.get(period) ?? hoursOf(period);
    lengths.set(period, hours);
    return hours;
  };
  const periods = groupBy(rows, ({ station_id, parameter_code, timeMs, unit }) =>
    [station_id, parameter_code, dateOf(timeMs).slice(0, length), kindOf(unit)].join('|'),
  );
  const expected = [...periods].map(([key, hours]) => {
    const values = hours.flatMap(({ value }) => value ?? []);
    const isEmpty = values.length === 0;
    const isDirection = key.endsWith('°');
    const days = [...groupBy(hours, ({ timeMs }) => dateOf(timeMs))].filter(
      ([date, ofDay]) =>
        ofDay.filter(({ value }) => value !== null).length >= 0.75 * expectedHours(date),
    );
    return [
      key.slice(0, key.lastIndexOf('|')),
      hours.at(-1)?.unit,
      isEmpty ? null : isDirection ? directionText(meanDirection(values)) : meanOf(values),
      null,
      isEmpty || isDirection ? null : Math.min(...values),
      isEmpty || isDirection ? null : Math.max(...values),
      values.length,
      expectedHours(key.split('|')[2] ?? ''),
      start === 'month' ? days.length : undefined,
      new Date(Math.min(...hours.map(({ publishedMs }) => publishedMs))),
      new Date(Math.max(...hours.map(({ updatedMs }) => updatedMs))),
      'preliminary',
    ];
  });
  const read = found.map((row) => [
    [row['station_id'], row['parameter_code'], timeOf(row[start])?.slice(0, length)].join('|'),
    row['unit'],
    /^(?:deg|°)/.test(String(row['unit'])) && typeof row['mean'] === 'number'
      ? directionText(row['mean'])
      : row['mean'],
    ...PLAIN.split(' ').map((name) => row[name]),
  ]);
  t.strictSame(read.map(String).sort(), expected.map(String).sort());
}

/** A direction to six decimals; 360 is north too. */
function directionText(degrees: number | undefined): string | null {
  return degrees?.toFixed(6).replace(/^360/, '0') ?? null;
}

/** The mean of values in tenths, rounded once. */
function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + Math.round(value * 10), 0) / (10 * values.length);
}

/** The angle of the sum of unit vectors, clockwise from north, to nine digits; undefined where they cancel out. */
function meanDirection(degrees: readonly number[]): number | undefined {
  const turns = degrees.map((one) => (one * Math.PI) / 180);
  const sum = (of: (turn: number) => number) => turns.reduce((all, turn) => all + of(turn), 0);
  const [east, north] = [sum(Math.sin) / turns.length, sum(Math.cos) / turns.length];
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
