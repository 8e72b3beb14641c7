/** Template context of the map's upper layer: a marker for each station, names of stations and towns, and the legend. */
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import type { Town } from '../map/base-map.js';
import { MAP_HEIGHT, MAP_WIDTH, type Frame } from '../map/frame.js';
import {
  estimateLabelWidth,
  MapLayout,
  MARKER_RADIUS,
  type LabelOffset,
  type Point,
} from '../map/label-placement.js';
import type { Messages } from '../../../texts/messages.js';
import { arrowTurn, sectorOf } from './chart/direction.js';
import { colorOf, legendOf, type ColorScale } from './color-scale.js';
import { portalLink } from './links.js';
import { percent } from './notation.js';
import { normalizeForSearch } from './search.js';
import type { StationRow } from './stations.js';
import type { PortalState } from '../page.js';
import type { Formatters } from './formatters.js';
import type { HourlyValue } from './portal-model.js';

/** Width of the map in pixels on a desktop and on a telephone: labels are placed for these until the script does it. */
const WIDE = 750;
const NARROW = 356;

/** Share of a tall network's map that a telephone shows (`styles/portal/map.css`). */
const TALL_SHARE = 1 / 1.39;

const TOWNS_MAX = 36;

/** On more than this no map can be read, and each costs some 0.5 ms of a page and 500 bytes of it. */
const MARKERS_MAX = 1000;

export interface MapOptions {
  readonly rows: readonly StationRow[];
  readonly frame: Frame;
  readonly towns: readonly Town[];
  /** Version of the base map below. */
  readonly version: string;
  readonly scale: ColorScale;
  /** Epoch milliseconds: of times of this day the time is enough. */
  readonly near: number;
  readonly unit: string;
  /** Short name of the component. */
  readonly label: string;
  /** The eight points of the compass where values are directions. */
  readonly compass: readonly string[] | undefined;
  /** The values of the last hours, by station. */
  readonly days: ReadonlyMap<number, readonly HourlyValue[]>;
  /** Those that the map can be moved through, ascending; since the epoch, UTC. */
  readonly hours: readonly number[];
  /** The directions of the wind in the last hours, by station; undefined where it is not to be drawn. */
  readonly wind: ReadonlyMap<number, readonly HourlyValue[]> | undefined;
  readonly state: PortalState;
  readonly texts: Messages;
  readonly format: Formatters;
  /** Name of a town in the page's language. */
  readonly townName: (town: Town) => string;
}

export function viewMap(options: MapOptions) {
  const { frame, version, scale, compass, format } = options;
  const hasValues = options.rows.some(({ current }) => current !== undefined);
  const placed = options.rows.filter(({ station }) => station.position !== undefined);
  const markers = chooseMarkers(placed, options);
  const notMeasuring = markers.filter(({ row }) => !row.isMeasuring).length;
  const screens = {
    wide: screen(WIDE, 1),
    narrow: screen(NARROW, frame.isTall ? TALL_SHARE : 1),
  };
  const isDot = (marker: Marker, { layout, toPixels }: Screen): boolean =>
    !layout.addMarker(pixelsOf(marker, toPixels), marker.row.current !== undefined);
  const circles = markers.map((marker) => ({
    marker,
    isDot: { wide: isDot(marker, screens.wide), narrow: isDot(marker, screens.narrow) },
  }));
  return {
    ...{ width: MAP_WIDTH, height: MAP_HEIGHT, isTall: frame.isTall },
    bounds: frame.bounds.map((degrees) => degrees.toFixed(5)).join(','),
    // The addresses have the version of the image, so that browsers may cache it for long.
    imageHrefs: {
      light: `/portal/map.svg?theme=light&v=${version}`,
      dark: `/portal/map.svg?theme=dark&v=${version}`,
    },
    radius: MARKER_RADIUS,
    // Names of stations come before those of towns.
    markers: circles
      .map((circle) => viewMarker(circle, placeName(circle, screens), options))
      .toReversed(),
    towns: placeTowns(options, screens),
    hasWind: options.wind !== undefined,
    legend: compass !== undefined || !hasValues ? [] : legendOf(scale, format),
    isCompass: compass !== undefined,
    hasLate: markers.some(({ row }) => row.isLate),
    notMeasuring:
      notMeasuring === 0
        ? undefined
        : options.texts('not-measuring', { count: notMeasuring, component: options.label }),
    limited:
      markers.length < placed.length
        ? options.texts('map-limited', { shown: markers.length, all: placed.length })
        : undefined,
  };
}

