/** Observations in columns, without a document. */
import type {
  Component,
  Observations,
  Series,
  SnapshotHeader,
} from '../../../src/snapshot/domain/model.js';

export interface SeriesRows {
  readonly stationId: number;
  readonly componentId: number;
  /** Hours since the epoch, UTC, and values; null where unavailable. */
  readonly rows: readonly (readonly [hour: number, value: number | null])[];
}

export function observationColumns(all: readonly SeriesRows[]): Observations {
  const rows = all.flatMap((one) => one.rows);
  const hours = new Int32Array(new SharedArrayBuffer(rows.length * 4));
  const values = new Float64Array(new SharedArrayBuffer(rows.length * 8));
  for (const [index, [hour, value]] of rows.entries()) {
    hours[index] = hour;
    values[index] = value ?? NaN;
  }
  const series: Series[] = [];
  let start = 0;
  for (const { stationId, componentId, rows: own } of all) {
    series.push({ stationId, componentId, start, end: start + own.length });
    start += own.length;
  }
  return { series, hours, values };
}

export function sharedDoubles(values: readonly number[]): Float64Array<SharedArrayBuffer> {
  const column = new Float64Array(new SharedArrayBuffer(values.length * 8));
  column.set(values);
  return column;
}

export function component(id: number, shortName: string, unit = 'ug.m-3'): Component {
  return { id, shortName, unit, public: true, additional: {} };
}

/** The header of a snapshot that was generated at 2026-09-10T00:00:00Z. */
export const HEADER: SnapshotHeader = {
  schemaVersion: '1.2.0',
  snapshotId: '20260910T000000Z-test',
  generatedAtMs: Date.parse('2026-09-10T00:00:00Z'),
  supportedWindows: ['1h', '1d', '7d', '14d', '30d'],
  counts: { organizations: 1, networks: 1, stations: 1, components: 1, measurement_rows: 1 },
};

/** The last hour before `HEADER.generatedAtMs`, in hours since the epoch. */
export const LAST_HOUR = HEADER.generatedAtMs / 3_600_000 - 1;
