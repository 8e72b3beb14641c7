/**
 * Places markers, names of stations and names of towns on the map, once for every screen and every zoom.
 *
 * They keep their size while the map grows, so each has a width of the map from which on it covers nothing, and it is shown
 * on every map that is as wide (Been, Daiches and Yap, Dynamic Map Labeling, 2006). Styles compare it with the real width.
 * Positions are shares of the map's width, from its upper left corner; all else is in pixels.
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle of one size, on every map that is at least as wide as `from`. */
interface Box {
  readonly at: Point;
  /** Its centre, from there. */
  readonly offset: Point;
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly from: number;
}

/** Radius of a marker that shows its value, and of one that is a dot (`styles/portal/map.css`). */
export const MARKER_RADIUS = 15;
const DOT_RADIUS = 6;

const TOWN_RADIUS = 2;

/** Pixels by which the circles of two markers may overlap: their texts are narrower by more. */
const MARKER_OVERLAP = 2;

/** Pixels between a name and a circle, another name, or the edge: more than half of a stroke's width. */
const GAP = 2;
const EDGE = 4;

const LINE_HEIGHT = 14;

/** Of a longer name the end is left out; its marker says all of it. */
const NAME_LENGTH_MAX = 28;

/** Buttons that lie over the upper right corner of the map (`styles/portal/map.css`). */
const CONTROLS: Box = {
  at: { x: 1, y: 0 },
  offset: { x: -28, y: 66 },
  halfWidth: 28,
  halfHeight: 66,
  from: 0,
};

/** Width of the map on the narrowest screen: what has room there has room everywhere. */
const NARROWEST = 288;

/** Cost of a name that must be there and is not, for each pixel of the width that it needs. */
const ABSENT = 1e6;

/** How a name is moved from its circle: attributes of its `<text>`. */
interface LabelOffset extends Point {
  readonly anchor: 'start' | 'middle' | 'end';
}

export interface PlacedName extends LabelOffset {
  readonly text: string;
  /** Width of the map from which on it is shown. */
  readonly from: number;
}

interface Named {
  readonly at: Point;
  /** In pixels, beside others of the same position. */
  readonly shift?: Point | undefined;
  readonly name: string;
  /** `always`: it has its name wherever that covers no other name; `first`: before values and other names. */
  readonly importance: 'always' | 'first' | 'usual';
}

export interface PlacedStation extends Named {
  /** Otherwise its marker is always a dot. */
  readonly hasValue: boolean;
}

/**
 * @param height of the map, as a share of its width.
 * @param stations the important ones first.
 * @param towns the largest first.
 * @returns in the same orders: from which width on a marker shows its value, and the names of stations and towns.
 */
export function placeOnMap({
  height,
  stations,
  towns,
}: {
  readonly height: number;
  readonly stations: readonly PlacedStation[];
  readonly towns: readonly Named[];
}) {
  const dots = stations.map((one) => circleBox(one, DOT_RADIUS + GAP, 0));
  const measuring = stations.filter(({ hasValue }) => hasValue);
  const names = new NameLayout(height, dots);
  names.yielding = measuring.map((one) => circleBox(one, MARKER_RADIUS + GAP, 0));
  const shown: ShownValue[] = [];
  const placed = new Map<Named, PlacedName>();
  const circles = new Map<PlacedStation, number>();
  const addCircle = (station: PlacedStation): void => {
    const from = valueFrom(station, shown, names.labels);
    circles.set(station, from);
    if (from === Infinity) return;
    shown.push({ station, from });
    names.obstacles.push(circleBox(station, MARKER_RADIUS + GAP, from));
  };
  const addName = (one: Named, radius: number, from = 0): void => {
    placed.set(one, names.add(one, radius, from));
  };
  // The first names come before the values of markers, and these before all other names.
  const isUsual = ({ importance }: Named): boolean => importance === 'usual';
  const isFirst = (one: Named): boolean => !isUsual(one);
  // The town first: it has fewer places for its name than a marker has.
  for (const one of towns.filter(isFirst)) addName(one, TOWN_RADIUS);
  for (const one of stations.filter(isFirst))
    addName(one, one.hasValue ? MARKER_RADIUS : DOT_RADIUS);
  names.yielding = [];
  for (const one of stations) addCircle(one);
  for (const one of stations.filter(isUsual)) {
    if (one.hasValue) addName(one, MARKER_RADIUS, circles.get(one));
    else addName(one, DOT_RADIUS);
  }
  for (const one of towns.filter(isUsual)) addName(one, TOWN_RADIUS);
  return {
    values: stations.map((one) => circles.get(one) ?? Infinity),
    names: stations.flatMap((one) => placed.get(one) ?? []),
    towns: towns.flatMap((one) => placed.get(one) ?? []),
  };
}

