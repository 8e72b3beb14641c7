/** Tests positions against land, from the files of the base map (`data/base-map/SOURCE.md`). */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { merge } from 'topojson-client';
import type { GeometryCollection, MultiPolygon, Polygon, Topology } from 'topojson-specification';

export type Box = readonly [number, number, number, number];

/** Distance from land that still counts as land, for islands and piers that the map lacks: some 25 km. */
const MARGIN_DEGREES = 0.25;

type Point = readonly [longitude: number, latitude: number];
type Ring = readonly (readonly number[])[];

interface CountryFile {
  readonly topology: Topology<{
    provinces: GeometryCollection<object> & { geometries: (Polygon | MultiPolygon)[] };
  }>;
}

/** The countries of the base map by their boxes; outlines are read when they are first needed. */
export class Land {
  readonly countries: readonly (readonly Box[])[];
  readonly #folder: URL;
  readonly #index: readonly (readonly [country: string, ...boxes: Box[]])[];
  readonly #rings = new Map<string, readonly Ring[]>();

  /** @param folder of the base map, with a slash at its end. */
  constructor(folder: URL) {
    this.#folder = folder;
    this.#index = JSON.parse(readFileSync(new URL('index.json', folder), 'utf8')) as [
      string,
      ...Box[],
    ][];
    this.countries = this.#index.map(([, ...boxes]) => boxes);
  }

  /** Whether a point is on land, or at most 0.25 degrees from it. */
  isNear(point: Point): boolean {
    return this.#index
      .filter(([, ...boxes]) => boxes.some((box) => isIn(box, point, MARGIN_DEGREES)))
      .some(([country]) => {
        const rings = this.#ringsOf(country);
        return isInside(rings, point) || rings.some((ring) => isClose(ring, point));
      });
  }

  #ringsOf(country: string): readonly Ring[] {
    let rings = this.#rings.get(country);
    if (rings === undefined) {
      const bytes = readFileSync(new URL(`countries/${country}.json.gz`, this.#folder));
      const { topology } = JSON.parse(gunzipSync(bytes).toString()) as CountryFile;
      rings = merge(topology, topology.objects.provinces.geometries).coordinates.flat();
      this.#rings.set(country, rings);
    }
    return rings;
  }
}

/** Whether a point is in a box, or at most `margin` degrees outside. */
export function isIn([west, south, east, north]: Box, [x, y]: Point, margin: number): boolean {
  return x >= west - margin && x <= east + margin && y >= south - margin && y <= north + margin;
}

/** Whether a point is inside the rings, by the even-odd rule, so that lakes are holes. */
function isInside(rings: readonly Ring[], [x, y]: Point): boolean {
  let crossings = 0;
  for (const ring of rings) {
    for (const [at, [x1 = 0, y1 = 0]] of ring.entries()) {
      const [x2 = 0, y2 = 0] = ring[(at + 1) % ring.length] ?? [];
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) * (x2 - x1)) / (y2 - y1)) crossings += 1;
    }
  }
  return crossings % 2 === 1;
}

function isClose(ring: Ring, [x, y]: Point): boolean {
  return ring.some(([x1 = 0, y1 = 0], at) => {
    const [x2 = 0, y2 = 0] = ring[(at + 1) % ring.length] ?? [];
    const [dx, dy] = [x2 - x1, y2 - y1];
    const length = dx * dx + dy * dy;
    const part = length === 0 ? 0 : ((x - x1) * dx + (y - y1) * dy) / length;
    const nearest = Math.min(1, Math.max(0, part));
    return Math.hypot(x - x1 - nearest * dx, y - y1 - nearest * dy) <= MARGIN_DEGREES;
  });
}
