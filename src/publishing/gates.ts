/**
 * Common sense about a document that keeps to the format: what is very likely a mistake, beside the snapshot that is active
 * (docs/operations/publishing.md, "Gates").
 */
import type { Component, Series, Snapshot, Station } from '../snapshot/domain/model.js';
import { distanceM } from '../snapshot/domain/selection.js';
import { HOUR_MS, utcDateTime, windowHours } from '../snapshot/domain/windows.js';

/** Each is the name of a mistake, and of what `--allow` takes. */
const GATES = {
  future: 'hours or a generated_at later than now by more than an hour',
  alone: 'a generated_at far from nearly all rows',
  drop: 'more than half of the stations, the rows or the newest hour gone',
  changed:
    'of build: most rows of several series other than they were, or a row far from all others',
  sentinels: 'values such as -999 that stand for none',
  negative: 'concentrations below zero',
  jump: 'values a hundred times above what a component has had',
  moved: 'a station more than 50 km from where it was',
  unlocated: 'a station without the position that it had',
  unit: 'a component with another unit than it had',
  code: 'a station or a component with another code than it had',
  place: 'coordinates at 0/0, swapped, or far from the country of the others',
  cut: 'of exports: a file that is empty, or whose last line has no end',
} as const;
type Gate = keyof typeof GATES;

export const GATE_NAMES: readonly string[] = Object.keys(GATES);

export interface Finding {
  readonly gate: Gate;
  /** One line: what was found, of which station, component, hour and value, and what was expected. */
  readonly message: string;
}

/** What a snapshot comes to in figures: what a summary shows, and what two are compared by. */
export interface Figures {
  readonly stations: number;
  readonly located: number;
  /** Rows that would be served: of the 30 days before `generated_at`, with a value. */
  readonly rows: number;
  /** Stations with a value in the newest hour that has any. */
  readonly current: number;
  /** Epoch milliseconds at the start of that hour; undefined without any value. */
  readonly newestMs: number | undefined;
  /** By the code of the component. */
  readonly ranges: ReadonlyMap<string, { readonly least: number; readonly most: number }>;
}

/** West, south, east, north, in degrees. */
type Box = readonly [number, number, number, number];

export interface Surroundings {
  /** The snapshot that would be replaced; undefined where there is none, or where it cannot be compared. */
  readonly active: Snapshot | undefined;
  readonly nowMs: number;
  /** The boxes of each country. */
  readonly countries: readonly (readonly Box[])[];
  /** Names of files whose last line has no end. */
  readonly cut?: readonly string[];
}

/** A wrong value here and there is of an instrument; more of them are of a mistake. */
const HANDFUL = 5;
const DAY_HOURS = 24;
const SENTINELS: ReadonlySet<number> = new Set([-99, -999, -9999, -99999, 9999, 99999]);
const LEAST_SENTINEL = 9999;
const CONCENTRATION = /g[/.]?m|pp[bmt]/i;
const JUMP = 100;
/** Between `generated_at` and the newest hours, or between these and the rest. */
const APART_MS = 7 * 24 * HOUR_MS;
/** Degrees outside a country's box that a station may be. */
const OUTSIDE = 5;
/** Of a station, which stays where it is; corrections of its position are smaller. */
const MOVED_M = 50_000;
/** Rows that two series must have in common to be compared. */
const COMPARED = 24;

/** Everything that looks like a mistake, each kind once, and what the figures are. */
export function examine(
  snapshot: Snapshot,
  { active, nowMs, countries, cut = [] }: Surroundings,
): {
  readonly figures: Figures;
  readonly before: Figures | undefined;
  readonly findings: readonly Finding[];
} {
  const { figures, late, recent, withValue, sentinels, negative } = scan(snapshot, nowMs);
  const before = active && scan(active, nowMs).figures;
  const none = 'have a value that usually stands for none';
  const findings = [
    ...findFuture(snapshot, nowMs),
    ...late.findings(snapshot, 'future', 'are later than now', 0),
    ...findAlone(snapshot, { recent, withValue }),
    ...(before === undefined ? [] : [...findDrop(figures, before), ...findJump(figures, before)]),
    ...(active === undefined ? [] : findChanged(snapshot, active)),
    ...(active === undefined ? [] : findStray(snapshot, active)),
    ...(active === undefined ? [] : findOther(snapshot, active)),
    ...sentinels.findings(snapshot, 'sentinels', none, HANDFUL),
    ...negative.findings(snapshot, 'negative', 'have a concentration below zero', HANDFUL),
    ...findPlaces(snapshot.stations, countries),
    ...cut.map((name): Finding => {
      const message = `${name}: it is empty or its last line has no end, so it may have been cut`;
      return { gate: 'cut', message };
    }),
  ];
  return { figures, before, findings };
}

