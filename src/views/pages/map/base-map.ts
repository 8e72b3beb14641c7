/** The base map under the stations as plain data: land, borders, water and towns, in degrees. */
import type { LineString, MultiLineString, MultiPolygon, Polygon } from 'geojson';

type Area = Polygon | MultiPolygon;
type Lines = LineString | MultiLineString;

export interface Town {
  readonly name: string;
  /** WGS84 decimal degrees. */
  readonly longitude: number;
  readonly latitude: number;
  /** 0 where unknown. */
  readonly population: number;
  /** Whether its name is in Serbian or another language that is written in both scripts. */
  readonly inBothScripts: boolean;
}

export interface BaseMap {
  /** Everything else is sea. */
  readonly land: readonly Area[];
  readonly lakes: readonly Area[];
  readonly rivers: readonly { readonly lines: Lines; readonly isLarge: boolean }[];
  readonly provinceBorders: readonly Lines[];
  readonly countryBorders: readonly Lines[];
  /** In descending order of population. */
  readonly towns: readonly Town[];
}
