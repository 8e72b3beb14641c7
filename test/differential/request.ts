/** Random requests, drawn so that every pair of choices is met soon. */
import type { Chance } from './chance.js';
import { ENDPOINTS, PATHS, PERIODIC, SELECTIVE, type Endpoint } from './endpoints.js';
import { drawHttp, filled, type HttpChoices } from './http-choices.js';
import {
  HOUR_MS,
  hourAt,
  offsetOf,
  STATION_TYPES,
  textOf,
  WINDOWS,
  type Network,
} from './network.js';

const SELECTIONS = ['none', 'ids', 'codes', 'both', 'place', 'box', 'near', 'mixed'] as const;
const PERIODS = ['none', 'from', 'to', 'both', 'edges', 'reversed', 'outside'] as const;

const UNKNOWN_ID = 77_777_777;

interface Choices extends HttpChoices {
  readonly endpoint: Endpoint;
  readonly selection: (typeof SELECTIONS)[number];
  readonly period: (typeof PERIODS)[number];
}

export type Place = readonly [longitude: number, latitude: number];

interface Position {
  readonly latitude: number;
  readonly longitude: number;
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
  readonly near?: Position & { readonly metres: number };
  /** Closed rings of a polygon: the first one, and holes. */
  readonly rings?: readonly (readonly Place[])[];
  /** Only the nearest value of each parameter. */
  readonly nearest?: true;
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
  readonly exact?: Exact;
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
  const selection = chance.pick(SELECTIONS);
  const period = chance.pick(PERIODS);
  return { endpoint, selection, period, ...drawHttp(chance, endpoint.startsWith('bulk')) };
}

interface Draft {
  readonly chance: Chance;
  readonly network: Network;
  readonly choices: Choices;
  readonly add: (name: string, value: string) => void;
}

/** A request for something of a network, or something close to it. */
export function makeRequest(chance: Chance, network: Network, choices: Choices): Asked {
  const parts: string[] = [];
  const add = (name: string, value: string): void => {
    parts.push(`${name}=${encodeURIComponent(value)}`);
  };
  const draft = { chance, network, choices, add };
  const { endpoint } = choices;
  const selection = SELECTIVE.includes(endpoint) ? select(draft) : {};
  const isPeriodic = PERIODIC.includes(endpoint) || ['days', 'workbook'].includes(endpoint);
  const period = isPeriodic ? choosePeriod(draft) : {};
  const station = chance.pick(network.stations);
  const owner = chance.is(0.9) ? station : chance.pick(network.organizations);
  const known = (id: unknown): number => (chance.is(0.95) ? Number(id) : UNKNOWN_ID);
  const ids = {
    organizationId: Number(owner['organization_id']),
    stationId: known(station['station_id']),
    componentId: known(chance.pick(network.components)['component_id']),
    window: chance.pick(WINDOWS),
  };
  const [from = 0, to = 0] = [chance.number(), chance.number()].toSorted((a, b) => a - b);
  const [file = '', ...own] = filled(PATHS[endpoint], ids).split('?');
  const query = [...own, ...parts].join('&');
  const path = query === '' ? file : `${file}?${query}`;
  return { choices, ...ids, selection, ...period, path, shares: [from, to] };
}

function select(draft: Draft): Selection {
  const { chance, choices } = draft;
  const has = (...kinds: readonly Choices['selection'][]): boolean =>
    kinds.includes(choices.selection) || (choices.selection === 'mixed' && chance.is(0.5));
  const withCodes = choices.endpoint !== 'hvd-stations';
  return {
    ...(has('ids', 'both') && { stationIds: someIds(draft) }),
    ...(withCodes && has('codes', 'both') && { codes: someCodes(draft) }),
    ...(has('place') && somePlace(draft)),
    ...(has('box') && { box: someBox(draft) }),
    ...(has('near') && somewhereNear(draft)),
  };
}

function someIds({ chance, network, add }: Draft): readonly string[] {
  const some = chance.some(network.stations, 20).map((one) => `${Number(one['station_id'])}`);
  const all = chance.is(0.3) ? [...some, `${UNKNOWN_ID}`] : some;
  if (chance.is(0.5)) add('station_id', all.join(','));
  else for (const id of all) add(chance.pick(['station_id', 'station_id[]']), id);
  return all;
}

function someCodes({ chance, network, add }: Draft): readonly string[] {
  // The hidden ones are no known codes: those with a comma would be split.
  const known = network.components.filter((one) => one['public'] !== false);
  const some = chance.some(known, 4).map((one) => textOf(one['short_name']));
  const all = some.length === 0 || chance.is(0.2) ? [...some, 'NONE'] : some;
  const isOneText = chance.is(0.5) && !all.some((code) => code.includes(','));
  if (isOneText) add('parameter_code', all.join(','));
  else for (const code of all) add('parameter_code', chance.is(0.2) ? ` ${code} ` : code);
  return all;
}

