/** The map's upper layer: markers, names of stations and towns, and the legend. */
import { HOUR_MS } from '../../../snapshot/domain/windows.js';
import { html, type Markup } from '../../html.js';
import { MAP_WIDTH } from '../map/frame.js';
import { MARKER_RADIUS } from '../map/label-placement.js';
import { arrowTurn, sectorOf } from './chart/direction.js';
import { colorOf, legendOf } from './color-scale.js';
import { linksBy, portalLink, stationLinks } from './links.js';
import { layoutOf, MARKERS_MAX, type MarkerLayout, type LayoutOptions } from './map-layout.js';
import type { HourlyValue } from './portal-model.js';
import type { StationRow } from './stations.js';
import type { PartsOptions, TableContext } from './table-view.js';

export interface MapOptions
  extends TableContext, PartsOptions, Pick<LayoutOptions, 'frame' | 'places' | 'version'> {
  readonly partsOf: (row: StationRow) => { readonly marker: ReturnType<typeof markerParts> };
}

export function viewMap(options: MapOptions) {
  const { frame, version, scale, compass, texts, format } = options;
  const hasValues = options.rows.some(({ current }) => current !== undefined);
  const placed = options.rows.filter(({ station }) => station.position !== undefined);
  const rows = chooseRows(placed, options);
  const notMeasuring = rows.filter(({ isMeasuring }) => !isMeasuring).length;
  const { circles, towns, apart } = layoutOf(
    rows.map(({ station }) => station),
    { ...options, language: options.state.language },
  );
  const linkTo = stationLinks(options.state);
  const searchFor = linksBy('q', portalLink(options.state, { search: '0', stationId: undefined }));
  return {
    width: MAP_WIDTH,
    height: frame.height,
    isTall: frame.isTall,
    bounds: frame.bounds.map((degrees) => degrees.toFixed(5)).join(','),
    /** Width in pixels up to which zooming shows more. */
    apart,
    // The address has the version of the image, so that browsers may cache it for long.
    imageHrefs: {
      light: `/portal/map.svg?theme=light&v=${version}`,
      dark: `/portal/map.svg?theme=dark&v=${version}`,
    },
    markers: rows
      .flatMap((row) => {
        const circle = circles.get(row.station.id);
        return circle ? markerOf(row, circle, options, linkTo(row.station.id)) : [];
      })
      .toReversed(),
    towns: towns.map(
      ({ begin, query, name }) =>
        html`${begin}<a href="${searchFor(query)}" tabindex="-1"><circle r="2"/>${name}</a></svg>`,
    ),
    hasWind: options.wind !== undefined,
    legend: compass !== undefined || !hasValues ? [] : legendOf(scale, texts, format),
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
 * The stations to draw, the highest current value first; the caller reverses the order, so that the highest value is
 * drawn last, on top. If there are too many stations, the chosen station and found stations take precedence.
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

function markerOf(
  row: StationRow,
  circle: MarkerLayout,
  { state, partsOf }: MapOptions,
  href: Markup,
): Markup {
  const { id } = row.station;
  const { classes, hourly, content, blow } = partsOf(row).marker;
  return html`${circle.begin}<a class="marker ${classes}${!row.isFound && ' unfound'}${id === state.stationId && ' chosen'}" href="${href}" data-station="${id}"${circle.shift}${hourly}>${content}${circle.name}${blow}</a></svg>`;
}

export function markerParts(
  { station, current, newest, isLate }: StationRow,
  options: PartsOptions,
) {
  const { scale, near, compass, wind, unit, texts, format } = options;
  const windNow = wind?.get(station.id)?.find(({ hour }) => hour * HOUR_MS === near);
  const point = current && compass?.[sectorOf(current.value)];
  const exact = current === undefined ? '' : format.number(current.value);
  const dated = isLate ? newest : current;
  const value = [
    current === undefined ? texts('no-value') : [exact, unit, point].filter(Boolean).join(' '),
    dated && format.moment(dated.hour * HOUR_MS, near).text,
    isLate ? texts('late') : undefined,
  ]
    .filter(Boolean)
    .join(', ');
  const color = current === undefined ? 'none' : compass ? 'wind' : colorOf(current.value, scale);
  const hourly = viewHourly(station.id, options);
  const number = current === undefined ? '' : format.markerNumber(current.value);
  // An arrow for a direction, else the text.
  const inside =
    current &&
    (compass
      ? html`<path class="arrow" transform="rotate(${arrowTurn(current.value)})" d="M0,7V-7M-4,-2.5 0,-7 4,-2.5"/>`
      : html`<text${number.length > 3 && html` class="long"`}>${number}</text>`);
  return {
    classes: isLate ? `${color} late` : color,
    hourly: hourly.values,
    content: html`<title>${station.name}: ${value}</title><circle class="target" r="12"/><circle r="${MARKER_RADIUS}"/>${inside}`,
    /** An arrow outside of the circle: the wind in the same hour. */
    blow:
      wind &&
      html`<path class="blow${!windNow && ' hidden'}" data-v="${hourly.wind}" transform="rotate(${windNow ? arrowTurn(windNow.value) : 0})" d="M0,-16V-28M-4,-23.5 0,-28 4,-23.5"/>`,
  };
}

/** Data for a script that shows another hour: values or turns of an arrow, and colours. */
function viewHourly(
  stationId: number,
  { days, hours, wind, compass, scale, format }: PartsOptions,
) {
  const points = days.get(stationId) ?? [];
  const write = compass === undefined ? format.markerNumber : arrowTurn;
  const values = atEach(hours, points, write).join(';');
  const colors =
    compass === undefined ? atEach(hours, points, (value) => colorOf(value, scale)).join(' ') : '';
  return {
    values: hours.length >= 2 && html` data-v="${values}" data-c="${colors}"`,
    wind: wind && atEach(hours, wind.get(stationId) ?? [], arrowTurn).join(';'),
  };
}

/** A text for each hour, empty without a value. */
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
