/**
 * Decides which markers of the map show their value, and which stations and towns their name, and where beside them.
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

/** How a name is moved from its circle: attributes of its `<text>`. */
export interface LabelOffset {
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

/** Below, above, right and left of a circle; nowhere else is it plain what a name belongs to. */
function offsetsAround(radius: number): readonly LabelOffset[] {
  const [besideX, besideY] = [radius + 2 * GAP, radius + LINE_HEIGHT / 2 + 2 * GAP];
  return [
    { x: 0, y: besideY, anchor: 'middle' },
    { x: 0, y: -besideY, anchor: 'middle' },
    { x: besideX, y: 0, anchor: 'start' },
    { x: -besideX, y: 0, anchor: 'end' },
  ];
}

/** Visible part of the map, from its upper edge. */
export interface VisibleArea {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

interface LabelOptions {
  /** Of the name, in pixels. */
  readonly width: number;
  readonly offset?: LabelOffset | undefined;
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

  /**
   * Where the name of a station covers nothing; undefined where there is no room for it.
   *
   * @param offset the only one to try; by default all beside its marker.
   */
  addStation(
    point: Point,
    { width, isDot, offset }: LabelOptions & { readonly isDot: boolean },
  ): LabelOffset | undefined {
    return this.#addLabel(
      point,
      width,
      offset ?? offsetsAround(isDot ? DOT_RADIUS : MARKER_RADIUS),
    );
  }

  /** As `addStation`; undefined too where something covers the dot of the town, so that nobody could tell where it lies. */
  addTown(point: Point, { width, offset }: LabelOptions): LabelOffset | undefined {
    const dot = square(point, TOWN_RADIUS);
    if (overlapsAny(dot, this.#labels) || overlapsAny(dot, this.#obstacles)) return undefined;
    const found = this.#addLabel(point, width, offset ?? offsetsAround(TOWN_RADIUS));
    if (found !== undefined) this.#obstacles.push(dot);
    return found;
  }

  #addLabel(
    point: Point,
    width: number,
    offsets: LabelOffset | readonly LabelOffset[],
  ): LabelOffset | undefined {
    const offset = [offsets].flat().find((one) => {
      const box = labelBox(point, width, one);
      return (
        this.#isVisible(box) &&
        !overlapsAny(box, this.#obstacles) &&
        !overlapsAny(box, this.#labels)
      );
    });
    if (offset !== undefined) this.#labels.push(labelBox(point, width, offset));
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
