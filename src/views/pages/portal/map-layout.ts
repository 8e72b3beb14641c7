/** Places markers and names on the map, once for every hour and every open station. */
import { html, type Markup } from '../../html.js';
import { MAP_WIDTH, type Frame } from '../map/frame.js';
import {
  MAP_WIDTHS,
  MARKER_RADIUS,
  placeOnMap,
  type PlacedName,
  type Point,
} from '../map/label-placement.js';
import { percent } from './notation.js';
import {
  currentValue,
  type Portal,
  type PortalComponent,
  type PortalStation,
} from './portal-model.js';
import { normalizeForSearch, type Place } from './search.js';
import { sharedValues } from './shared.js';
import { descending } from './stations.js';
import type { Language } from '../../../texts/texts.js';

/** Largest number of markers: more are unreadable, and each takes 500 bytes of a page. */
export const MARKERS_MAX = 1000;

const TOWNS_MAX = 36;

/** Number of large towns: the largest has its name on every screen; the others get theirs before all other names. */
const LARGE_TOWNS_MAX = 3;

/** Distance of the two nearest markers, in pixels, at which their names fit: the limit of the zoom. */
const APART = 4 * MARKER_RADIUS;

/** Number of cached layouts: each takes 20 kB and 10 ms, or 50 ms with 300 stations. */
const LAYOUTS_MAX = 64;

/** Layouts by component and language, whatever hour and station are chosen. */
const layouts = sharedValues<ReturnType<typeof layOut>>(LAYOUTS_MAX);

export function layoutOf(stations: readonly PortalStation[], options: LayoutOptions) {
  const { portal, component, language, version } = options;
  const drawn = stations.length < MARKERS_MAX ? [] : stations.map(({ id }) => id);
  const key = [version, component.id, language, ...drawn].join(' ');
  return layouts(portal, key, () => layOut(stations, options));
}

export interface LayoutOptions {
  readonly portal: Portal;
  readonly component: PortalComponent;
  readonly language: Language;
  readonly frame: Frame;
  /** Towns of the map, with their names in the page's script. */
  readonly places: readonly Place[];
  /** Version of the base map below. */
  readonly version: string;
}

/** Lays out the map; stations with the highest newest values are placed first. */
function layOut(
  drawn: readonly PortalStation[],
  { portal, component, frame, places }: LayoutOptions,
) {
  const newest = new Map(
    drawn.map((station) => [station, currentValue(portal, station, component.id)?.value]),
  );
  const ordered = drawn.toSorted((a, b) => descending(newest.get(a), newest.get(b)) || a.id - b.id);
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
  const towns = townsBeside(markers, places).map((place) => ({
    ...place,
    at: shares(frame.project(place)),
    importance: importanceOf(place.name),
  }));
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

/** Towns whose name differs from the names of all stations. */
function townsBeside(
  markers: readonly { readonly name: string }[],
  places: readonly Place[],
): readonly Place[] {
  const stations = new Set(markers.map(({ name }) => normalizeForSearch(name)));
  return places
    .filter(({ name }) => !stations.has(normalizeForSearch(name)))
    .slice(0, TOWNS_MAX * 4);
}

/** Normalized names of the largest towns, without towns that are part of a larger one. */
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
  /** Position in shares of the map's width. */
  readonly at: Point;
  /** Offset in pixels from other markers at the same position; undefined for the first of them. */
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

/** Share of the map's width within which no zoom separates two markers. */
const SAME = 0.003;

function shares({ x, y }: Point): Point {
  return { x: x / MAP_WIDTH, y: y / MAP_WIDTH };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Width of a map at which the two nearest markers are apart. */
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

/** Offset of the next marker after `count` others at a point: it is on a ring around the first. */
function besideOf(count: number): Point | undefined {
  if (count === 0) return undefined;
  const [angle, away] = [(count * Math.PI) / 3, 2 * MARKER_RADIUS * Math.ceil(count / 6)];
  return { x: Math.round(away * Math.cos(angle)), y: Math.round(away * Math.sin(angle)) };
}

/** The CSS class for a least width, `w1` to `w3`; `w0` is shown on no map (`styles/portal/map.css`). */
function shownFrom(width: number): string {
  return `w${MAP_WIDTHS.findIndex((step) => step === width) + 1}`;
}

function beginAt({ x, y }: Point, height: number, from = Infinity): Markup {
  return html`<svg class="${shownFrom(from)}" x="${percent(x)}" y="${percent(y / height)}" overflow="visible">`;
}

function textAt(name: PlacedName | undefined): Markup | undefined {
  if (name === undefined) return undefined;
  const { x, y, anchor, text, from } = name;
  return html`<text class="name ${shownFrom(from)}" x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;
}

/** The constant part of a marker. */
export type MarkerLayout = Readonly<Record<'begin' | 'shift' | 'name', Markup | undefined>>;

function encodeQuery(text: string): string {
  return String(new URLSearchParams({ q: text })).slice('q='.length);
}
