/** The map under the stations, drawn once for a set of positions: the next snapshot mostly has the same. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { renderBaseMap } from '../../../views/pages/map/base-map-svg.js';
import { frameAround, type Frame } from '../../../views/pages/map/frame.js';
import type { BaseMap, Town } from '../../../views/pages/map/base-map.js';
import { THEMES, type Theme } from '../../../views/pages/page.js';
import type { Portal } from '../../../views/pages/portal/portal-model.js';
import { parseGeoJsonMap } from '../../../views/pages/map/geojson-map.js';
import { readBaseMap } from './read-base-map.js';

export interface DrawnMap {
  readonly frame: Frame;
  readonly towns: readonly Town[];
  /** Whether it is the operator's, who says himself where it is from. */
  readonly isOwn: boolean;
  /** Another one whenever a drawing is. */
  readonly version: string;
  readonly drawings: Readonly<Record<Theme, string>>;
}

/** The last one of this thread. */
let kept: { readonly key: string; readonly map: DrawnMap } | undefined;

/**
 * Undefined where no station has a position.
 *
 * @param baseMap the operator's GeoJSON file, if he has one.
 */
export function drawMap({ stations }: Portal, baseMap: string | undefined): DrawnMap | undefined {
  const places = stations.flatMap(({ position }) => position ?? []);
  if (places.length === 0) return undefined;
  const key = JSON.stringify(places);
  if (kept?.key !== key) kept = { key, map: draw(frameAround(places), baseMap) };
  return kept.map;
}

function draw(frame: Frame, baseMap: string | undefined): DrawnMap {
  const own = baseMap === undefined ? undefined : readOwnMap(baseMap);
  const base = own ?? readBaseMap(frame.bounds);
  const [light, dark] = THEMES.map((theme) => renderBaseMap(base, frame, theme));
  const drawings = { light: light ?? '', dark: dark ?? '' };
  const version = createHash('sha256').update(JSON.stringify(drawings)).digest('hex').slice(0, 8);
  return { frame, towns: base.towns, isOwn: own !== undefined, version, drawings };
}

/** Undefined where it can no longer be read, which it could at the start: a page is never refused for that. */
function readOwnMap(file: string): BaseMap | undefined {
  try {
    return parseGeoJsonMap(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
