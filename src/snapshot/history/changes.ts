/** Compares the rows of two snapshots (`docs/http-api/changes.md, "Changes"`). */
import { compareCodes } from '../domain/observation-order.js';
import { HOUR_MS, RETENTION_DAYS } from '../domain/windows.js';
import type { PastSeries, PastSnapshot } from './past-snapshot.js';

type ChangeKind = 'added' | 'changed' | 'withdrawn';

export type ChangeCounts = Readonly<Record<ChangeKind, number>>;

/** Called with one row that differs. Values are in the unit of the series, NaN for null. */
export type OnChange = (
  kind: ChangeKind,
  series: PastSeries,
  hour: number,
  /** Value of the newer row; meaningless for a withdrawn row. */
  value: number,
  /** Value of the older row; meaningless for an added row. */
  previous: number,
) => void;

/** The rows of a snapshot, or a selection of them. */
export type SnapshotRows = Pick<PastSnapshot, 'series' | 'generatedAtMs'>;

const NONE = new Int32Array();
const NO_VALUES = new Float64Array();

/** Counts the rows of each kind of change; yields after each series. */
export function* countChanges(
  since: SnapshotRows,
  current: SnapshotRows,
): Generator<void, ChangeCounts, undefined> {
  const counts = { added: 0, changed: 0, withdrawn: 0 };
  for (const series of seriesOfBoth(since, current)) {
    compareSeries(series, (kind) => {
      counts[kind] += 1;
    });
    yield;
  }
  return counts;
}

export interface SeriesOfBoth {
  readonly old: PastSeries | undefined;
  readonly young: PastSeries | undefined;
  /** Start of the newer snapshot's retention window. */
  readonly from: number;
}

/** All series of both snapshots, ordered by station and parameter. */
export function* seriesOfBoth(since: SnapshotRows, current: SnapshotRows): Generator<SeriesOfBoth> {
  const from = current.generatedAtMs / HOUR_MS - 24 * RETENTION_DAYS;
  const [before, now] = [since.series, current.series];
  for (let [i, j] = [0, 0]; i < before.length || j < now.length;) {
    const order = orderOf(before[i], now[j]);
    yield {
      old: order <= 0 ? before[i] : undefined,
      young: order >= 0 ? now[j] : undefined,
      from,
    };
    if (order <= 0) i += 1;
    if (order >= 0) j += 1;
  }
}

/** A missing series comes last. */
function orderOf(a: PastSeries | undefined, b: PastSeries | undefined): number {
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return a.stationId - b.stationId || compareCodes(a.parameterCode, b.parameterCode);
}

/** Calls `onChange` for each row that differs, by hour, except for rows that have left the retention window. */
export function compareSeries({ old, young, from }: SeriesOfBoth, onChange: OnChange): void {
  const series = young ?? old;
  if (series === undefined) return;
  const [oldHours, oldValues] = [old?.hours ?? NONE, old?.values ?? NO_VALUES];
  const [hours, values] = [young?.hours ?? NONE, young?.values ?? NO_VALUES];
  let i = 0;
  while (i < oldHours.length && (oldHours[i] ?? 0) < from) i += 1;
  for (let j = 0; i < oldHours.length || j < hours.length;) {
    const oldHour = oldHours[i] ?? Infinity;
    const hour = hours[j] ?? Infinity;
    const previous = oldValues[i] ?? NaN;
    const value = values[j] ?? NaN;
    if (oldHour < hour) onChange('withdrawn', series, oldHour, value, previous);
    else if (hour < oldHour) onChange('added', series, hour, value, previous);
    else if (!isSame(value, previous)) onChange('changed', series, hour, value, previous);
    if (oldHour <= hour) i += 1;
    if (hour <= oldHour) j += 1;
  }
}

/** Whether two values are equal: NaN (null) equals NaN, and 0 equals -0, as in JSON. */
function isSame(a: number, b: number): boolean {
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
}
