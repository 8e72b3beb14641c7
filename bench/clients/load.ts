/** What every closed-loop client is told and what it answers: as much as the server takes, no pipelining. */
import type { Target } from '../exchange.js';

export interface Load {
  readonly port: number;
  /** Taken in turn by every connection. */
  readonly targets: readonly Target[];
  /** Each waits for its answer before it asks again. */
  readonly connections: number;
  /** Traffic before the clock starts, in milliseconds. */
  readonly warmupMs: number;
  readonly measureMs: number;
  /** Whose CPU time is counted as the server's. */
  readonly serverPids: readonly number[];
  /** The first of the cores for the client; all where it is left out. */
  readonly cpu?: number;
  /** Client processes, which share the connections. */
  readonly clients: number;
}

export interface Driven {
  readonly requests: number;
  /** Other statuses than those below 400, resets and time-outs. */
  readonly failures: number;
  readonly requestsPerSecond: number;
  /** Of bodies; with their heads where the client does not tell them apart. */
  readonly bytesPerSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
  /** CPU time of the server's processes, in microseconds a request. */
  readonly serverCpuUs: number;
  /** Cores that the server and the client kept busy. */
  readonly serverBusy: number;
  readonly clientBusy: number;
}
