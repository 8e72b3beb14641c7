/** The base map as plain data: land, borders, water and towns, in degrees. */
import type { LineString, MultiLineString, MultiPolygon, Polygon } from 'geojson';
import type { Coordinates } from './frame.js';

type Area = Polygon | MultiPolygon;
type Lines = LineString | MultiLineString;

export interface Town extends Coordinates {
  readonly name: string;
  /** Number of inhabitants; 0 if unknown. */
  readonly population: number;
  /** Whether the name can be written in both Serbian scripts. */
  readonly inBothScripts: boolean;
}

export interface BaseMap {
  /** Land areas; the rest of the map is sea. */
  readonly land: readonly Area[];
  readonly lakes: readonly Area[];
  readonly rivers: readonly { readonly lines: Lines; readonly isLarge: boolean }[];
  readonly provinceBorders: readonly Lines[];
  readonly countryBorders: readonly Lines[];
  /** Towns by descending population. */
  readonly towns: readonly Town[];
}
