/** The mixed load of the soak: 80 % hot answers, 15 % filters, 4 % whole datasets, 1 % exports and pages, by a seed. */
import { spreadOver } from '../suites/network.js';
import { randomNumbers } from '../../test/support/documents/random.js';
import type { Oracle } from './oracle.js';

type Kind = 'hot' | 'filter' | 'stream' | 'export';

export interface SoakRequest {
  readonly kind: Kind;
  readonly path: string;
  readonly gzip: boolean;
  /** Whether the client sends the entity tag that it holds, and so expects 304. */
  readonly conditional: boolean;
  /** Equal for equal path and coding; undefined for a request that is made once. */
  readonly id: number | undefined;
}

/** The upper end of each kind's share, on a scale of 0 to 1. */
const SHARES: readonly (readonly [kind: Kind, upTo: number])[] = [
  ['hot', 0.8],
  ['filter', 0.95],
  ['stream', 0.99],
  ['export', 1],
];

/** Share of the hot requests whose client holds the answer already. */
const CONDITIONAL_SHARE = 0.1;
/** Share of the filters that are requested for the first time. */
const NOVEL_SHARE = 0.5;
const OBSERVATIONS = '/api/v1/observations';
const DAY_MS = 86_400_000;

/** An endless sequence of requests about one network, the same for a seed. */
export class SoakRequests {
  readonly #random: () => number;
  readonly #paths: Readonly<Record<Kind, readonly string[]>>;
  readonly #filters: readonly string[];
  readonly #ids = new Map<string, number>();
  /** Requests name moments before this, so that windows begin within the data. */
  readonly #endMs: number;

  /** @param oracle of any snapshot of the network: all must have the same stations, components and windows. */
  constructor(oracle: Oracle, { seed, endMs }: { readonly seed: number; readonly endMs: number }) {
    this.#random = randomNumbers(seed);
    this.#endMs = endMs;
    const { stationIds, parameterCodes } = oracle.keys;
    const codes = parameterCodes.map((code) => encodeURIComponent(code));
    this.#filters = stationIds.flatMap((station) =>
      codes.map((code) => `station_id=${station}&parameter_code=${code}`),
    );
    this.#paths = {
      hot: [...oracle.legacyTargets, '/api/v1/parameters'],
      filter: filterPaths({ stationIds, codes, filters: this.#filters }),
      stream: [OBSERVATIONS, `${OBSERVATIONS}/stream`],
      export: exportPaths(oracle),
    };
  }

  next(): SoakRequest {
    const drawn = this.#random();
    const kind = SHARES.find(([, upTo]) => drawn < upTo)?.[0] ?? 'hot';
    const gzip = this.#random() < 0.5;
    if (kind === 'filter' && this.#random() < NOVEL_SHARE) return this.#novel(gzip);
    const path = this.#pick(this.#paths[kind]);
    const conditional = kind === 'hot' && this.#random() < CONDITIONAL_SHARE;
    return { kind, path, gzip, conditional, id: this.#idOf(path, gzip) };
  }

  /** One series, mostly of a day, from a random millisecond, which is very probably fresh. */
  #novel(gzip: boolean): SoakRequest {
    const fromMs = this.#endMs - Math.floor(this.#random() * 14 * DAY_MS);
    const toMs = fromMs + Math.floor(this.#random() * 2 * DAY_MS);
    const [from, to] = [fromMs, toMs].map((ms) => new Date(ms).toISOString());
    const endpoint = this.#random() < 0.3 ? `${OBSERVATIONS}/stream` : OBSERVATIONS;
    const path = `${endpoint}?${this.#pick(this.#filters)}&from=${from ?? ''}&to=${to ?? ''}`;
    return { kind: 'filter', path, gzip, conditional: false, id: undefined };
  }

  #pick(list: readonly string[]): string {
    return list[Math.floor(this.#random() * list.length)] ?? '/meta';
  }

  #idOf(path: string, gzip: boolean): number {
    const key = `${gzip ? 'gzip' : 'identity'} ${path}`;
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.#ids.size;
      this.#ids.set(key, id);
    }
    return id;
  }
}

function filterPaths(of: {
  readonly stationIds: readonly string[];
  readonly codes: readonly string[];
  readonly filters: readonly string[];
}): readonly string[] {
  return [
    ...of.filters.map((filter) => `${OBSERVATIONS}?${filter}`),
    ...spreadOver(of.stationIds, 3).map((id) => `${OBSERVATIONS}?station_id=${id}`),
    ...spreadOver(of.codes, 3).map((code) => `${OBSERVATIONS}/stream?parameter_code=${code}`),
    `${OBSERVATIONS}?station_id=nobody`,
    `${OBSERVATIONS}/latest`,
    ...spreadOver(of.stationIds, 3).map((id) => `${OBSERVATIONS}/latest?station_id=${id}`),
    '/api/v1/stations',
  ];
}

/** Every series in every window that makes a file, in every format; and pages. */
function exportPaths(oracle: Oracle): readonly string[] {
  const series = oracle.legacyTargets.filter(
    (target) => target.startsWith('/measurements?') && !target.endsWith('window=1h'),
  );
  const files = series.flatMap((target) =>
    ['csv', 'xlsx', 'ods'].map(
      (format) => `${target.replace('/measurements', '/portal/export')}&format=${format}`,
    ),
  );
  const windows = series.map((target) => {
    const query = new URLSearchParams(target.slice(target.indexOf('?')));
    const language = ['sr-Latn', 'sr-Cyrl'][query.get('window') === '1d' ? 0 : 1] ?? '';
    return (
      `/portal/station-modal?station_id=${query.get('station_id') ?? ''}` +
      `&component_id=${query.get('component_id') ?? ''}&window=${query.get('window') ?? ''}&language=${language}`
    );
  });
  return [...files, ...windows, ...windows.map(() => '/')];
}
