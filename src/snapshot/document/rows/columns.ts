/** Collects rows in growing columns, in document order; then orders them by station, component and hour. */
import type { HourMinute, Observations, Series } from '../../domain/model.js';
import { GrowingColumn } from './growing-column.js';
import type { RowTimes } from './row-times.js';

/** Stands for the series of an unreadable row. Such a row is stored too, so that later rows keep their numbers. */
const NO_SERIES = -1;

interface MetSeries {
  readonly stationId: number;
  readonly componentId: number;
  rows: number;
}

export interface OrderedRows {
  readonly observations: Observations;
  /** The series of each (station, component) pair, by the position of the pair. */
  readonly seriesOfPair: readonly Series[];
  /** Whether a (station, component, hour) occurs twice. */
  readonly repeated: boolean;
}

/** All rows in document order, 16 bytes each. */
export class Columns {
  readonly #pairs = new GrowingColumn(Int32Array);
  /** Hours in quarters: the member `hour_minute` may come after the rows. */
  readonly #quarters = new GrowingColumn(Int32Array);
  /** The part of the hour at which all rows start. */
  #shift = 0;
  readonly #values = new GrowingColumn(Float64Array);
  readonly #met: MetSeries[] = [];
  readonly #byStation = new Map<number, Map<number, number>>();
  #length = 0;
  // Most rows have the series of the row before: caching it saves two lookups.
  #lastStation = -1;
  #lastComponent = -1;
  #last = NO_SERIES;

  /** Number of rows so far, including unreadable ones. */
  get length(): number {
    return this.#length;
  }

  /** Appends a row; `hour` counts from the epoch, with quarters, and `value` is NaN for null. */
  add(stationId: number, componentId: number, hour: number, value: number): void {
    const series = this.#seriesOf(stationId, componentId);
    const met = this.#met[series];
    if (met !== undefined) met.rows += 1;
    this.#append(series, hour, value);
  }

  /** Counts an unreadable row. */
  addUnreadable(): void {
    this.#append(NO_SERIES, 0, 0);
  }

  /** The (station, component) pairs in the order of their first rows. */
  pairs(): readonly Readonly<MetSeries>[] {
    return this.#met;
  }

  /** Calls back for every readable row, in document order, with its number and pair. */
  eachRow(visit: (row: number, pair: number, hour: number, value: number) => void): void {
    for (let row = 0; row < this.#length; row += 1) {
      const pair = this.#pairs.at(row);
      if (pair !== NO_SERIES) visit(row, pair, this.#quarters.at(row) / 4, this.#values.at(row));
    }
  }

  /** Makes rows that start at another minute of the hour unreadable, after calling back for each. */
  keepMinute(minute: HourMinute, onOther: (row: number, hour: number) => void): void {
    this.#shift = minute / 60;
    this.eachRow((row, pair, hour) => {
      const met = this.#met[pair];
      if (met === undefined || hour - Math.floor(hour) === this.#shift) return;
      onOther(row, hour);
      met.rows -= 1;
      this.#pairs.set(row, NO_SERIES);
    });
  }

  /** All readable rows by station, component and hour, with their times; `keepMinute` was called before. */
  ordered(times: RowTimes): OrderedRows {
    const { series, seriesOfPair } = this.#layOut();
    const rows = series.at(-1)?.end ?? 0;
    const hours = new Int32Array(new SharedArrayBuffer(rows * Int32Array.BYTES_PER_ELEMENT));
    const column = () =>
      new Float64Array(new SharedArrayBuffer(rows * Float64Array.BYTES_PER_ELEMENT));
    const values = column();
    const scattered = {
      ...(!times.publishedAtMs.isEmpty && { publishedAtMs: column() }),
      ...(!times.updatedAtMs.isEmpty && { updatedAtMs: column() }),
    };
    const { publishedAtMs, updatedAtMs } = scattered;
    // The index of each pair's next row, by the position of the pair.
    const next = Float64Array.from(seriesOfPair, ({ start }) => start);
    this.eachRow((row, pair, hour, value) => {
      const to = next[pair] ?? 0;
      next[pair] = to + 1;
      hours[to] = Math.floor(hour);
      values[to] = value;
      if (publishedAtMs !== undefined) publishedAtMs[to] = times.publishedAtMs.at(row);
      if (updatedAtMs !== undefined) updatedAtMs[to] = times.updatedAtMs.at(row);
    });
    let repeated = false;
    const columns = [values, ...Object.values(scattered)];
    for (const one of series) repeated = orderSeries(one, hours, columns) || repeated;
    // Whole hours stay integers: they take less memory.
    const shifted = this.#shift === 0 ? hours : column();
    if (this.#shift > 0) hours.forEach((hour, row) => (shifted[row] = hour + this.#shift));
    const all = { series, hours: shifted, values, ...scattered };
    return { observations: all, seriesOfPair, repeated };
  }

  #seriesOf(stationId: number, componentId: number): number {
    if (stationId === this.#lastStation && componentId === this.#lastComponent) return this.#last;
    let components = this.#byStation.get(stationId);
    if (components === undefined) {
      components = new Map();
      this.#byStation.set(stationId, components);
    }
    let series = components.get(componentId);
    if (series === undefined) {
      series = this.#met.length;
      components.set(componentId, series);
      this.#met.push({ stationId, componentId, rows: 0 });
    }
    this.#lastStation = stationId;
    this.#lastComponent = componentId;
    this.#last = series;
    return series;
  }

  #append(pair: number, hour: number, value: number): void {
    this.#pairs.set(this.#length, pair);
    this.#quarters.set(this.#length, 4 * hour);
    this.#values.set(this.#length, value);
    this.#length += 1;
  }

  #layOut(): { series: Series[]; seriesOfPair: Series[] } {
    const order = this.#met
      .map((met, pair) => ({ ...met, pair }))
      .sort((a, b) => a.stationId - b.stationId || a.componentId - b.componentId);
    const seriesOfPair: Series[] = [];
    let start = 0;
    const series = order.map(({ stationId, componentId, rows, pair }) => {
      const one = { stationId, componentId, start, end: start + rows };
      seriesOfPair[pair] = one;
      start = one.end;
      return one;
    });
    return { series, seriesOfPair };
  }
}

/** Sorts one series by hour if needed. @returns whether an hour repeats. */
function orderSeries(
  { start, end }: Series,
  hours: Int32Array,
  columns: readonly Float64Array[],
): boolean {
  let ascending = true;
  for (let at = start + 1; at < end && ascending; at += 1) {
    ascending = (hours[at - 1] ?? 0) < (hours[at] ?? 0);
  }
  if (ascending) return false;
  // Packs hour and position into an exact number below 2^53: typed arrays sort fast only without a comparator.
  const count = end - start;
  const keys = new Float64Array(count);
  for (let at = 0; at < count; at += 1) keys[at] = (hours[start + at] ?? 0) * count + at;
  keys.sort();
  let repeated = false;
  for (let at = 0; at < count; at += 1) {
    const key = keys[at] ?? 0;
    const hour = Math.floor(key / count);
    repeated ||= at > 0 && hours[start + at - 1] === hour;
    hours[start + at] = hour;
    keys[at] = key - hour * count;
  }
  // Each key is now the former position of a row.
  for (const column of columns) permute(column.subarray(start, end), keys);
  return repeated;
}

function permute(column: Float64Array, from: Float64Array): void {
  const unordered = column.slice();
  for (let at = 0; at < column.length; at += 1) column[at] = unordered[from[at] ?? 0] ?? 0;
}
