/** Coordinates as agencies write them → WGS 84 degrees as JSON text: the door to proj4. */
import proj4 from 'proj4';
import definitions from 'proj4-list';
import { unexpected } from '../../snapshot/document/problems.js';
import type { NumberCells } from './number-cells.js';

/** `45°15'22,5"N`, `N 45 15 22.5`, `20° 27.5' E`: degrees, minutes and seconds, and where they are. */
const SEXAGESIMAL =
  /^([NSEWO])?\s*([-+]?\d{1,3})(?:\s*[°º˚d:]\s*|\s+)(\d{1,2}(?:[.,]\d+)?)(?:\s*['’′m:]\s*|\s+|$)(?:(\d{1,2}(?:[.,]\d+)?)\s*(?:["”″s]|'')?)?\s*([NSEWO])?$/iu;

/** A tenth of a metre. */
const DECIMALS = 6;

/** `EPSG:3765` or just its number → what proj4 knows it by. */
export function parseCoordinateSystem(text: string): string | undefined {
  const [, code] = /^(?:EPSG:)?(\d{4,6})$/i.exec(text.trim()) ?? [];
  const known = code === undefined ? undefined : definitions[`EPSG:${code}`];
  return known?.[1];
}

/** A northing and an easting in metres, as cells. */
interface Grid {
  readonly north: string;
  readonly east: string;
}

interface Degrees {
  readonly latitude: string;
  readonly longitude: string;
}

/**
 * @param system of `parseCoordinateSystem`.
 * @returns JSON texts, or what was expected where the cells are no position.
 */
export function fromGrid(
  grid: Grid,
  { system, numbers }: { readonly system: string; readonly numbers: NumberCells },
): Degrees | string {
  const [north, east] = [numbers.parse(grid.north), numbers.parse(grid.east)];
  if (north.kind !== 'value') return unexpected('a northing in metres', grid.north);
  if (east.kind !== 'value') return unexpected('an easting in metres', grid.east);
  const [x = NaN, y = NaN] = proj4(system, 'WGS84', [Number(east.json), Number(north.json)]);
  if (Number.isFinite(x) && Number.isFinite(y)) {
    return { latitude: rounded(y), longitude: rounded(x) };
  }
  return unexpected('a point of the coordinate system', `${north.json}, ${east.json}`);
}

/** Degrees, with or without minutes and seconds, as JSON text; undefined for what is none. */
export function degrees(cell: string, numbers: NumberCells): string | undefined {
  const number = numbers.parse(cell);
  if (number.kind === 'value') return number.json;
  const [all, before, whole = '', minutes = '', seconds = '0', after] =
    SEXAGESIMAL.exec(cell.trim()) ?? [];
  if (all === undefined || (before !== undefined && after !== undefined)) return undefined;
  const parts = [whole.replace(/^[-+]/, ''), minutes, seconds].map((part) =>
    Number(part.replace(',', '.')),
  );
  const [degree = NaN, minute = NaN, second = NaN] = parts;
  if (minute >= 60 || second >= 60) return undefined;
  const isNegative = whole.startsWith('-') || /^[SWO]$/i.test(before ?? after ?? '');
  return rounded((isNegative ? -1 : 1) * (degree + minute / 60 + second / 3600));
}

function rounded(value: number): string {
  return String(Number(value.toFixed(DECIMALS)));
}
