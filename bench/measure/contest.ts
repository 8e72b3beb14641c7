/** Measures several servers with the same requests and the same client in the same rounds, so that figures compare. */
import { driveWithDiscard } from '../clients/discard.js';
import type { Driven, Load } from '../clients/load.js';
import { driveWithWrk, hasWrk } from '../clients/wrk.js';
import type { Target } from '../harness/exchange.js';
import type { BenchOptions, Progress } from '../options.js';
import type { Server } from '../harness/processes.js';
import type { FreshFilters } from './fresh-filters.js';
import { spreadOf, type Spread } from './statistics.js';

export type ClientName = 'wrk' | 'discard';

export interface Contestant {
  readonly name: string;
  readonly server: Server;
  /** Requests, which every connection makes in turn. */
  readonly targets: readonly Target[];
}

/** One row: contestants that are measured one after the other in every round. */
export interface Contest {
  readonly name: string;
  readonly contestants: readonly Contestant[];
  /** What is asked for instead of the targets themselves, whose header fields count; by the client that discards. */
  readonly fresh?: FreshFilters;
}

/** Medians over the rounds, and the rounds themselves. */
export interface Score {
  readonly requestsPerSecond: Spread;
  readonly bytesPerSecond: Spread;
  readonly p50Us: number;
  readonly p99Us: number;
  /** CPU time of the server's processes, in microseconds a request. */
  readonly serverCpuUs: Spread;
  readonly serverBusy: number;
  readonly clientBusy: number;
  readonly failures: number;
  /** The side whose CPU was used up. */
  readonly limit: Limit;
  readonly rounds: readonly Driven[];
}

type Limit = 'server' | 'client' | 'neither';

/** Scores by the name of the contest, then of the contestant. */
export type Scores = ReadonlyMap<string, ReadonlyMap<string, Score>>;

/** A core counts as used up from here on: wrk's start and the clock's grain of 10 ms take some per cent. */
const USED_UP = 0.9;
const WARMUP_MS = 500;
/** Server and client each on their own, so that the scheduler does not decide the result. */
const SERVER_CORE = 0;
const CLIENT_CORE = 1;

/** wrk where it is installed and wanted: it costs less, so that the server is the limit. */
export async function smallBodiesClient({ wrk }: BenchOptions): Promise<ClientName> {
  return wrk && (await hasWrk()) ? 'wrk' : 'discard';
}

/** The core for servers, where they are kept apart from clients. */
export function serverCore(options: BenchOptions): number | undefined {
  return options.pinned ? SERVER_CORE : undefined;
}

/**
 * Measures every contest once a round; within a contest the order of the contestants turns with the round.
 *
 * @throws when a request failed: figures of a server that fails are worth nothing.
 */
export async function hold(
  contests: readonly Contest[],
  client: ClientName,
  options: BenchOptions,
  progress: Progress,
): Promise<Scores> {
  const driven = new Map<string, Map<string, Driven[]>>();
  for (let round = 0; round < options.rounds; round += 1) {
    for (const contest of contests) {
      progress(`round ${round + 1} of ${options.rounds}, ${client}: ${contest.name}`);
      for (const contestant of turned(contest.contestants, round)) {
        const { fresh } = contest;
        const how = { client, options, isFirst: round === 0, fresh };
        const result = await drive(contestant, how);
        if (result.failures > 0) {
          throw new Error(
            `${contest.name}, ${contestant.name}: ${result.failures} failed requests`,
          );
        }
        entryOf(driven, contest.name, contestant.name).push(result);
      }
    }
  }
  return new Map(
    [...driven].map(([contest, results]) => [
      contest,
      new Map([...results].map(([contestant, rounds]) => [contestant, scoreOf(rounds)])),
    ]),
  );
}

interface Drive {
  readonly client: ClientName;
  readonly options: BenchOptions;
  readonly isFirst: boolean;
  readonly fresh: FreshFilters | undefined;
}

