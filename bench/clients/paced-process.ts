/**
 * A client process with an even rate of requests, which records every latency: it shows the effect of other events on
 * requests.
 *
 * A latency counts from the time at which the request is due, even if every connection is busy, so that a stalled
 * server cannot hide (coordinated omission). The client's own delay (timers have a grain of 1 ms) does not count.
 */
import http, { type ClientRequest } from 'node:http';
import os from 'node:os';
import type { Target } from '../harness/exchange.js';
import { HOST } from '../harness/origin.js';
import { now } from '../harness/system.js';
import { freshPath, type Fresh } from '../suites/network.js';

export interface PacedOrder {
  /** Port of the server. */
  readonly server: number;
  /** Requested in turn. */
  readonly targets: readonly Target[];
  /** Fresh requests instead, in turn, with the header fields of the targets in turn. */
  readonly fresh?: readonly Fresh[];
  readonly connections: number;
  readonly perSecond: number;
  /** Whether the client is only a load that is not measured, and so keeps its normal priority; default no. */
  readonly isLoad?: boolean;
}

/** The result: arrays have one entry for each answered request, in the order of the answers. */
export interface PacedRecord {
  /** Epoch milliseconds, when the latency began to count. */
  readonly startedMs: readonly number[];
  readonly latencyMs: readonly number[];
  /**
   * When each request failed, in epoch milliseconds: without a whole answer within 5 s, with a status from 400 on, or
   * because a connection was refused, reset or closed.
   */
  readonly failedMs: readonly number[];
  /** Failures that are answers of 503: refused by a limit or a share. */
  readonly refused: number;
  /** Descriptions of the first failures. */
  readonly first: readonly string[];
}

const TIME_LIMIT_MS = 5_000;
const FAULTS_SHOWN = 5;

class PacedClient {
  readonly #order: PacedOrder;
  readonly #agent: http.Agent;
  readonly #pending = new Map<ClientRequest, number>();
  readonly #record = {
    startedMs: [] as number[],
    latencyMs: [] as number[],
    failedMs: [] as number[],
    refused: 0,
    first: [] as string[],
  };
  #issued = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(order: PacedOrder) {
    this.#order = order;
    const options = { keepAlive: true, maxSockets: order.connections };
    this.#agent = new http.Agent(options);
  }

  run(beganMs = now()): void {
    const atMs = now();
    const due = Math.floor(((atMs - beganMs) * this.#order.perSecond) / 1000);
    for (; this.#issued < due; this.#issued += 1) this.#ask(this.#issued);
    for (const [request, startedMs] of this.#pending) {
      if (atMs - startedMs > TIME_LIMIT_MS) request.destroy(new Error('no answer within 5 s'));
    }
    this.#timer = setTimeout(() => {
      this.run(beganMs);
    }, 1);
  }

  /** Ends the load; pending requests do not count. */
  stop(): PacedRecord {
    clearTimeout(this.#timer);
    return this.#record;
  }

  #ask(turn: number): void {
    const { server, targets, fresh = [] } = this.#order;
    const target = targets[turn % targets.length];
    const anew = fresh[turn % fresh.length];
    const path = anew === undefined ? (target?.path ?? '/') : freshPath(anew);
    const startedMs = now();
    const request = http.get({
      host: HOST,
      port: server,
      path,
      agent: this.#agent,
      headers: { ...target?.headers },
    });
    this.#pending.set(request, startedMs);
    const fail = (why: string): void => {
      if (!this.#pending.delete(request)) return;
      this.#record.failedMs.push(now());
      if (this.#record.first.length < FAULTS_SHOWN) this.#record.first.push(`${why} (${path})`);
    };
    request.on('error', (error) => {
      fail(error.message);
    });
    request.on('response', (response) => {
      const status = response.statusCode ?? 0;
      response.on('error', (error) => {
        fail(error.message);
      });
      response.resume().on('end', () => {
        if (status === 503) this.#record.refused += 1;
        if (status >= 400) fail(`status ${status}`);
        if (!this.#pending.delete(request)) return;
        this.#record.startedMs.push(startedMs);
        this.#record.latencyMs.push(now() - startedMs);
      });
    });
  }
}

/** Raises this process' priority, since real clients are on other machines. Only root may do it. */
function preferThisProcess(): void {
  try {
    os.setPriority(-10);
  } catch {
    // The figures are then those of a client that waits for its turn.
  }
}

let client: PacedClient | undefined;

/** The first message begins; the second one ends and is answered with the record. */
process.on('message', (message: PacedOrder | 'stop') => {
  if (message === 'stop') {
    process.send?.(client?.stop(), () => {
      process.exit(0);
    });
    return;
  }
  if (message.isLoad !== true) preferThisProcess();
  client = new PacedClient(message);
  client.run();
});