/**
 * The stations to draw, the highest value of the newest hour first: it is always shown, and in the page it comes last and
 * lies on top.
 *
 * Of too many, the chosen one and those that a search has found come before all others.
 */
function chooseMarkers(
  placed: readonly StationRow[],
  { frame, state }: MapOptions,
): readonly Marker[] {
  const rank = ({ station, isFound }: StationRow): number =>
    station.id === state.stationId ? 2 : Number(isFound);
  const byValue = (a: StationRow, b: StationRow): number =>
    Number(a.isLate) - Number(b.isLate) ||
    (b.current?.value ?? -Infinity) - (a.current?.value ?? -Infinity) ||
    0;
  const chosen =
    placed.length > MARKERS_MAX
      ? placed.toSorted((a, b) => rank(b) - rank(a) || byValue(a, b)).slice(0, MARKERS_MAX)
      : placed;
  const markers: Marker[] = [];
  for (const row of chosen.toSorted(byValue)) {
    const { position } = row.station;
    if (position === undefined) continue;
    const point = frame.project(position);
    const sharing = markers.filter((one) => Math.hypot(one.x - point.x, one.y - point.y) < SAME);
    markers.push({ row, ...point, shift: besideOf(sharing.length) });
  }
  return markers;
}

interface Marker extends Point {
  readonly row: StationRow;
  /** In pixels, so that it lies beside others of the same position at any zoom; undefined where there are none. */
  readonly shift: Point | undefined;
}

/** Units of the map within which no zoom parts two markers. */
const SAME = 3;

/** Where the next marker of a position lies, after `count` of them: on a ring around the first. */
function besideOf(count: number): Point | undefined {
  if (count === 0) return undefined;
  const [angle, distance] = [(count * Math.PI) / 3, 2 * MARKER_RADIUS * Math.ceil(count / 6)];
  return {
    x: Math.round(distance * Math.cos(angle)),
    y: Math.round(distance * Math.sin(angle)),
  };
}

function pixelsOf({ shift, ...point }: Marker, toPixels: Screen['toPixels']): Point {
  const { x, y } = toPixels(point);
  return { x: x + (shift?.x ?? 0), y: y + (shift?.y ?? 0) };
}

/** A marker, and whether it is a dot without its value. */
interface Circle {
  readonly marker: Marker;
  readonly isDot: Readonly<Record<'wide' | 'narrow', boolean>>;
}

type Screens = Readonly<Record<'wide' | 'narrow', Screen>>;

/** A name beside what it belongs to. */
interface PlacedName {
  readonly offset: LabelOffset;
  /** Whether a narrow screen has no room for it. */
  readonly isWideOnly: boolean;
}

function placeName({ marker, isDot }: Circle, screens: Screens): PlacedName | undefined {
  const { name } = marker.row.station;
  return placeLabel(name, (at, label) =>
    screens[at].layout.addStation(pixelsOf(marker, screens[at].toPixels), {
      ...label,
      isDot: isDot[at],
    }),
  );
}

/** A page has one offset for all screens; a script chooses others. */
function placeLabel(
  name: string,
  add: (
    at: keyof Screens,
    label: { readonly width: number; readonly offset?: LabelOffset },
  ) => LabelOffset | undefined,
): PlacedName | undefined {
  const width = estimateLabelWidth(name);
  const offset = add('wide', { width });
  if (offset === undefined) return undefined;
  return { offset, isWideOnly: add('narrow', { width, offset }) === undefined };
}

