/** Random requests to the OGC API (docs/http-api/ogc.md): values of stations, their locations, and pages of features. */
import type { Chance } from './chance.js';
import { drawHttp, type HttpChoices } from './http-choices.js';
import { HOUR_MS, hourAt, textOf, type Network } from './network.js';
import { addTime, type Asked, type Place, type Selection } from './request.js';

const QUERIES = ['location', 'position', 'radius', 'area', 'locations', 'items'] as const;
const FORMATS = ['CoverageJSON', 'GeoJSON', 'CSV', 'html'] as const;
const COLLECTIONS = ['stations', 'latest', 'observations'] as const;

/** A request, and its meaning. Both ends of its time are inside; an absent one is open. */
export interface OgcAsked extends Pick<Asked, 'path' | 'selection' | 'fromMs' | 'toMs' | 'shares'> {
  readonly ogc: (typeof QUERIES)[number];
  readonly format: (typeof FORMATS)[number];
  readonly collection: (typeof COLLECTIONS)[number];
  readonly limit?: number;
  readonly offset?: number;
  /** The status of an invalid request. */
  readonly refused?: number;
  readonly choices: HttpChoices & { readonly endpoint: 'ogc' };
}

interface Draft {
  readonly chance: Chance;
  readonly network: Network;
  readonly query: Map<string, string>;
}

type Part = Partial<OgcAsked>;

export function makeOgc(chance: Chance, network: Network): OgcAsked {
  const query = new Map<string, string>();
  const draft = { chance, network, query };
  const ogc = chance.pick(QUERIES);
  const isOfValues = ogc !== 'locations' && ogc !== 'items';
  const format = isOfValues ? chance.pick(FORMATS) : 'GeoJSON';
  const isDefault = format === 'CoverageJSON' && chance.is(0.5);
  if (isOfValues && !isDefault) query.set('f', chance.is(0.9) ? format : format.toLowerCase());
  const collection = ogc === 'items' ? chance.pick(COLLECTIONS) : 'observations';
  const { station_id: known } = chance.pick(network.stations);
  const stationId = chance.is(0.97) ? Number(known) : 77_777_777;
  const { names, refused } = isOfValues && chance.is(0.5) ? someNames(draft) : {};
  const selection: Selection = {
    ...(ogc === 'location' && { stationIds: [`${stationId}`] }),
    ...((ogc === 'position' || ogc === 'radius') && { near: somewhere(draft, ogc) }),
    ...(ogc === 'area' && chance.is(0.7) ? { rings: somePolygon(draft) } : {}),
    ...(names && { codes: names }),
  };
  const hasBox = isOfValues ? ogc === 'area' && !selection.rings : chance.is(0.5);
  const meant: Part = {
    ...(chance.is(0.6) && someTime(draft)),
    ...(ogc === 'items' && somePage(draft)),
    ...(refused && { refused }),
  };
  const place = ogc === 'location' ? `locations/${stationId}` : ogc;
  const whole = { ...selection, ...(hasBox && { box: someBox(draft) }) };
  const spoiled = chance.is(0.15) ? spoil(draft, ogc) : {};
  const parts = [...query].map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const path = `/ogc/collections/${collection}/${place}${parts.length > 0 ? '?' : ''}${parts.join('&')}`;
  const http = drawHttp(chance, false);
  // A request with long fields has no room for a long path (431).
  const form = path.length > 2000 ? 'usual' : http.form;
  return {
    ...{ ogc, format, collection, selection: whole, ...meant, ...spoiled, shares: [0, 0], path },
    choices: { endpoint: 'ogc', ...http, form },
  };
}

/** Sizes, and places near a station, in millionths of a degree: sums are exact. */
const SIZES = [250_000, 500_000, 1_000_000, 7, 123_456];

function somePlace({ chance, network }: Draft): Place {
  const { longitude, latitude } = chance.pick(network.stations);
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return [20.5e6, 44.8e6];
  return [Math.round(longitude * 1e6), Math.round(latitude * 1e6)];
}

