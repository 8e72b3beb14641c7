/** Options and results of every closed-loop client, which asks as fast as the server answers, without pipelining. */
import type { Target } from '../harness/exchange.js';
import type { ServerAddress } from '../harness/origin.js';
import type { FreshFilters } from '../measure/fresh-filters.js';

export interface Load {
  readonly server: ServerAddress;
  /** Requests, which every connection makes in turn. */
  readonly targets: readonly Target[];
  /** What to ask for instead, with the header fields of the first target: */
  readonly fresh?: FreshFilters;
  /** Connections, each of which waits for its answer before it asks again. */
  readonly connections: number;
  /** Traffic before the clock starts, in milliseconds. */
  readonly warmupMs: number;
  readonly measureMs: number;
  /** Processes whose CPU time counts as the server's. */
  readonly serverPids: readonly number[];
  /** The client's core; all cores if it is absent. */
  readonly cpu?: number;
}

export interface Driven {
  readonly requests: number;
  /** Statuses from 400 on, resets and time-outs. */
  readonly failures: number;
  readonly requestsPerSecond: number;
  /** Bytes of bodies; with header fields where the client does not separate them. */
  readonly bytesPerSecond: number;
  readonly p50Us: number;
  readonly p99Us: number;
  /** CPU time of the server's processes, in microseconds a request. */
  readonly serverCpuUs: number;
  /** Cores that the server and the client kept busy. */
  readonly serverBusy: number;
  readonly clientBusy: number;
}
