/** Random requests of pages: every page, language and parameter that has figures. */
import type { Chance } from './chance.js';
import { HOUR_MS, hourAt, WINDOWS, type Network } from './network.js';

/** Paths of pages, separated by `|`. */
const PATHS = {
  start: '/',
  panel: '/portal/station-modal',
  overview: '/overview',
  week: '/episode',
  chart: '/portal/chart.svg',
  years: '/years',
  words: '/legal/license|/legal/terms|/legal/qos|/legal/contact|/legal/dataset|/api-docs',
  unknown: '/unknown',
} as const;

type Page = keyof typeof PATHS;

const PAGES = Object.keys(PATHS).filter((name): name is Page => name in PATHS);

/** Values of `Accept-Language` by the language that they mean (docs/http-api/pages.md, "Languages"). */
const ACCEPTED = {
  en: 'en|en-GB|EN-us|de-CH, en;q=0.1|en, *;q=0.1',
  'sr-Cyrl': 'sr-Cyrl|SR-cyrl-RS|en;q=0.5 , sr-Cyrl;q=0.6|en;q=0, sr-Cyrl',
  'sr-Latn': 'sr|sr-RS|de|*|en;q=0|*, en;q=0.9|;;=|???|',
};

type Language = keyof typeof ACCEPTED;

export const LANGUAGES: readonly Language[] = ['sr-Latn', 'sr-Cyrl', 'en'];

export interface PageAsked {
  readonly page: Page;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The language that the page must be in; undefined where it must be refused. */
  readonly language: Language | undefined;
  readonly stationId: number;
  readonly componentId: number;
  readonly window: string;
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

export function someLanguage(chance: Chance): readonly [accepted: string, language: Language] {
  const language = chance.pick(LANGUAGES);
  return [chance.pick(ACCEPTED[language].split('|')), language];
}

/** A request of a page about something of a network, or something close to it. */
export function makePage(chance: Chance, network: Network): PageAsked {
  const page = chance.is(0.3) ? 'panel' : chance.pick(PAGES);
  const [accept, negotiated] = someLanguage(chance);
  const fields = { Accept: 'text/html', 'Accept-Language': accept };
  const asked = chooseParameters(chance, network);
  const { stationId, componentId, hourMs, figure, sortId } = asked;
  if (page === 'start' && chance.is(0.3)) {
    return { ...asked, page, path: '/', fields, language: negotiated, componentId: -1, window: '' };
  }
  const query = new URLSearchParams();
  const path = chance.pick(PATHS[page].split('|'));
  const chosen = chance.pick([...LANGUAGES, 'en', '', 'xx']);
  if (chosen !== '') query.set('language', chosen);
  if (chance.is(0.3)) query.set('theme', chance.pick(['light', 'dark']));
  if (page !== 'overview') query.set('component_id', `${componentId}`);
  if (['panel', 'chart', 'years'].includes(page)) query.set('station_id', `${stationId}`);
  if (page === 'panel' || page === 'chart') {
    query.set('window', asked.window);
    if (asked.fromMs !== undefined) query.set('from', timeOf(asked.fromMs));
    if (asked.toMs !== undefined) query.set('to', timeOf(asked.toMs));
    if (asked.compare.length > 0) query.set('compare', asked.compare.join(','));
  }
  if (page === 'start' && hourMs !== undefined) query.set('hour', timeOf(hourMs));
  if (page === 'week' && figure !== undefined) query.set('figure', figure);
  if (page === 'overview' && sortId !== undefined) query.set('sort', `${sortId}`);
  const isRefused = chosen === 'xx' && path.startsWith('/legal/');
  const meant = LANGUAGES.find((one) => one === chosen) ?? 'sr-Latn';
  const language = isRefused ? undefined : meant;
  return { ...asked, page, path: `${path}?${query.toString()}`, fields, language };
}

type Parameters = Omit<PageAsked, 'page' | 'path' | 'fields' | 'language'>;

function chooseParameters(chance: Chance, network: Network): Parameters {
  const known = (id: unknown): number => (chance.is(0.97) ? Number(id) : 77_777_777);
  // Most requests are about a series with rows.
  const { measurements } = network;
  const ofRow = measurements.length > 0 && chance.is(0.6) ? chance.pick(measurements) : undefined;
  const station = ofRow ?? chance.pick(network.stations);
  const component = ofRow ?? chance.pick(network.components);
  const others = chance.is(0.3) ? chance.some(network.stations, 3) : [];
  const hour = hourAt(network, Date.parse(network.generated_at));
  const fromMs = hour - chance.integer(1, 760) * HOUR_MS;
  return {
    stationId: known(station['station_id']),
    componentId: known(component['component_id']),
    window: chance.pick([...WINDOWS, '2d']),
    compare: others.map((one) => Number(one['station_id'])),
    ...(chance.is(0.5) && { hourMs: hour - chance.integer(-2, 750) * HOUR_MS }),
    ...(chance.is(0.2) && { fromMs, toMs: fromMs + chance.integer(1, 200) * HOUR_MS }),
    ...(chance.is(0.5) && { figure: chance.pick(['mean', 'highest', 'x']) }),
    ...(chance.is(0.5) && { sortId: Number(chance.pick(network.components)['component_id']) }),
  };
}

/** `2026-04-01T22:00Z`. */
function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}Z`;
}
