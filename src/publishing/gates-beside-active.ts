/** Finds likely mistakes by comparison with the active snapshot: missing, shifted, exchanged or scaled rows. */
import type { Series, Snapshot, Station } from '../snapshot/domain/model.js';
import { distanceM } from '../snapshot/domain/selection.js';
import { isDirection, isSameUnit } from '../snapshot/domain/units.js';
import { HOUR_MS, windowHours, type HourGrid } from '../snapshot/domain/windows.js';
import { describeRow, type Figures, type Finding } from './findings.js';

const DAY_HOURS = 24;
const JUMP = 100;
/** Distance in metres above which a station counts as moved: corrections are smaller. */
const MOVED_M = 50_000;
/** Least number of rows of a series in the active snapshot for a comparison. */
const COMPARED = 24;

export interface Measured {
  readonly snapshot: Snapshot;
  readonly figures: Figures;
}

export function findBesideActive(now: Measured, active: Measured): readonly Finding[] {
  return [
    ...findDrop(now.figures, active.figures),
    ...findJump(now, active.figures),
    ...findChanged(now.snapshot, active.snapshot),
    ...findStray(now.snapshot, active.snapshot),
    ...findMinute(now.snapshot.header, active.snapshot.header),
    ...findOther(now.snapshot, active.snapshot),
  ];
}

function findDrop(figures: Figures, before: Figures): readonly Finding[] {
  return (['stations', 'rows', 'current'] as const).flatMap((name): readonly Finding[] => {
    if (figures[name] * 2 >= before[name]) return [];
    const what = name === 'current' ? 'stations with a value in the newest hour' : name;
    const message = `${figures[name]} ${what}, and ${before[name]} in the active snapshot`;
    return [{ gate: 'drop', message }];
  });
}

function findJump({ snapshot, figures }: Measured, before: Figures): readonly Finding[] {
  const directions = snapshot.components.filter(isDirection).map(({ shortName }) => shortName);
  return [...figures.ranges].flatMap(([code, { most }]): readonly Finding[] => {
    const had = before.ranges.get(code)?.most ?? 0;
    if (had <= 0 || most <= JUMP * had || directions.includes(code)) return [];
    const message = `${code} reaches ${most}, and ${had} in the active snapshot`;
    return [{ gate: 'jump', message }];
  });
}

/** Finds changed and missing rows: a shifted hour, exchanged columns, another unit. Accepts one changed series. */
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

/** Finds a new row that is more than a day from all other rows of its series: its day may be mistyped. */
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

function findMinute(
  { hourMinute: is = 0 }: HourGrid,
  { hourMinute: was = 0 }: HourGrid,
): Finding[] {
  const message = `hours start at minute ${is}, and at minute ${was} in the active snapshot`;
  return is === was ? [] : [{ gate: 'minute', message }];
}

/** Finds stations and components whose position, code or unit has changed. */
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
        ...(isSameUnit(unit, before.unit)
          ? []
          : differing('unit', `component ${id} (${shortName})`, unit, before.unit)),
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

/** Counts hours of the active series, within the window of the new snapshot, with equal and with different values. */
function compare(
  [{ header, observations: a }, one]: readonly [Snapshot, Series],
  [{ observations: b }, other]: readonly [Snapshot, Series],
) {
  const { from } = windowHours('30d', header);
  const end = header.generatedAtMs / HOUR_MS;
  let [same, different, at] = [0, 0, one.start];
  let first: { hour: number; value: number | undefined; was: number } | undefined;
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
