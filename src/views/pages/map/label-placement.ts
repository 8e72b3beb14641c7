/**
 * Places markers, station names and town names on the map, once for every screen and zoom. They are placed one after
 * the other; each is shown from the first of three map widths at which it covers no earlier one.
 *
 * Markers and names keep their size while the map grows, so two that do not overlap on one map do not overlap on a
 * wider one (Been, Daiches and Yap, Dynamic Map Labeling, 2006). Positions are shares of the map's width, from its
 * upper left corner; sizes are in pixels.
 */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A rectangle of constant size, which is shown on maps of width `from` and more. */
interface Box {
  readonly at: Point;
  /** Offset of the centre from the point `at`, in pixels. */
  readonly offset: Point;
  readonly halfWidth: number;
  readonly halfHeight: number;
  readonly from: number;
}

/** Radius of a marker with its value, and of a dot (`styles/portal/map.css`). */
export const MARKER_RADIUS = 15;
const DOT_RADIUS = 6;

const TOWN_RADIUS = 2;

/** Pixels by which two markers may overlap: their texts are narrower. */
const MARKER_OVERLAP = 2;

/** Pixels between a name and other marks: more than half the width of a stroke. */
const GAP = 2;
const EDGE = 4;

const LINE_HEIGHT = 14;

/** Longer names are cut; the marker's title has the whole name. */
const NAME_LENGTH_MAX = 28;

/** Buttons over the upper right corner of the map (`styles/portal/map.css`). */
const CONTROLS: Box = {
  at: { x: 1, y: 0 },
  offset: { x: -28, y: 66 },
  halfWidth: 28,
  halfHeight: 66,
  from: 0,
};

/** Map widths in pixels from which more is shown: the narrowest screen (320 pixels), a desktop, and a zoomed map. */
export const MAP_WIDTHS = [286, 640, 1920] as const;

/** Offset of a name from its circle: attributes of its `<text>`. */
interface LabelOffset extends Point {
  readonly anchor: 'start' | 'middle' | 'end';
}

export interface PlacedName extends LabelOffset {
  readonly text: string;
  /** Least width of the map at which the name is shown: one of `MAP_WIDTHS`, or Infinity. */
  readonly from: number;
}

interface Named {
  readonly at: Point;
  /** Offset in pixels, for one of several markers at the same position. */
  readonly shift?: Point | undefined;
  readonly name: string;
  /** `always`: the name is shown wherever it covers no other name; `first`: placed before values and usual names. */
  readonly importance: 'always' | 'first' | 'usual';
}

export interface PlacedStation extends Named {
  /** Whether the marker shows a value; otherwise it is a dot. */
  readonly hasValue: boolean;
}

interface Content {
  /** Height of the map, as a share of its width. */
  readonly height: number;
  /** In the order of placement. */
  readonly stations: readonly PlacedStation[];
  /** The largest first. */
  readonly towns: readonly Named[];
}

/** @returns in the same orders: from which of `MAP_WIDTHS` on each value and name is shown. */
export function placeOnMap({ height, stations, towns }: Content) {
  const names = new NameLayout(height, stations);
  const placed = new Map<Named, PlacedName>();
  const values = new Map<PlacedStation, number>();
  const isUsual = ({ importance }: Named): boolean => importance === 'usual';
  const isFirst = (one: Named): boolean => !isUsual(one);
  // Important names are placed before values, and values before other names. Among important names, towns precede
  // stations, because fewer positions are free for them.
  for (const one of towns.filter(isFirst)) placed.set(one, names.addTown(one));
  for (const one of stations.filter(isFirst)) placed.set(one, names.addStation(one, 0));
  for (const one of stations) values.set(one, names.addValue(one));
  for (const one of stations.filter(isUsual))
    placed.set(one, names.addStation(one, one.hasValue ? values.get(one) : 0));
  for (const one of towns.filter(isUsual)) placed.set(one, names.addTown(one));
  return {
    values: stations.map((one) => values.get(one) ?? Infinity),
    names: stations.flatMap((one) => placed.get(one) ?? []),
    towns: towns.flatMap((one) => placed.get(one) ?? []),
  };
}

/** The first of `MAP_WIDTHS` that is at least as large, else Infinity. */
function stepFrom(width: number): number {
  return MAP_WIDTHS.find((step) => step >= width) ?? Infinity;
}

/** The names and values that are placed so far. */
class NameLayout {
  readonly #height: number;
  /** Boxes that names must not cover: dots of stations, circles with values, and dots of named towns. */
  readonly #obstacles: Box[];
  readonly #labels: Box[] = [];
  readonly #values: { readonly station: PlacedStation; readonly from: number }[] = [];

  constructor(height: number, stations: readonly PlacedStation[]) {
    this.#height = height;
    this.#obstacles = stations.map((one) => circleBox(one, DOT_RADIUS + GAP, 0));
  }

