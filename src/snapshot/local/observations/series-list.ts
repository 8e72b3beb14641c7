/** Which series a local copy has, and which of them a filter leaves. */
import type { CopyRecords } from '../records.js';

export type SeriesKey = [stationId: number, componentId: number];

/** Each undefined where a request does not limit the series by it. */
export interface SeriesFilter {
  /** Ascending. */
  readonly stationIds: readonly number[] | undefined;
  readonly parameterCodes: readonly string[] | undefined;
}

export interface ListedSeries {
  readonly stationId: number;
  readonly componentId: number;
  readonly parameterCode: string;
}

/** @param series in the order of the observations (`docs/http-api/values.md, "Order"`). */
export function seriesRecord(series: readonly ListedSeries[]): CopyRecords['series'] {
  const codes = new Map(
    series.map(({ componentId, parameterCode }) => [componentId, parameterCode]),
  );
  return {
    codes: [...codes],
    stations: new Uint8Array(Float64Array.from(series, ({ stationId }) => stationId).buffer),
    components: new Uint8Array(Float64Array.from(series, ({ componentId }) => componentId).buffer),
  };
}

/** Columns and no objects: a list of 100,000 series is there at once, and a station is found by bisection. */
export class SeriesList {
  readonly length: number;
  readonly #codes: ReadonlyMap<number, string>;
  /** Ascending. */
  readonly #stations: Float64Array;
  readonly #components: Float64Array;

  constructor({ codes, stations, components }: CopyRecords['series']) {
    this.#codes = new Map(codes);
    this.#stations = new Float64Array(Uint8Array.from(stations).buffer);
    this.length = this.#stations.length;
    this.#components = new Float64Array(Uint8Array.from(components).buffer);
  }

  has([stationId, componentId]: SeriesKey): boolean {
    return this.#ofStation(stationId).some(([, component]) => component === componentId);
  }

  /** In their order. A filter by stations costs what these have, any other what the copy has. */
  select({ stationIds, parameterCodes }: SeriesFilter): readonly SeriesKey[] {
    const codes = parameterCodes && new Set(parameterCodes);
    if (stationIds === undefined) return this.#between(0, this.length, codes);
    // Most requests name one.
    const [only] = stationIds;
    if (only !== undefined && stationIds.length === 1) return this.#ofStation(only, codes);
    return stationIds.flatMap((id) => this.#ofStation(id, codes));
  }

  /** The parameter code of a series. */
  codeOf([, componentId]: SeriesKey): string {
    return this.#codes.get(componentId) ?? '';
  }

  #ofStation(stationId: number, codes?: ReadonlySet<string>): readonly SeriesKey[] {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#stations[middle] ?? 0) < stationId) low = middle + 1;
      else high = middle;
    }
    const start = low;
    while (this.#stations[low] === stationId) low += 1;
    return this.#between(start, low, codes);
  }

  /** @param codes undefined where those of all codes are wanted. */
  #between(start: number, end: number, codes?: ReadonlySet<string>): readonly SeriesKey[] {
    const keys: SeriesKey[] = [];
    for (let at = start; at < end; at += 1) {
      const key: SeriesKey = [this.#stations[at] ?? 0, this.#components[at] ?? 0];
      if (codes === undefined || codes.has(this.#codes.get(key[1]) ?? '')) keys.push(key);
    }
    return keys;
  }
}
