/** The box around the stations whose place is known. */

/** WGS84 decimal degrees. */
export interface BoundingBox {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Undefined where no place is known. A network across the antimeridian gets a box round the other way, wide but true. */
export function boundingBox(
  places: readonly { readonly latitude?: number | null; readonly longitude?: number | null }[],
): BoundingBox | undefined {
  let box: BoundingBox | undefined;
  for (const { latitude, longitude } of places) {
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
