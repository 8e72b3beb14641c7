/** A text format for hourly values: its head, the items of each station, and its tail. */

/** A station; coordinates are WGS84 decimal degrees. */
export interface Place {
  readonly id: number;
  readonly name: string;
  readonly latitude: number | undefined;
  readonly longitude: number | undefined;
}

/** An hour since the epoch, UTC, which can have a fraction, and the value of each parameter; NaN without one. */
export type HourRow = readonly [hour: number, cells: Float64Array];

export interface HourTable {
  readonly head: string;
  /** @param rows the hours of a station, ascending. */
  readonly itemsOf: (place: Place, rows: readonly HourRow[]) => readonly string[];
  readonly separator: '' | ',';
  readonly tail: (items: number) => string;
}
