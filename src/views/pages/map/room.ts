/** Which of many boxes have room: the first ones first. Used by pages, and by their script when the map is zoomed. */

/** Pixels; `x` and `y` of the middle. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
}

export class Room {
  readonly #taken: Box[] = [];

  has(box: Box): boolean {
    return !this.#taken.some(
      (other) =>
        Math.abs(other.x - box.x) < other.halfWidth + box.halfWidth &&
        Math.abs(other.y - box.y) < other.halfHeight + box.halfHeight,
    );
  }

  take(box: Box): void {
    this.#taken.push(box);
  }
}

/** Half of a marker that shows its value, and of one that is a dot. */
export const MARKER_RADIUS = 15;
export const DOT_RADIUS = 6;

/** Whether each marker can show its value at this size; a dot takes room too. In the order of importance. */
export function roomForMarkers(
  places: readonly { readonly x: number; readonly y: number }[],
  room = new Room(),
): readonly boolean[] {
  return places.map((place) => {
    // Markers may touch each other's rims a little.
    const half = MARKER_RADIUS - 2;
    const fits = room.has({ ...place, halfWidth: half, halfHeight: half });
    const taken = fits ? half : DOT_RADIUS;
    room.take({ ...place, halfWidth: taken, halfHeight: taken });
    return fits;
  });
}
