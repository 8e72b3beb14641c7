/**
 * A client process that asks at a fixed rate, whatever the server does, records every answer's latency, and compares
 * every answer with what it may be: it shows what a request meets while something else happens.
 *
 * Latency counts from the moment the request is written; from the moment it was due, when every connection was
 * still waiting, so that a server that stops answering cannot hide behind a client that stops asking. The client's
 * own delay in waking up (timers have a grain of 1 ms) is not the server's, and does not count.
 */
import type { Socket } from 'node:net';
import os from 'node:os';
import { performance } from 'node:perf_hooks';
import {
  AnswerReader,
  encodeRequest,
  headerOf,
  type RawAnswer,
  type Target,
} from '../harness/exchange.js';
import { connectTo, readyEvent, type ServerAddress } from '../harness/origin.js';
import { freshPath, type FreshFilters } from '../measure/fresh-filters.js';

/** The answers of one snapshot to every target, in the targets' order. */
export interface ExpectedSnapshot {
  readonly snapshotId: string;
  readonly etag: string;
  readonly bodies: readonly Uint8Array[];
}

export interface PacedOrder {
  readonly server: ServerAddress;
  readonly targets: readonly Target[];
  /** What to ask for instead, in turn, with the header fields of the targets in turn. */
  readonly fresh?: readonly FreshFilters[];
  readonly connections: number;
  readonly perSecond: number;
  /** Whether it leaves the cores to others, being no measurement but a load; default no. */
  readonly isLoad?: boolean;
  /** The client's address; default whichever the system chooses. */
  readonly from?: string;
  /** Every answer must belong to one of these as a whole; without any, a 200 is enough. */
  readonly expected: readonly ExpectedSnapshot[];
}

/** The result: arrays have one entry for each answered request, in the order of the answers. */
export interface PacedRecord {
  /** Epoch milliseconds, when the latency began to count. */
  readonly startedMs: Float64Array;
  readonly latencyMs: Float64Array;
  /**
   * Requests that were due or written and not answered with a whole 200 within 5 s: another status, a connection
   * refused, reset or closed before the last byte, bytes that are no answer.
   */
  readonly failures: PacedFaults;
  /** When each failure was noticed, in epoch milliseconds. */
  readonly failedMs: Float64Array;
  /** Answers whose header, entity tag and body do not all belong to one of `expected`. */
  readonly mixed: PacedFaults;
}

export interface PacedFaults {
  readonly count: number;
  /** Descriptions of the first ones. */
  readonly first: readonly string[];
}

/** Messages to this process: `start` once, then `stop`, which is answered with the record. */
export type ToPaced =
  { readonly kind: 'start'; readonly order: PacedOrder } | { readonly kind: 'stop' };

const TIME_LIMIT_MS = 5_000;
/** How long the client waits before it connects again to a server that is gone. */
const RECONNECT_MS = 20;
const FAULTS_SHOWN = 5;

interface FaultCount {
  count: number;
  readonly first: string[];
}

interface Connection {
  readonly socket: Socket;
  readonly reader: AnswerReader;
  open: boolean;
  /** The request that the connection waits for. */
  waiting: { readonly target: number; readonly startedMs: number } | undefined;
  /** The reason of a failure, should the connection end. */
  why: string;
}

class PacedClient {
  readonly #order: PacedOrder;
  readonly #requests: readonly Buffer[];
  readonly #idle: Connection[] = [];
  readonly #busy = new Set<Connection>();
  /** When those requests were due that found no free connection. */
  readonly #due: number[] = [];
  readonly #started: number[] = [];
  readonly #latency: number[] = [];
  readonly #failed: number[] = [];
  readonly #failures: FaultCount = { count: 0, first: [] };
  readonly #mixed: FaultCount = { count: 0, first: [] };
  #issued = 0;
  #target = 0;
  #asked = 0;
  #stopped = false;

  constructor(order: PacedOrder) {
    this.#order = order;
    this.#requests = order.targets.map((target) => encodeRequest(order.server, target));
    for (let at = 0; at < order.connections; at += 1) this.#open();
  }