/** Degrees, inside the Earth's limits. */
function degrees(x: number, y: number): Place {
  const [east, north] = [Math.min(180e6, Math.round(x)), Math.min(90e6, Math.round(y))];
  return [Math.max(-180e6, east) / 1e6, Math.max(-90e6, north) / 1e6];
}

function somewhere(draft: Draft, ogc: 'position' | 'radius'): NonNullable<Selection['near']> {
  const { chance, query } = draft;
  const [x, y] = somePlace(draft);
  const away = (): number => chance.pick([0, 0, ...SIZES]) * chance.pick([-1, 1]);
  const [longitude, latitude] = degrees(x + away(), y + away());
  const forms = ['POINT(X)', 'point ( X )', 'POINT Z(X 9)'];
  query.set('coords', chance.pick(forms).replace('X', `${longitude} ${latitude}`));
  if (ogc === 'position') return { longitude, latitude, metres: 1e9 };
  const within = chance.pick([0.001, 1, 20, 27.8, 60, 100, 1000, 25_000]);
  const [unit, metres] = chance.pick(Object.entries({ km: 1000, m: 1, mi: 1609.344 }));
  query.set('within', `${within}`);
  query.set('within-units', unit);
  return { longitude, latitude, metres: within * metres };
}

/** A polygon at a station, which is often on a corner or an edge of it or of its hole. */
function somePolygon(draft: Draft): NonNullable<Selection['rings']> {
  const { chance, query } = draft;
  const [x, y] = somePlace(draft);
  const size = chance.pick(SIZES);
  const ring = (...corners: readonly Place[]): readonly Place[] => {
    const places = corners.map(([a, b]) => degrees(x + a * size, y + b * size));
    return [...places, ...places.slice(0, 1)];
  };
  const square = (a: number, b: number): readonly Place[] => ring([a, a], [b, a], [b, b], [a, b]);
  const [a, b] = [chance.integer(-3, 3), chance.integer(1, 3)];
  const slanted = ring([-a, -b], [a * 2, b * 2], [9 - b, a]);
  const count = chance.pick([3, 40, 98]);
  const teeth = Array.from({ length: count }, (_, at): Place => [at - 3, chance.number() * 2 - 1]);
  const rings = chance.pick([
    ...[[square(0, 1)], [square(-1, 1)], [slanted], [ring(...teeth, [3, -9])]],
    ...[
      [square(-2, 2), square(0, 1)],
      [square(-30, 30), slanted],
    ],
    [square(-9, 9), square(-1, 1), square(2, 3)],
  ]);
  const texts = rings.map((one) => `(${one.map((place) => place.join(' ')).join(',')})`);
  query.set('coords', `${chance.pick(['POLYGON', 'Polygon '])}(${texts.join(', ')})`);
  return rings;
}

/** A box with a station on its edge or inside, often over the antimeridian. */
function someBox(draft: Draft): NonNullable<Selection['box']> {
  const { chance, query } = draft;
  const [x, y] = somePlace(draft);
  const size = (): number => chance.pick([0, 0, ...SIZES]);
  const turned = (to: number): number => (to > 180e6 ? to - 360e6 : to < -180e6 ? to + 360e6 : to);
  const [first, second] = [turned(x - size()), turned(x + size())];
  const [from, to] = chance.is(0.3) ? [second, first] : [first, second];
  const [[west, south], [east, north]] = [degrees(from, y - size()), degrees(to, y + size())];
  const heights = chance.pick([[], [], [9]]);
  query.set('bbox', [west, south, ...heights, east, north, ...heights].join());
  return [west, south, east, north];
}

/** Codes of parameters in one text, which is a known code, or else a list of known codes. */
function someNames({ chance, network, query }: Draft) {
  const codes = (of: Network['components']) => of.map((one) => textOf(one['short_name']));
  const known = codes(network.components.filter((one) => one['public'] !== false));
  const text = codes(chance.some(network.components, 4)).join(chance.is(0.95) ? ',' : ',NONE,');
  query.set('parameter-name', text);
  const names = known.includes(text) ? [text] : text.split(',');
  return names.every((name) => known.includes(name)) ? { names } : { refused: 400 };
}

