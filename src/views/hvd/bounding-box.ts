/** The bounding box of the stations whose coordinates are known. */
import type { BoundingBox } from '../../snapshot/domain/selection.js';

/** Undefined without coordinates. For points on both sides of the antimeridian, the box is wide but contains them. */
export function boundingBox(
  points: readonly { readonly latitude?: number | null; readonly longitude?: number | null }[],
): BoundingBox | undefined {
  let box: BoundingBox | undefined;
  for (const { latitude, longitude } of points) {
    if (typeof latitude !== 'number' || typeof longitude !== 'number') continue;
    box = {
      west: Math.min(box?.west ?? longitude, longitude),
      south: Math.min(box?.south ?? latitude, latitude),
      east: Math.max(box?.east ?? longitude, longitude),
      north: Math.max(box?.north ?? latitude, latitude),
    };
  }
  return box;
}
