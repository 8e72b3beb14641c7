/**
 * The suites of requests: each is a question with a list of requests, for the service and other servers on this
 * machine, or for any deployment (`--url`).
 */
import type { Target } from '../harness/exchange.js';
import { spreadOver, targetsOf, type Fresh, type Network } from './network.js';

/** Other servers with the same answers, each in `bench/references`; `JSON` is the service, with the data as JSON. */
export const REFERENCES = ['bare', 'nginx', 'fastify', 'sqlite', 'JSON'] as const;
export type ReferenceName = (typeof REFERENCES)[number];

/** Requests that are measured together: a row of a table. */
export interface Row {
  readonly name: string;
  /** Every connection requests them in turn; with `fresh`, only their header fields are used. */
  readonly targets: readonly Target[];
  /** Requests that are new each time, instead of `targets`. */
  readonly fresh?: Fresh;
  /** References with these answers, each with a target for its CPU time over the service's; 0 states no target. */
  readonly beside: Readonly<Partial<Record<ReferenceName, number>>>;
  /** Requests to the reference `JSON`. */
  readonly json?: readonly Target[];
  /** Limit for the CPU time of a request, in milliseconds, where no reference has the answer. */
  readonly cpuMsMax?: number;
}

export interface RequestSuite {
  readonly question: string;
  /** Numbers of connections, each measured; default that of the options. */
  readonly connections?: readonly number[];
  /** Length of a round, in multiples of the seconds of the options; default 1. */
  readonly times?: number;
  /** A reference without which the suite is not measured. */
  readonly needs?: 'nginx' | 'sqlite';
  readonly rows: (network: Network) => readonly Row[];
}

const GZIP: Target['headers'] = { 'Accept-Encoding': 'gzip' };
const OBSERVATIONS = '/api/v1/observations';
const BULK = '/api/v1/bulk/observations_hourly_preliminary_last30days';

/** Targets beside the bare server, which has its one answer in memory, and nginx, which has it in a file. */
const ENDPOINT = { bare: 0.95, nginx: 0.9 };
const BESIDE_TEAM = { ...ENDPOINT, fastify: 0 };

export type RequestSuiteName = 'endpoints' | 'filters' | 'fresh' | 'streams';

