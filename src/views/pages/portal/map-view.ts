/** The map's upper layer: a marker for each station, names of stations and towns, and the legend. */
import { html, type Markup } from '../../html.js';
import { prettyUnit } from '../../../snapshot/domain/units.js';
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import { MAP_WIDTH, type Frame } from '../map/frame.js';
import {
  MAP_WIDTHS,
  MARKER_RADIUS,
  placeOnMap,
  type PlacedName,
  type Point,
} from '../map/label-placement.js';
import { arrowTurn, sectorOf } from './chart/direction.js';
import { colorOf, legendOf } from './color-scale.js';
import { linksBy, portalLink, stationLinks } from './links.js';
import { percent } from './notation.js';
import { normalizeForSearch, type Place } from './search.js';
import { descending, type StationRow } from './stations.js';
import { currentValue, type HourlyValue, type PortalStation } from './portal-model.js';
import { sharedValues } from './shared.js';
import type { TableContext, TableOptions } from './table-view.js';

const TOWNS_MAX = 36;

/** The largest town has its name on every screen, as the highest station has; the next ones come before all other names. */
const LARGE_TOWNS_MAX = 3;

/** Pixels between the two nearest markers at which their names have room too: nothing more is to be seen beyond that. */
const APART = 4 * MARKER_RADIUS;

/** On more than this no map can be read, and each has 500 bytes of a page. */
const MARKERS_MAX = 1000;

export interface MapOptions extends TableContext, TableOptions {
  readonly frame: Frame;
  /** Towns of the map, by the names that the page writes. */
  readonly places: readonly Place[];
  /** Version of the base map below. */
  readonly version: string;
  /** The values of the last hours, by station. */
  readonly days: ReadonlyMap<number, readonly HourlyValue[]>;
  /** Those that the map can be moved through, ascending; since the epoch, UTC. */
  readonly hours: readonly number[];
  /** The directions of the wind in the last hours, by station; undefined where it is not to be drawn. */
  readonly wind: ReadonlyMap<number, readonly HourlyValue[]> | undefined;
}