function drive(
  contestant: Contestant,
  { client, options, isFirst, fresh }: Drive,
): Promise<Driven> {
  // wrk compiles nothing: once the server is warm, it needs no second of its own before every round.
  const isWarm = client === 'wrk' && !isFirst;
  const load: Load = {
    server: contestant.server.port,
    targets: contestant.targets,
    connections: options.connections,
    warmupMs: isWarm ? 0 : WARMUP_MS,
    measureMs: options.seconds * 1000,
    serverPids: contestant.server.pids(),
    ...(fresh === undefined ? {} : { fresh }),
    ...(options.pinned ? { cpu: CLIENT_CORE } : {}),
  };
  return client === 'wrk' ? driveWithWrk(load) : driveWithDiscard(load);
}

function scoreOf(rounds: readonly Driven[]): Score {
  const median = (figure: (driven: Driven) => number): number =>
    spreadOf(rounds.map(figure)).median;
  const serverBusy = median((driven) => driven.serverBusy);
  const clientBusy = median((driven) => driven.clientBusy);
  return {
    requestsPerSecond: spreadOf(rounds.map((driven) => driven.requestsPerSecond)),
    bytesPerSecond: spreadOf(rounds.map((driven) => driven.bytesPerSecond)),
    p50Us: median((driven) => driven.p50Us),
    p99Us: median((driven) => driven.p99Us),
    serverCpuUs: spreadOf(rounds.map((driven) => driven.serverCpuUs)),
    serverBusy,
    clientBusy,
    failures: rounds.reduce((sum, driven) => sum + driven.failures, 0),
    limit: limitOf({ serverBusy, clientBusy }),
    rounds,
  };
}

/** Which side had no CPU time left; `neither`, and something else held them up: other processes, most often. */
function limitOf(busy: { readonly serverBusy: number; readonly clientBusy: number }): Limit {
  if (busy.serverBusy >= USED_UP && busy.serverBusy >= busy.clientBusy) return 'server';
  return busy.clientBusy >= USED_UP ? 'client' : 'neither';
}

/** One score's figure over another's, round by round: what both met in the same minute cancels out. */
function ratioOf(
  figure: (driven: Driven) => number,
  { of, to }: { readonly of: Score; readonly to: Score },
): Spread {
  return spreadOf(
    of.rounds.map((driven, round) => {
      const other = to.rounds[round];
      return other === undefined ? Number.NaN : figure(driven) / figure(other);
    }),
  );
}

/** The service beside one reference in one contest; for both ratios 1 is as good as the reference, and more is better. */
export interface Pair {
  readonly service: Score;
  readonly reference: Score;
  readonly throughputRatio: Spread;
  readonly cpuRatio: Spread;
}

/** @throws when either was not measured. */
export function pairIn(scores: Scores, contest: string, name: string): Pair {
  const service = scoreIn(scores, contest, 'service');
  const reference = scoreIn(scores, contest, name);
  const throughput = (driven: Driven): number => driven.requestsPerSecond;
  const cpu = (driven: Driven): number => driven.serverCpuUs;
  return {
    service,
    reference,
    throughputRatio: ratioOf(throughput, { of: service, to: reference }),
    cpuRatio: ratioOf(cpu, { of: reference, to: service }),
  };
}

/** The score of one contestant. @throws when it was not measured. */
export function scoreIn(scores: Scores, contest: string, contestant: string): Score {
  const score = scores.get(contest)?.get(contestant);
  if (score === undefined) throw new Error(`nothing measured for ${contest}, ${contestant}`);
  return score;
}

function turned<T>(list: readonly T[], by: number): readonly T[] {
  const at = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}

function entryOf(
  driven: Map<string, Map<string, Driven[]>>,
  contest: string,
  contestant: string,
): Driven[] {
  const results = driven.get(contest) ?? new Map<string, Driven[]>();
  driven.set(contest, results);
  const rounds = results.get(contestant) ?? [];
  results.set(contestant, rounds);
  return rounds;
}
