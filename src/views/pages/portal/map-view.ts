/** The map's upper layer: a marker for each station, names of towns, and the legend. */
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import type { Town } from '../map/base-map.js';
import { MAP_HEIGHT, MAP_WIDTH, type Frame } from '../map/frame.js';
import {
  MARKER_RADIUS,
  placeLabel,
  Room,
  roomForMarkers,
  type Seen,
} from '../map/label-placement.js';
import type { PortalTexts } from '../../messages/pages/portal-messages.js';
import { classesOf, colorOf, type ColorScale } from './color-scale.js';
import { portalLink } from './links.js';
import type { StationRow } from './stations.js';
import type { PortalState, Theme } from '../page.js';
import type { Wording } from './wording.js';

/** Pixels that the map is wide on a desktop and on a telephone: what has room is found out for these. */
const WIDE = 760;
const NARROW = 356;

/** What of a tall network's map a telephone shows, and how much wider than its screen it is (`styles/portal/map.css`). */
const TALL_SHARE = 1 / 1.39;

const TOWNS_MAX = 36;

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
  const wide = screen(WIDE, 1);
  const narrow = screen(NARROW, frame.isTall ? TALL_SHARE : 1);
  const fitsWide = roomForMarkers(markers.map(wide.place), wide.room);
  const fitsNarrow = roomForMarkers(markers.map(narrow.place), narrow.room);
  return {
    ...{ width: MAP_WIDTH, height: MAP_HEIGHT, isTall: frame.isTall },
    drawing: { light: drawingHref('light', version), dark: drawingHref('dark', version) },
    radius: MARKER_RADIUS,
    markers: markers
      .map((marker, index) =>
        viewMarker(marker, { fitsWide: fitsWide[index], fitsNarrow: fitsNarrow[index] }, options),
      )
      .toReversed(),
    towns: placeTowns(options, { wide, narrow }),
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

/** A screen on which the map is drawn, and the room that is left on it. */
interface Screen {
  readonly room: Room;
  readonly seen: Seen;
  /** Pixels of a place of the drawing. */
  readonly place: (place: { readonly x: number; readonly y: number }) => {
    readonly x: number;
    readonly y: number;
  };
}

/** @param share of the drawing's width that is seen. */
function screen(width: number, share: number): Screen {
  const factor = width / share / MAP_WIDTH;
  const hidden = (width / share - width) / 2;
  return {
    room: new Room(),
    seen: { left: hidden, right: hidden + width, bottom: MAP_HEIGHT * factor },
    place: ({ x, y }) => ({ x: x * factor, y: y * factor }),
  };
}

/** Names near their towns, where they cover no marker and no other name; the largest towns first. */
function placeTowns(
  { towns, townName, frame }: MapOptions,
  { wide, narrow }: Readonly<Record<'wide' | 'narrow', Screen>>,
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
    const side = placeLabel(wide.room, { name, ...wide.place(place) }, wide.seen);
    if (side === undefined) continue;
    const label = { name, ...narrow.place(place), sides: [side] };
    const isWideOnly = placeLabel(narrow.room, label, narrow.seen) === undefined;
    shown.push({ ...percents(place), name, side, isWideOnly });
  }
  return shown;
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
