/** The series of a local copy, and their selection by filters. */
import type { ParameterSeries } from '../../domain/observation-order.js';
import { firstAtOrAfter } from '../../domain/public.js';
import type { Selection } from '../../domain/selection.js';
import type { CopyRecords } from '../records.js';

export type SeriesKey = [stationId: number, componentId: number];

/** An undefined member does not filter. */
export type SeriesFilter = Pick<Selection, 'stationIds' | 'parameterCodes'>;

export type ListedSeries = Pick<ParameterSeries, 'stationId' | 'componentId' | 'parameterCode'>;

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

/** Columns, not objects: a list of 100,000 series needs no decoding, and stations are found by bisection. */
export class SeriesList {
  readonly length: number;
  readonly #codes: ReadonlyMap<number, string>;
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

  /**
   * The selected series, in order. Costs the size of the stations' series, or that of the list without `stationIds`.
   */
  select({ stationIds, parameterCodes }: SeriesFilter): readonly SeriesKey[] {
    const codes = parameterCodes && new Set(parameterCodes);
    if (stationIds === undefined) return this.#between(0, this.length, codes);
    // Most requests name one station.
    const [only] = stationIds;
    if (only !== undefined && stationIds.length === 1) return this.#ofStation(only, codes);
    return stationIds.flatMap((id) => this.#ofStation(id, codes));
  }

  codeOf([, componentId]: SeriesKey): string {
    return this.#codes.get(componentId) ?? '';
  }

  #ofStation(stationId: number, codes?: ReadonlySet<string>): readonly SeriesKey[] {
    const start = firstAtOrAfter(this.#stations, { start: 0, end: this.length }, stationId);
    let end = start;
    while (this.#stations[end] === stationId) end += 1;
    return this.#between(start, end, codes);
  }

  /** @param codes undefined: all parameters. */
  #between(start: number, end: number, codes?: ReadonlySet<string>): readonly SeriesKey[] {
    const keys: SeriesKey[] = [];
    for (let at = start; at < end; at += 1) {
      const key: SeriesKey = [this.#stations[at] ?? 0, this.#components[at] ?? 0];
      if (codes === undefined || codes.has(this.#codes.get(key[1]) ?? '')) keys.push(key);
    }
    return keys;
  }
}
