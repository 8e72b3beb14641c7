/** The map's upper layer: a marker for each station, names of towns, and the legend. */
import { HOUR_MS } from '../../../snapshot/windows.js';
import type { Town } from '../map/base-map.js';
import { MAP_HEIGHT, MAP_WIDTH, type Frame } from '../map/frame.js';
import { DOT_RADIUS, MARKER_RADIUS, Room, roomForMarkers } from '../map/room.js';
import type { PortalTexts } from '../../messages/pages/portal.js';
import { classesOf, colorOf, type ColorScale } from './color-scale.js';
import { portalLink } from './links.js';
import type { StationRow } from './stations.js';
import type { PortalState, Theme } from '../page.js';
import type { Wording } from './wording.js';

/** Pixels that the map is wide on a desktop and on a telephone: what has room is found out for these. */
const WIDE = 800;
const NARROW = 420;

const TOWNS_MAX = 36;

/** Pixels of a letter of a town's name, on the average, and of half its line. */
const LETTER = 6.8;
const HALF_LINE = 8;

export interface MapOptions {
  readonly rows: readonly StationRow[];
  readonly frame: Frame;
  readonly towns: readonly Town[];
  /** Of the drawing below. */
  readonly version: string;
  readonly scale: ColorScale;
  readonly unit: string;
  readonly state: PortalState;
  readonly texts: PortalTexts;
  readonly wording: Wording;
  /** Draws a name in the page's script. */
  readonly townName: (town: Town) => string;
}

export function viewMap(options: MapOptions) {
  const placed = options.rows.flatMap((row) =>
    row.station.position === undefined ? [] : [{ row, place: row.station.position }],
  );
  const { frame, version } = options;
  // The highest first: it has room for its value; and in the page the lowest first, so that the highest lies on top.
  const markers = placed
    .map(({ row, place }) => ({ row, ...frame.project(place) }))
    .toSorted((a, b) => (b.row.current?.value ?? -Infinity) - (a.row.current?.value ?? -Infinity));
  const wide = scaled(markers, WIDE);
  const narrow = scaled(markers, NARROW);
  const wideRoom = new Room();
  const narrowRoom = new Room();
  const fitsWide = roomForMarkers(wide, wideRoom);
  const fitsNarrow = roomForMarkers(narrow, narrowRoom);
  return {
    ...{ width: MAP_WIDTH, height: MAP_HEIGHT, isTall: frame.isTall },
    drawing: { light: drawingHref('light', version), dark: drawingHref('dark', version) },
    ...{ radius: MARKER_RADIUS, dotRadius: DOT_RADIUS },
    markers: markers
      .map((marker, index) =>
        viewMarker(marker, { fitsWide: fitsWide[index], fitsNarrow: fitsNarrow[index] }, options),
      )
      .toReversed(),
    towns: placeTowns(options, frame, { wide: wideRoom, narrow: narrowRoom }),
    legend: legendOf(options),
  };
}

/** The version makes the address another one when the drawing is, so that it may be kept for long. */
function drawingHref(theme: Theme, version: string): string {
  return `/portal/map.svg?theme=${theme}&v=${version}`;
}

interface Marker {
  readonly row: StationRow;
  readonly x: number;
  readonly y: number;
}

function scaled(
  places: readonly { readonly x: number; readonly y: number }[],
  width: number,
): readonly { readonly x: number; readonly y: number }[] {
  const factor = width / MAP_WIDTH;
  return places.map(({ x, y }) => ({ x: x * factor, y: y * factor }));
}

