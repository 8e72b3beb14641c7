/**
 * Common sense about a document that keeps to the format: what is very likely a mistake, beside the snapshot that is active
 * (docs/operations/publishing.md, "Gates").
 */
import type { Component, Series, Snapshot, Station } from '../snapshot/domain/model.js';
import { HOUR_MS, utcDateTime, windowHours } from '../snapshot/domain/windows.js';

/** Each is the name of a mistake, and of what `--allow` takes. */
const GATES = {
  future: 'hours or a generated_at later than now by more than an hour',
  alone: 'a generated_at far from nearly all rows',
  drop: 'more than half of the stations, the rows or the newest hour gone',
  sentinels: 'values such as -999 that stand for none',
  negative: 'concentrations below zero',
  jump: 'values a hundred times above what a component has had',
  place: 'coordinates at 0/0, swapped, or far from all other stations',
} as const;
type Gate = keyof typeof GATES;

export const GATE_NAMES: readonly string[] = Object.keys(GATES);

interface Finding {
  readonly gate: Gate;
  /** One line: what was found, where, and what was expected. */
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

/** A wrong value here and there is of an instrument; more of them are of a mistake. */
const HANDFUL = 5;
const SENTINELS: ReadonlySet<number> = new Set([-99, -999, -9999, -99999, 9999, 99999]);
const CONCENTRATION = /g[/.]?m|pp[bmt]/i;
const JUMP = 100;
/** Between `generated_at` and the newest hours, or between these and the rest. */
const APART_MS = 7 * 24 * HOUR_MS;
/** In degrees: no network is so wide. */
const FAR = 30;

/**
 * Everything that looks like a mistake, each kind once.
 *
 * @param active the snapshot that would be replaced; undefined where there is none, or where it cannot be compared.
 */
export function findMistakes(
  snapshot: Snapshot,
  { active, nowMs }: { readonly active: Figures | undefined; readonly nowMs: number },
): readonly Finding[] {
  const figures = figuresOf(snapshot);
  return [
    ...findFuture(snapshot, nowMs),
    ...findAlone(snapshot),
    ...(active === undefined ? [] : [...findDrop(figures, active), ...findJump(figures, active)]),
    ...findValues(snapshot),
    ...findPlaces(snapshot.stations),
  ];
}

export function figuresOf(snapshot: Snapshot): Figures {
  const { header, stations, components } = snapshot;
  const window = windowHours('30d', header.generatedAtMs);
  const codes = new Map(components.map(({ id, shortName }) => [id, shortName]));
  const ranges = new Map<string, { least: number; most: number }>();
  const newest = new Map<number, number>();
  let rows = 0;
  for (const { series, hour, value } of valuesOf(snapshot)) {
    if (hour < window.from || hour * HOUR_MS >= header.generatedAtMs) continue;
    rows += 1;
    const code = codes.get(series.componentId) ?? '';
    const range = ranges.get(code) ?? { least: value, most: value };
    ranges.set(code, {
      least: Math.min(range.least, value),
      most: Math.max(range.most, value),
    });
    newest.set(series.stationId, Math.max(newest.get(series.stationId) ?? hour, hour));
  }
  const hour = [...newest.values()].reduce((most, one) => Math.max(most, one), -Infinity);
  return {
    stations: stations.length,
    located: stations.filter(({ latitude }) => latitude !== undefined).length,
    rows,
    current: [...newest.values()].filter((one) => one === hour).length,
    newestMs: newest.size === 0 ? undefined : hour * HOUR_MS,
    ranges,
  };
}

interface Value {
  readonly series: Series;
  /** Since the epoch, UTC. */
  readonly hour: number;
  readonly value: number;
}

/** Every row with a value. */
function* valuesOf({ observations }: Snapshot): Generator<Value> {
  for (const series of observations.series) {
    for (let row = series.start; row < series.end; row += 1) {
      const value = observations.values[row] ?? NaN;
      if (!Number.isNaN(value)) yield { series, hour: observations.hours[row] ?? 0, value };
    }
  }
}

function describe(snapshot: Snapshot, { series, hour, value }: Value): string {
  const station = snapshot.stations.find(({ id }) => id === series.stationId);
  const component = snapshot.components.find(({ id }) => id === series.componentId);
  const place = `station ${series.stationId} (${station?.name ?? ''})`;
  return `${place}, ${component?.shortName ?? ''}, ${utcDateTime(hour * HOUR_MS)}: ${value}`;
}

/** How many rows fit, and the first of them. */
class Found {
  #count = 0;
  #first: Value | undefined;

  add(value: Value): void {
    this.#count += 1;
    this.#first ??= value;
  }

