/**
 * The closed loops: each connection sends a request after each answer, without pipelining; autocannon by default, or
 * wrk to reach the server's limit.
 *
 * While a server stalls no requests are sent, so a stall is in one latency for each connection (coordinated omission).
 * Even rates are in `paced.ts`.
 */
import type { Target } from '../harness/exchange.js';
import { cpuSeconds, threadsCpuSeconds } from '../harness/system.js';
import type { Percentiles } from '../measure/statistics.js';
import type { Fresh } from '../suites/network.js';

/** How to read the latencies of these clients, for the JSON. */
export const CLOSED_LOOP = 'closed loop, not corrected for coordinated omission';

export interface Load {
  readonly server: number;
  /** Requests, which every connection makes in turn. */
  readonly targets: readonly Target[];
  /** Fresh requests instead, with the header fields of the first target. */
  readonly fresh: Fresh | undefined;
  readonly connections: number;
  /** Traffic before the clock starts, in milliseconds. */
  readonly warmupMs: number;
  readonly measureMs: number;
  /** Processes whose CPU time counts as the server's. */
  readonly serverPids: readonly number[];
  /** The client's core; undefined for any. */
  readonly cpu: number | undefined;
}

export interface Driven {
  /** Answers below 400. */
  readonly answers: number;
  /** Answers of 503: refused by a limit or a share. */
  readonly refused: number;
  /** Other statuses from 400 on, resets and time-outs. */
  readonly failures: number;
  readonly requestsPerSecond: number;
  /** Bytes of answers, header fields included. */
  readonly bytesPerSecond: number;
  readonly percentiles: Percentiles;
  /** CPU time of the server's processes, in microseconds an answer. */
  readonly serverCpuUs: number;
  /** Cores that the server and the client kept busy. */
  readonly serverBusy: number;
  readonly clientBusy: number;
}

/** Readings of clocks, all in seconds; `server` and `client` are CPU time. */
export interface Clocks {
  readonly seconds: number;
  readonly server: number;
  /** CPU time of the threads that run now, to the nanosecond. */
  readonly serverThreads: number;
  readonly client: number;
}

/** If the clocks differ by more, a thread has ended meanwhile, and only the one with a grain of 10 ms has its time. */
const GRAIN_SECONDS = 0.03;

export function readClocks(serverPids: readonly number[], clientCpuSeconds: number): Clocks {
  const sum = (of: (pid: number) => number): number =>
    serverPids.reduce((total, pid) => total + of(pid), 0);
  return {
    seconds: performance.now() / 1000,
    server: sum(cpuSeconds),
    serverThreads: sum(threadsCpuSeconds),
    client: clientCpuSeconds,
  };
}

/** Figures that both clients share: rates and shares of a core between two readings of the clocks. */
export function drivenBetween(
  before: Clocks,
  after: Clocks,
  counted: Pick<Driven, 'answers' | 'refused' | 'failures' | 'percentiles'> & { bytes: number },
): Driven {
  const { bytes, ...counts } = counted;
  const seconds = after.seconds - before.seconds;
  const coarse = after.server - before.server;
  const exact = after.serverThreads - before.serverThreads;
  const server = Math.abs(exact - coarse) < GRAIN_SECONDS ? exact : coarse;
  return {
    ...counts,
    requestsPerSecond: counts.answers / seconds,
    bytesPerSecond: bytes / seconds,
    serverCpuUs: server === 0 ? Number.NaN : (server / counts.answers) * 1e6,
    serverBusy: server / seconds,
    clientBusy: (after.client - before.client) / seconds,
  };
}
