/** Networks whose past changes, tables of two years, and the expected archives, without the service's code. */
import { copyFile, cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Chance } from '../../../support/faults/chance.js';
import { snapshotDocument, type PlainDocument } from '../../../support/documents/documents.js';

const HOUR_MS = 3_600_000;
const RETENTION_MS = 30 * 24 * HOUR_MS;
const STATIONS = [2, 10, 9] as const;
const COMPONENTS = ['PM10', 'O3', 'm,p-Xylene', 'WD'] as const;
const DIRECTION = 'WD';

export type ArchivedRow = Readonly<Record<'station_id' | 'parameter_code' | 'unit', string>> &
  Readonly<Record<'timeMs' | 'publishedMs' | 'updatedMs', number>> &
  Readonly<{ value: number | null }>;

/** Rows in the order of the archive's files; names of stations by id, and descriptions of parameters by code. */
export interface Expected {
  readonly rows: readonly ArchivedRow[];
  readonly stations: ReadonlyMap<string, string>;
  readonly parameters: ReadonlyMap<string, string>;
}

/** One snapshot: its document, and the archive after it. */
export type Step = Readonly<{ id: string; document: PlainDocument; expected: Expected }>;
type Key = `${number}|${string}|${number}`;
type Values = Map<Key, number | null>;

/** A snapshot for each of `days`, by which the world advances: with revised, withdrawn, restored and unknown values. */
export function worldSteps(chance: Chance, days: readonly number[]): readonly Step[] {
  const world: Values = new Map();
  const withdrawn: Values = new Map();
  let archive = new Map<Key, ArchivedRow>();
  const stationNames = new Map<string, string>();
  const descriptions = new Map<string, string>();
  let now = Date.UTC(2025, 10, 20, 6);
  let known = now - 3 * 24 * HOUR_MS;
  return days.map((count, turn) => {
    now += count * 24 * HOUR_MS + chance.integer(5) * HOUR_MS;
    grow(world, { from: known, to: now }, chance);
    known = now;
    revise(world, withdrawn, chance, now);
    // Some snapshots hide a station or a parameter; the next one shows it again.
    const hiddenStation = turn % 5 === 3 ? chance.oneOf(STATIONS) : undefined;
    const hiddenCode = turn % 7 === 5 ? chance.oneOf(COMPONENTS) : undefined;
    // The notation of a unit changes with every snapshot, the unit itself in the second half.
    const base = turn > days.length / 2 ? 'mg' : turn % 2 === 0 ? 'µg' : 'ug';
    const angle = ['deg', 'deg true', '°'][turn % 3] ?? '';
    const concentration = `${base}${turn % 2 === 0 ? '/m³' : '.m-3'}`;
    const unitOf = (code: string): string => (code === DIRECTION ? angle : concentration);
    const isShown = (station: number, code: string): boolean =>
      station !== hiddenStation && code !== hiddenCode;
    const kept = new Map(
      [...archive].filter(([, row]) => isShown(Number(row.station_id), row.parameter_code)),
    );
    const shown = [...world].flatMap(([key, value]): readonly [Key, ArchivedRow][] => {
      const [station = '', code = '', hour = ''] = key.split('|');
      const timeMs = Number(hour);
      if (timeMs < now - RETENTION_MS || !isShown(Number(station), code)) return [];
      const before = kept.get(key);
      const publishedMs = before?.publishedMs ?? now;
      const unit = unitOf(code);
      const isSame = before?.value === value && kindOf(before.unit) === kindOf(unit);
      const updatedMs = isSame ? before.updatedMs : now;
      const row = { station_id: station, parameter_code: code, timeMs, value, unit };
      return [[key, { ...row, publishedMs, updatedMs }]];
    });
    const old = [...kept].filter(([, { timeMs }]) => timeMs < now - RETENTION_MS);
    archive = new Map([...old, ...shown]);
    for (const station of STATIONS) {
      if (station !== hiddenStation) stationNames.set(String(station), `S${station} ${turn}`);
    }
    for (const code of COMPONENTS)
      if (code !== hiddenCode) descriptions.set(code, `${code} ${turn}`);
    const id = `step-${String(turn).padStart(2, '0')}`;
    const document = snapshotDocument({
      snapshot_id: id,
      generated_at: new Date(now).toISOString(),
      organizations: [{ organization_id: 1, name: 'Agency', short_name: 'A' }],
      networks: [{ network_id: 1, network_code: 'N', name: 'Network', short_name: 'N' }],
      components: COMPONENTS.map((code, at) => ({
        component_id: at + 1,
        short_name: code,
        unit: unitOf(code),
        description: `${code} ${turn}`,
        public: code !== hiddenCode,
      })),
      stations: STATIONS.map((station) => ({
        station_id: station,
        station_name: `S${station} ${turn}`,
        station_code: `S${station}`,
        organization_id: 1,
        network_id: 1,
        public: station !== hiddenStation,
      })),
      measurements: [...world].map(([key, value]) => {
        const [station, code = '', hour] = key.split('|');
        const [date, time] = new Date(Number(hour)).toISOString().slice(0, 16).split('T');
        const component_id = COMPONENTS.findIndex((one) => one === code) + 1;
        return { station_id: Number(station), component_id, date, time, value };
      }),
    });
    const rows = [...archive.values()].sort(inOrder);
    const stations = namesOf(stationNames, new Set(rows.map((row) => row.station_id)));
    const parameters = namesOf(descriptions, new Set(rows.map((row) => row.parameter_code)));
    return { id, document, expected: { rows, stations, parameters } };
  });
}