  /** Least width at which a marker can show its value without covering names and earlier values. */
  addValue(station: PlacedStation): number {
    if (!station.hasValue) return Infinity;
    const full = circleBox(station, MARKER_RADIUS - MARKER_OVERLAP / 2, 0);
    const circle = circleBox(station, MARKER_RADIUS + GAP, 0);
    let from = latest(circle, this.#labels);
    for (const { station: other, from: shownFrom } of this.#values) {
      const apart = partedFrom(full, circleBox(other, full.halfWidth, 0));
      // While the other marker is a dot, less space is enough.
      from = Math.max(
        from,
        apart <= shownFrom ? partedFrom(full, circleBox(other, DOT_RADIUS, 0)) : apart,
      );
    }
    const step = stepFrom(from);
    if (step === Infinity) return step;
    this.#values.push({ station, from: step });
    this.#obstacles.push({ ...circle, from: step });
    return step;
  }

  addTown(one: Named): PlacedName {
    const placed = this.#add(one, TOWN_RADIUS, circleBox(one, TOWN_RADIUS, 0));
    if (placed.from < Infinity) this.#obstacles.push(circleBox(one, TOWN_RADIUS, placed.from));
    return placed;
  }

  /** @param least width from which the name may be shown. */
  addStation(one: PlacedStation, least = Infinity): PlacedName {
    return this.#add(one, one.hasValue ? MARKER_RADIUS : DOT_RADIUS, undefined, least);
  }

  /** @param own box of a town's dot, which must be free too: a covered dot would hide the town's position. */
  #add(one: Named, radius: number, own?: Box, least = 0): PlacedName {
    const text = shortened(one.name);
    const halfWidth = estimateLabelWidth(text) / 2;
    const ownFrom = own ? this.#freeFrom(own) : 0;
    const isAlways = one.importance === 'always';
    const candidate = (offset: LabelOffset) => {
      const box = labelBox(one, offset, halfWidth);
      const visible = Math.max(least, this.#visibleFrom(box));
      const free = stepFrom(Math.max(visible, this.#freeFrom(box), ownFrom));
      // A name that is always shown may cover dots, but no other name.
      const from = isAlways ? stepFrom(Math.max(visible, latest(box, this.#labels))) : free;
      return { offset, box, from, free };
    };
    const [first, ...others] = offsetsAround(radius);
    let best = candidate(first);
    for (const offset of others) {
      if (best.free <= Math.max(least, MAP_WIDTHS[0])) break;
      const other = candidate(offset);
      const isSooner = other.from < best.from;
      if (isSooner || (other.from === best.from && other.free < best.free)) best = other;
    }
    if (best.from < Infinity) this.#labels.push({ ...best.box, from: best.from });
    return { text, ...best.offset, from: best.from };
  }

  #freeFrom(box: Box): number {
    return Math.max(latest(box, this.#labels), latest(box, this.#obstacles));
  }

  /** Least width at which a box lies within the map and does not touch its buttons. */
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

/** Least width at which a box covers none of the others; Infinity beyond all widths. */
function latest(box: Box, others: readonly Box[]): number {
  let from = 0;
  for (const other of others) {
    from = Math.max(from, partedFrom(box, other));
    if (from > MAP_WIDTHS[2]) return Infinity;
  }
  return from;
}

/** Least width from which two boxes are apart: 0 if they are apart on every map, Infinity for never. */
function partedFrom(a: Box, b: Box): number {
  const [x, y] = [a.at.x - b.at.x, a.at.y - b.at.y];
  const [right, down] = [a.offset.x - b.offset.x, a.offset.y - b.offset.y];
  const [width, height] = [a.halfWidth + b.halfWidth, a.halfHeight + b.halfHeight];
  // Fast path: most pairs are far apart on every map.
  if (Math.abs(x) * MAP_WIDTHS[0] - Math.abs(right) >= width) return 0;
  if (Math.abs(y) * MAP_WIDTHS[0] - Math.abs(down) >= height) return 0;
  const end = Math.min(nearUntil(x, right, width), nearUntil(y, down, height));
  const start = Math.max(nearFrom(x, right, width), nearFrom(y, down, height), a.from, b.from);
  return end > start ? end : 0;
}

/** Least width at which two centres are nearer than `reach` along one axis: -Infinity for always, 0 for never. */
function nearFrom(share: number, pixels: number, reach: number): number {
  if (share === 0) return Math.abs(pixels) < reach ? -Infinity : 0;
  return -pixels / share - reach / Math.abs(share);
}

/** Largest width at which two centres are nearer than `reach` along one axis: Infinity for always, 0 for never. */
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

/** Positions of a name: below, above, right and left of a circle, and above and below to one side. */
function offsetsAround(radius: number) {
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
  ] as const satisfies readonly LabelOffset[];
}

function shortened(name: string): string {
  return name.length > NAME_LENGTH_MAX ? `${name.slice(0, NAME_LENGTH_MAX - 1).trimEnd()}…` : name;
}

/** Width of a text in pixels, for a wide font, because the server does not know the browser's font. */
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