interface ShownValue {
  readonly station: PlacedStation;
  readonly from: number;
}

/** From which width on a marker shows its value, beside those before it and names that are always there. */
function valueFrom(
  station: PlacedStation,
  shown: readonly ShownValue[],
  labels: readonly Box[],
): number {
  if (!station.hasValue) return Infinity;
  const full = circleBox(station, MARKER_RADIUS - MARKER_OVERLAP / 2, 0);
  const least = latest(circleBox(station, MARKER_RADIUS + GAP, 0), labels, Infinity);
  return shown.reduce((most, { station: other, from }) => {
    const value = partedFrom(full, circleBox(other, full.halfWidth, 0));
    // While the other is a dot, less room is enough.
    const dot = partedFrom(full, circleBox(other, DOT_RADIUS, 0));
    return Math.max(most, value <= from ? dot : value);
  }, least);
}

/** The names, so far. */
class NameLayout {
  /** What names must not cover beside other names: circles, towns that have a name, and the buttons. */
  readonly obstacles: Box[];
  /** Circles that are left out where a name covers them. */
  yielding: readonly Box[] = [];
  readonly labels: Box[] = [];
  readonly #height: number;

  constructor(height: number, obstacles: Box[]) {
    this.#height = height;
    this.obstacles = obstacles;
  }

  /** Places a name where it can be shown the soonest, but not before `from`. */
  add(one: Named, radius: number, from: number): PlacedName {
    const text = shortened(one.name);
    const halfWidth = estimateLabelWidth(text) / 2;
    const isAlways = one.importance === 'always';
    const isTown = radius === TOWN_RADIUS;
    const candidate = (offset: LabelOffset, limit: number) => {
      const box = labelBox(one, offset, halfWidth);
      // Nothing is seen beyond the edge, or below the buttons.
      const visible = Math.max(from, this.#visibleFrom(box));
      const around = this.#freeFrom(box, limit, visible);
      // Where something covers the dot of a town, nobody could tell where it lies.
      const free =
        isTown && around < limit
          ? this.#freeFrom(circleBox(one, radius, 0), limit, around)
          : around;
      // A required name may cover dots, but no other name.
      const least = isAlways ? latest(box, this.labels, Infinity, visible) : free;
      const covering = Math.max(4 * free, latest(box, this.yielding, limit));
      // Whatever it covers on the narrowest map is better than not being there.
      const cost = !isAlways
        ? covering
        : least > NARROWEST
          ? ABSENT * least
          : Math.min(covering, ABSENT * NARROWEST);
      return { offset, box, cost, from: least };
    };
    const [first, ...more] = offsetsAround(radius);
    let best = candidate(first, Infinity);
    for (const offset of more) {
      if (best.cost <= 4 * Math.max(from, NARROWEST / 4)) break;
      const next = candidate(offset, best.cost);
      if (next.cost < best.cost) best = next;
    }
    const placed = { text, ...best.offset, from: best.from };
    if (placed.from < Infinity) {
      this.labels.push({ ...best.box, from: placed.from });
      if (isTown) this.obstacles.push(circleBox(one, radius, placed.from));
    }
    return placed;
  }

  /** From which width on it covers nothing, at least `least`; not before `limit` where that is of no use. */
  #freeFrom(box: Box, limit: number, least: number): number {
    return latest(box, this.labels, limit, latest(box, this.obstacles, limit, least));
  }

