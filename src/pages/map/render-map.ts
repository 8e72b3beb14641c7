/** Renders the base map once for a set of positions: usually the next snapshot has the same ones. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { renderBaseMap } from '../../views/pages/map/base-map-svg.js';
import { eastOf, frameAround, type Frame } from '../../views/pages/map/frame.js';
import type { BaseMap } from '../../views/pages/map/base-map.js';
import { THEMES, type Theme } from '../../views/pages/page.js';
import type { Portal } from '../../views/pages/portal/portal-model.js';
import type { PortalView } from '../../views/pages/portal/portal-page.js';
import { parseGeoJsonMap } from '../../views/pages/map/geojson-map.js';
import { isShortage } from '../../snapshot/local/read-failure.js';
import { portalOf, type ViewSource } from '../view.js';
import { readBaseMap } from './read-base-map.js';

interface RenderedMap extends NonNullable<PortalView['map']> {
  readonly images: Readonly<Record<Theme, string>>;
}

/** Limit of towns, for a network on a whole continent: each takes 25 bytes in the file that a search loads. */
const TOWNS_MAX = 20_000;

/** The last map of this thread, some 100 kB: rendering it takes 45 of the 50 ms of a page. */
let last: { readonly key: string; readonly map: RenderedMap } | undefined;

/** The base map of a view. @throws {SnapshotError} `copy_damaged`. */
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

/** The operator's map; undefined if the file can no longer be read, and pages then have the built-in map. */
function readOwnMap(file: string): BaseMap | undefined {
  try {
    return statSync(file).isFile() ? parseGeoJsonMap(readFileSync(file, 'utf8')) : undefined;
  } catch (error) {
    if (isShortage(error)) throw error;
    return undefined;
  }
}
