/** Template context of the map's upper layer: a marker for each station, names of stations and towns, and the legend. */
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
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
import { linksBy, portalLink, stationLinks } from './links.js';
import { percent } from './notation.js';
import { normalizeForSearch, type Place } from './search.js';
import type { StationRow } from './stations.js';
import type { PortalState } from '../page.js';
import type { Formatters } from './formatters.js';
import type { HourlyValue, Portal } from './portal-model.js';
import { sharedValues } from './shared.js';
import { escapeMarkup } from '../../xml.js';

/** Width of the map in pixels on a desktop and on a telephone: labels are placed for these until the script does it. */
const WIDE = 750;
const NARROW = 356;

/** Share of a tall network's map that a telephone shows (`styles/portal/map.css`). */
const TALL_SHARE = 1 / 1.39;

const TOWNS_MAX = 36;

/** On more than this no map can be read, and each has 500 bytes of a page. */
const MARKERS_MAX = 1000;

export interface MapOptions {
  readonly portal: Portal;
  readonly componentId: number;
  readonly rows: readonly StationRow[];
  readonly frame: Frame;
  /** Towns of the map, by the names that the page writes. */
  readonly places: readonly Place[];
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
}

export function viewMap(options: MapOptions) {
  const { frame, version, scale, compass, format } = options;
  const hasValues = options.rows.some(({ current }) => current !== undefined);
  const placed = options.rows.filter(({ station }) => station.position !== undefined);
  const rows = chooseRows(placed, options);
  const notMeasuring = rows.filter(({ isMeasuring }) => !isMeasuring).length;
  const { circles, towns } = layoutOf(rows, options);
  const linkTo = stationLinks(options.state);
  const searchFor = linksBy('q', portalLink(options.state, { search: '0', stationId: undefined }));
  const hourlyOf = hourlyTexts(options);
  return {
    width: MAP_WIDTH,
    height: MAP_HEIGHT,
    isTall: frame.isTall,
    bounds: frame.bounds.map((degrees) => degrees.toFixed(5)).join(','),
    // The addresses have the version of the image, so that browsers may cache it for long.
    imageHrefs: {
      light: `/portal/map.svg?theme=light&v=${version}`,
      dark: `/portal/map.svg?theme=dark&v=${version}`,
    },
    /** As markup: there are as many as stations. */
    markers: rows
      .flatMap((row, at) => {
        const circle = circles[at];
        return circle ? markerOf(row, circle, { ...options, linkTo, hourlyOf }) : [];
      })
      .toReversed()
      .join(''),
    /** As markup. */
    towns: towns.map(({ begin, query, end }) => `${begin}${searchFor(query)}${end}`).join(''),
    hasWind: options.wind !== undefined,
    legend: compass !== undefined || !hasValues ? [] : legendOf(scale, format),
    isCompass: compass !== undefined,
    hasLate: rows.some(({ isLate }) => isLate),
    notMeasuring:
      notMeasuring === 0
        ? undefined
        : options.texts('not-measuring', { count: notMeasuring, component: options.label }),
    limited:
      rows.length < placed.length
        ? options.texts('map-limited', { shown: rows.length, all: placed.length })
        : undefined,
  };
}

/**
 * The stations to draw, the highest value of the newest hour first: it is always shown, and in the page it comes last and
 * lies on top.
 *
 * Of too many, the chosen one and those that a search has found come before all others.
 */
function chooseRows(
  placed: readonly StationRow[],
  { state }: Pick<MapOptions, 'state'>,
): readonly StationRow[] {
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
  return chosen.toSorted(byValue);
}

/** Where all of it lies, by what decides that: most pages show the same. */
const layouts = sharedValues<ReturnType<typeof layOut>>(16);

function layoutOf(rows: readonly StationRow[], options: MapOptions) {
  const { portal, state, version } = options;
  const drawn = rows.map(({ station, current }) => `${station.id}${current ? '' : '-'}`);
  const key = [version, state.language, ...drawn].join(' ');
  return layouts(portal, key, () => layOut(rows, options));
}

/** Names of stations come before those of towns. */
function layOut(rows: readonly StationRow[], options: MapOptions) {
  const { frame } = options;
  const screens = {
    wide: screen(WIDE, 1),
    narrow: screen(NARROW, frame.isTall ? TALL_SHARE : 1),
  };
  const isDot = (marker: Marker, { layout, toPixels }: Screen): boolean =>
    !layout.addMarker(pixelsOf(marker, toPixels), marker.row.current !== undefined);
  const circles = markersOf(rows, frame).map((marker) => ({
    marker,
    isDot: { wide: isDot(marker, screens.wide), narrow: isDot(marker, screens.narrow) },
  }));
  return {
    circles: circles.map((circle) => viewCircle(circle, placeName(circle, screens))),
    towns: placeTowns(options, screens),
  };
}

