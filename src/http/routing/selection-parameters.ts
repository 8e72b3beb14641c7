/** Kinds of parameters that select stations by where they lie: a box, and a position of several numbers. */
import type { BoundingBox } from '../../snapshot/domain/selection.js';
import { invalid, isBlank, type About, type Parameter } from './parameters.js';

/**
 * `min_lon,min_lat,max_lon,max_lat` in WGS84 decimal degrees (`docs/http-api/requests.md, "Bounding boxes"`); refused with an error of its own.
 */
export function optionalBoundingBox(about: About): Parameter<BoundingBox | undefined> {
  return {
    ...about,
    in: 'query',
    required: false,
    absent: undefined,
    error: 'invalid_bbox',
    schema: { type: 'string', pattern: '^[^,]+(,[^,]+){3}$' },
    parse(text) {
      if (isBlank(text)) return { ok: true, value: undefined };
      const value = parseBoundingBox(text);
      if (value === undefined) return invalid('bbox_parsing', 'Input should be a bounding box');
      return { ok: true, value };
    },
  };
}

/** Latitude of a position, in degrees; there with `lon` or not at all. */
export function optionalLatitude(about: About): Parameter<number | undefined> {
  return position({ minimum: -90, maximum: 90, beside: 'lon' }, about);
}

/** Longitude of a position, in degrees; there with `lat` or not at all. */
export function optionalLongitude(about: About): Parameter<number | undefined> {
  return position({ minimum: -180, maximum: 180, beside: 'lat' }, about);
}

/** Distance from a position, in metres. */
export function optionalRadius(
  range: { readonly minimum: number; readonly maximum: number; readonly default: number },
  about: About,
): Parameter<number> {
  const { minimum, maximum } = range;
  const given = position({ minimum, maximum, beside: 'lat' }, about);
  return {
    ...about,
    in: 'query',
    required: false,
    absent: range.default,
    error: 'invalid_position',
    schema: { type: 'number', ...range },
    parse(text, query) {
      const parsed = given.parse(text, query);
      return parsed.ok ? { ok: true, value: parsed.value ?? range.default } : parsed;
    },
  };
}

function position(
  range: { readonly minimum: number; readonly maximum: number; readonly beside: 'lat' | 'lon' },
  about: About,
): Parameter<number | undefined> {
  const { minimum, maximum, beside } = range;
  return {
    ...about,
    in: 'query',
    required: false,
    absent: undefined,
    error: 'invalid_position',
    schema: { type: 'number', minimum, maximum },
    parse(text, query) {
      if (isBlank(text)) return { ok: true, value: undefined };
      // A radius stands beside a latitude, and a latitude may stand without a radius.
      const isAlone = isBlank(query?.get(beside)?.at(-1) ?? '');
      if (isAlone) return invalid('position_parsing', 'Input should be a whole position');
      const value = parseDecimal(text);
      if (value === undefined || value < minimum || value > maximum) {
        return invalid('position_parsing', 'Input should be a number in its range');
      }
      return { ok: true, value };
    },
  };
}

/** No two of its parts can match the same digits, so it never goes back over them. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

function parseBoundingBox(text: string): BoundingBox | undefined {
  const parts = text.split(',', 5).map(parseDecimal);
  if (parts.length !== 4 || parts.includes(undefined)) return undefined;
  const [west = NaN, south = NaN, east = NaN, north = NaN] = parts;
  const inRange = Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90;
  if (!inRange || !(Math.abs(north) <= 90) || west > east || south > north) return undefined;
  return { west, south, east, north };
}

/** A decimal number, blanks around it left out; undefined for any other text. */
function parseDecimal(text: string): number | undefined {
  const trimmed = text.trim();
  return DECIMAL.test(trimmed) ? Number(trimmed) : undefined;
}
