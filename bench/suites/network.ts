/** The network of a service, read from its API, so that ids are written down only there; and requests about it. */
import { fieldOf } from '../../test/support/service/exchange.js';
import { ask, type Target } from '../harness/exchange.js';

interface Station {
  readonly organization_id: number;
  readonly station_id: number;
}

export interface Network {
  readonly stations: readonly Station[];
  /** Paths of 30 days of all series, by station and then component. */
  readonly series: readonly string[];
  /** The series as queries of the high-value-dataset API, in the same order. */
  readonly filters: readonly string[];
  /** Epoch milliseconds of the snapshot, the end of the data. */
  readonly generatedAtMs: number;
  /** The entity tag of everything that the snapshot determines. */
  readonly etag: string;
}

/** Requests that are made for the first time: a day, 30 days, or a page of the portal. */
export interface Fresh {
  readonly kind: '1d' | '30d' | 'page';
  readonly network: Pick<Network, 'series' | 'filters' | 'generatedAtMs'>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export async function readNetwork(server: number): Promise<Network> {
  const stations = (await askJson(server, '/stations')) as readonly Station[];
  const series: string[] = [];
  const filters: string[] = [];
  for (const { organization_id, station_id } of stations) {
    const path = `/${organization_id}/stations/${station_id}/meta`;
    const { public_components } = (await askJson(server, path)) as {
      readonly public_components: readonly { component_id: number; short_name: string }[];
    };
    for (const { component_id, short_name } of public_components) {
      const ids = `organization_id=${organization_id}&station_id=${station_id}&component_id=${component_id}`;
      series.push(`/measurements?${ids}&window=30d`);
      filters.push(`station_id=${station_id}&parameter_code=${encodeURIComponent(short_name)}`);
    }
  }
  const meta = await ask(server, { path: '/meta', headers: {} });
  const { generated_at } = JSON.parse(meta.body.toString()) as { readonly generated_at: string };
  const etag = fieldOf(meta, 'etag') ?? '*';
  return { stations, series, filters, generatedAtMs: Date.parse(generated_at), etag };
}

/** A request target that hardly any client has ever sent: a random series from a random millisecond on, or a page. */
export function freshPath({ kind, network }: Fresh): string {
  if (kind === 'page') return freshPage(network.series);
  const oldestMs = network.generatedAtMs - 30 * DAY_MS;
  const spreadMs = kind === '1d' ? 29 * DAY_MS : HOUR_MS;
  const fromMs = oldestMs + Math.floor(Math.random() * spreadMs);
  const to = kind === '1d' ? `&to=${new Date(fromMs + DAY_MS).toISOString()}` : '';
  return `/api/v1/observations?${anyOf(network.filters)}&from=${new Date(fromMs).toISOString()}${to}`;
}

/** A page of the portal, half of the time with a station's panel; 30 stations and 5 components make some 40,000. */
function freshPage(series: readonly string[]): string {
  const query = new URLSearchParams(anyOf(series).replace(/^[^?]*/, ''));
  query.delete('organization_id');
  if (Math.random() < 0.5) query.delete('station_id');
  query.set('window', anyOf(['1d', '7d', '14d', '30d']));
  query.set('language', anyOf(['sr-Latn', 'sr-Cyrl', 'en']));
  query.set('theme', anyOf(['light', 'dark', '']));
  query.set('sort', anyOf(['name', 'value', 'time']));
  query.set('q', anyOf(['', '', '', 'a', 'b', 'c', 's', 'st']));
  return `/?${query.toString()}`;
}

/** Paths of all exports in one format: every series in every window; `series` are paths of 30 days. */
export function exportPaths(
  series: readonly string[],
  format: 'csv' | 'xlsx' | 'ods',
): readonly string[] {
  return ['30d', '14d', '7d', '1d'].flatMap((window) =>
    series.map((path) =>
      path
        .replace('/measurements?', '/portal/export?')
        .replace('window=30d', `window=${window}&format=${format}`),
    ),
  );
}

export function targetsOf(
  paths: readonly string[],
  headers: Target['headers'] = {},
): readonly Target[] {
  return paths.map((path) => ({ path, headers }));
}

/** At most `count` elements of a list, evenly from its beginning to its end. */
export function spreadOver<T>(list: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, list.length / count);
  return list.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

function anyOf<T>(list: readonly T[]): T {
  const one = list[Math.floor(Math.random() * list.length)];
  if (one === undefined) throw new Error('nothing to choose from');
  return one;
}

async function askJson(server: number, path: string): Promise<unknown> {
  const answer = await ask(server, { path, headers: {} });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.statusLine}`);
  return JSON.parse(answer.body.toString()) as unknown;
}