function somePlace({ chance, network, add }: Draft): Selection {
  const active = chance.is(0.5);
  const stationType = chance.pick(STATION_TYPES);
  const municipality = textOf(chance.pick(network.stations)['municipality']) || 'Beograd';
  const spellings = [municipality.toUpperCase(), municipality.normalize('NFD'), ` ${municipality}`];
  const kinds: readonly (readonly [string, readonly string[], Selection])[] = [
    ['active', active ? ['true', '1', 'TRUE'] : ['false', '0', 'False'], { active }],
    ['station_type', [stationType], { stationType }],
    ['municipality', [municipality, ...spellings], { municipality }],
  ];
  const [name, values, selection] = chance.pick(kinds);
  add(name, chance.pick(values));
  return selection;
}

function somePosition({ chance, network }: Draft): Position {
  const { latitude, longitude } = chance.pick(network.stations);
  return typeof latitude === 'number' && typeof longitude === 'number'
    ? { latitude, longitude }
    : { latitude: 44.8, longitude: 20.5 };
}

function someBox(draft: Draft): NonNullable<Selection['box']> {
  const { chance, add } = draft;
  const { latitude, longitude } = somePosition(draft);
  const size = (): number => chance.pick([0, 0, 0.25, 0.5, 3]);
  const [west, south] = [Math.max(-180, longitude - size()), Math.max(-90, latitude - size())];
  const [east, north] = [Math.min(180, longitude + size()), Math.min(90, latitude + size())];
  const box = [west, south, east, north] as const;
  add('bbox', box.join(chance.pick([',', ', '])));
  return box;
}

function somewhereNear(draft: Draft): Selection {
  const { chance, choices, add } = draft;
  const { latitude, longitude } = somePosition(draft);
  const metres = chance.pick([25_000, 1, 1000, 70_000, 1_000_000]);
  add('lat', `${latitude}`);
  add('lon', `${longitude}`);
  // 25 km is the default.
  if (metres !== 25_000 || chance.is(0.5)) add('radius_m', `${metres}`);
  const near = { latitude, longitude, metres };
  if (choices.endpoint !== 'latest' || chance.is(0.3)) return { near };
  const isNearest = chance.is(0.8);
  add('nearest', chance.pick(isNearest ? ['true', '1', 'TRUE'] : ['false', '0']));
  return isNearest ? { near, nearest: true } : { near };
}

function choosePeriod(draft: Draft): Pick<Asked, 'fromMs' | 'toMs'> {
  const { chance, network, choices } = draft;
  const end = Date.parse(network.generated_at);
  const hour = hourAt(network, end);
  const some = (): number =>
    hour - chance.integer(0, 721) * HOUR_MS + chance.pick([0, 0, 1, -1, 30 * 60_000]);
  const edge = (): number =>
    end - chance.pick([0, 1, 7, 30]) * 24 * HOUR_MS + chance.pick([0, 1, -1]);
  const [first, last] = [some(), some()].toSorted((a, b) => a - b);
  const beforeAll = end - 900 * HOUR_MS;
  const periods: Readonly<Record<Choices['period'], readonly (number | undefined)[]>> = {
    none: [],
    from: [some()],
    to: [undefined, some()],
    both: [first, last],
    edges: [edge(), edge()],
    reversed: [last, first],
    outside: [beforeAll, chance.is(0.5) ? beforeAll + 100 * HOUR_MS : end + 900 * HOUR_MS],
  };
  const [fromMs, toMs] = periods[choices.period];
  return {
    ...(fromMs !== undefined && { fromMs: addTime(draft, 'from', fromMs) }),
    ...(toMs !== undefined && { toMs: addTime(draft, 'to', toMs) }),
  };
}

/** Adds a time in one of its forms. @returns the time that this form means. */
export function addTime(
  { chance, add }: Pick<Draft, 'chance' | 'add'>,
  name: string,
  ms: number,
): number {
  const iso = new Date(ms).toISOString();
  const minutes = chance.pick([120, -210, 345, 0]);
  const local = new Date(ms + minutes * 60_000).toISOString().slice(0, -1);
  const [text, meant] = chance.pick([
    [iso, ms],
    [iso.slice(0, -1), ms],
    [`${local}${offsetOf(minutes)}`, ms],
    [iso.slice(0, 10), Date.parse(iso.slice(0, 10))],
    [`${iso.slice(0, 16)}Z`, Math.floor(ms / 60_000) * 60_000],
  ] as const);
  add(name, text);
  return meant;
}
