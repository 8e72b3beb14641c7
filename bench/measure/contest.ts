/** Measures several servers with the same requests and the same client in the same rounds, so that figures compare. */
import { drive } from '../clients/closed-loop.js';
import type { Driven } from '../clients/driven.js';
import type { Target } from '../harness/exchange.js';
import type { Server } from '../harness/processes.js';
import type { BenchOptions, Progress } from '../options.js';
import type { Row } from '../suites/requests.js';
import { medianPercentiles, spreadOf, type Percentiles, type Spread } from './statistics.js';

export interface Contestant {
  readonly name: string;
  readonly server: Pick<Server, 'pids'> & { readonly port: number };
  readonly targets: readonly Target[];
}

/** One row: the service and other servers, measured one after the other in every round. */
export interface Contest {
  readonly row: Row;
  readonly connections: number;
  readonly service: Contestant;
  readonly others: readonly Contestant[];
}

/** Medians over the rounds, and the rounds themselves. */
export interface Score {
  readonly requestsPerSecond: Spread;
  readonly bytesPerSecond: Spread;
  readonly percentiles: Percentiles;
  /** CPU time of the server's processes, in microseconds a request. */
  readonly serverCpuUs: Spread;
  /** The side whose CPU was used up; `neither`, where something else held both up: other processes, most often. */
  readonly limit: 'server' | 'client' | 'neither';
  readonly rounds: readonly Driven[];
}

/** The service compared with one other server; for both ratios 1 is equal, and more is better. */
interface Pair {
  readonly name: string;
  readonly score: Score;
  readonly cpuRatio: Spread;
  readonly rateRatio: Spread;
}

export interface Measured {
  readonly name: string;
  readonly connections: number;
  readonly bodyBytes: number;
  readonly service: Score;
  readonly beside: readonly Pair[];
}

/** A core counts as used up from here on: a client's start and the clock's grain of 10 ms take some per cent. */
const USED_UP = 0.9;
const WARMUP_MS = 500;
/** Server and client each have a core of their own, so that the scheduler does not decide the result. */
export const SERVER_CORE = 0;
const CLIENT_CORE = 1;

/**
 * Measures every contest once a round; within a contest the order of the servers turns with the round.
 *
 * @throws when a request failed: such figures are worth nothing.
 */
export async function hold(
  contests: readonly (Contest & { readonly bodyBytes: number })[],
  { times = 1, ...options }: BenchOptions & { readonly times?: number },
  progress: Progress,
): Promise<readonly Measured[]> {
  const driven = contests.map(() => new Map<Contestant, Driven[]>());
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [at, { row, connections, service, others }] of contests.entries()) {
      progress(`round ${round + 1} of ${options.rounds}: ${row.name}, ${connections} connections`);
      const all = [service, ...others];
      const first = round % all.length;
      for (const contestant of [...all.slice(first), ...all.slice(0, first)]) {
        const { name, server, targets } = contestant;
        const result = await drive(options.client, {
          server: server.port,
          targets,
          fresh: row.fresh,
          connections,
          warmupMs: WARMUP_MS,
          measureMs: options.seconds * times * 1000,
          serverPids: server.pids(),
          cpu: options.pinned ? CLIENT_CORE : undefined,
        });
        const { failures, refused } = result;
        if (failures > 0 || (refused > 0 && name !== 'service')) {
          throw new Error(`${row.name}, ${name}: ${failures} failed, ${refused} refused requests`);
        }
        driven[at]?.set(contestant, [...(driven[at].get(contestant) ?? []), result]);
      }
    }
  }
  return contests.map(({ row, connections, bodyBytes, service, others }, at) => {
    const roundsOf = (one: Contestant): readonly Driven[] => driven[at]?.get(one) ?? [];
    const own = roundsOf(service);
    return {
      name: row.name,
      connections,
      bodyBytes,
      service: scoreOf(own),
      beside: others.map((other) => pairOf(other.name, own, roundsOf(other))),
    };
  });
}

function scoreOf(rounds: readonly Driven[]): Score {
  const over = (figure: (one: Driven) => number): Spread => spreadOf(rounds.map(figure));
  const server = over(({ serverBusy }) => serverBusy).median;
  const client = over(({ clientBusy }) => clientBusy).median;
  const isServer = server >= USED_UP && server >= client;
  return {
    requestsPerSecond: over(({ requestsPerSecond }) => requestsPerSecond),
    bytesPerSecond: over(({ bytesPerSecond }) => bytesPerSecond),
    percentiles: medianPercentiles(rounds.map(({ percentiles }) => percentiles)),
    serverCpuUs: over(({ serverCpuUs }) => serverCpuUs),
    limit: isServer ? 'server' : client >= USED_UP ? 'client' : 'neither',
    rounds,
  };
}

/** Ratios round by round, so that effects that both met in the same minute cancel out. */
function pairOf(name: string, own: readonly Driven[], others: readonly Driven[]): Pair {
  const over = (ratio: (own: Driven, other: Driven) => number): Spread =>
    spreadOf(own.flatMap((one, at) => (others[at] ? [ratio(one, others[at])] : [])));
  return {
    name,
    score: scoreOf(others),
    cpuRatio: over((one, other) => other.serverCpuUs / one.serverCpuUs),
    rateRatio: over((one, other) => one.requestsPerSecond / other.requestsPerSecond),
  };
}
