/** Projects coordinates to the map: Web Mercator, clipped to the surroundings of the network. */
import assert from 'node:assert/strict';
import { geoMercatorRaw } from 'd3-geo';
import type { Position } from 'geojson';
import type { BoundingBox } from '../../../snapshot/domain/selection.js';
import { boundingBox } from '../../hvd/bounding-box.js';

/** Size of the map in its own units; pages scale it to their width. */
export const MAP_WIDTH = 1000;
export const MAP_HEIGHT = 800;

/** Distance between the outermost stations and the edge of the map. */
const MARGIN = 90;

/** Smallest extent of a network, about 20 km: a single station is shown with its surroundings. */
const EXTENT_MIN_DEGREES = 0.2;

/** Mercator's projection of the poles is infinite. */
const LATITUDE_MAX = 85;

const DEGREE = Math.PI / 180;

/** WGS84 decimal degrees. */
export interface Coordinates {
  readonly longitude: number;
  readonly latitude: number;
}

export interface Frame {
  /** Units of the map, from its upper left corner. */
  project(position: Coordinates): { readonly x: number; readonly y: number };
  /** Units of the map per unit of the projected plane. */
  readonly scale: number;
  readonly translate: readonly [x: number, y: number];
  /** Degrees: west, south, east, north. */
  readonly bounds: readonly [number, number, number, number];
  /** Whether the network is so much taller than wide that narrow screens may crop the sides. */
  readonly isTall: boolean;
}

/** A point of the projected plane, y upwards. */
export function toPlane([longitude = 0, latitude = 0]: Position): [number, number] {
  const phi = Math.min(Math.max(latitude, -LATITUDE_MAX), LATITUDE_MAX) * DEGREE;
  const [x, y] = geoMercatorRaw(longitude * DEGREE, phi);
  return [x, y];
}

/** @param positions of the stations, at least one. */
export function frameAround(positions: readonly Coordinates[]): Frame {
  const box = extentOf(positions);
  const [west, south] = toPlane([box.west, box.south]);
  const [east, north] = toPlane([box.east, box.north]);
  const scale = Math.min(
    (MAP_WIDTH - 2 * MARGIN) / (east - west),
    (MAP_HEIGHT - 2 * MARGIN) / (north - south),
  );
  const translate = [
    MAP_WIDTH / 2 - (scale * (west + east)) / 2,
    MAP_HEIGHT / 2 + (scale * (south + north)) / 2,
  ] as const;
  return {
    scale,
    translate,
    project({ longitude, latitude }) {
      const [x, y] = toPlane([longitude, latitude]);
      return { x: translate[0] + scale * x, y: translate[1] - scale * y };
    },
    bounds: [
      -translate[0] / scale / DEGREE,
      toLatitude((translate[1] - MAP_HEIGHT) / scale),
      (MAP_WIDTH - translate[0]) / scale / DEGREE,
      toLatitude(translate[1] / scale),
    ],
    isTall: (east - west) / (north - south) < 0.95,
  };
}

function toLatitude(y: number): number {
  const inverse = geoMercatorRaw.invert?.(0, y) ?? [0, 0];
  return inverse[1] / DEGREE;
}

function extentOf(positions: readonly Coordinates[]): BoundingBox {
  const box = boundingBox(positions);
  assert(box, 'a map has at least one station');
  const [west, east] = widened(box.west, box.east);
  const [south, north] = widened(box.south, box.north);
  return {
    west,
    east,
    south: Math.max(south, -LATITUDE_MAX),
    north: Math.min(north, LATITUDE_MAX),
  };
}

function widened(from: number, to: number): readonly [number, number] {
  const missing = Math.max(EXTENT_MIN_DEGREES - (to - from), 0) / 2;
  return [from - missing, to + missing];
}
