/** Parameters that select stations and observations, declared once (docs/http-api/requests.md, "Selection"). */
import { STATION_TYPES } from '../../snapshot/domain/model.js';
import type { BoundingBox } from '../../snapshot/domain/selection.js';
import type { Parameter } from '../routing/parameter.js';
import {
  flag,
  inQuery,
  isBlank,
  oneOf,
  optional,
  optionalList,
  optionalText,
  invalid,
  quotedInput,
} from '../routing/parameters.js';

const station_id = optionalList('station_id', ['28005002']);

const parameter_code = optionalList('parameter_code', ['NO2']);

const stationFilters = {
  active: optional(flag(false)),
  municipality: optionalText('Alcalá de Henares'),
  station_type: optional(oneOf(STATION_TYPES, 'traffic')),
  bbox: boundingBox(),
  lat: position('lat', undefined, { minimum: -90, maximum: 90, example: 40.48 }),
  lon: position('lon', undefined, { minimum: -180, maximum: 180, example: -3.36 }),
  radius_m: position('radius_m', 25_000, { minimum: 1, maximum: 1_000_000, example: 20_000 }),
};

export const stationSelection = { station_id, ...stationFilters };

export const seriesSelection = { station_id, parameter_code, ...stationFilters };

/** `min_lon,min_lat,max_lon,max_lat`, WGS84 decimal degrees (`docs/http-api/requests.md, "Bounding boxes"`). */
function boundingBox(): Parameter<BoundingBox | undefined> {
  return inQuery({
    example: '-3.43,40.43,-3.33,40.53',
    error: 'invalid_bbox',
    schema: { type: 'string', pattern: '^[^,]+(,[^,]+){3}$' },
    parse(text) {
      if (isBlank(text)) return { ok: true, value: undefined };
      const value = boxOf(text.split(',', 5));
      return value && value.west <= value.east
        ? { ok: true, value }
        : invalid('bbox_parsing', 'Input should be a bounding box');
    },
  });
}

/** A coordinate or the radius of a position; `absent` if it is missing or blank. */
function position<T extends number | undefined>(
  name: 'lat' | 'lon' | 'radius_m',
  absent: T,
  range: { readonly minimum: number; readonly maximum: number; readonly example: number },
): Parameter<number | T> {
  const { minimum, maximum, example } = range;
  // A radius needs a latitude; a latitude needs no radius.
  const beside = name === 'lat' ? 'lon' : 'lat';
  const fallback = absent === undefined ? {} : { default: absent };
  return inQuery<number | T>({
    example,
    absent,
    error: 'invalid_position',
    isNamed: true,
    schema: { type: 'number', minimum, maximum, ...fallback },
    parse(text, query) {
      if (isBlank(text)) return { ok: true, value: absent };
      const isAlone = isBlank(query?.get(beside)?.at(-1) ?? '');
      if (isAlone) {
        return invalid('position_parsing', `\`${beside}\` is missing beside \`${name}\`.`);
      }
      const value = parseDecimal(text);
      if (value === undefined || value < minimum || value > maximum) {
        const what = name === 'radius_m' ? 'metres' : 'degrees such as 40.42';
        const limits = `from ${minimum.toLocaleString('en')} to ${maximum.toLocaleString('en')}`;
        return invalid(
          'position_parsing',
          `\`${name}\` is ${quotedInput(text)}: expected ${what}, ${limits}.`,
        );
      }
      return { ok: true, value };
    },
  });
}

/** A decimal number. No two parts of the expression match the same digits, so that it never backtracks. */
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/** West, south, east and north in degrees; undefined for anything else, and where the south is above the north. */
export function boxOf(texts: readonly string[]): BoundingBox | undefined {
  const parts = texts.map(parseDecimal);
  if (parts.length !== 4 || parts.includes(undefined)) return undefined;
  const [west = NaN, south = NaN, east = NaN, north = NaN] = parts;
  const inRange = Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90;
  if (!inRange || !(Math.abs(north) <= 90) || south > north) return undefined;
  return { west, south, east, north };
}

/** A decimal number between blanks; undefined for other texts. */
export function parseDecimal(text: string): number | undefined {
  const trimmed = text.trim();
  return DECIMAL.test(trimmed) ? Number(trimmed) : undefined;
}
