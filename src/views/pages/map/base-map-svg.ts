/** Renders the base map as an SVG image in the colours of one theme, without text, scripts and styles. */
import { geoIdentity, geoPath } from 'd3-geo';
import type { Geometry, Position } from 'geojson';
import type { Theme } from '../page.js';
import type { BaseMap } from './base-map.js';
import { MAP_WIDTH, toPlane, turnsOf, type Frame } from './frame.js';

type MapColors = Readonly<Record<'sea' | 'land' | 'province' | 'country' | 'water', string>>;

/** Colours of the image, which cannot use those of `styles/site/tokens.css`. */
const COLORS: Readonly<Record<Theme, MapColors>> = {
  light: {
    sea: '#dbe7ec',
    land: '#f5f3ed',
    water: '#bcd5e1',
    province: '#d9d4c7',
    country: '#a39c8b',
  },
  dark: {
    sea: '#0c1418',
    land: '#182125',
    water: '#22414e',
    province: '#2c383e',
    country: '#5d6b72',
  },
};

/** Least distance of two points of a line, in units of the map. */
const POINT_DISTANCE_MIN = 0.8;

export function renderBaseMap(map: BaseMap, frame: Frame, theme: Theme): string {
  const colors = COLORS[theme];
  const pathOf = createPathRenderer(frame);
  const area = (geometries: readonly Geometry[], fill: string): string =>
    element(geometries.map(pathOf).join(''), `fill="${fill}"`);
  const lines = (geometries: readonly Geometry[], stroke: string, width: number): string =>
    element(
      geometries.map(pathOf).join(''),
      `fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round"`,
    );
  const rivers = (isLarge: boolean): readonly Geometry[] =>
    map.rivers.filter((river) => river.isLarge === isLarge).map((river) => river.lines);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${MAP_WIDTH} ${frame.height}">`,
    `<path fill="${colors.sea}" d="M0,0H${MAP_WIDTH}V${frame.height}H0Z"/>`,
    area(map.land, colors.land),
    lines(map.provinceBorders, colors.province, 1.5),
    area(map.lakes, colors.water),
    lines(rivers(false), colors.water, 2),
    lines(rivers(true), colors.water, 3.5),
    lines(map.countryBorders, colors.country, 2),
    '</svg>',
  ].join('');
}

function element(d: string, attributes: string): string {
  return d === '' ? '' : `<path ${attributes} d="${d}"/>`;
}

/** Makes a renderer of path data, which clips a geometry at the edges; empty for one outside of the map. */
function createPathRenderer({ scale, translate, height, bounds }: Frame) {
  const edge = 10;
  const paths = turnsOf(bounds).map((turn) =>
    geoPath(
      geoIdentity()
        .reflectY(true)
        .scale(scale)
        .translate([translate[0] + scale * turn * 2 * Math.PI, translate[1]])
        .clipExtent([
          [-edge, -edge],
          [MAP_WIDTH + edge, height + edge],
        ]),
    ).digits(1),
  );
  return (geometry: Geometry): string => {
    const plane = inPlane(geometry, POINT_DISTANCE_MIN / scale);
    return paths.map((path) => path(plane) ?? '').join('');
  };
}

/** The geometry in the projected plane, where winding order and antimeridian have no meaning. */
function inPlane(geometry: Geometry, distanceMin: number): Geometry {
  const line = (positions: readonly Position[]): Position[] => simplified(positions, distanceMin);
  switch (geometry.type) {
    case 'LineString':
      return { type: 'LineString', coordinates: line(geometry.coordinates) };
    case 'MultiLineString':
      return { type: 'MultiLineString', coordinates: geometry.coordinates.map(line) };
    case 'Polygon':
      return { type: 'Polygon', coordinates: geometry.coordinates.map(line) };
    case 'MultiPolygon':
      return {
        type: 'MultiPolygon',
        coordinates: geometry.coordinates.map((rings) => rings.map(line)),
      };
    default:
      return { type: 'MultiPoint', coordinates: [] };
  }
}

/** Projects a line; drops points that are close to the point before, but keeps both ends. */
function simplified(positions: readonly Position[], distanceMin: number): Position[] {
  let last: readonly [number, number] = [Infinity, Infinity];
  return positions.flatMap((position, index) => {
    const point = toPlane(position);
    const isEnd = index === 0 || index === positions.length - 1;
    const distance = Math.hypot(point[0] - last[0], point[1] - last[1]);
    if (!isEnd && distance < distanceMin) return [];
    last = point;
    return [point];
  });
}
