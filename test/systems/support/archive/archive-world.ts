/**
 * A network whose past changes: its snapshots as documents, and the expected archive, computed without the service's
 * code.
 */
import type { Chance } from '../../../support/faults/chance.js';
import { snapshotDocument, type PlainDocument } from '../../../support/documents/documents.js';

const HOUR_MS = 3_600_000;
const RETENTION_MS = 30 * 24 * HOUR_MS;
const STATIONS = [2, 10, 9] as const;
const COMPONENTS = ['PM10', 'O3', 'm,p-Xylene', 'WD'] as const;
const DIRECTION = 'WD';

export interface ArchivedRow {
  readonly station_id: string;
  readonly parameter_code: string;
  readonly timeMs: number;
  readonly value: number | null;
  readonly unit: string;
  readonly publishedMs: number;
  readonly updatedMs: number;
}

export interface Expected {
  /** Rows in the order of the archive's files. */
  readonly rows: readonly ArchivedRow[];
  /** Names of stations with rows, by id. */
  readonly stations: ReadonlyMap<string, string>;
  /** Descriptions of parameters with rows, by code. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** One snapshot: its document, and the archive after it. */
export interface Step {
  readonly id: string;
  readonly document: PlainDocument;
  readonly expected: Expected;
}

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
    const unitOf = (code: string): string =>
      code === DIRECTION
        ? (['deg', 'deg true', '°'][turn % 3] ?? '')
        : `${base}${turn % 2 === 0 ? '/m³' : '.m-3'}`;
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
    archive = new Map([
      ...[...kept].filter(([, { timeMs }]) => timeMs < now - RETENTION_MS),
      ...shown,
    ]);
    for (const station of STATIONS) {
      if (station !== hiddenStation) stationNames.set(String(station), `S${station} ${turn}`);
    }
    for (const code of COMPONENTS)
      if (code !== hiddenCode) descriptions.set(code, `${code} ${turn}`);
    const id = `step-${String(turn).padStart(2, '0')}`;
    const document = documentOf(world, { id, now, turn, hiddenStation, hiddenCode, unitOf });
    const rows = [...archive.values()].sort(inOrder);
    return {
      id,
      document,
      expected: {
        rows,
        stations: namesOf(stationNames, new Set(rows.map((row) => row.station_id))),
        parameters: namesOf(descriptions, new Set(rows.map((row) => row.parameter_code))),
      },
    };
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
  return chance.number() < 0.05 ? null : chance.integer(4000) / 10 - 5;
}

export function inOrder(a: ArchivedRow, b: ArchivedRow): number {
  if (a.station_id !== b.station_id) return Number(a.station_id) - Number(b.station_id);
  if (a.parameter_code !== b.parameter_code) return a.parameter_code < b.parameter_code ? -1 : 1;
  return a.timeMs - b.timeMs;
}

function namesOf(names: ReadonlyMap<string, string>, keys: ReadonlySet<string>) {
  return new Map([...names].filter(([key]) => keys.has(key)));
}

function documentOf(
  world: Values,
  of: {
    readonly id: string;
    readonly now: number;
    readonly turn: number;
    readonly hiddenStation: number | undefined;
    readonly hiddenCode: string | undefined;
    readonly unitOf: (code: string) => string;
  },
): PlainDocument {
  const measurements = [...world].map(([key, value]) => {
    const [station, code = '', timeMs] = key.split('|');
    const time = new Date(Number(timeMs)).toISOString();
    const componentId = COMPONENTS.findIndex((one) => one === code) + 1;
    return {
      station_id: Number(station),
      component_id: componentId,
      date: time.slice(0, 10),
      time: time.slice(11, 16),
      value,
    };
  });
  const components = COMPONENTS.map((code, at) => ({
    component_id: at + 1,
    short_name: code,
    unit: of.unitOf(code),
    description: `${code} ${of.turn}`,
    public: code !== of.hiddenCode,
  }));
  const stations = STATIONS.map((station) => ({
    station_id: station,
    station_name: `S${station} ${of.turn}`,
    station_code: `S${station}`,
    organization_id: 1,
    network_id: 1,
    public: station !== of.hiddenStation,
  }));
  return snapshotDocument({
    snapshot_id: of.id,
    generated_at: new Date(of.now).toISOString(),
    organizations: [{ organization_id: 1, name: 'Agency', short_name: 'A' }],
    networks: [{ network_id: 1, network_code: 'N', name: 'Network', short_name: 'N' }],
    components,
    stations,
    measurements,
  });
}
