/** Renders the base map under the stations, once for a set of positions: the next snapshot mostly has the same. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { renderBaseMap } from '../../views/pages/map/base-map-svg.js';
import { eastOf, frameAround, type Frame } from '../../views/pages/map/frame.js';
import type { BaseMap, Town } from '../../views/pages/map/base-map.js';
import { THEMES, type Theme } from '../../views/pages/page.js';
import type { Portal } from '../../views/pages/portal/portal-model.js';
import { parseGeoJsonMap } from '../../views/pages/map/geojson-map.js';
import { isShortage } from '../../snapshot/local/read-failure.js';
import { portalOf, type ViewSource } from '../view.js';
import { readBaseMap } from './read-base-map.js';

interface RenderedMap {
  readonly frame: Frame;
  /** Towns on the map, the largest first. */
  readonly towns: readonly Town[];
  /** Whether it is the operator's own map, which has no credit line. */
  readonly isOwn: boolean;
  /** Digest of both images and of the towns. */
  readonly version: string;
  readonly images: Readonly<Record<Theme, string>>;
}

/** Towns of a network on a whole continent: the file that a search loads has 25 bytes for each. */
const TOWNS_MAX = 20_000;

/** The last map of this thread, some 100 kB: to render it takes 45 ms of the 50 ms that a page would take. */
let last: { readonly key: string; readonly map: RenderedMap } | undefined;

/** The base map under the stations of a view. @throws {SnapshotError} `copy_damaged`. */
export function mapOf(source: ViewSource): RenderedMap | undefined {
  const portal = portalOf(source);
  return portal && renderMap(portal, source.site.baseMap);
}

/** The map; undefined where no station has a position. @param baseMap path of the operator's GeoJSON file. */
function renderMap({ stations }: Portal, baseMap: string | undefined): RenderedMap | undefined {
  const positions = stations.flatMap(({ position }) => position ?? []);
  if (positions.length === 0) return undefined;
  const key = JSON.stringify(positions);
  if (last?.key !== key) last = { key, map: render(frameAround(positions), baseMap) };
  return last.map;
}

function render(frame: Frame, baseMap: string | undefined): RenderedMap {
  const own = baseMap === undefined ? undefined : readOwnMap(baseMap);
  const base = own ?? readBaseMap(frame.bounds);
  const [light, dark] = THEMES.map((theme) => renderBaseMap(base, frame, theme));
  const images = { light: light ?? '', dark: dark ?? '' };
  const [west, south, east, north] = frame.bounds;
  const towns = base.towns
    .filter(
      ({ longitude, latitude }) =>
        eastOf(west, longitude) < east && latitude > south && latitude < north,
    )
    .slice(0, TOWNS_MAX);
  const digest = createHash('sha256')
    .update(JSON.stringify([images, towns]))
    .digest('hex');
  return { frame, towns, isOwn: own !== undefined, version: digest.slice(0, 8), images };
}

/** Undefined where the file can no longer be read, as it could at the start: pages then have the built-in map. */
function readOwnMap(file: string): BaseMap | undefined {
  try {
    return statSync(file).isFile() ? parseGeoJsonMap(readFileSync(file, 'utf8')) : undefined;
  } catch (error) {
    if (isShortage(error)) throw error;
    return undefined;
  }
}