  /** From which width on it lies within the map, and not below its buttons. */
  #visibleFrom(box: Box): number {
    const { at, offset, halfWidth, halfHeight } = box;
    const within = (share: number, pixels: number): number =>
      share > 0 ? Math.max((pixels + EDGE) / share, 0) : Infinity;
    return Math.max(
      within(at.x, halfWidth - offset.x),
      within(1 - at.x, halfWidth + offset.x),
      within(at.y, halfHeight - offset.y),
      within(this.#height - at.y, halfHeight + offset.y),
      partedFrom(box, CONTROLS),
    );
  }
}

/** From which width on a box covers none of the others; a number of at least `limit` where it is that much. */
function latest(box: Box, others: readonly Box[], limit: number, least = 0): number {
  let from = least;
  for (const other of others) {
    from = Math.max(from, partedFrom(box, other));
    if (from >= limit) break;
  }
  return from;
}

/** From which width on two boxes do not overlap: 0 where they never do, Infinity where they always do. */
function partedFrom(a: Box, b: Box): number {
  const [x, y] = [a.at.x - b.at.x, a.at.y - b.at.y];
  const [right, down] = [a.offset.x - b.offset.x, a.offset.y - b.offset.y];
  const [width, height] = [a.halfWidth + b.halfWidth, a.halfHeight + b.halfHeight];
  const end = Math.min(nearUntil(x, right, width), nearUntil(y, down, height));
  const start = Math.max(nearFrom(x, right, width), nearFrom(y, down, height), a.from, b.from);
  return end > start ? end : 0;
}

/** From which width of the map on two things are nearer than `reach` in one direction; 0 where they never are. */
function nearFrom(share: number, pixels: number, reach: number): number {
  if (share === 0) return Math.abs(pixels) < reach ? -Infinity : 0;
  return -pixels / share - reach / Math.abs(share);
}

/** Up to which width they are. */
function nearUntil(share: number, pixels: number, reach: number): number {
  if (share === 0) return Math.abs(pixels) < reach ? Infinity : 0;
  return -pixels / share + reach / Math.abs(share);
}

function circleBox({ at, shift = { x: 0, y: 0 } }: Named, half: number, from: number): Box {
  return { at, offset: shift, halfWidth: half, halfHeight: half, from };
}

function labelBox(
  { at, shift = { x: 0, y: 0 } }: Named,
  { x, y, anchor }: LabelOffset,
  halfWidth: number,
): Box {
  const direction = { start: 1, middle: 0, end: -1 }[anchor];
  return {
    at,
    offset: { x: shift.x + x + direction * halfWidth, y: shift.y + y },
    halfWidth: halfWidth + GAP / 2,
    halfHeight: (LINE_HEIGHT + GAP) / 2,
    from: 0,
  };
}

/** Below, above, right and left of a circle, and below and above to one side. */
function offsetsAround(radius: number): readonly [LabelOffset, ...LabelOffset[]] {
  const [besideX, besideY] = [radius + 2 * GAP, radius + LINE_HEIGHT / 2 + 2 * GAP];
  return [
    { x: 0, y: besideY, anchor: 'middle' },
    { x: 0, y: -besideY, anchor: 'middle' },
    { x: besideX, y: 0, anchor: 'start' },
    { x: -besideX, y: 0, anchor: 'end' },
    { x: 0, y: -besideY, anchor: 'start' },
    { x: 0, y: besideY, anchor: 'start' },
    { x: 0, y: -besideY, anchor: 'end' },
    { x: 0, y: besideY, anchor: 'end' },
  ];
}

function shortened(name: string): string {
  return name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX - 1).trimEnd()}…` : name;
}

/** In a wide font, as no server knows that of the browser. */
export function estimateLabelWidth(text: string): number {
  let width = 0;
  for (const letter of text) {
    width += LETTERS.find(({ pattern }) => pattern.test(letter))?.width ?? 7.6;
  }
  return width;
}

const LETTERS = [
  { pattern: /[ijlI'.,:;| ]/, width: 4 },
  { pattern: /[frt()"-]/, width: 5 },
  { pattern: /[MWmwЖШЩЮЉЊМшщжюфыљњм]/, width: 12 },
  { pattern: /\p{Lu}/u, width: 9.5 },
  { pattern: /[\p{Lo}\p{So}]/u, width: 15 },
];