  run(): void {
    const beganMs = now();
    const tick = (): void => {
      if (this.#stopped) return;
      const atMs = now();
      const dueCount = Math.floor(((atMs - beganMs) * this.#order.perSecond) / 1000);
      while (this.#issued < dueCount) {
        this.#issued += 1;
        this.#issue(beganMs + (this.#issued * 1000) / this.#order.perSecond);
      }
      this.#giveUpLate(atMs);
      setTimeout(tick, 1);
    };
    tick();
  }

  stop(): PacedRecord {
    this.#stopped = true;
    for (const connection of [...this.#idle, ...this.#busy]) connection.socket.destroy();
    return {
      startedMs: Float64Array.from(this.#started),
      latencyMs: Float64Array.from(this.#latency),
      failures: this.#failures,
      failedMs: Float64Array.from(this.#failed),
      mixed: this.#mixed,
    };
  }

  #issue(dueMs: number): void {
    const connection = this.#idle.shift();
    if (connection === undefined) this.#due.push(dueMs);
    else this.#ask(connection, now());
  }

  #ask(connection: Connection, startedMs: number): void {
    this.#target = (this.#target + 1) % this.#requests.length;
    connection.waiting = { target: this.#target, startedMs };
    this.#busy.add(connection);
    connection.socket.write(this.#nextRequest());
  }

  #nextRequest(): Buffer {
    const { server, targets, fresh = [] } = this.#order;
    const filters = fresh[this.#asked % fresh.length];
    this.#asked += 1;
    if (filters === undefined) return this.#requests[this.#target] ?? Buffer.alloc(0);
    const headers = targets[this.#target]?.headers ?? {};
    return encodeRequest(server, { path: freshPath(filters), headers });
  }

  #open(): void {
    const { server, from } = this.#order;
    const socket = connectTo(server, from === undefined ? {} : { localAddress: from });
    const connection: Connection = {
      socket,
      reader: new AnswerReader(),
      open: false,
      waiting: undefined,
      why: 'closed before the last byte',
    };
    socket.on(readyEvent(server), () => {
      connection.open = true;
      this.#free(connection);
    });
    socket.on('error', (error) => {
      connection.why = error.message;
    });
    socket.on('data', (chunk) => {
      try {
        const answer = connection.reader.read(chunk);
        if (answer !== undefined) this.#take(connection, answer);
      } catch (error) {
        connection.why = String(error);
        socket.destroy();
      }
    });
    socket.on('close', () => {
      this.#replace(connection, connection.why);
    });
  }

  /** Makes a connection available, at once for the oldest request that is overdue. */
  #free(connection: Connection): void {
    const dueMs = this.#due.shift();
    if (dueMs === undefined) this.#idle.push(connection);
    else this.#ask(connection, dueMs);
  }

  #take(connection: Connection, answer: RawAnswer): void {
    const { waiting } = connection;
    const atMs = now();
    if (waiting === undefined) throw new Error('an answer without a request');
    connection.waiting = undefined;
    this.#busy.delete(connection);
    this.#free(connection);
    if (answer.status !== 200) {
      this.#fail(`${answer.statusLine} for ${this.#pathOf(waiting.target)}`);
      return;
    }
    if (!this.#isOfOneSnapshot(waiting.target, answer)) return;
    this.#started.push(waiting.startedMs);
    this.#latency.push(atMs - waiting.startedMs);
  }

  /** Whether all of an answer belongs to one of the expected snapshots; a fault if not. */
  #isOfOneSnapshot(target: number, answer: RawAnswer): boolean {
    const { expected } = this.#order;
    if (expected.length === 0) return true;
    const id = headerOf(answer, 'x-snapshot-id');
    const snapshot = expected.find(({ snapshotId }) => snapshotId === id);
    const body = snapshot?.bodies[target];
    if (snapshot?.etag === headerOf(answer, 'etag') && body && answer.body.equals(body))
      return true;
    addFault(
      this.#mixed,
      `${this.#pathOf(target)}: X-Snapshot-Id ${String(id)}, ETag and body differ`,
    );
    return false;
  }

  #replace(connection: Connection, why: string): void {
    if (this.#stopped) return;
    if (connection.waiting !== undefined) {
      this.#busy.delete(connection);
      this.#fail(`${why} (${this.#pathOf(connection.waiting.target)})`);
    } else if (connection.open) {
      // A server may close a connection that is idle.
      this.#idle.splice(this.#idle.indexOf(connection), 1);
    } else {
      this.#fail(why);
    }
    if (connection.open) this.#open();
    else {
      setTimeout(() => {
        this.#open();
      }, RECONNECT_MS);
    }
  }

  /** Gives up requests that are too late to be sent: they have failed, and would only delay those that are due now. */
  #giveUpLate(atMs: number): void {
    const firstInTime = this.#due.findIndex((dueMs) => atMs - dueMs <= TIME_LIMIT_MS);
    const lost = this.#due.splice(0, firstInTime < 0 ? this.#due.length : firstInTime);
    for (const dueMs of lost) this.#fail(`no connection free since ${Math.round(dueMs)}`);
    for (const connection of this.#busy) {
      const { waiting, socket } = connection;
      if (waiting === undefined || atMs - waiting.startedMs <= TIME_LIMIT_MS) continue;
      connection.why = `no whole answer within ${TIME_LIMIT_MS / 1000} s`;
      socket.destroy();
    }
  }

  #fail(what: string): void {
    this.#failed.push(now());
    addFault(this.#failures, what);
  }

  #pathOf(target: number): string {
    return this.#order.targets[target]?.path ?? '';
  }
}

function addFault(faults: FaultCount, what: string): void {
  faults.count += 1;
  if (faults.first.length < FAULTS_SHOWN) faults.first.push(what);
}

/** Epoch milliseconds with a fraction; the same clock in every process that the bench starts. */
function now(): number {
  return performance.timeOrigin + performance.now();
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

process.on('message', (message: ToPaced) => {
  if (message.kind === 'start') {
    if (message.order.isLoad !== true) preferThisProcess();
    client = new PacedClient(message.order);
    client.run();
    return;
  }
  if (client === undefined) throw new Error('stop before start');
  process.send?.(client.stop(), () => {
    process.exit(0);
  });
});