export const REQUEST_SUITES: Readonly<Record<RequestSuiteName, RequestSuite>> = {
  endpoints: {
    question: 'what does every JSON endpoint cost, beside servers that have its answer ready?',
    rows: ({ stations, series, etag }) => {
      const [station] = stations;
      const [one = ''] = series;
      if (station === undefined) throw new Error('a snapshot without stations');
      const organization = `/${station.organization_id}`;
      const prefix = `${organization}/stations/${station.station_id}`;
      return [
        row('/meta', BESIDE_TEAM, ['/meta']),
        row('/organizations', ENDPOINT, ['/organizations']),
        row('/networks', ENDPOINT, ['/networks']),
        row('/stations', BESIDE_TEAM, ['/stations']),
        row('/stations, gzip', ENDPOINT, ['/stations'], GZIP),
        row('/components', ENDPOINT, ['/components']),
        row('/{organization_id}/stations', ENDPOINT, [`${organization}/stations`]),
        row('.../{station_id}/meta', ENDPOINT, [`${prefix}/meta`]),
        row('.../last_hour', ENDPOINT, [`${prefix}/measurements/last_hour`]),
        row('.../last_24h', ENDPOINT, [`${prefix}/measurements/last_24h`]),
        row('/measurements, 1d', ENDPOINT, [one.replace('30d', '1d')]),
        row('/measurements, 30d', { ...ENDPOINT, fastify: 4 }, [one]),
        row('/measurements, 30d, gzip', BESIDE_TEAM, [one], GZIP),
        row('/measurements, 30d, 128 series', ENDPOINT, spreadOver(series, 128)),
        row('/measurements, 304', { bare: 0.95 }, [one], { 'If-None-Match': etag }),
        row('/health/live', { bare: 0 }, ['/health/live']),
        row('/health/ready', { bare: 0 }, ['/health/ready']),
      ];
    },
  },
  filters: {
    question: 'what does a filter cost that was asked for before, and CSV beside JSON?',
    rows: ({ stations, filters }) => {
      const [one = ''] = filters;
      const of = (some: readonly string[]): string[] =>
        some.map((filter) => `${OBSERVATIONS}?${filter}`);
      const id = stations[0]?.station_id ?? '';
      const station = `?station_id=${id}`;
      const values = '/ogc/collections/observations';
      const position = [`${values}/position?coords=POINT(19.1%2042.6)`];
      const near = 'radius?coords=POINT(19.1%2042.6)&within=30&within-units=km';
      const place = '?lat=42.6&lon=19.1&radius_m=30000';
      const beside = (name: string, query: string, asJson: string): Row => ({
        ...row(name, { JSON: 1 }, [`${values}/${query}`], GZIP),
        json: targetsOf([OBSERVATIONS + asJson], GZIP),
      });
      const days = [`/api/v1/daily.csv?${one.replace(/^[^&]*&/, '')}`];
      const csv = (name: string, headers: Target['headers'] = {}): Row => ({
        ...row(name, { JSON: 0.8 }, [`${OBSERVATIONS}.csv${station}`], headers),
        json: targetsOf([`${OBSERVATIONS}${station}`], headers),
      });
      return [
        row('one series, 30 days', { bare: 0.8 }, of([one])),
        row('one series, 30 days, gzip', { bare: 0.8 }, of([one]), GZIP),
        row('128 series, 30 days each, gzip', { bare: 0 }, of(spreadOver(filters, 128)), GZIP),
        row('latest of every series', { bare: 0 }, [`${OBSERVATIONS}/latest`]),
        row('stations', { bare: 0 }, ['/api/v1/stations']),
        csv('one station as CSV'),
        csv('one station as CSV, gzip', GZIP),
        row('30 days of all stations', { bare: 0.8 }, days),
        row('30 days of all stations, gzip', { bare: 0.8 }, days, GZIP),
        row('OGC: newest values', { bare: 0.85 }, ['/ogc/collections/latest/items']),
        row('OGC: locations', { bare: 0.85 }, ['/ogc/collections/observations/locations']),
        row('OGC: a position, gzip', { bare: 0.85 }, position, GZIP),
        row('OGC: one station, gzip', { bare: 0.85 }, [`${values}/locations/${id}`], GZIP),
        beside('OGC: one station as CSV, gzip', `locations/${id}?f=CSV`, station),
        beside('OGC: a radius as CSV, gzip', `${near}&f=CSV`, place),
      ];
    },
  },
  fresh: {
    question: 'what does an answer cost that nobody has asked for before, beside a database?',
    // Not more than the requests that may wait for a worker.
    connections: [16],
    needs: 'sqlite',
    rows: (network) => {
      const fresh = (
        name: string,
        kind: Fresh['kind'],
        beside: Row['beside'],
        headers: Target['headers'] = {},
      ): Row => ({ name, beside, targets: targetsOf(['/'], headers), fresh: { kind, network } });
      return [
        fresh('a day of one series', '1d', { sqlite: 3 }),
        fresh('a day of one series, gzip', '1d', { sqlite: 2 }, GZIP),
        fresh('30 days of one series', '30d', { sqlite: 10 }),
        fresh('30 days of one series, gzip', '30d', { sqlite: 10 }, GZIP),
        { ...fresh('a page of the portal, gzip', 'page', {}, GZIP), cpuMsMax: 8 },
      ];
    },
  },
  streams: {
    question: 'is the whole dataset sent as cheaply as by a file server?',
    connections: [1, 8],
    // An answer has up to 33 MB.
    times: 3,
    needs: 'nginx',
    rows: () => [
      row('observations/stream, gzip', { nginx: 0.8 }, [`${OBSERVATIONS}/stream`], GZIP),
      row('observations/stream, identity', { nginx: 1.1 }, [`${OBSERVATIONS}/stream`]),
      row('observations, gzip', { nginx: 0.8 }, [OBSERVATIONS], GZIP),
      row('observations, identity', { nginx: 1.1 }, [OBSERVATIONS]),
      row('observations.csv, gzip', { nginx: 0.5 }, [`${OBSERVATIONS}.csv`], GZIP),
      row('observations.csv, identity', { nginx: 0 }, [`${OBSERVATIONS}.csv`]),
      row('bulk Parquet, identity', { nginx: 0.85 }, [`${BULK}.parquet`]),
      row('bulk CSV, gzip', { nginx: 0 }, [`${BULK}.csv`], GZIP),
    ],
  },
};

export function isRequestSuite(name: string): name is RequestSuiteName {
  return name in REQUEST_SUITES;
}

function row(
  name: string,
  beside: Row['beside'],
  paths: readonly string[],
  headers: Target['headers'] = {},
): Row {
  return { name, beside, targets: targetsOf(paths, headers) };
}
