/**
 * Decides which markers of the map show their value, and which towns their name and where beside the town.
 *
 * Pages use it for two usual screen sizes, and their script for the real one and whenever the map is zoomed.
 * All coordinates are pixels of the map on the screen, from its upper left corner.
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle around its centre. */
interface Box extends Point {
  readonly halfWidth: number;
  readonly halfHeight: number;
}

/** Radius of a marker that shows its value, and of one that is a dot (`styles/portal/map.css`). */
export const MARKER_RADIUS = 15;
const DOT_RADIUS = 6;

const TOWN_RADIUS = 2;

/** Pixels by which the circles of two markers may overlap. */
const MARKER_OVERLAP = 4;

/** Pixels between a name and a circle, another name, or the edge: more than half of a stroke's width. */
const GAP = 2;
const EDGE = 4;

/** Height of a name's line, and the mean width of its letters where no browser has measured it, in a wide font. */
const LINE_HEIGHT = 14;
const LETTER_WIDTH = 7.5;

/** Buttons that lie over the upper right corner of the map (`styles/portal/map.css`). */
const CONTROLS = { width: 56, height: 132 };

/** How a name is moved from its town, nearest first; attributes of its `<text>`. */
const OFFSETS = [
  { x: 0, y: 13, anchor: 'middle' },
  { x: 0, y: -12, anchor: 'middle' },
  { x: 6, y: 0, anchor: 'start' },
  { x: -6, y: 0, anchor: 'end' },
  { x: 0, y: 25, anchor: 'middle' },
  { x: 0, y: -24, anchor: 'middle' },
  { x: 20, y: 0, anchor: 'start' },
  { x: -20, y: 0, anchor: 'end' },
] as const;
export type LabelOffset = (typeof OFFSETS)[number];

/** Visible part of the map, from its upper edge. */
export interface VisibleArea {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

export function estimateLabelWidth(name: string): number {
  return name.length * LETTER_WIDTH;
}

/** Markers and names on one screen; the important ones have to be added first. */
export class MapLayout {
  readonly #area: VisibleArea;
  readonly #markers: Box[] = [];
  readonly #labels: Box[] = [];
  /** What names must not cover beside other names: circles, towns that have a name, and the buttons. */
  readonly #obstacles: Box[];

  /** @param hasControls whether buttons cover a corner of the visible area. */
  constructor(area: VisibleArea, hasControls: boolean) {
    const halfWidth = CONTROLS.width / 2;
    const halfHeight = CONTROLS.height / 2;
    const controls = { x: area.right - halfWidth, y: halfHeight, halfWidth, halfHeight };
    this.#area = area;
    this.#obstacles = hasControls ? [controls] : [];
  }

  /** Whether the marker shows its value; otherwise it is a dot. */
  addMarker(point: Point, hasValue: boolean): boolean {
    const circle = square(point, MARKER_RADIUS - MARKER_OVERLAP / 2);
    const fits = hasValue && !overlapsAny(circle, this.#markers);
    this.#markers.push(fits ? circle : square(point, DOT_RADIUS));
    this.#obstacles.push(square(point, (fits ? MARKER_RADIUS : DOT_RADIUS) + GAP));
    return fits;
  }

  /** The first of `offsets` where the town's name covers nothing; undefined where there is none, or another name covers the town. */
  addLabel(
    town: Point,
    width: number,
    offsets: readonly LabelOffset[] = OFFSETS,
  ): LabelOffset | undefined {
    const dot = square(town, TOWN_RADIUS);
    if (overlapsAny(dot, this.#labels)) return undefined;
    const offset = offsets.find((one) => {
      const box = labelBox(town, width, one);
      return (
        this.#isVisible(box) &&
        !overlapsAny(box, this.#obstacles) &&
        !overlapsAny(box, this.#labels)
      );
    });
    if (offset !== undefined) {
      this.#labels.push(labelBox(town, width, offset));
      this.#obstacles.push(dot);
    }
    return offset;
  }

  #isVisible({ x, y, halfWidth, halfHeight }: Box): boolean {
    const { left, right, bottom } = this.#area;
    return (
      x - halfWidth > left + EDGE &&
      x + halfWidth < right - EDGE &&
      y - halfHeight > EDGE &&
      y + halfHeight < bottom - EDGE
    );
  }
}

function overlapsAny(box: Box, others: readonly Box[]): boolean {
  return others.some(
    (other) =>
      Math.abs(other.x - box.x) < other.halfWidth + box.halfWidth &&
      Math.abs(other.y - box.y) < other.halfHeight + box.halfHeight,
  );
}

function square({ x, y }: Point, half: number): Box {
  return { x, y, halfWidth: half, halfHeight: half };
}

function labelBox(town: Point, width: number, { x, y, anchor }: LabelOffset): Box {
  const direction = { start: 1, middle: 0, end: -1 }[anchor];
  return {
    x: town.x + x + (direction * width) / 2,
    y: town.y + y,
    halfWidth: width / 2 + GAP / 2,
    halfHeight: LINE_HEIGHT / 2 + GAP / 2,
  };
}