/** How many rows fit, and the first of them. */
class Found {
  #count = 0;
  #first: { readonly series: Series; readonly hour: number; readonly value: number } | undefined;

  add(series: Series, hour: number, value: number): void {
    this.#count += 1;
    this.#first ??= { series, hour, value };
  }

  /** None for so many or fewer. */
  findings(snapshot: Snapshot, gate: Gate, what: string, few: number): readonly Finding[] {
    if (this.#first === undefined || this.#count <= few) return [];
    const { series, hour, value } = this.#first;
    const first = describeRow(snapshot, series, { hour, value });
    return [{ gate, message: `${this.#count} rows ${what}, first ${first}` }];
  }
}

interface Scan {
  readonly figures: Figures;
  readonly withValue: number;
  /** Rows with a value of the days before `generated_at` that `APART_MS` names, or later. */
  readonly recent: number;
  readonly late: Found;
  readonly sentinels: Found;
  readonly negative: Found;
}

/** All rows once: there may be millions. */
function scan({ header, stations, components, observations }: Snapshot, nowMs: number): Scan {
  const { hours, values } = observations;
  const window = windowHours('30d', header.generatedAtMs);
  const end = header.generatedAtMs / HOUR_MS;
  const [lateFrom, recentFrom] = [nowMs / HOUR_MS + 1, end - APART_MS / HOUR_MS];
  const known = new Map(components.map((one: Component) => [one.id, one]));
  const ranges = new Map<string, { least: number; most: number }>();
  const newest = new Map<number, number>();
  const [late, sentinels, negative] = [new Found(), new Found(), new Found()];
  let [rows, recent, withValue] = [0, 0, 0];
  for (const series of observations.series) {
    const { shortName = '', unit = '' } = known.get(series.componentId) ?? {};
    const isConcentration = CONCENTRATION.test(unit);
    let [least, most, last] = [Infinity, -Infinity, -Infinity];
    for (let row = series.start; row < series.end; row += 1) {
      const [hour, value] = [hours[row] ?? 0, values[row] ?? NaN];
      if (Number.isNaN(value)) continue;
      withValue += 1;
      if (hour >= recentFrom) recent += 1;
      if (hour > lateFrom) late.add(series, hour, value);
      if (value < 0 || value >= LEAST_SENTINEL) {
        if (SENTINELS.has(value)) sentinels.add(series, hour, value);
        else if (value < 0 && isConcentration) negative.add(series, hour, value);
      }
      if (hour < window.from || hour >= end) continue;
      rows += 1;
      last = hour;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    if (last === -Infinity) continue;
    const range = ranges.get(shortName) ?? { least, most };
    ranges.set(shortName, {
      least: Math.min(range.least, least),
      most: Math.max(range.most, most),
    });
    newest.set(series.stationId, Math.max(newest.get(series.stationId) ?? last, last));
  }
  const hour = [...newest.values()].reduce((a, b) => Math.max(a, b), -Infinity);
  const figures = {
    stations: stations.length,
    located: stations.filter(({ latitude }) => latitude !== undefined).length,
    rows,
    current: [...newest.values()].filter((one) => one === hour).length,
    newestMs: newest.size === 0 ? undefined : hour * HOUR_MS,
    ranges,
  };
  return { figures, withValue, recent, late, sentinels, negative };
}

function describe(snapshot: Snapshot, { stationId, componentId }: Series): string {
  const station = snapshot.stations.find(({ id }) => id === stationId);
  const component = snapshot.components.find(({ id }) => id === componentId);
  return `station ${stationId} (${station?.name ?? ''}), ${component?.shortName ?? ''}`;
}

function describeRow(
  snapshot: Snapshot,
  series: Series,
  { hour, value }: { readonly hour: number; readonly value: number | undefined },
): string {
  const shown = value === undefined || Number.isNaN(value) ? 'no value' : value;
  return `${describe(snapshot, series)}, ${utcDateTime(hour * HOUR_MS)}: ${shown}`;
}

function findFuture({ header }: Snapshot, nowMs: number): readonly Finding[] {
  if (header.generatedAtMs <= nowMs + HOUR_MS) return [];
  const [generated, now] = [header.generatedAtMs, nowMs].map(utcDateTime);
  return [{ gate: 'future', message: `generated_at is ${generated}, and now it is ${now}` }];
}

/** One mistyped year moves `generated_at`, which is made of the newest row, and with it all that is served. */
function findAlone(
  snapshot: Snapshot,
  { recent, withValue }: Pick<Scan, 'recent' | 'withValue'>,
): readonly Finding[] {
  if (withValue === 0 || recent > withValue / 100) return [];
  const { header, observations } = snapshot;
  const { hours, values, series } = observations;
  const sorted = hours.filter((_hour, row) => !Number.isNaN(values[row])).sort();
  const newest = sorted.at(-1) ?? 0;
  // The newest hour that is left when a hundredth of the rows is taken away.
  const rest = sorted.at(-1 - Math.ceil(sorted.length / 100)) ?? newest;
  const [generated, last] = [header.generatedAtMs / HOUR_MS, rest].map((hour) =>
    utcDateTime(hour * HOUR_MS),
  );
  const row = hours.findIndex((hour, at) => hour === newest && !Number.isNaN(values[at]));
  const of = series.find(({ start, end }) => row >= start && row < end);
  const first = of && describeRow(snapshot, of, { hour: newest, value: values[row] });
  const is = `generated_at is ${generated}`;
  const message =
    newest - rest <= APART_MS / HOUR_MS
      ? `${is}, but the newest row is ${first}`
      : `${is} and the newest row ${first}, but 99 of 100 rows end at ${last}`;
  return [{ gate: 'alone', message }];
}

function findDrop(figures: Figures, before: Figures): readonly Finding[] {
  return (['stations', 'rows', 'current'] as const).flatMap((name): readonly Finding[] => {
    if (figures[name] * 2 >= before[name]) return [];
    const what = name === 'current' ? 'stations with a value in the newest hour' : name;
    const message = `${figures[name]} ${what}, and ${before[name]} in the active snapshot`;
    return [{ gate: 'drop', message }];
  });
}

function findJump(figures: Figures, before: Figures): readonly Finding[] {
  return [...figures.ranges].flatMap(([code, { most }]): readonly Finding[] => {
    const had = before.ranges.get(code)?.most ?? 0;
    if (had <= 0 || most <= JUMP * had) return [];
    const message = `${code} reaches ${most}, and ${had} in the active snapshot`;
    return [{ gate: 'jump', message }];
  });
}

/**
 * Hours moved by one, columns exchanged, units changed: rows that were there already have other values, or are gone.
 * One series that is corrected is ordinary.
 */
function findChanged(snapshot: Snapshot, active: Snapshot): readonly Finding[] {
  const before = new Map(active.observations.series.map((one) => [keyOf(one), one]));
  let compared = 0;
  const changed = snapshot.observations.series.flatMap((series) => {
    const other = before.get(keyOf(series));
    if (other === undefined) return [];
    const { same, different, first } = compare([snapshot, series], [active, other]);
    if (same + different < COMPARED) return [];
    compared += 1;
    return different > same && first !== undefined ? [{ series, first }] : [];
  });
  const [first] = changed;
  if (first === undefined || changed.length < 2 || changed.length * 10 < compared) return [];
  const { series, first: row } = first;
  const example = `${describeRow(snapshot, series, row)}, and ${row.was} there`;
  const message = `${changed.length} of ${compared} series have other values, or none, in most hours of the active snapshot, first ${example}`;
  return [{ gate: 'changed', message }];
}

function keyOf({ stationId, componentId }: Series): string {
  return `${stationId}/${componentId}`;
}

/** A row that came late, a day and more from all others of its series: a mistyped day. */
function findStray(snapshot: Snapshot, active: Snapshot): readonly Finding[] {
  const { hours } = snapshot.observations;
  const late = active.header.generatedAtMs / HOUR_MS - DAY_HOURS;
  const known = new Map(active.observations.series.map((one) => [keyOf(one), one]));
  for (const series of snapshot.observations.series) {
    const before = known.get(keyOf(series));
    if (before === undefined) continue;
    for (let row = series.start; row < series.end; row += 1) {
      const hour = hours[row] ?? 0;
      if (hour >= late) break;
      const [previous, next] = [hours[row - 1] ?? 0, hours[row + 1] ?? 0];
      if (row > series.start && hour - previous <= DAY_HOURS) continue;
      if (row + 1 < series.end && next - hour <= DAY_HOURS) continue;
      if (active.observations.hours.subarray(before.start, before.end).includes(hour)) continue;
      const what = describeRow(snapshot, series, {
        hour,
        value: snapshot.observations.values[row],
      });
      const message = `${what}: a row alone among days without any, and the active snapshot has none there`;
      return [{ gate: 'changed', message }];
    }
  }
  return [];
}

/** What a station and a component keep as long as they have their id. */
function findOther(snapshot: Snapshot, active: Snapshot): readonly Finding[] {
  const stations = new Map(active.stations.map((one) => [one.id, one]));
  const components = new Map(active.components.map((one) => [one.id, one]));
  const differing = (gate: 'code' | 'unit', what: string, now: string, was: string): Finding[] =>
    now === was
      ? []
      : [{ gate, message: `${what} has the ${gate} ${now}, and ${was} in the active snapshot` }];
  return [
    ...snapshot.stations.flatMap((station) => {
      const before = stations.get(station.id);
      if (before === undefined) return [];
      const what = `station ${station.id} (${station.name})`;
      return [
        ...findMoved(what, station, before),
        ...differing('code', what, station.code, before.code),
      ];
    }),
    ...snapshot.components.flatMap(({ id, shortName, unit }) => {
      const before = components.get(id);
      if (before === undefined) return [];
      return [
        ...differing('code', `component ${id}`, shortName, before.shortName),
        ...differing('unit', `component ${id} (${shortName})`, unit, before.unit),
      ];
    }),
  ];
}

function findMoved(
  what: string,
  { latitude, longitude }: Station,
  { latitude: north, longitude: east }: Station,
): Finding[] {
  if (north === undefined || east === undefined) return [];
  const was = `latitude ${north}, longitude ${east} in the active snapshot`;
  const movedM = distanceM({ latitude, longitude }, { latitude: north, longitude: east });
  if (movedM === undefined) {
    return [{ gate: 'unlocated', message: `${what} has no position, and had ${was}` }];
  }
  if (movedM <= MOVED_M) return [];
  const km = `${Math.round(movedM / 1000)} km from where it was`;
  const is = `is at latitude ${latitude}, longitude ${longitude}, ${km}`;
  return [{ gate: 'moved', message: `${what} ${is}: ${was}` }];
}

/** Hours that the active snapshot has, of those that the new one covers, by whether their values are the same. */
function compare(
  [{ header, observations: a }, one]: readonly [Snapshot, Series],
  [{ observations: b }, other]: readonly [Snapshot, Series],
): {
  readonly same: number;
  readonly different: number;
  /** The first hour with another value. */
  readonly first:
    { readonly hour: number; readonly value: number | undefined; readonly was: number } | undefined;
} {
  const { from } = windowHours('30d', header.generatedAtMs);
  const end = header.generatedAtMs / HOUR_MS;
  let [same, different, at] = [0, 0, one.start];
  let first: ReturnType<typeof compare>['first'];
  for (let row = other.start; row < other.end; row += 1) {
    const [hour, value] = [b.hours[row] ?? 0, b.values[row] ?? NaN];
    if (Number.isNaN(value) || hour < from || hour >= end) continue;
    while (at < one.end && (a.hours[at] ?? 0) < hour) at += 1;
    const now = at < one.end && a.hours[at] === hour ? a.values[at] : undefined;
    if (now === value) {
      same += 1;
      continue;
    }
    different += 1;
    first ??= { hour, value: now, was: value };
  }
  return { same, different, first };
}

function findPlaces(
  stations: readonly Station[],
  countries: Surroundings['countries'],
): readonly Finding[] {
  const placed = stations.flatMap(({ id, name, latitude, longitude }) =>
    latitude === undefined || longitude === undefined ? [] : [{ id, name, latitude, longitude }],
  );
  const isIn = (
    boxes: readonly Box[],
    [x, y]: readonly [number, number],
    margin: number,
  ): boolean =>
    boxes.some(
      ([west, south, east, north]) =>
        x >= west - margin && x <= east + margin && y >= south - margin && y <= north + margin,
    );
  const country = countries
    .map((boxes) => ({
      boxes,
      stations: placed.filter((one) => isIn(boxes, [one.longitude, one.latitude], 0)).length,
      area: boxes.reduce(
        (sum, [west, south, east, north]) => sum + (east - west) * (north - south),
        0,
      ),
    }))
    .reduce(
      (a, b) => (b.stations > a.stations || (b.stations === a.stations && b.area < a.area) ? b : a),
      {
        boxes: [],
        stations: 0,
        area: Infinity,
      },
    );
  return placed.flatMap(({ id, name, latitude, longitude }): readonly Finding[] => {
    const isZero = latitude === 0 && longitude === 0;
    const isNear = country.stations === 0 || isIn(country.boxes, [longitude, latitude], OUTSIDE);
    if (!isZero && isNear) return [];
    const why = isZero
      ? 'which is in the sea'
      : isIn(country.boxes, [latitude, longitude], OUTSIDE)
        ? 'which are in the country of the others when they are swapped'
        : `and more than ${OUTSIDE} degrees outside the country that ${country.stations} of ${placed.length} are in`;
    const message = `station ${id} (${name}) is at latitude ${latitude}, longitude ${longitude}, ${why}`;
    return [{ gate: 'place', message }];
  });
}
