/** Reads the surroundings of a network from the base map (`data/base-map/SOURCE.md`). */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { feature, merge, mesh } from 'topojson-client';
import type { GeometryCollection, Polygon, MultiPolygon, Topology } from 'topojson-specification';
import type { BaseMap, Town } from '../../views/pages/map/base-map.js';
import { turnsOf } from '../../views/pages/map/frame.js';

/** Folder of the base map, filled by `build-assets.mjs`. */
const DIRECTORY = new URL('../../base-map/', import.meta.url);

/** Degrees: west, south, east, north. */
type Box = readonly [number, number, number, number];

interface CountryFile {
  readonly topology: Topology<{
    provinces: GeometryCollection<object> & { geometries: (Polygon | MultiPolygon)[] };
  }>;
  readonly towns: readonly (readonly [
    name: string,
    longitude: number,
    latitude: number,
    population: number,
  ])[];
}

type WaterFile = Topology<{
  rivers: GeometryCollection<{ readonly width?: number }>;
  lakes: GeometryCollection;
}>;

type Index = readonly (readonly [country: string, ...boxes: Box[]])[];

/** Countries whose town names can be written in Cyrillic: in Serbian, or transliterated letter by letter. */
const BOTH_SCRIPTS: ReadonlySet<string> = new Set(['srb', 'mne', 'bih', 'hrv', 'mkd']);

/** Least width of a large river, in the unit of the source. */
const LARGE_RIVER_WIDTH = 0.35;

/** The map of all countries that overlap the box, whose longitudes may exceed 180 degrees. */
export function readBaseMap(bounds: Box): BaseMap {
  const [west, south, east, north] = bounds;
  const index = readFile('index.json') as Index;
  const turns = turnsOf(bounds).map((turn) => 360 * turn);
  const countries = index
    .filter(([, ...boxes]) =>
      boxes.some(
        (box) =>
          turns.some((turn) => box[0] + turn < east && box[2] + turn > west) &&
          box[1] < north &&
          box[3] > south,
      ),
    )
    .map(([country]) => ({
      country,
      ...(readFile(`countries/${country}.json.gz`) as CountryFile),
    }));
  const water = readFile('water.json.gz') as WaterFile;
  return {
    land: countries.map(({ topology }) => merge(topology, topology.objects.provinces.geometries)),
    provinceBorders: countries.map(({ topology }) =>
      mesh(topology, topology.objects.provinces, (a, b) => a !== b),
    ),
    countryBorders: countries.map(({ topology }) =>
      mesh(topology, topology.objects.provinces, (a, b) => a === b),
    ),
    lakes: feature(water, water.objects.lakes).features.flatMap(({ geometry }) =>
      geometry.type === 'Polygon' || geometry.type === 'MultiPolygon' ? [geometry] : [],
    ),
    rivers: feature(water, water.objects.rivers).features.flatMap(({ geometry, properties }) =>
      geometry.type === 'LineString' || geometry.type === 'MultiLineString'
        ? [{ lines: geometry, isLarge: (properties.width ?? 0) >= LARGE_RIVER_WIDTH }]
        : [],
    ),
    towns: countries
      .flatMap(({ country, towns }) =>
        towns.map(([name, longitude, latitude, population]): Town => {
          const inBothScripts = BOTH_SCRIPTS.has(country);
          return { name, longitude, latitude, population, inBothScripts };
        }),
      )
      .toSorted((a, b) => b.population - a.population),
  };
}

function readFile(name: string): unknown {
  const bytes = readFileSync(new URL(name, DIRECTORY));
  const text = name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  return JSON.parse(text.toString('utf8'));
}