function viewMarker(
  { marker: { row, x, y, shift }, isDot }: Circle,
  name: PlacedName | undefined,
  options: MapOptions,
) {
  const { scale, near, unit, compass, days, hours, wind, state, texts, format } = options;
  const { station, current, newest, isLate } = row;
  const windNow = wind?.get(station.id)?.find(({ hour }) => hour * HOUR_MS === near);
  const point = current && compass?.[sectorOf(current.value)];
  const value = [
    current === undefined
      ? texts('no-value')
      : [format.number(current.value), unit, point].filter(Boolean).join(' '),
    ...(newest !== undefined && isLate
      ? [format.moment(newest.hour * HOUR_MS, near).text, texts('late')]
      : current === undefined
        ? []
        : [format.clock(current.hour * HOUR_MS)]),
  ].join(', ');
  const classes = [
    current === undefined ? 'none' : compass ? 'wind' : colorOf(current.value, scale),
    isLate ? 'late' : '',
    isDot.wide ? 'dot-wide' : '',
    isDot.narrow ? 'dot-narrow' : '',
    row.isFound ? '' : 'unfound',
    station.id === state.stationId ? 'chosen' : '',
  ];
  return {
    ...percents({ x, y }),
    shift: shift && `${shift.x},${shift.y}`,
    id: station.id,
    name: station.name,
    /** Without a place it waits for a map that is zoomed. */
    label: {
      ...(name?.offset ?? { x: 0, y: 0, anchor: 'middle' }),
      class: name === undefined ? ' hidden' : name.isWideOnly ? ' wide-only' : '',
    },
    classes: classes.filter((name) => name !== '').join(' '),
    href: portalLink(state, { stationId: station.id }),
    title: `${station.name}: ${value}`,
    text: current === undefined ? '' : format.number(current.value),
    /** For a script that shows another hour: values, or turns of an arrow, and their colours. */
    hourly:
      hours.length < 2
        ? undefined
        : hourlyOf(days.get(station.id) ?? [], { hours, compass, scale, format }),
    /** Where the value is a direction: an arrow instead of the text. */
    turn: current && compass && arrowTurn(current.value),
    /** An arrow outside of the circle, of the wind in the same hour. */
    wind: wind && {
      turn: windNow === undefined ? '' : arrowTurn(windNow.value),
      hourly: atEach(hours, wind.get(station.id) ?? [], arrowTurn).join(';'),
    },
  };
}

function hourlyOf(
  points: readonly HourlyValue[],
  { hours, compass, scale, format }: Pick<MapOptions, 'hours' | 'compass' | 'scale' | 'format'>,
) {
  return {
    values: atEach(hours, points, compass === undefined ? format.number : arrowTurn).join(';'),
    colors:
      compass === undefined
        ? atEach(hours, points, (value) => colorOf(value, scale)).join(' ')
        : '',
  };
}

/** A text for each hour, empty where it has no value. */
function atEach(
  hours: readonly number[],
  points: readonly HourlyValue[],
  write: (value: number) => string,
): readonly string[] {
  const values = new Map(points.map(({ hour, value }) => [hour, value]));
  return hours.map((hour) => {
    const value = values.get(hour);
    return value === undefined ? '' : write(value);
  });
}

function percents({ x, y }: Point) {
  return { x: percent(x / MAP_WIDTH), y: percent(y / MAP_HEIGHT) };
}

/** A screen size, with the markers and names that have been placed on it. */
interface Screen {
  readonly layout: MapLayout;
  /** Converts units of the map to pixels. */
  readonly toPixels: (point: Point) => Point;
}

/** @param share of the map's width that is visible. */
function screen(width: number, share: number): Screen {
  const factor = width / share / MAP_WIDTH;
  const left = (width / share - width) / 2;
  return {
    layout: new MapLayout({ left, right: left + width, bottom: MAP_HEIGHT * factor }, true),
    toPixels: ({ x, y }) => ({ x: x * factor, y: y * factor }),
  };
}

/** Places names beside their towns, where they cover nothing; the largest towns first. */
function placeTowns({ rows, towns, townName, frame, state }: MapOptions, screens: Screens) {
  // The name of a station says which town that is.
  const stations = new Set(rows.map(({ station }) => normalizeForSearch(station.name)));
  const [west, south, east, north] = frame.bounds;
  const shown = [];
  for (const town of towns) {
    const { longitude, latitude } = town;
    if (longitude <= west || longitude >= east || latitude <= south || latitude >= north) continue;
    if (shown.length === TOWNS_MAX) break;
    const name = townName(town);
    if (stations.has(normalizeForSearch(name))) continue;
    const point = frame.project(town);
    const place = placeLabel(name, (at, label) =>
      screens[at].layout.addTown(screens[at].toPixels(point), label),
    );
    if (place === undefined) continue;
    shown.push({
      ...{ ...percents(point), name, ...place },
      at: `${town.latitude},${town.longitude}`,
      href: portalLink(state, { search: name, stationId: undefined }),
    });
  }
  return shown;
}