function markersOf(rows: readonly StationRow[], frame: Frame): readonly Marker[] {
  const markers: Marker[] = [];
  for (const row of rows) {
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

/** What of a marker no value changes, as markup. */
function viewCircle({ marker: { x, y, shift }, isDot }: Circle, name: PlacedName | undefined) {
  const at = percents({ x, y });
  // Without a place it waits for a map that is zoomed.
  const offset = name?.offset ?? { x: 0, y: 0, anchor: 'middle' };
  const nameClass = name === undefined ? ' hidden' : name.isWideOnly ? ' wide-only' : '';
  return {
    begin: `<svg x="${at.x}" y="${at.y}" overflow="visible">`,
    classes: `${isDot.wide ? ' dot-wide' : ''}${isDot.narrow ? ' dot-narrow' : ''}`,
    shift: shift === undefined ? '' : ` transform="translate(${shift.x},${shift.y})"`,
    name: `<text class="name${nameClass}" x="${offset.x}" y="${offset.y}" text-anchor="${offset.anchor}">`,
  };
}

interface MarkerOptions extends MapOptions {
  readonly linkTo: ReturnType<typeof stationLinks>;
  readonly hourlyOf: ReturnType<typeof hourlyTexts>;
}

function markerOf(
  { station, current, newest, isLate, isFound }: StationRow,
  circle: ReturnType<typeof viewCircle>,
  options: MarkerOptions,
): string {
  const { scale, near, unit, compass, wind, state, texts, format, linkTo, hourlyOf } = options;
  const windNow = wind?.get(station.id)?.find(({ hour }) => hour * HOUR_MS === near);
  const point = current && compass?.[sectorOf(current.value)];
  const shown = current === undefined ? '' : format.number(current.value);
  const value = [
    current === undefined ? texts('no-value') : [shown, unit, point].filter(Boolean).join(' '),
    ...(newest !== undefined && isLate
      ? [format.moment(newest.hour * HOUR_MS, near).text, texts('late')]
      : current === undefined
        ? []
        : [format.moment(current.hour * HOUR_MS, near).text]),
  ].join(', ');
  const color = current === undefined ? 'none' : compass ? 'wind' : colorOf(current.value, scale);
  const classes = `${color}${isLate ? ' late' : ''}${circle.classes}${isFound ? '' : ' unfound'}${
    station.id === state.stationId ? ' chosen' : ''
  }`;
  const name = escapeMarkup(station.name);
  const hourly = hourlyOf(station.id);
  const number = current === undefined ? '' : format.markerNumber(current.value);
  // Where the value is a direction, an arrow instead of the text.
  const inside =
    current === undefined
      ? ''
      : compass
        ? `<path class="arrow" transform="rotate(${arrowTurn(current.value)})" d="M0,7V-7M-4,-2.5 0,-7 4,-2.5"/>`
        : `<text${number.length > 3 ? ' class="long"' : ''}>${escapeMarkup(number)}</text>`;
  // Outside of the circle, the wind in the same hour.
  const blow =
    wind === undefined
      ? ''
      : `<path class="blow${windNow ? '' : ' hidden'}" data-v="${hourly.wind}" transform="rotate(${
          windNow ? arrowTurn(windNow.value) : 0
        })" d="M0,-16V-28M-4,-23.5 0,-28 4,-23.5"/>`;
  return `${circle.begin}<a class="marker ${classes}" href="${linkTo(station.id)}" data-station="${station.id}"${circle.shift}${hourly.values}><title>${name}: ${escapeMarkup(value)}</title><circle class="target" r="12"/><circle r="${MARKER_RADIUS}"/>${inside}${circle.name}${name}</text>${blow}</a></svg>`;
}

/** By station, by what decides them. */
const hourlyParts = sharedValues<Map<number, ReturnType<typeof viewHourly>>>(24);

/** For a script that shows another hour: values, or turns of an arrow, and their colours. */
function hourlyTexts(options: MapOptions) {
  const { portal, componentId, hours, wind, format } = options;
  const key = [componentId, hours[0], hours.length, wind !== undefined, format.key].join(' ');
  const texts = hourlyParts(portal, key, () => new Map());
  return (stationId: number) => {
    const made = texts.get(stationId) ?? viewHourly(stationId, options);
    texts.set(stationId, made);
    return made;
  };
}

function viewHourly(stationId: number, { days, hours, wind, compass, scale, format }: MapOptions) {
  const points = days.get(stationId) ?? [];
  const write = compass === undefined ? format.markerNumber : arrowTurn;
  const values = escapeMarkup(atEach(hours, points, write).join(';'));
  const colors =
    compass === undefined ? atEach(hours, points, (value) => colorOf(value, scale)).join(' ') : '';
  return {
    /** As attributes. */
    values: hours.length < 2 ? '' : ` data-v="${values}" data-c="${colors}"`,
    wind: wind && atEach(hours, wind.get(stationId) ?? [], arrowTurn).join(';'),
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
function placeTowns({ portal, places, frame }: MapOptions, screens: Screens) {
  // The name of a station says which town that is.
  const stations = new Set(portal.stations.map(({ name }) => normalizeForSearch(name)));
  const shown = [];
  for (const place of places) {
    if (shown.length === TOWNS_MAX) break;
    if (stations.has(normalizeForSearch(place.name))) continue;
    const point = frame.project(place);
    const label = placeLabel(place.name, (at, one) =>
      screens[at].layout.addTown(screens[at].toPixels(point), one),
    );
    if (label !== undefined) shown.push(viewTown(place, { ...percents(point), ...label }));
  }
  return shown;
}

/** As markup, but for the link between both parts, which has what is searched for. */
function viewTown(
  { name, latitude, longitude }: Place,
  { x, y, offset, isWideOnly }: PlacedName & Readonly<Record<'x' | 'y', string>>,
) {
  const narrow = isWideOnly ? ' class="wide-only"' : '';
  return {
    begin: `<svg x="${x}" y="${y}" overflow="visible" data-at="${latitude},${longitude}"${narrow}><a href="`,
    query: encodeQuery(name),
    end: `" tabindex="-1"><circle r="2"/><text x="${offset.x}" y="${offset.y}" text-anchor="${offset.anchor}">${escapeMarkup(name)}</text></a></svg>`,
  };
}

/** As links have it. */
function encodeQuery(text: string): string {
  return String(new URLSearchParams({ q: text })).slice('q='.length);
}
