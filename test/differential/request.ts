/** Random requests, drawn so that every pair of choices is met soon. */
import type { Chance } from './chance.js';
import { FORM_ENDPOINTS, FORM_PATHS } from './form-paths.js';
import { drawHttp, type HttpChoices } from './http-choices.js';
import { HOUR_MS, STATION_TYPES, textOf, WINDOWS, type Network } from './network.js';

const ENDPOINTS = [
  'observations',
  'stream',
  'csv',
  'wide',
  'latest',
  'latest-csv',
  'hvd-stations',
  'hvd-parameters',
  'bulk-csv',
  'bulk-parquet',
  'meta',
  'organizations',
  'networks',
  'stations',
  'components',
  'organization-stations',
  'station-meta',
  'last-hour',
  'last-24h',
  'measurements',
  'export',
  'changes',
  ...FORM_ENDPOINTS,
] as const;

type Endpoint = (typeof ENDPOINTS)[number];

const SELECTIONS = ['none', 'ids', 'codes', 'both', 'place', 'box', 'near', 'mixed'] as const;
const PERIODS = ['none', 'from', 'to', 'both', 'edges', 'reversed', 'outside'] as const;

/** The choices whose pairs are covered. */
export interface Choices extends HttpChoices {
  readonly endpoint: Endpoint;
  readonly selection: (typeof SELECTIONS)[number];
  readonly period: (typeof PERIODS)[number];
}

/** Meanings of the selection's parameters (docs/http-api/requests.md, "Selection"). */
export interface Selection {
  readonly stationIds?: readonly string[];
  readonly codes?: readonly string[];
  readonly active?: boolean;
  readonly municipality?: string;
  readonly stationType?: string;
  /** `min_lon`, `min_lat`, `max_lon`, `max_lat`. */
  readonly box?: readonly [number, number, number, number];
  readonly near?: {
    readonly latitude: number;
    readonly longitude: number;
    readonly metres: number;
  };
}

/** A member of `detail` in a validation error (docs/http-api/answers.md, "Validation errors"). */
export interface Problem {
  readonly loc: readonly [string, string];
  readonly type: string;
  readonly input?: string;
  /** Choices of an `enum`. */
  readonly expected?: readonly string[];
}

export interface Exact {
  readonly status: number;
  /** Header fields of the request. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The text of `detail`, or its beginning and parts of it. */
  readonly detail?: readonly string[];
  readonly problems?: readonly Problem[];
  /** Header fields of the answer that differ from those of an error in JSON. */
  readonly answered?: Readonly<Record<string, string>>;
}

/** A request: its path, and what that means. */
export interface Asked {
  readonly choices: Choices;
  readonly path: string;
  readonly selection: Selection;
  /** Milliseconds since the epoch. */
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Ids and the window in requests to the older endpoints. */
  readonly organizationId: number;
  readonly stationId: number;
  readonly componentId: number;
  readonly window: string;
  /** Where a range begins and ends in the body, in [0, 1). */
  readonly shares: readonly [from: number, to: number];
  /** The answer, where it depends on no data. */
  readonly exact?: Exact;
  /** Unknown parameters of the path. */
  readonly ignored?: string;
}

/** Draws choices; of twenty draws it takes the one with the most pairs not yet drawn. */
export class PairwiseChoices {
  readonly #seen = new Set<string>();