export function viewMap(options: MapOptions) {
  const { frame, version, scale, compass, format } = options;
  const hasValues = options.rows.some(({ current }) => current !== undefined);
  const placed = options.rows.filter(({ station }) => station.position !== undefined);
  const rows = chooseRows(placed, options);
  const notMeasuring = rows.filter(({ isMeasuring }) => !isMeasuring).length;
  const { circles, towns, apart } = layoutOf(rows, options);
  const linkTo = stationLinks(options.state);
  const searchFor = linksBy('q', portalLink(options.state, { search: '0', stationId: undefined }));
  const hourlyOf = hourlyTexts(options);
  return {
    width: MAP_WIDTH,
    height: frame.height,
    isTall: frame.isTall,
    bounds: frame.bounds.map((degrees) => degrees.toFixed(5)).join(','),
    /** Width in pixels up to which there is more to see. */
    apart,
    // The addresses have the version of the image, so that browsers may cache it for long.
    imageHrefs: {
      light: `/portal/map.svg?theme=light&v=${version}`,
      dark: `/portal/map.svg?theme=dark&v=${version}`,
    },
    markers: rows
      .flatMap((row) => {
        const circle = circles.get(row.station.id);
        return circle ? markerOf(row, circle, { ...options, linkTo, hourlyOf }) : [];
      })
      .toReversed(),
    towns: towns.map(
      ({ begin, query, name }) =>
        html`${begin}<a href="${searchFor(query)}" tabindex="-1"><circle r="2"/>${name}</a></svg>`,
    ),
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
function chooseRows(placed: readonly StationRow[], { state }: MapOptions): readonly StationRow[] {
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

/** Layouts that are kept: one takes 20 kB and 10 ms to make, of 300 stations 50 ms. */
const LAYOUTS_MAX = 64;

/** Where all of it lies, by component and language, whatever hour and station are chosen. */
const layouts = sharedValues<ReturnType<typeof layOut>>(LAYOUTS_MAX);

function layoutOf(rows: readonly StationRow[], options: MapOptions) {
  const { portal, component, state, version } = options;
  const drawn = rows.length < MARKERS_MAX ? [] : rows.map(({ station }) => station.id);
  const key = [version, component.id, state.language, ...drawn].join(' ');
  return layouts(portal, key, () => layOut(rows, options));
}

/** The highest of the newest values first, whatever order the rows of the page have. */
function layOut(rows: readonly StationRow[], { portal, component, frame, places }: MapOptions) {
  const newest = new Map(
    rows.map(({ station }) => [station, currentValue(portal, station, component.id)?.value]),
  );
  const ordered = rows
    .map(({ station }) => station)
    .toSorted((a, b) => descending(newest.get(a), newest.get(b)) || a.id - b.id);
  const [largest, ...large] = largestOf(places, frame);
  const importanceOf = (name: string): 'always' | 'first' | 'usual' => {
    const normalized = normalizeForSearch(name);
    if (normalized === largest) return 'always';
    return large.includes(normalized) ? 'first' : 'usual';
  };
  const markers = markersOf(ordered, frame).map((marker) => {
    const { name } = marker.station;
    const importance = marker.station === ordered[0] ? 'always' : importanceOf(name);
    return { ...marker, name, importance, hasValue: newest.get(marker.station) !== undefined };
  });
  // The name of a station says which town that is.
  const stations = new Set(markers.map(({ name }) => normalizeForSearch(name)));
  const towns = places
    .filter(({ name }) => !stations.has(normalizeForSearch(name)))
    .slice(0, TOWNS_MAX * 4)
    .map((place) => {
      const importance = importanceOf(place.name);
      return { ...place, at: shares(frame.project(place)), importance };
    });
  const height = frame.height / MAP_WIDTH;
  const layout = placeOnMap({ height, stations: markers, towns });
  return {
    circles: new Map(
      markers.map(({ station, shift, ...marker }, at) => [
        station.id,
        {
          begin: beginAt(marker.at, height, layout.values[at]),
          shift: shift && html` transform="translate(${shift.x},${shift.y})"`,
          name: textAt(layout.names[at]),
        },
      ]),
    ),
    towns: towns
      .flatMap(({ name, at }, index) => {
        const label = layout.towns[index];
        if (label === undefined || label.from === Infinity) return [];
        return { begin: beginAt(at, height, label.from), query: encodeQuery(name), label };
      })
      .slice(0, TOWNS_MAX)
      .map(({ label, ...town }) => ({ ...town, name: textAt(label) })),
    apart: apartFrom(markers),
  };
}

/** The largest towns, normalized; none that is a part of a larger one. */
function largestOf(places: readonly Place[], frame: Frame): readonly string[] {
  const largest: { readonly name: string; readonly at: Point }[] = [];
  for (const place of places.slice(0, 4 * LARGE_TOWNS_MAX)) {
    const at = shares(frame.project(place));
    if (largest.some((other) => distance(at, other.at) < SUBURB)) continue;
    largest.push({ name: normalizeForSearch(place.name), at });
  }
  return largest.slice(0, LARGE_TOWNS_MAX).map(({ name }) => name);
}

/** Share of the map's width within which a town counts as a part of a larger one. */
const SUBURB = 0.1;

interface Marker {
  readonly station: PortalStation;
  /** In shares of the map's width. */
  readonly at: Point;
  /** In pixels, so that it lies beside others of the same position at any zoom; undefined where there are none. */
  readonly shift: Point | undefined;
}

function markersOf(stations: readonly PortalStation[], frame: Frame): readonly Marker[] {
  const markers: Marker[] = [];
  for (const station of stations) {
    const { position } = station;
    if (position === undefined) continue;
    const at = shares(frame.project(position));
    const sharing = markers.filter((one) => distance(one.at, at) < SAME);
    markers.push({ station, at, shift: besideOf(sharing.length) });
  }
  return markers;
}

/** Share of the map's width within which no zoom parts two markers. */
const SAME = 0.003;

function shares({ x, y }: Point): Point {
  return { x: x / MAP_WIDTH, y: y / MAP_WIDTH };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** How wide a map is whose two nearest markers are apart. */
function apartFrom(markers: readonly Marker[]): number {
  const nearest = markers.reduce(
    (least, { at }, index) =>
      markers.slice(index + 1).reduce((so, other) => {
        const here = distance(at, other.at);
        return here < SAME ? so : Math.min(so, here);
      }, least),
    1,
  );
  return Math.round(APART / nearest);
}

/** Where the next marker of a position lies, after `count` of them: on a ring around the first. */
function besideOf(count: number): Point | undefined {
  if (count === 0) return undefined;
  const [angle, away] = [(count * Math.PI) / 3, 2 * MARKER_RADIUS * Math.ceil(count / 6)];
  return { x: Math.round(away * Math.cos(angle)), y: Math.round(away * Math.sin(angle)) };
}

/** The class of what is shown from one of the widths on, `w1` to `w3`; `w0`: on no map (`styles/portal/map.css`). */
function shownFrom(width: number): string {
  return `w${MAP_WIDTHS.findIndex((step) => step === width) + 1}`;
}

/** In percent of the map. */
function beginAt({ x, y }: Point, height: number, from = Infinity): Markup {
  return html`<svg class="${shownFrom(from)}" x="${percent(x)}" y="${percent(y / height)}" overflow="visible">`;
}

function textAt(name: PlacedName | undefined): Markup | undefined {
  if (name === undefined) return undefined;
  const { x, y, anchor, text, from } = name;
  return html`<text class="name ${shownFrom(from)}" x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;
}

/** What stays the same at every hour of a marker. */
type Circle = Readonly<Record<'begin' | 'shift' | 'name', Markup | undefined>>;

function markerOf(
  { station, current, newest, isLate, isFound }: StationRow,
  circle: Circle,
  options: MapOptions & {
    readonly linkTo: ReturnType<typeof stationLinks>;
    readonly hourlyOf: ReturnType<typeof hourlyTexts>;
  },
): Markup {
  const { component, scale, near, compass, wind, state, texts, format, linkTo, hourlyOf } = options;
  const unit = prettyUnit(component.unit);
  const windNow = wind?.get(station.id)?.find(({ hour }) => hour * HOUR_MS === near);
  const point = current && compass?.[sectorOf(current.value)];
  const shown = current === undefined ? '' : format.number(current.value);
  const dated = isLate ? newest : current;
  const value = [
    current === undefined ? texts('no-value') : [shown, unit, point].filter(Boolean).join(' '),
    dated && format.moment(dated.hour * HOUR_MS, near).text,
    isLate ? texts('late') : undefined,
  ]
    .filter(Boolean)
    .join(', ');
  const color = current === undefined ? 'none' : compass ? 'wind' : colorOf(current.value, scale);
  const classes = `${color}${isLate ? ' late' : ''}${isFound ? '' : ' unfound'}${
    station.id === state.stationId ? ' chosen' : ''
  }`;
  const hourly = hourlyOf(station.id);
  const number = current === undefined ? '' : format.markerNumber(current.value);
  // Where the value is a direction, an arrow instead of the text.
  const inside =
    current &&
    (compass
      ? html`<path class="arrow" transform="rotate(${arrowTurn(current.value)})" d="M0,7V-7M-4,-2.5 0,-7 4,-2.5"/>`
      : html`<text${number.length > 3 && html` class="long"`}>${number}</text>`);
  // Outside of the circle, the wind in the same hour.
  const blow =
    wind &&
    html`<path class="blow${!windNow && ' hidden'}" data-v="${hourly.wind}" transform="rotate(${windNow ? arrowTurn(windNow.value) : 0})" d="M0,-16V-28M-4,-23.5 0,-28 4,-23.5"/>`;
  return html`${circle.begin}<a class="marker ${classes}" href="${linkTo(station.id)}" data-station="${station.id}"${circle.shift}${hourly.values}><title>${station.name}: ${value}</title><circle class="target" r="12"/><circle r="${MARKER_RADIUS}"/>${inside}${circle.name}${blow}</a></svg>`;
}

/** By station, by what decides them. */
const hourlyParts = sharedValues<Map<number, ReturnType<typeof viewHourly>>>(24);

/** For a script that shows another hour: values, or turns of an arrow, and their colours. */
function hourlyTexts(options: MapOptions) {
  const { portal, component, hours, wind, format } = options;
  const key = [component.id, hours[0], hours.length, wind !== undefined, format.key].join(' ');
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
  const values = atEach(hours, points, write).join(';');
  const colors =
    compass === undefined ? atEach(hours, points, (value) => colorOf(value, scale)).join(' ') : '';
  return {
    /** As attributes. */
    values: hours.length >= 2 && html` data-v="${values}" data-c="${colors}"`,
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

/** As links have it. */
function encodeQuery(text: string): string {
  return String(new URLSearchParams({ q: text })).slice('q='.length);
}