function viewMarker(
  { row, x, y }: Marker,
  fits: { readonly fitsWide: boolean | undefined; readonly fitsNarrow: boolean | undefined },
  { scale, unit, state, texts, wording }: MapOptions,
) {
  const { station, current } = row;
  const value =
    current === undefined
      ? texts.noValue
      : `${wording.number(current.value)} ${unit}, ${wording.clock(current.hour * HOUR_MS)}`;
  const classes = [
    current === undefined ? 'none' : colorOf(current.value, scale),
    fits.fitsWide === true ? '' : 'dot-wide',
    fits.fitsNarrow === true ? '' : 'dot-narrow',
    row.isFound ? '' : 'unfound',
    station.id === state.stationId ? 'chosen' : '',
  ];
  return {
    ...percents({ x, y }),
    id: station.id,
    classes: classes.filter((name) => name !== '').join(' '),
    href: portalLink(state, { stationId: station.id }),
    title: `${station.name}: ${value}`,
    text: current === undefined ? '' : wording.shortNumber(current.value),
  };
}

function percents({ x, y }: { readonly x: number; readonly y: number }) {
  return {
    x: `${Number(((x / MAP_WIDTH) * 100).toFixed(2))}%`,
    y: `${Number(((y / MAP_HEIGHT) * 100).toFixed(2))}%`,
  };
}

/** Names below, above or beside their towns, wherever they cover no marker and no other name; the largest towns first. */
function placeTowns(
  { towns, townName }: MapOptions,
  frame: Frame,
  rooms: Readonly<Record<'wide' | 'narrow', Room>>,
) {
  const [west, south, east, north] = frame.bounds;
  const inside = towns.filter(
    ({ longitude, latitude }) =>
      longitude > west && longitude < east && latitude > south && latitude < north,
  );
  const shown: (ReturnType<typeof percents> & {
    readonly name: string;
    readonly side: string;
    readonly isWideOnly: boolean;
  })[] = [];
  for (const town of inside) {
    if (shown.length === TOWNS_MAX) break;
    const name = townName(town);
    const place = frame.project(town);
    const side = sideWithRoom(rooms.wide, { name, place, width: WIDE });
    if (side === undefined) continue;
    const isOnNarrow =
      sideWithRoom(rooms.narrow, { name, place, width: NARROW }, [side]) !== undefined;
    shown.push({ ...percents(place), name, side, isWideOnly: !isOnNarrow });
  }
  return shown;
}

const SIDES = ['below', 'above', 'right', 'left'] as const;
type Side = (typeof SIDES)[number];

interface Label {
  readonly name: string;
  readonly place: { readonly x: number; readonly y: number };
  /** Pixels of the whole map. */
  readonly width: number;
}

/** The first side where the name fits; its room is taken. */
function sideWithRoom(
  room: Room,
  { name, place, width }: Label,
  sides: readonly Side[] = SIDES,
): Side | undefined {
  const factor = width / MAP_WIDTH;
  const [x, y] = [place.x * factor, place.y * factor];
  const halfWidth = (name.length * LETTER) / 2 + 2;
  const edge = width - 6;
  const found = sides.find((side) => {
    const box = boxOf(side, { x, y, halfWidth });
    return (
      box.x - halfWidth > 6 &&
      box.x + halfWidth < edge &&
      box.y > 12 &&
      box.y < MAP_HEIGHT * factor - 12 &&
      room.has(box)
    );
  });
  if (found !== undefined) room.take(boxOf(found, { x, y, halfWidth }));
  return found;
}

/** As `styles/portal.css` puts the text. */
function boxOf(
  side: Side,
  { x, y, halfWidth }: { readonly x: number; readonly y: number; readonly halfWidth: number },
) {
  const size = { halfWidth, halfHeight: HALF_LINE };
  switch (side) {
    case 'below':
      return { x, y: y + 13, ...size };
    case 'above':
      return { x, y: y - 11, ...size };
    case 'right':
      return { x: x + halfWidth + 6, y, ...size };
    case 'left':
      return { x: x - halfWidth - 6, y, ...size };
  }
}

function legendOf({ scale, rows, wording }: MapOptions) {
  if (!rows.some(({ current }) => current !== undefined)) return [];
  return classesOf(scale).map(({ color, from, to }) => ({
    color,
    label:
      from === undefined
        ? to === undefined
          ? ''
          : `< ${wording.number(to)}`
        : to === undefined
          ? `≥ ${wording.number(from)}`
          : `${wording.number(from)}–${wording.number(to)}`,
  }));
}
