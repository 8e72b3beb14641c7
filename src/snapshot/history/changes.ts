/** What differs between the rows of two snapshots (`docs/http-api.md, "Changes"`). */
import { compareCodes } from '../domain/observation-order.js';
import { windowHours } from '../domain/windows.js';
import type { PastSeries, PastSnapshot } from './past-snapshot.js';

type ChangeKind = 'added' | 'changed' | 'withdrawn';

export type ChangeCounts = Readonly<Record<ChangeKind, number>>;

/** One row that differs. The values are in the unit of the series; NaN for null. */
export type OnChange = (
  kind: ChangeKind,
  series: PastSeries,
  /** Since the epoch, UTC. */
  hour: number,
  /** Of the newer rows; of a withdrawn row it says nothing. */
  value: number,
  /** Of the older rows; of an added row it says nothing. */
  previous: number,
) => void;

/** The rows of a snapshot, or those that a selection leaves of them. */
export type Rows = Pick<PastSnapshot, 'series' | 'generatedAtMs'>;

const NONE = new Int32Array();
const NO_VALUES = new Float64Array();

/**
 * Calls `onChange` for each row that is not the same in both, by station, parameter and hour; answers how many of each
 * kind there are.
 *
 * Rows of `since` before the retention window of `current` are left out. They have aged, which nobody has to be told.
 */
export function compareRows(since: Rows, current: Rows, onChange?: OnChange): ChangeCounts {
  const { from } = windowHours('30d', current.generatedAtMs);
  const counts = { added: 0, changed: 0, withdrawn: 0 };
  const count: OnChange = (kind, ...change) => {
    counts[kind] += 1;
    onChange?.(kind, ...change);
  };
  const [before, now] = [since.series, current.series];
  for (let [i, j] = [0, 0]; i < before.length || j < now.length;) {
    const [old, young] = [before[i], now[j]];
    const order = compareSeries(old, young);
    const key = order <= 0 ? old : young;
    if (key !== undefined) {
      compareSeriesRows(key, order <= 0 ? old : undefined, order >= 0 ? young : undefined, {
        from,
        onChange: count,
      });
    }
    if (order <= 0) i += 1;
    if (order >= 0) j += 1;
  }
  return counts;
}

/** One that is missing comes after all others. */
function compareSeries(a: PastSeries | undefined, b: PastSeries | undefined): number {
  if (a === undefined) return 1;
  if (b === undefined) return -1;
  return a.stationId - b.stationId || compareCodes(a.parameterCode, b.parameterCode);
}

function compareSeriesRows(
  series: PastSeries,
  old: PastSeries | undefined,
  young: PastSeries | undefined,
  { from, onChange }: { readonly from: number; readonly onChange: OnChange },
): void {
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

/** Null, which is NaN here, is the same as null; and 0 the same as -0, which JSON writes alike. */
function isSame(a: number, b: number): boolean {
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
}