  next(chance: Chance): Choices {
    let best = draw(chance);
    for (let tries = 0; tries < 20; tries += 1) {
      const other = draw(chance);
      if (this.#newPairs(other).length > this.#newPairs(best).length) best = other;
    }
    this.#newPairs(best).forEach((pair) => this.#seen.add(pair));
    return best;
  }

  #newPairs(choices: Choices): readonly string[] {
    const entries = Object.entries(choices).map(([name, value]) => `${name}=${value as string}`);
    const pairs = entries.flatMap((a, at) => entries.slice(at + 1).map((b) => `${a} ${b}`));
    return pairs.filter((pair) => !this.#seen.has(pair));
  }
}

function draw(chance: Chance): Choices {
  const endpoint = chance.pick(ENDPOINTS);
  return {
    endpoint,
    selection: chance.pick(SELECTIONS),
    period: chance.pick(PERIODS),
    ...drawHttp(chance, endpoint.startsWith('bulk')),
  };
}

/** Stands for the id of the snapshot before in a path. */
export const EARLIER_ID = 'EARLIER';

/** A request for something of a network, or something close to it. */
export function makeRequest(chance: Chance, network: Network, choices: Choices): Asked {
  const query = new Query();
  const { endpoint } = choices;
  const isSelective = SELECTIVE.includes(endpoint);
  const selection = isSelective ? select(chance, network, { choices, query }) : {};
  const period = [...PERIODIC, ...LOCAL].includes(endpoint)
    ? choosePeriod(chance, network, { choices, query })
    : {};
  if (endpoint.endsWith('wide')) query.add('layout', 'wide');
  if (endpoint === 'changes') query.add('since', EARLIER_ID);
  const station = chance.pick(network.stations);
  const ids = {
    organizationId: chance.is(0.9)
      ? Number(station['organization_id'])
      : Number(chance.pick(network.organizations)['organization_id']),
    stationId: chance.is(0.95) ? Number(station['station_id']) : 77_777_777,
    componentId: chance.is(0.95)
      ? Number(chance.pick(network.components)['component_id'])
      : 77_777_777,
    window: chance.pick(WINDOWS),
  };
  const [from, to] = [chance.number(), chance.number()].toSorted((a, b) => a - b);
  return {
    choices,
    ...ids,
    selection,
    ...period,
    path: pathOf(endpoint, ids, query),
    shares: [from ?? 0, to ?? 0],
  };
}

export const PERIODIC: readonly Endpoint[] = ['observations', 'stream', 'csv', 'wide'];

const LOCAL: readonly Endpoint[] = ['days', 'workbook'];

/** Endpoints whose records `X-Record-Count` counts. */
export const COUNTED: readonly Endpoint[] = [
  ...PERIODIC,
  'latest',
  'latest-csv',
  'latest-wide',
  'latest-geojson',
];

export const SELECTIVE: readonly Endpoint[] = [...COUNTED, 'hvd-stations', 'changes'];

const PATHS: Readonly<Partial<Record<Endpoint, string>>> = {
  observations: '/api/v1/observations',
  stream: '/api/v1/observations/stream',
  csv: '/api/v1/observations.csv',
  wide: '/api/v1/observations.csv',
  latest: '/api/v1/observations/latest',
  'latest-csv': '/api/v1/observations/latest.csv',
  'hvd-stations': '/api/v1/stations',
  'hvd-parameters': '/api/v1/parameters',
  'bulk-csv': '/api/v1/bulk/observations_hourly_preliminary_last30days.csv',
  'bulk-parquet': '/api/v1/bulk/observations_hourly_preliminary_last30days.parquet',
  changes: '/api/v1/changes',
  ...FORM_PATHS,
};

function pathOf(
  endpoint: Endpoint,
  ids: Pick<Asked, 'organizationId' | 'stationId' | 'componentId' | 'window'>,
  query: Query,
): string {
  const ofStation = `/${ids.organizationId}/stations/${ids.stationId}`;
  switch (endpoint) {
    case 'organization-stations':
      return `/${ids.organizationId}/stations`;
    case 'station-meta':
      return `${ofStation}/meta`;
    case 'last-hour':
      return `${ofStation}/measurements/last_hour`;
    case 'last-24h':
      return `${ofStation}/measurements/last_24h`;
    case 'days':
    case 'week':
    case 'workbook':
      if (endpoint !== 'week') query.add('station_id', `${ids.stationId}`);
      query.add('component_id', `${ids.componentId}`);
      return `${FORM_PATHS[endpoint]}${query.text}`;
    case 'measurements':
    case 'export':
    case 'export-xlsx':
    case 'export-ods':
      query.add('organization_id', `${ids.organizationId}`);
      query.add('station_id', `${ids.stationId}`);
      query.add('component_id', `${ids.componentId}`);
      query.add('window', ids.window);
      if (endpoint !== 'measurements') query.add('format', endpoint.split('-')[1] ?? 'csv');
      return `${endpoint === 'measurements' ? '/measurements' : '/portal/export'}${query.text}`;
    default:
      return `${PATHS[endpoint] ?? `/${endpoint}`}${query.text}`;
  }
}

/** A query with its names and values escaped. */
class Query {
  readonly #parts: string[] = [];

