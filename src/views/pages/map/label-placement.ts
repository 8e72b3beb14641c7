/** Which of many boxes have room: the first ones first. Used by pages, and by their script when the map is zoomed. */

/** Pixels; `x` and `y` of the middle. */
interface Box {
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
const DOT_RADIUS = 6;

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

/** Where a town's name stands: as near to it as there is room. */
const SIDES = ['below', 'above', 'right', 'left', 'under', 'over', 'beside', 'before'] as const;
type Side = (typeof SIDES)[number];

/** Pixels of a letter of a town's name, on the average, and of half its line. */
const LETTER = 6.8;
const HALF_LINE = 6.5;

/** The box of a name, as `styles/portal/map.css` puts it. */
function labelBox(
  name: string,
  side: Side,
  { x, y }: { readonly x: number; readonly y: number },
): Box {
  const halfWidth = (name.length * LETTER) / 2;
  const size = { halfWidth, halfHeight: HALF_LINE };
  switch (side) {
    case 'below':
      return { x, y: y + 13, ...size };
    case 'above':
      return { x, y: y - 11, ...size };
    case 'right':
      return { x: x + halfWidth + 7, y, ...size };
    case 'left':
      return { x: x - halfWidth - 7, y, ...size };
    case 'under':
      return { x, y: y + 24, ...size };
    case 'over':
      return { x, y: y - 23, ...size };
    case 'beside':
      return { x: x + halfWidth + 19, y, ...size };
    case 'before':
      return { x: x - halfWidth - 19, y, ...size };
  }
}

/** Where a name may stand, in pixels of the drawing: what is seen of it. */
export interface Seen {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

/** The first side where a name fits into what is seen; its room is taken. */
export function placeLabel(
  room: Room,
  {
    name,
    x,
    y,
    sides = SIDES,
  }: {
    readonly name: string;
    readonly x: number;
    readonly y: number;
    readonly sides?: readonly Side[];
  },
  { left, right, bottom }: Seen,
): Side | undefined {
  const side = sides.find((one) => {
    const box = labelBox(name, one, { x, y });
    const isSeen =
      box.x - box.halfWidth > left + EDGE &&
      box.x + box.halfWidth < right - EDGE &&
      box.y - box.halfHeight > EDGE &&
      box.y + box.halfHeight < bottom - EDGE;
    return isSeen && room.has(box);
  });
  if (side !== undefined) room.take(labelBox(name, side, { x, y }));
  return side;
}

/** Pixels between a name and the edge. */
const EDGE = 4;
