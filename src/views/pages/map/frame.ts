/** Projects coordinates to the map: Web Mercator, clipped around the network. */
import { geoMercatorRaw } from 'd3-geo';
import type { Position } from 'geojson';
import type { BoundingBox } from '../../../snapshot/domain/selection.js';

/** Width of the map in its own units; pages scale it to their width. */
export const MAP_WIDTH = 1000;

/** Heights of the map, in the same units (`styles/portal/map.css`). */
const HEIGHTS = { tall: 1100, usual: 800 };

/** Distance of the outermost stations from the edge. */
const MARGIN = 90;

/** Smallest extent of a map, about 20 km: that of a single station. */
const EXTENT_MIN_DEGREES = 0.2;

/** Greatest latitude on the map: the Mercator projection of the poles is infinite. */
const LATITUDE_MAX = 85;

const DEGREE = Math.PI / 180;

/** WGS84 decimal degrees. */
export interface Coordinates {
  readonly longitude: number;
  readonly latitude: number;
}

export type Frame = ReturnType<typeof frameAround>;

/** Moves a longitude by multiples of 360 degrees, to less than 360 degrees east of `west`. */
export function eastOf(west: number, longitude: number): number {
  return longitude + 360 * Math.ceil((west - longitude) / 360);
}

/** Multiples of 360 degrees that move longitudes between -180 and 180 onto a map of these bounds. */
export function turnsOf([west, , east]: Frame['bounds']): readonly number[] {
  return [-1, 0, 1].filter((turn) => west < 360 * turn + 180 && east > 360 * turn - 180);
}

/** A point of the projected plane, y upwards. */
export function toPlane([longitude = 0, latitude = 0]: Position): [number, number] {
  const phi = Math.min(Math.max(latitude, -LATITUDE_MAX), LATITUDE_MAX) * DEGREE;
  const [x, y] = geoMercatorRaw(longitude * DEGREE, phi);
  return [x, y];
}

/** @param positions of the stations, at least one. */
export function frameAround(positions: readonly Coordinates[]) {
  const box = extentOf(positions);
  const [west, south] = toPlane([box.west, box.south]);
  const [east, north] = toPlane([box.east, box.north]);
  const isTall = (east - west) / (north - south) < 0.95;
  const height = isTall ? HEIGHTS.tall : HEIGHTS.usual;
  const scale = Math.min(
    (MAP_WIDTH - 2 * MARGIN) / (east - west),
    (height - 2 * MARGIN) / (north - south),
  );
  const translate = [
    MAP_WIDTH / 2 - (scale * (west + east)) / 2,
    height / 2 + (scale * (south + north)) / 2,
  ] as const;
  const westEdge = -translate[0] / scale / DEGREE;
  return {
    /** Units of the map per unit of the projected plane. */
    scale,
    translate,
    /** Position of coordinates, in units of the map from its upper left corner. */
    project({ longitude, latitude }: Coordinates) {
      const [x, y] = toPlane([eastOf(westEdge, longitude), latitude]);
      return { x: translate[0] + scale * x, y: translate[1] - scale * y };
    },
    /** Degrees: west, south, east, north; across the antimeridian east is above 180 or west below -180. */
    bounds: [
      westEdge,
      toLatitude((translate[1] - height) / scale),
      (MAP_WIDTH - translate[0]) / scale / DEGREE,
      toLatitude(translate[1] / scale),
    ] as const,
    height,
    /** Whether the network is much taller than wide. */
    isTall,
  };
}

function toLatitude(y: number): number {
  const inverse = geoMercatorRaw.invert?.(0, y) ?? [0, 0];
  return inverse[1] / DEGREE;
}

/** The smallest extent that contains all stations; it may cross the antimeridian. */
function extentOf(positions: readonly Coordinates[]): BoundingBox {
  const longitudes = positions.map(({ longitude }) => longitude).toSorted((a, b) => a - b);
  const latitudes = positions.map(({ latitude }) => latitude).toSorted((a, b) => a - b);
  // The extent begins at the east end of the widest gap between longitudes.
  const begins = longitudes.map((longitude, at) => {
    const before = longitudes[at - 1] ?? (longitudes.at(-1) ?? 0) - 360;
    return { longitude, before, gap: longitude - before };
  });
  const { longitude: start, before } = begins.reduce((widest, one) =>
    one.gap > widest.gap ? one : widest,
  );
  const [west, east] = widened(start, before + 360, EXTENT_MIN_DEGREES);
  const [lowest = 0, highest = lowest] = [latitudes[0], latitudes.at(-1)];
  // In the projected plane, the smallest height is equal to the smallest width.
  const [south, north] = widened(lowest, highest, EXTENT_MIN_DEGREES * Math.cos(lowest * DEGREE));
  return {
    west,
    east,
    south: Math.max(south, -LATITUDE_MAX),
    north: Math.min(north, LATITUDE_MAX),
  };
}

function widened(from: number, to: number, least: number): readonly [number, number] {
  const missing = Math.max(least - (to - from), 0) / 2;
  return [from - missing, to + missing];
}