function someTime({ chance, network, query }: Draft): Part {
  const hour = hourAt(network, Date.parse(network.generated_at));
  const some = () => {
    const hours = chance.pick([chance.integer(-2, 30), chance.integer(0, 721), 20_000]);
    const minutes = chance.pick([0, 0, 1, -1, 15, 30, 45, 17]);
    const ms = hour - hours * HOUR_MS + minutes * 60_000 + chance.pick([0, 0, 0, 1, -1, 500]);
    let text = '';
    const fromMs = addTime({ chance, add: (_, value) => (text = value) }, '', ms);
    return { text, fromMs, toMs: text.length > 10 ? fromMs : fromMs + 24 * HOUR_MS - 1 };
  };
  const [one, other, open] = [some(), some(), chance.pick(['', '..'])];
  const [first, last] = one.fromMs <= other.fromMs ? [one, other] : [other, one];
  const [text, fromMs, toMs] = chance.pick<readonly [string, number | undefined, number?]>([
    [one.text, one.fromMs, one.toMs],
    [`${first.text}/${last.text}`, first.fromMs, last.toMs],
    [`${one.text}/${open}`, one.fromMs],
    [`${open}/${one.text}`, undefined, one.toMs],
  ]);
  query.set('datetime', text);
  return { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
}

function somePage({ chance, query }: Draft): Part {
  const limits = { limit: chance.pick([1, 2, 7, 1000, 10_000, 20_000]) };
  const page = { ...(chance.is(0.6) && limits), offset: chance.pick([0, 0, 1, 3, 500, 2000]) };
  Object.entries(page).forEach(([name, value]) => query.set(name, `${value}`));
  return page;
}

const LONG = Array.from({ length: 100 }, (_, at) => `${at} ${at % 9}`).join();

/** Parameters with values that no query accepts, separated by `|`, and unknown parameters. */
const INVALID: Readonly<Record<string, string>> = {
  datetime:
    'yesterday|2026-02-30|2026-02-08T25:00:00Z|2026-02-09/2026-02-08|a/..|../b|2026/2027/2028|2026-02-01/2026-02-02/..|\u0000',
  bbox: '1,2,3|1,2,3,4,5|a,b,c,d|181,0,182,1|0,5,1,4|0,-91,1,0|NaN,0,1,1|,,,|1,2,3,4,5,6,7|0,0,1e400,1',
  coords: `| |POINT|POINT()|POINT(1)|POINT(1,2)|POINT(1 2,3 4)|POINT(181 0)|POINT(0 90.5)|POINT(a b)|POINT(NaN 0)|POINT(1e400 0)|MULTIPOINT((1 2))|1,2|POINT(1 2 3 4)|POINT(1 2|POLYGON()|POLYGON(())|POLYGON((0 0,1 0,1 1))|POLYGON((0 0,1 0,1 1,0 1))|POLYGON((0 0,1 0,0 0))|POLYGON((0 0,1 0,1 1,0 0)|POLYGON((0 0,1 0,1 91,0 0))|POLYGON((0 0,1 0,x 1,0 0))|POLYGON((0 0,1 0,1 1,0 0),(0 0))|POLYGON((${LONG},0 0))`,
  within: ' |0|-1|abc|NaN|1e999|1,5|1 km',
  'within-units': 'miles|ft|1',
  'parameter-name': 'NONE|a,,',
  crs: 'EPSG:4326|CRS83',
  f: 'pdf|netcdf|GeoJSON,CSV|json,html',
  limit: '0|-1|abc|1.5|1e3|99x',
  offset: '-1|x|0.5',
  snapshot: 'none',
  ...Object.fromEntries(['x', 'station_id', 'from', 'filter', 'F', 'ж'].map((name) => [name, '1'])),
};

/** Gives one parameter an invalid value, or adds an unknown parameter. */
function spoil({ chance, query }: Draft, ogc: OgcAsked['ogc']): Part {
  const [name, texts] = chance.pick(Object.entries(INVALID));
  // Without `coords`, an area may still have a `bbox`.
  if (name === 'coords') query.delete('bbox');
  query.set(name, chance.pick(texts.split('|')));
  return { refused: name === 'snapshot' && ogc === 'items' ? 410 : 400 };
}
