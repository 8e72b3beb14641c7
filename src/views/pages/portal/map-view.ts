/** Template context of the map's upper layer: a marker for each station, names of towns, and the legend. */
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import type { Town } from '../map/base-map.js';
import { MAP_HEIGHT, MAP_WIDTH, type Frame } from '../map/frame.js';
import {
  estimateLabelWidth,
  MapLayout,
  MARKER_RADIUS,
  type Point,
} from '../map/label-placement.js';
import type { Messages } from '../../../texts/messages.js';
import { arrowTurn, sectorOf } from './chart/direction.js';
import { colorOf, legendOf, type ColorScale } from './color-scale.js';
import { portalLink } from './links.js';
import { percent } from './notation.js';
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

/** On more than this no map can be read, and each costs some 0.5 ms of a page and 400 bytes of it. */
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
  const wide = screen(WIDE, 1);
  const narrow = screen(NARROW, frame.isTall ? TALL_SHARE : 1);
  const showsValue = (marker: Marker, { layout, toPixels }: Screen): boolean =>
    layout.addMarker(toPixels(marker), marker.row.current !== undefined);
  return {
    ...{ width: MAP_WIDTH, height: MAP_HEIGHT, isTall: frame.isTall },
    bounds: frame.bounds.map((degrees) => degrees.toFixed(5)).join(','),
    // The addresses have the version of the image, so that browsers may cache it for long.
    imageHrefs: {
      light: `/portal/map.svg?theme=light&v=${version}`,
      dark: `/portal/map.svg?theme=dark&v=${version}`,
    },
    radius: MARKER_RADIUS,
    markers: markers
      .map((marker) => {
        const shown = { wide: showsValue(marker, wide), narrow: showsValue(marker, narrow) };
        return viewMarker(marker, shown, options);
      })
      .toReversed(),
    towns: placeTowns(options, { wide, narrow }),
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
  return chosen.toSorted(byValue).flatMap((row) => {
    const { position } = row.station;
    return position === undefined ? [] : [{ row, ...frame.project(position) }];
  });
}

interface Marker extends Point {
  readonly row: StationRow;
}

function viewMarker(
  { row, x, y }: Marker,
  showsValue: Readonly<Record<'wide' | 'narrow', boolean>>,
  { scale, near, unit, compass, days, hours, state, texts, format }: MapOptions,
) {
  const { station, current, newest, isLate } = row;
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
    showsValue.wide ? '' : 'dot-wide',
    showsValue.narrow ? '' : 'dot-narrow',
    row.isFound ? '' : 'unfound',
    station.id === state.stationId ? 'chosen' : '',
  ];
  return {
    ...percents({ x, y }),
    id: station.id,
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
  };
}

function hourlyOf(
  points: readonly HourlyValue[],
  { hours, compass, scale, format }: Pick<MapOptions, 'hours' | 'compass' | 'scale' | 'format'>,
) {
  const values = new Map(points.map(({ hour, value }) => [hour, value]));
  const ofEach = (write: (value: number) => string) =>
    hours.map((hour) => {
      const value = values.get(hour);
      return value === undefined ? '' : write(value);
    });
  return {
    values: ofEach(compass === undefined ? format.number : arrowTurn).join(';'),
    colors: compass === undefined ? ofEach((value) => colorOf(value, scale)).join(' ') : '',
  };
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

/** Places names near their towns, where they cover nothing; the largest towns first. */
function placeTowns(
  { towns, townName, frame, state }: MapOptions,
  { wide, narrow }: Readonly<Record<'wide' | 'narrow', Screen>>,
) {
  const [west, south, east, north] = frame.bounds;
  const shown = [];
  for (const town of towns) {
    const { longitude, latitude } = town;
    if (longitude <= west || longitude >= east || latitude <= south || latitude >= north) continue;
    if (shown.length === TOWNS_MAX) break;
    const name = townName(town);
    const width = estimateLabelWidth(name);
    const point = frame.project(town);
    const offset = wide.layout.addLabel(wide.toPixels(point), width);
    if (offset === undefined) continue;
    const isWideOnly =
      narrow.layout.addLabel(narrow.toPixels(point), width, [offset]) === undefined;
    shown.push({
      ...{ ...percents(point), name, offset, isWideOnly },
      at: `${town.latitude},${town.longitude}`,
      href: portalLink(state, { search: name, stationId: undefined }),
    });
  }
  return shown;
}
