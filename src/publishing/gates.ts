/** Plausibility checks of a valid document against the active snapshot (docs/operations/publishing.md, "Gates"). */
import type { Component, Series, Snapshot, Station } from '../snapshot/domain/model.js';
import { HOUR_MS, utcDateTime, windowHours } from '../snapshot/domain/windows.js';
import { cutFile, describeRow, type Figures, type Finding, type Gate } from './findings.js';
import { findBesideActive } from './gates-beside-active.js';
import { isIn, type Box, type Land } from './land.js';

export interface GateContext {
  /** The snapshot to be replaced; undefined without a comparable one. */
  readonly active: Snapshot | undefined;
  readonly nowMs: number;
  readonly land: Pick<Land, 'countries' | 'isNear'>;
  /** Names of source files that are empty or whose last line has no end. */
  readonly cut?: readonly string[];
}

/** Number of wrong values that is accepted: instruments cause a few, mistakes cause more. */
const HANDFUL = 5;
const SENTINELS: ReadonlySet<number> = new Set([-99, -999, -9999, -99999, 9999, 99999]);
const LEAST_SENTINEL = 9999;
const CONCENTRATION = /g[/.]?m|pp[bmt]/i;
/**
 * Rows up to this long before `generated_at` count as recent; a newest row further than this from all but a hundredth
 * of the rows stands apart.
 */
const APART_MS = 7 * 24 * HOUR_MS;
/** Degrees outside a country's box that are accepted. */
const OUTSIDE = 5;

/** Likely mistakes in a snapshot, and the figures of both snapshots. */
export function checkGates(snapshot: Snapshot, { active, nowMs, land, cut = [] }: GateContext) {
  const { figures, late, recent, withValue, sentinels, negative } = scan(snapshot, nowMs);
  const before = active && { snapshot: active, figures: scan(active, nowMs).figures };
  const none = 'have a value that usually stands for none';
  const findings: readonly Finding[] = [
    ...findFuture(snapshot, nowMs),
    ...late.findings(snapshot, 'future', 'are later than now', 0),
    ...findAlone(snapshot, { recent, withValue }),
    ...(before === undefined ? [] : findBesideActive({ snapshot, figures }, before)),
    ...sentinels.findings(snapshot, 'sentinels', none, HANDFUL),
    ...negative.findings(snapshot, 'negative', 'have a concentration below zero', HANDFUL),
    ...findPlaces(snapshot.stations, land),
    ...cut.map(cutFile),
  ];
  return { figures, before: before?.figures, findings };
}

/** Counts matching rows, and keeps the first. */
class Found {
  #count = 0;
  #first: { readonly series: Series; readonly hour: number; readonly value: number } | undefined;

  add(series: Series, hour: number, value: number): void {
    this.#count += 1;
    this.#first ??= { series, hour, value };
  }

  /** The finding of a gate; empty for at most `few` rows. */
  findings(snapshot: Snapshot, gate: Gate, what: string, few: number): readonly Finding[] {
    if (this.#first === undefined || this.#count <= few) return [];
    const { series, hour, value } = this.#first;
    const first = describeRow(snapshot, series, { hour, value });
    return [{ gate, message: `${this.#count} rows ${what}, first ${first}` }];
  }
}

/** Scans all rows once: there may be millions. */
function scan({ header, stations, components, observations }: Snapshot, nowMs: number) {
  const { hours, values } = observations;
  const window = windowHours('30d', header);
  const end = header.generatedAtMs / HOUR_MS;
  const [lateFrom, recentFrom] = [nowMs / HOUR_MS + 1, end - APART_MS / HOUR_MS];
  const known = new Map(components.map((one: Component) => [one.id, one]));
  const ranges = new Map<string, { least: number; most: number }>();
  const newest = new Map<number, number>();
  const [late, sentinels, negative] = [new Found(), new Found(), new Found()];
  // Recent rows are within `APART_MS` before `generated_at`, or later.
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
  const figures: Figures = {
    stations: stations.length,
    located: stations.filter(({ latitude }) => latitude !== undefined).length,
    rows,
    current: [...newest.values()].filter((one) => one === hour).length,
    newestMs: newest.size === 0 ? undefined : hour * HOUR_MS,
    ranges,
  };
  return { figures, withValue, recent, late, sentinels, negative };
}

function findFuture({ header }: Snapshot, nowMs: number): readonly Finding[] {
  if (header.generatedAtMs <= nowMs + HOUR_MS) return [];
  const [generated, now] = [header.generatedAtMs, nowMs].map(utcDateTime);
  return [{ gate: 'future', message: `generated_at is ${generated}, and now it is ${now}` }];
}

/** Finds a mistyped year: it moves `generated_at`, which is derived from the newest row, and thereby all windows. */
function findAlone(
  snapshot: Snapshot,
  { recent, withValue }: Readonly<Record<'recent' | 'withValue', number>>,
): readonly Finding[] {
  if (withValue === 0 || recent > withValue / 100) return [];
  const { header, observations } = snapshot;
  const { hours, values, series } = observations;
  const sorted = hours.filter((_hour, row) => !Number.isNaN(values[row])).sort();
  const newest = sorted.at(-1) ?? 0;
  // The newest hour when the newest hundredth of the rows is left out.
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

type Placed = Readonly<Record<'latitude' | 'longitude', number> & Pick<Station, 'code' | 'name'>>;

function findPlaces(stations: readonly Station[], land: GateContext['land']): readonly Finding[] {
  const placed = stations.flatMap(({ code, name, latitude, longitude }): readonly Placed[] =>
    latitude === undefined || longitude === undefined ? [] : [{ code, name, latitude, longitude }],
  );
  const isInAny = (
    boxes: readonly Box[],
    point: readonly [number, number],
    margin: number,
  ): boolean => boxes.some((box) => isIn(box, point, margin));
  const country = land.countries
    .map((boxes) => ({
      boxes,
      stations: placed.filter((one) => isInAny(boxes, [one.longitude, one.latitude], 0)).length,
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
  const misplaced = placed.flatMap(({ code, name, latitude, longitude }): readonly Finding[] => {
    const isZero = latitude === 0 && longitude === 0;
    const isNear = country.stations === 0 || isInAny(country.boxes, [longitude, latitude], OUTSIDE);
    if (!isZero && isNear) return [];
    const why = isZero
      ? 'which is in the sea'
      : isInAny(country.boxes, [latitude, longitude], OUTSIDE)
        ? 'which are in the country of the others when they are swapped'
        : `and more than ${OUTSIDE} degrees outside the country that ${country.stations} of ${placed.length} are in`;
    const message = `station ${code} (${name}) is at latitude ${latitude}, longitude ${longitude}, ${why}`;
    return [{ gate: 'place' as const, message }];
  });
  return misplaced.length > 0 ? misplaced : findAtSea(placed, land);
}

/** Finds wrong positions: one station at sea may be a platform, but not most stations. */
function findAtSea(placed: readonly Placed[], land: GateContext['land']): readonly Finding[] {
  const atSea = placed.filter((one) => !land.isNear([one.longitude, one.latitude]));
  const [first] = atSea;
  if (first === undefined || 2 * atSea.length <= placed.length) return [];
  const { code, name, latitude, longitude } = first;
  const many = `${atSea.length} of ${placed.length} stations are in the sea`;
  const message = `${many}, first ${code} (${name}) at latitude ${latitude}, longitude ${longitude}`;
  return [{ gate: 'place', message }];
}
