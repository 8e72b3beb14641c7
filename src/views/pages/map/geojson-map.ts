/**
 * Parses the operator's base map: a GeoJSON FeatureCollection (RFC 7946).
 *
 * Geometry and property `kind` say what a feature is: polygons are land or `water`; lines are borders of provinces or
 * of a `country`, or a `river` or `large-river`; points with a `name` are towns, ordered by `population`. The outline
 * of land is also a border: of a country if its kind is `country`, else of a province.
 */
import type { Position } from 'geojson';
import type { BaseMap, Town } from './base-map.js';

/** Largest length of a file, in characters; the built-in map of the largest countries has 2 MB. */
const LENGTH_MAX = 32 * 1024 * 1024;

/** Ignores unknown features. @throws {TypeError | SyntaxError} for a text that is not a GeoJSON map. */
export function parseGeoJsonMap(text: string): BaseMap {
  if (text.length > LENGTH_MAX) throw new TypeError('the file is larger than 32 MB');
  const collection = asObject(JSON.parse(text));
  const { features } = collection;
  if (collection['type'] !== 'FeatureCollection' || !Array.isArray(features)) {
    throw new TypeError('the file is no GeoJSON FeatureCollection');
  }
  const map: MutableBaseMap = {
    land: [],
    lakes: [],
    rivers: [],
    provinceBorders: [],
    countryBorders: [],
    towns: [],
  };
  for (const feature of features) add(map, asObject(feature));
  if (Object.values(map).every((list) => list.length === 0)) {
    throw new TypeError('the file has no areas, lines or towns');
  }
  return { ...map, towns: map.towns.toSorted((a, b) => b.population - a.population) };
}

type MutableBaseMap = { readonly [M in keyof BaseMap]: BaseMap[M][number][] };

function add(map: MutableBaseMap, feature: Readonly<Record<string, unknown>>): void {
  const { type, coordinates } = asObject(feature['geometry']);
  const properties = asObject(feature['properties']);
  const { kind } = properties;
  if (type === 'Polygon') addArea(map, asPolygons([coordinates]), kind);
  if (type === 'MultiPolygon') addArea(map, asPolygons(coordinates), kind);
  if (type === 'LineString') addLines(map, asLines([coordinates]), kind);
  if (type === 'MultiLineString') addLines(map, asLines(coordinates), kind);
  if (type === 'Point') map.towns.push(...townOf(coordinates, properties));
}

function addArea(map: MutableBaseMap, coordinates: Position[][][], kind: unknown): void {
  if (coordinates.length === 0) return;
  const area = { type: 'MultiPolygon', coordinates } as const;
  if (kind === 'water') {
    map.lakes.push(area);
    return;
  }
  map.land.push(area);
  addLines(map, coordinates.flat(), kind === 'country' ? 'country' : 'province');
}

function addLines(map: MutableBaseMap, coordinates: Position[][], kind: unknown): void {
  if (coordinates.length === 0) return;
  const lines = { type: 'MultiLineString', coordinates } as const;
  if (kind === 'river' || kind === 'large-river') {
    map.rivers.push({ lines, isLarge: kind === 'large-river' });
  } else if (kind === 'country') map.countryBorders.push(lines);
  else map.provinceBorders.push(lines);
}

function townOf(
  coordinates: unknown,
  { name, population }: Readonly<Record<string, unknown>>,
): readonly Town[] {
  if (!isPosition(coordinates) || typeof name !== 'string' || name.trim() === '') return [];
  const [longitude = 0, latitude = 0] = coordinates;
  return [
    {
      name: name.trim(),
      longitude,
      latitude,
      population: typeof population === 'number' ? population : 0,
      // The operator's names are not transliterated.
      inBothScripts: false,
    },
  ];
}

function asPolygons(value: unknown): Position[][][] {
  return isListOf(value, (polygon) => isListOf(polygon, isLine)) ? value : [];
}

function asLines(value: unknown): Position[][] {
  return isListOf(value, isLine) ? value : [];
}

function isLine(value: unknown): value is Position[] {
  return isListOf(value, isPosition);
}

function isListOf<T>(value: unknown, is: (one: unknown) => one is T): value is T[] {
  return Array.isArray(value) && value.every(is);
}

function isPosition(value: unknown): value is Position {
  return Array.isArray(value) && value.length >= 2 && value.every((one) => Number.isFinite(one));
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
