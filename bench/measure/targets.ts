/** The requests of the benches, made from the answers of a running service, so that no id is written down twice. */
import { ask, type Headers, type Target } from '../harness/exchange.js';
import type { ServerAddress } from '../harness/origin.js';
import type { FreshFilters, FreshWindow } from './fresh-filters.js';

/** Something to measure: a row of a table. */
export interface Row {
  readonly name: string;
  readonly targets: readonly Target[];
}

const IDENTITY: Headers = {};
export const GZIP: Headers = { 'Accept-Encoding': 'gzip' };

const OBSERVATIONS = '/api/v1/observations';

/** Both observations endpoints without filters, each with one target. */
export const WHOLE_DATASET: readonly Row[] = [
  row('observations/stream, gzip', [`${OBSERVATIONS}/stream`], GZIP),
  row('observations/stream, identity', [`${OBSERVATIONS}/stream`]),
  row('observations, gzip', [OBSERVATIONS], GZIP),
  row('observations, identity', [OBSERVATIONS]),
];

interface Station {
  readonly organization_id: number;
  readonly station_id: number;
}

/** A network with its answers' addresses. */
export interface Network {
  readonly stations: readonly Station[];
  /** Paths of 30 days of one series each, all there are, by station and then component. */
  readonly series: readonly string[];
  /** The same series as the high-value-dataset API names them, in the same order. */
  readonly filters: readonly string[];
}

/** Asks a service for its stations and their components. */
export async function readNetwork(server: ServerAddress): Promise<Network> {
  const stations = (await askJson(server, '/stations')) as readonly Station[];
  const series: string[] = [];
  const filters: string[] = [];
  for (const { organization_id, station_id } of stations) {
    const path = `/${organization_id}/stations/${station_id}/meta`;
    const meta = (await askJson(server, path)) as {
      readonly public_components: readonly {
        readonly component_id: number;
        readonly short_name: string;
      }[];
    };
    for (const { component_id, short_name } of meta.public_components) {
      series.push(
        `/measurements?organization_id=${organization_id}&station_id=${station_id}&component_id=${component_id}&window=30d`,
      );
      filters.push(`station_id=${station_id}&parameter_code=${encodeURIComponent(short_name)}`);
    }
  }
  return { stations, series, filters };
}

/** Every JSON endpoint of the first API, and what changes the way that it is answered. */
export async function endpointRows(server: ServerAddress): Promise<readonly Row[]> {
  const { stations, series } = await readNetwork(server);
  const [station] = stations;
  const [one = ''] = series;
  if (station === undefined) throw new Error('a snapshot without stations');
  const organization = `/${station.organization_id}`;
  const prefix = `${organization}/stations/${station.station_id}`;
  const etag = await entityTag(server);
  return [
    row('/meta', ['/meta']),
    row('/organizations', ['/organizations']),
    row('/networks', ['/networks']),
    row('/stations', ['/stations']),
    row('/stations, gzip', ['/stations'], GZIP),
    row('/components', ['/components']),
    row('/{organization_id}/stations', [`${organization}/stations`]),
    row('.../{station_id}/meta', [`${prefix}/meta`]),
    row('.../last_hour', [`${prefix}/measurements/last_hour`]),
    row('.../last_24h', [`${prefix}/measurements/last_24h`]),
    row('/measurements, 1d', [one.replace('30d', '1d')]),
    row('/measurements, 30d', [one]),
    row('/measurements, 30d, gzip', [one], GZIP),
    row('/measurements, 30d, 128 series', spreadOver(series, 128)),
    row('/measurements, 304', [one], { 'If-None-Match': etag }),
    row('/health/live', ['/health/live']),
    row('/health/ready', ['/health/ready']),
  ];
}

/** Requests to the high-value-dataset API with a filter, repeated. */
export async function filterRows(server: ServerAddress): Promise<readonly Row[]> {
  const { filters } = await readNetwork(server);
  const [one = ''] = filters;
  const ofSeries = (filter: string): string => `${OBSERVATIONS}?${filter}`;
  return [
    row('one series, 30 days', [ofSeries(one)]),
    row('one series, 30 days, gzip', [ofSeries(one)], GZIP),
    row('128 series, 30 days each, gzip', spreadOver(filters, 128).map(ofSeries), GZIP),
    row('latest of every series', [`${OBSERVATIONS}/latest`]),
    row('stations', ['/api/v1/stations']),
  ];
}

/** Every series in every window as a file, no two alike; `series` are paths of 30 days. */
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

/** Filters that nobody has asked a service for before. */
export async function freshFilters(
  server: ServerAddress,
  window: FreshWindow,
): Promise<FreshFilters> {
  const { filters: series } = await readNetwork(server);
  const { generated_at } = (await askJson(server, '/meta')) as { readonly generated_at: string };
  return { series, generatedAtMs: Date.parse(generated_at), window };
}

/** Frequent requests of many clients: small answers, and one series plain and compressed. */
export async function hotTargets(server: ServerAddress): Promise<readonly Target[]> {
  const { stations, series } = await readNetwork(server);
  const hourly = spreadOver(stations, 4).flatMap(({ organization_id, station_id }) => {
    const prefix = `/${organization_id}/stations/${station_id}/measurements`;
    return [`${prefix}/last_hour`, `${prefix}/last_24h`];
  });
  const some = spreadOver(series, 4);
  return [
    ...row('', ['/meta', ...hourly, ...some.map((path) => path.replace('30d', '1d'))]).targets,
    ...row('', some.slice(0, 1)).targets,
    ...row('', some.slice(0, 1), GZIP).targets,
  ];
}

/** The entity tag of everything that a snapshot determines. */
export async function entityTag(server: ServerAddress): Promise<string> {
  const answer = await ask(server, { path: '/meta', headers: {} });
  return answer.headers.find(([name]) => name.toLowerCase() === 'etag')?.[1] ?? '*';
}

export function row(name: string, paths: readonly string[], headers: Headers = IDENTITY): Row {
  return { name, targets: paths.map((path) => ({ path, headers })) };
}

/** At most `count` elements of a list, evenly from its beginning to its end. */
export function spreadOver<T>(list: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, list.length / count);
  return list.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

async function askJson(server: ServerAddress, path: string): Promise<unknown> {
  const answer = await ask(server, { path, headers: {} });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.statusLine}`);
  return JSON.parse(answer.body.toString()) as unknown;
}