  /** Undefined for so many or fewer. */
  describe(snapshot: Snapshot, what: string, few: number): string | undefined {
    if (this.#first === undefined || this.#count <= few) return undefined;
    return `${this.#count} rows ${what}, first ${describe(snapshot, this.#first)}`;
  }
}

function finding(gate: Gate, message: string | undefined): readonly Finding[] {
  return message === undefined ? [] : [{ gate, message }];
}

function findFuture(snapshot: Snapshot, nowMs: number): readonly Finding[] {
  const { generatedAtMs } = snapshot.header;
  const [generated, now] = [generatedAtMs, nowMs].map(utcDateTime);
  const late = new Found();
  for (const one of valuesOf(snapshot)) if (one.hour * HOUR_MS > nowMs + HOUR_MS) late.add(one);
  return [
    ...(generatedAtMs > nowMs + HOUR_MS
      ? finding('future', `generated_at is ${generated}, and now it is ${now}`)
      : []),
    ...finding('future', late.describe(snapshot, 'are later than now', 0)),
  ];
}

/** One mistyped year moves `generated_at`, which is made of the newest row, and with it all that is served. */
function findAlone(snapshot: Snapshot): readonly Finding[] {
  const hours = Int32Array.from(valuesOf(snapshot), ({ hour }) => hour).sort();
  const newest = hours.at(-1);
  // The newest hour that is left when a hundredth of the rows is taken away.
  const rest = hours.at(-1 - Math.ceil(hours.length / 100)) ?? newest;
  if (newest === undefined || rest === undefined) return [];
  const { generatedAtMs } = snapshot.header;
  const [first, second] = [newest, rest].map((hour) => utcDateTime(hour * HOUR_MS));
  const generated = utcDateTime(generatedAtMs);
  if (generatedAtMs - rest * HOUR_MS <= APART_MS) return [];
  const message =
    newest - rest > APART_MS / HOUR_MS
      ? `generated_at is ${generated} and the newest row of ${first}, but 99 of 100 rows end at ${second}`
      : `generated_at is ${generated}, but the newest row is of ${first}`;
  return [{ gate: 'alone', message }];
}

function findDrop(figures: Figures, active: Figures): readonly Finding[] {
  return (['stations', 'rows', 'current'] as const).flatMap((name): readonly Finding[] => {
    const [now, before] = [figures[name], active[name]];
    if (now * 2 >= before) return [];
    const what = name === 'current' ? 'stations with a value in the newest hour' : name;
    return [{ gate: 'drop', message: `${now} ${what}, and ${before} in the active snapshot` }];
  });
}

function findJump(figures: Figures, active: Figures): readonly Finding[] {
  return [...figures.ranges].flatMap(([code, { most }]): readonly Finding[] => {
    const before = active.ranges.get(code)?.most ?? 0;
    if (before <= 0 || most <= JUMP * before) return [];
    return [
      { gate: 'jump', message: `${code} reaches ${most}, and ${before} in the active snapshot` },
    ];
  });
}

function findValues(snapshot: Snapshot): readonly Finding[] {
  const units = new Map(snapshot.components.map(({ id, unit }: Component) => [id, unit]));
  const [sentinels, negative] = [new Found(), new Found()];
  for (const one of valuesOf(snapshot)) {
    if (SENTINELS.has(one.value)) sentinels.add(one);
    else if (one.value < 0 && CONCENTRATION.test(units.get(one.series.componentId) ?? '')) {
      negative.add(one);
    }
  }
  const none = 'have a value that usually stands for none';
  return [
    ...finding('sentinels', sentinels.describe(snapshot, none, HANDFUL)),
    ...finding('negative', negative.describe(snapshot, 'have a concentration below zero', HANDFUL)),
  ];
}

function findPlaces(stations: readonly Station[]): readonly Finding[] {
  const placed = stations.flatMap(({ id, name, latitude, longitude }) =>
    latitude === undefined || longitude === undefined ? [] : [{ id, name, latitude, longitude }],
  );
  const [latitude, longitude] = [
    median(placed.map((one) => one.latitude)),
    median(placed.map((one) => one.longitude)),
  ];
  return placed.flatMap((one): readonly Finding[] => {
    const isNear = (a: number, b: number): boolean =>
      Math.abs(a - latitude) < FAR && Math.abs(b - longitude) < FAR;
    const isZero = one.latitude === 0 && one.longitude === 0;
    if (!isZero && isNear(one.latitude, one.longitude)) return [];
    const why = isZero
      ? 'which is in the sea'
      : isNear(one.longitude, one.latitude)
        ? 'which are near the others when they are swapped'
        : `and the middle of all stations is at ${latitude}, ${longitude}`;
    const where = `station ${one.id} (${one.name}) is at latitude ${one.latitude}, longitude ${one.longitude}`;
    return [{ gate: 'place', message: `${where}, ${why}` }];
  });
}

/** Of an empty list 0. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