/** The snapshots of three days, which are far enough apart for each to replace files of the one before. */
export function threeSteps(chance: Chance) {
  const steps = worldSteps(chance, [1, 9, 25]);
  const [first, second, third] = steps;
  if (first === undefined || second === undefined || third === undefined) throw new TypeError();
  return { steps, first, second, third };
}

/** One text for all notations of a unit in this world. */
export function kindOf(unit: string): string {
  return /^(?:deg|°)/.test(unit) ? '°' : unit.slice(0, 1).replace('u', 'µ');
}

function grow(world: Values, { from, to }: { from: number; to: number }, chance: Chance): void {
  for (let timeMs = from; timeMs < to; timeMs += HOUR_MS) {
    for (const station of STATIONS) {
      for (const code of COMPONENTS) {
        if (chance.number() < 0.15) world.set(`${station}|${code}|${timeMs}`, valueOf(chance));
      }
    }
  }
}

function revise(world: Values, withdrawn: Values, chance: Chance, now: number): void {
  for (const [key, value] of world) {
    if (Number(key.split('|')[2]) < now - RETENTION_MS) continue;
    const drawn = chance.number();
    if (drawn < 0.05) world.set(key, valueOf(chance));
    else if (drawn < 0.1) {
      world.delete(key);
      withdrawn.set(key, value);
    }
  }
  for (const [key, value] of withdrawn) {
    if (chance.number() > 0.2) continue;
    world.set(key, value);
    withdrawn.delete(key);
  }
}

function valueOf(chance: Chance): number | null {
  return chance.number() < 0.05 ? null : (chance.integer(4000) - 50) / 10;
}

export function inOrder(a: ArchivedRow, b: ArchivedRow): number {
  if (a.station_id !== b.station_id) return Number(a.station_id) - Number(b.station_id);
  if (a.parameter_code !== b.parameter_code) return a.parameter_code < b.parameter_code ? -1 : 1;
  return a.timeMs - b.timeMs;
}

function namesOf(names: ReadonlyMap<string, string>, keys: ReadonlySet<string>) {
  return new Map([...names].filter(([key]) => keys.has(key)));
}

const DAYS = 730;
/** Station 5 and SO2 are in no snapshot; station 7 and NO are hidden. */
const PAST_STATIONS = [2, 5, 10, 7] as const;
const PAST_COMPONENTS = ['PM10', 'SO2', 'm,p-Xylene', 'NO'] as const;
const HIDDEN: ReadonlySet<string> = new Set(['7', 'NO']);
/** The lists of these stations and components, and a script that reads them. */
const FIXTURES = 'test/fixtures/past';
type Names = ReadonlyMap<string, string>;
type PastRow = Readonly<{ station: number; code: string; timeMs: number; value: number | null }>;

/** Rows of the two years before `endMs`, unordered; exactly one is in the last hour. */
export function pastRows(chance: Chance, endMs: number): readonly PastRow[] {
  const rows: PastRow[] = [{ station: 5, code: 'SO2', timeMs: endMs - HOUR_MS, value: 1 }];
  for (let hour = 2; hour < DAYS * 24; hour += 1) {
    for (const station of PAST_STATIONS) {
      if (chance.number() > 0.1) continue;
      const value = chance.number() < 0.05 ? null : (chance.integer(4000) - 50) / 10;
      const code = chance.oneOf(PAST_COMPONENTS);
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
  const all = [...union.values()].sort(inOrder);
  const namesOf = (key: 'station_id' | 'parameter_code', prefix: string, known?: Names) => {
    const order = (a: string, b: string) => Number(a) - Number(b) || (a < b ? -1 : 1);
    const sorted = [...new Set(all.map((row) => row[key]))].sort(order);
    return new Map(sorted.map((one) => [one, known?.get(one) ?? `${prefix}${one}`]));
  };
  const stations = namesOf('station_id', 'Past S', before?.stations);
  const parameters = namesOf('parameter_code', 'Past ', before?.parameters);
  return { rows: all, stations, parameters };
}

/** Writes the five tables as CSV files; that of the rows is gzipped. */
export async function writeCsv(folder: string, rows: readonly PastRow[]): Promise<void> {
  const lines = rows.map(({ station, code, timeMs, value }) => {
    const [date, time] = new Date(timeMs).toISOString().slice(0, 16).split('T');
    const component = PAST_COMPONENTS.findIndex((one) => one === code) + 1;
    return `${station},${component},${date ?? ''},${time ?? ''},${value ?? ''}`;
  });
  await cp(`${FIXTURES}/lists`, folder, { recursive: true });
  const text = ['station_id,component_id,date,time,value', ...lines, ''].join('\n');
  await writeFile(join(folder, 'measurements.csv.gz'), gzipSync(text));
}

/** Writes an export whose `bura.sql` makes the same tables. */
export async function writeExport(folder: string, rows: readonly PastRow[]): Promise<void> {
  const lines = rows.map(({ station, code, timeMs, value }) => {
    return `${station};"${code}";${new Date(timeMs).toISOString()};${value ?? ''}\n`;
  });
  await cp(`${FIXTURES}/lists`, folder, { recursive: true });
  await writeFile(join(folder, 'rows.txt'), lines.join(''));
  await copyFile(`${FIXTURES}/bura.sql`, join(folder, 'bura.sql'));
}
