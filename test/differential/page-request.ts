/** Random requests of pages: every page, language and parameter that has figures. */
import type { Chance } from './chance.js';
import { HOUR_MS, WINDOWS, type Network } from './network.js';

const PAGES = ['start', 'panel', 'overview', 'week', 'chart', 'years', 'words', 'unknown'] as const;

type Language = 'sr-Latn' | 'sr-Cyrl' | 'en';

/** A request of a page, and what it means. */
export interface PageAsked {
  readonly page: (typeof PAGES)[number];
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The language that the page must be in; undefined where it must be refused. */
  readonly language: Language | undefined;
  readonly stationId: number;
  readonly componentId: number;
  readonly window: string;
  /** Other stations in the chart. */
  readonly compare: readonly number[];
  /** Start of the hour that the portal shows, milliseconds since the epoch. */
  readonly hourMs?: number;
  /** The period of the chart instead of a window. */
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly figure?: string;
  /** The component by which the overview is sorted. */
  readonly sortId?: number;
}

/** `Accept-Language`, and the language that it means (docs/http-api/pages.md, "Languages"). */
const ACCEPTED: readonly (readonly [string, Language])[] = [
  ['en', 'en'],
  ['en-GB', 'en'],
  ['sr', 'sr-Latn'],
  ['SR-cyrl-RS', 'sr-Cyrl'],
  ['de, en;q=0.3', 'en'],
  ['en;q=0.1, sr-Cyrl;q=0.2', 'sr-Cyrl'],
  ['en;q=0', 'sr-Latn'],
  ['de', 'sr-Latn'],
  ['*', 'sr-Latn'],
  [';;=', 'sr-Latn'],
];

const WORDS = [
  '/legal/license',
  '/legal/terms',
  '/legal/qos',
  '/legal/contact',
  '/legal/dataset',
  '/api-docs',
];

const PATHS: Readonly<Record<PageAsked['page'], string>> = {
  start: '/',
  panel: '/portal/station-modal',
  overview: '/overview',
  week: '/episode',
  chart: '/portal/chart.svg',
  years: '/years',
  words: '/legal/terms',
  unknown: '/unknown',
};

/** A request of a page about something of a network, or something close to it. */
export function makePage(chance: Chance, network: Network): PageAsked {
  const page = chance.is(0.3) ? 'panel' : chance.pick(PAGES);
  const [accept, negotiated] = chance.pick(ACCEPTED);
  const fields = { Accept: 'text/html', 'Accept-Language': accept };
  const asked = chooseParameters(chance, network);
  const { stationId, componentId } = asked;
  if (page === 'start' && chance.is(0.3)) {
    return { ...asked, page, path: '/', fields, language: negotiated, componentId: -1, window: '' };
  }
  const query = new URLSearchParams();
  const path = page === 'words' ? chance.pick(WORDS) : PATHS[page];
  const chosen = chance.pick(['sr-Latn', 'sr-Cyrl', 'en', 'en', '', 'xx'] as const);
  if (chosen !== '') query.set('language', chosen);
  if (chance.is(0.3)) query.set('theme', chance.pick(['light', 'dark']));
  if (page !== 'overview') query.set('component_id', `${componentId}`);
  if (['panel', 'chart', 'years'].includes(page)) query.set('station_id', `${stationId}`);
  if (page === 'panel' || page === 'chart') choosePeriod(query, asked);
  if (page === 'start' && asked.hourMs !== undefined) query.set('hour', timeOf(asked.hourMs));
  if (page === 'week' && asked.figure !== undefined) query.set('figure', asked.figure);
  if (page === 'overview' && asked.sortId !== undefined) query.set('sort', `${asked.sortId}`);
  const isRefused = chosen === 'xx' && path.startsWith('/legal/');
  const language = chosen === 'xx' || chosen === '' ? 'sr-Latn' : chosen;
  return {
    ...asked,
    page,
    path: `${path}?${query.toString()}`,
    fields,
    language: isRefused ? undefined : language,
  };
}

type Parameters = Omit<PageAsked, 'page' | 'path' | 'fields' | 'language'>;

function chooseParameters(chance: Chance, network: Network): Parameters {
  const known = <T>(id: T): T | 77_777_777 => (chance.is(0.97) ? id : 77_777_777);
  // Most requests are about a series with rows.
  const { measurements } = network;
  const ofRow = measurements.length > 0 && chance.is(0.6) ? chance.pick(measurements) : undefined;
  const station = ofRow ?? chance.pick(network.stations);
  const component = ofRow ?? chance.pick(network.components);
  const others = chance.is(0.3) ? chance.some(network.stations, 3) : [];
  const hour = Math.floor(Date.parse(network.generated_at) / HOUR_MS) * HOUR_MS;
  const fromMs = hour - chance.integer(1, 760) * HOUR_MS;
  return {
    stationId: known(Number(station['station_id'])),
    componentId: known(Number(component['component_id'])),
    window: chance.pick([...WINDOWS, '2d']),
    compare: others.map((one) => Number(one['station_id'])),
    ...(chance.is(0.5) ? { hourMs: hour - chance.integer(-2, 750) * HOUR_MS } : {}),
    ...(chance.is(0.2) ? { fromMs, toMs: fromMs + chance.integer(1, 200) * HOUR_MS } : {}),
    ...(chance.is(0.5) ? { figure: chance.pick(['mean', 'highest', 'x']) } : {}),
    ...(chance.is(0.5) ? { sortId: Number(chance.pick(network.components)['component_id']) } : {}),
  };
}

function choosePeriod(query: URLSearchParams, { window, fromMs, toMs, compare }: Parameters): void {
  query.set('window', window);
  if (fromMs !== undefined && toMs !== undefined) {
    query.set('from', timeOf(fromMs));
    query.set('to', timeOf(toMs));
  }
  if (compare.length > 0) query.set('compare', compare.join(','));
}

/** `2026-04-01T22:00Z`. */
function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}Z`;
}
