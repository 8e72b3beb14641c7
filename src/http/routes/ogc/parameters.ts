/** Parameters of the OGC API (OGC 17-069r4, OGC 19-086r6): an invalid value is 400, with the reason. */
import type { BoundingBox, Polygon, Position } from '../../../snapshot/domain/selection.js';
import { parseDateTime } from '../../../snapshot/domain/windows.js';
import { DAY_MS } from '../../../snapshot/domain/zone-clock.js';
import type { Times } from '../../../views/ogc/requests.js';
import type { Example, Parameter } from '../../routing/parameter.js';
import { inQuery, invalid, isInteger, optional, quotedInput } from '../../routing/parameters.js';
import { boxOf, parseDecimal } from '../selection-parameters.js';

export const LIMIT = 1000;
export const LIMIT_MAX = 10_000;
const POLYGON_POINTS_MAX = 100;

/** A required parameter. @param parse of trimmed text; undefined for invalid text. */
function required<T>(
  name: string,
  expected: string,
  example: Example,
  parse: (text: string) => T | undefined,
): Parameter<T> {
  return inQuery<T>({
    example,
    required: true,
    error: 'invalid_ogc',
    isNamed: true,
    schema: schemaOf(example),
    parse(text) {
      const value = parse(text.trim());
      if (value !== undefined) return { ok: true, value };
      return invalid('ogc_parsing', `\`${name}\` is ${quotedInput(text)}: expected ${expected}.`);
    },
  });
}

function schemaOf(example: Example): Parameter<unknown>['schema'] {
  if (typeof example !== 'object') return { type: typeof example };
  return { type: 'array', minItems: 1, items: { type: typeof example[0] } };
}

/** One of a closed set, in any case. */
export function choice<const T extends string>(name: string, choices: readonly T[]) {
  const parameter = required(name, choices.join(', '), choices[0] ?? '', (text) =>
    choices.find((one) => one.toLowerCase() === text.toLowerCase()),
  );
  return { ...parameter, schema: { type: 'string', enum: choices } };
}

function count(name: string, minimum: number) {
  const parameter = required(name, `a whole number from ${minimum} on`, LIMIT, (text) =>
    isInteger(text) && Number(text) >= minimum ? Number(text) : undefined,
  );
  return optional({ ...parameter, schema: { type: 'integer', minimum } });
}

/** With six numbers, the third and the last are heights, which are ignored. */
const bbox = optional(
  required<BoundingBox>(
    'bbox',
    'west,south,east,north in degrees, or with heights west,south,low,east,north,high',
    [-4, 40, -3, 41],
    (text) => {
      const texts = text.split(',', 7);
      const hasHeights = texts.length === 6 && !texts.map(parseDecimal).includes(undefined);
      return boxOf(hasHeights ? texts.toSpliced(5, 1).toSpliced(2, 1) : texts);
    },
  ),
);

const TIMES = 'a date or date-time, or two with a slash between them and `..` for an open end';

/** A date is the whole day, UTC. */
const datetime = optional(
  required<Times>('datetime', TIMES, '2026-02-08T22:00:00Z/2026-02-09T00:00:00Z', (text) => {
    const [first = '', last, ...more] = text.split('/', 3);
    const from = last !== undefined && /^(?:\.\.)?$/.test(first) ? -Infinity : parseDateTime(first);
    const to = last !== undefined && /^(?:\.\.)?$/.test(last) ? Infinity : endOf(last ?? first);
    if (more.length > 0 || from === undefined || to === undefined || from > to) return undefined;
    return { from, to };
  }),
);

function endOf(text: string): number | undefined {
  const isDay = text.trim().length === 'YYYY-MM-DD'.length;
  const start = parseDateTime(text);
  return start === undefined || !isDay ? start : start + DAY_MS - 1;
}

function isPosition(longitude: number, latitude: number): boolean {
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
}

/** Well-known text; a height is ignored. */
export const point = required<Position>(
  ...(['coords', 'a point such as POINT(-3.36 40.48)', 'POINT(-3.36 40.48)'] as const),
  (text) => {
    const [place, ...more] = positionsOf(/^POINT ?Z? ?\(([^()]*)\)$/i.exec(text)?.[1]) ?? [];
    return place && more.length === 0 ? { longitude: place[0], latitude: place[1] } : undefined;
  },
);

/** Well-known text: the outer ring, then holes. */
export const polygon = optional(
  required<Polygon>(
    'coords',
    `a polygon of closed rings with at most ${POLYGON_POINTS_MAX} points`,
    'POLYGON((-3.5 40.3,-3.2 40.3,-3.2 40.6,-3.5 40.3))',
    (text) => {
      const inside = /^POLYGON ?Z? ?\(\s*(\([^()]*\)(?:\s*,\s*\([^()]*\))*)\s*\)$/i.exec(text)?.[1];
      const rings = (inside?.split('(').slice(1) ?? []).map(
        (ring) => positionsOf(ring.split(')', 1)[0]) ?? [],
      );
      const isClosed = rings.every(
        (ring) => ring.length >= 4 && String(ring[0]) === String(ring.at(-1)),
      );
      const isShort = rings.flat().length <= POLYGON_POINTS_MAX;
      return rings.length > 0 && isClosed && isShort ? rings : undefined;
    },
  ),
);

/** Positions separated by commas; undefined if one is invalid. */
function positionsOf(text = ''): Polygon[number] | undefined {
  const places = text.split(',', POLYGON_POINTS_MAX + 1).map((place) => {
    const [x = NaN, y = NaN, ...heights] = place
      .split(' ')
      .filter((one) => one !== '')
      .map(parseDecimal);
    return heights.length <= 1 && isPosition(x, y) ? ([x, y] as const) : undefined;
  });
  const known = places.filter((place) => place !== undefined);
  return known.length === places.length ? known : undefined;
}

/** Units of `within`, in metres. */
export const METRES = { km: 1000, m: 1, mi: 1609.344 } as const;

const within = required('within', 'a number above 0', '20', (text) => {
  const distance = parseDecimal(text) ?? 0;
  return distance > 0 && distance < Infinity ? distance : undefined;
});

export const circle = {
  coords: point,
  within,
  'within-units': choice('within-units', ['km', 'm', 'mi']),
};

/** Parameters that select features by coordinates and time. */
export const featureFilter = { bbox, datetime };

export const features = {
  limit: {
    ...count('limit', 1),
    schema: { type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: LIMIT },
  },
  offset: count('offset', 0),
  snapshot: optional(required('snapshot', 'an id', 'demo', (text) => text)),
  ...featureFilter,
};

const names = optional(required('parameter-name', 'names', ['NO2'], (text) => text));

export const values = {
  datetime,
  'parameter-name': names,
  // OWSLib's name for `parameter-name`.
  parameter_names: names,
  crs: optional(
    choice('crs', ['CRS84', 'OGC:CRS84', 'http://www.opengis.net/def/crs/OGC/1.3/CRS84']),
  ),
};
