/** What lies under the stations: land, borders, water and towns, in degrees. Plain data. */
import type { LineString, MultiLineString, MultiPolygon, Polygon } from 'geojson';

type Area = Polygon | MultiPolygon;
type Lines = LineString | MultiLineString;

export interface Town {
  readonly name: string;
  /** WGS84 decimal degrees. */
  readonly longitude: number;
  readonly latitude: number;
  /** 0 where it is not known. */
  readonly population: number;
  /** Whether its name is Serbian, or of a language that is written in both scripts too. */
  readonly inBothScripts: boolean;
}

export interface BaseMap {
  /** What is no land is sea. */
  readonly land: readonly Area[];
  readonly lakes: readonly Area[];
  readonly rivers: readonly { readonly lines: Lines; readonly isLarge: boolean }[];
  readonly provinceBorders: readonly Lines[];
  readonly countryBorders: readonly Lines[];
  /** The largest first. */
  readonly towns: readonly Town[];
}