  get text(): string {
    return this.#parts.length === 0 ? '' : `?${this.#parts.join('&')}`;
  }

  add(name: string, value: string): void {
    this.#parts.push(`${name}=${encodeURIComponent(value)}`);
  }
}

interface Chosen {
  readonly choices: Choices;
  readonly query: Query;
}

function select(chance: Chance, network: Network, { choices, query }: Chosen): Selection {
  const kind = choices.selection;
  const has = (...kinds: readonly Choices['selection'][]): boolean =>
    kinds.includes(kind) || (kind === 'mixed' && chance.is(0.5));
  const withCodes = choices.endpoint !== 'hvd-stations';
  return {
    ...(has('ids', 'both') ? { stationIds: someIds(chance, network, query) } : {}),
    ...(withCodes && has('codes', 'both') ? { codes: someCodes(chance, network, query) } : {}),
    ...(has('place') ? somePlace(chance, network, query) : {}),
    ...(has('box') ? { box: someBox(chance, network, query) } : {}),
    ...(has('near') ? { near: somewhereNear(chance, network, query) } : {}),
  };
}

function someIds(chance: Chance, network: Network, query: Query): readonly string[] {
  const some = chance.some(network.stations, 20).map((one) => `${Number(one['station_id'])}`);
  const all = chance.is(0.3) ? [...some, '77777777'] : some;
  if (chance.is(0.5)) query.add('station_id', all.join(','));
  else for (const id of all) query.add(chance.pick(['station_id', 'station_id[]']), id);
  return all;
}

function someCodes(chance: Chance, network: Network, query: Query): readonly string[] {
  // The hidden ones are no known codes: those with a comma would be split.
  const some = chance
    .some(
      network.components.filter((one) => one['public'] !== false),
      4,
    )
    .map((one) => textOf(one['short_name']));
  const all = some.length === 0 || chance.is(0.2) ? [...some, 'NONE'] : some;
  if (chance.is(0.5) && !all.some((code) => code.includes(','))) {
    query.add('parameter_code', all.join(','));
  } else {
    for (const code of all) query.add('parameter_code', chance.is(0.2) ? ` ${code} ` : code);
  }
  return all;
}

function somePlace(chance: Chance, network: Network, query: Query): Selection {
  switch (chance.integer(0, 2)) {
    case 0: {
      const active = chance.is(0.5);
      query.add('active', chance.pick(active ? ['true', '1', 'TRUE'] : ['false', '0', 'False']));
      return { active };
    }
    case 1: {
      const stationType = chance.pick(STATION_TYPES);
      query.add('station_type', stationType);
      return { stationType };
    }
    default: {
      const named = textOf(chance.pick(network.stations)['municipality']);
      const municipality = named === '' ? 'Beograd' : named;
      const changed = chance.pick([
        municipality,
        municipality.toUpperCase(),
        municipality.normalize('NFD'),
        ` ${municipality}`,
      ]);
      query.add('municipality', changed);
      return { municipality };
    }
  }
}

function positionOf(
  chance: Chance,
  network: Network,
): { readonly latitude: number; readonly longitude: number } {
  const { latitude, longitude } = chance.pick(network.stations);
  return typeof latitude === 'number' && typeof longitude === 'number'
    ? { latitude, longitude }
    : { latitude: 44.8, longitude: 20.5 };
}

function someBox(
  chance: Chance,
  network: Network,
  query: Query,
): readonly [number, number, number, number] {
  const { latitude, longitude } = positionOf(chance, network);
  const size = (): number => chance.pick([0, 0, 0.25, 0.5, 3]);
  const within = (value: number, limit: number): number => Math.max(-limit, Math.min(limit, value));
  const box = [
    within(longitude - size(), 180),
    within(latitude - size(), 90),
    within(longitude + size(), 180),
    within(latitude + size(), 90),
  ] as const;
  query.add('bbox', box.join(chance.pick([',', ', '])));
  return box;
}

function somewhereNear(
  chance: Chance,
  network: Network,
  query: Query,
): { readonly latitude: number; readonly longitude: number; readonly metres: number } {
  const { latitude, longitude } = positionOf(chance, network);
  const metres = chance.pick([25_000, 1, 1000, 70_000, 1_000_000]);
  query.add('lat', `${latitude}`);
  query.add('lon', `${longitude}`);
  // 25 km is the default.
  if (metres !== 25_000 || chance.is(0.5)) query.add('radius_m', `${metres}`);
  return { latitude, longitude, metres };
}

function choosePeriod(
  chance: Chance,
  network: Network,
  { choices, query }: Chosen,
): Pick<Asked, 'fromMs' | 'toMs'> {
  const end = Date.parse(network.generated_at);
  const hour = Math.floor(end / HOUR_MS) * HOUR_MS;
  const some = (): number =>
    hour - chance.integer(0, 721) * HOUR_MS + chance.pick([0, 0, 1, -1, 30 * 60_000]);
  const edge = (): number =>
    end - chance.pick([0, 1, 7, 30]) * 24 * HOUR_MS + chance.pick([0, 1, -1]);
  const [first, last] = [some(), some()].toSorted((a, b) => a - b);
  const give = (fromMs: number | undefined, toMs: number | undefined) => ({
    ...(fromMs === undefined
      ? {}
      : { fromMs: dateTime(chance, { name: 'from', ms: fromMs, query }) }),
    ...(toMs === undefined ? {} : { toMs: dateTime(chance, { name: 'to', ms: toMs, query }) }),
  });
  switch (choices.period) {
    case 'none':
      return {};
    case 'from':
      return give(some(), undefined);
    case 'to':
      return give(undefined, some());
    case 'both':
      return give(first, last);
    case 'edges':
      return give(edge(), edge());
    case 'reversed':
      return give(last, first);
    case 'outside':
      return chance.is(0.5)
        ? give(end - 900 * HOUR_MS, end - 800 * HOUR_MS)
        : give(end - 900 * HOUR_MS, end + 900 * HOUR_MS);
  }
}

/** Writes a time in one of its forms. @returns the time that this form means. */
function dateTime(
  chance: Chance,
  { name, ms, query }: { readonly name: string; readonly ms: number; readonly query: Query },
): number {
  const iso = new Date(ms).toISOString();
  switch (chance.integer(0, 4)) {
    case 0:
      query.add(name, iso.slice(0, -1));
      return ms;
    case 1: {
      const minutes = chance.pick([120, -210, 345, 0]);
      const local = new Date(ms + minutes * 60_000).toISOString().slice(0, -1);
      const size = Math.abs(minutes);
      const two = (value: number): string => String(value).padStart(2, '0');
      const sign = minutes < 0 ? '-' : '+';
      query.add(name, `${local}${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`);
      return ms;
    }
    case 2:
      query.add(name, iso.slice(0, 10));
      return Date.parse(iso.slice(0, 10));
    case 3:
      query.add(name, `${iso.slice(0, 16)}Z`);
      return Math.floor(ms / 60_000) * 60_000;
    default:
      query.add(name, iso);
      return ms;
  }
}
