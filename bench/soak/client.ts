/** The soak's client: connections that each send one request after the other and have every answer checked. */
import { connect, type Socket } from 'node:net';
import {
  AnswerReader,
  fieldOf,
  requestBytes,
  type Answer,
} from '../../test/support/service/exchange.js';
import type { Checker, Sent } from './checker.js';
import type { SoakRequests } from './requests.js';

interface Faults {
  readonly count: number;
  /** Descriptions of the first faults. */
  readonly first: readonly string[];
}

export interface SoakCounts {
  /** Answers that were received whole, whatever they were. */
  readonly answers: number;
  readonly notModified: number;
  readonly bodyBytes: number;
  /** How often the oracle was asked; all other bodies were equal to one that it had found right. */
  readonly computed: number;
  /** Answers with another status, snapshot, entity tag, length or body than the oracle's. */
  readonly wrong: Faults;
  /** Requests without a whole answer within 20 s, and answers with an unexpected status. */
  readonly failed: Faults;
  /** Answers of 503, with `Retry-After` or for want of a snapshot. */
  readonly refused: number;
  /** Answers of 500: those of the jobs of a thread that was ended. */
  readonly lost: number;
  /** Connections that were refused while the port was closed. */
  readonly portClosed: number;
  /** Requests whose connection was closed before the last byte. */
  readonly broken: number;
  /** How often an answer was of another snapshot than the one before it. */
  readonly swaps: number;
  /** Snapshot id of the newest answer; undefined before the first one. */
  readonly snapshotId: string | undefined;
}

export interface SoakClientOptions {
  readonly port: number;
  readonly connections: number;
  /** Whether processes are killed and files removed meanwhile; if not, lost and broken answers are failures. */
  readonly isDisturbed: boolean;
}

const READ_BYTES = 256 * 1024;
/** Longer than the service takes to answer 503 for a thread that hangs: 15 s. */
const TIME_LIMIT_MS = 20_000;
const LOOK_EVERY_MS = 50;
const RECONNECT_MS = 20;
const FAULTS_SHOWN = 10;

interface Connection {
  readonly socket: Socket;
  readonly reader: AnswerReader;
  isOpen: boolean;
  isLate: boolean;
  askedMs: number;
  sent: Sent | undefined;
  why: string;
}

export class SoakClient {
  readonly #options: SoakClientOptions;
  readonly #requests: SoakRequests;
  readonly #checker: Checker;
  readonly #memory = Buffer.allocUnsafeSlow(READ_BYTES);
  readonly #connections = new Set<Connection>();
  readonly #timer: NodeJS.Timeout;
  readonly #counts = {
    answers: 0,
    notModified: 0,
    bodyBytes: 0,
    refused: 0,
    lost: 0,
    portClosed: 0,
    broken: 0,
    wrong: { count: 0, first: [] as string[] },
    failed: { count: 0, first: [] as string[] },
  };
  #isStopped = false;

  constructor(options: SoakClientOptions, requests: SoakRequests, checker: Checker) {
    this.#options = options;
    this.#requests = requests;
    this.#checker = checker;
    for (let at = 0; at < options.connections; at += 1) this.#open();
    this.#timer = setInterval(() => {
      this.#look();
    }, LOOK_EVERY_MS);
  }

  counts(): SoakCounts {
    const { computed, swaps, snapshotId } = this.#checker;
    return { ...this.#counts, computed, swaps, snapshotId };
  }

  /** Ends the load; pending requests do not count. */
  stop(): SoakCounts {
    this.#isStopped = true;
    clearInterval(this.#timer);
    for (const { socket } of this.#connections) socket.destroy();
    return this.counts();
  }

  #open(): void {
    const socket = connect({
      port: this.#options.port,
      host: '127.0.0.1',
      noDelay: true,
      // One buffer for all, as received bytes are copied at once.
      onread: {
        buffer: this.#memory,
        callback: (length) => {
          this.#read(connection, this.#memory.subarray(0, length));
          return true;
        },
      },
    });
    const connection: Connection = {
      socket,
      reader: new AnswerReader(),
      isOpen: false,
      isLate: false,
      askedMs: 0,
      sent: undefined,
      why: 'closed before the last byte',
    };
    this.#connections.add(connection);
    socket.on('connect', () => {
      connection.isOpen = true;
      this.#ask(connection);
    });
    socket.on('error', (error) => {
      connection.why = error.message;
    });
    socket.on('close', () => {
      this.#connections.delete(connection);
      if (!this.#isStopped) this.#closed(connection);
    });
  }

  #read(connection: Connection, bytes: Buffer): void {
    try {
      const answer = connection.reader.read(bytes);
      if (answer !== undefined) this.#take(connection, answer);
    } catch (error) {
      // Not even a killed process makes a malformed answer.
      this.#note('wrong', String(error));
      connection.socket.destroy();
    }
  }

  #ask(connection: Connection): void {
    const request = this.#requests.next();
    const tag = request.conditional ? this.#checker.currentTag() : undefined;
    connection.sent = { request, tag };
    const fields = {
      ...(request.gzip ? { 'Accept-Encoding': 'gzip' } : {}),
      ...(tag === undefined ? {} : { 'If-None-Match': tag }),
    };
    connection.socket.write(requestBytes({ target: request.path, fields }));
    connection.askedMs = performance.now();
  }

  #take(connection: Connection, answer: Answer): void {
    const { sent } = connection;
    if (sent === undefined) throw new Error('an answer without a request');
    connection.sent = undefined;
    this.#counts.answers += 1;
    this.#counts.bodyBytes += answer.body.length;
    const verdict = this.#checker.check(sent, answer);
    if (verdict.kind === 'right') this.#counts.notModified += answer.status === 304 ? 1 : 0;
    else if (verdict.kind === 'wrong') this.#note('wrong', verdict.what);
    else if (verdict.kind === 'refused') this.#counts.refused += 1;
    else if (verdict.kind === 'unavailable') this.#unlessDisturbed('refused', verdict.what);
    else if (answer.status === 500) this.#unlessDisturbed('lost', verdict.what);
    else this.#note('failed', verdict.what);
    if (fieldOf(answer, 'connection') === 'close') connection.socket.end();
    else this.#ask(connection);
  }

  #closed({ sent, isOpen, isLate, why, reader }: Connection): void {
    const what = `${why} (${sent?.request.path ?? 'connecting'})`;
    if (isLate) this.#note('failed', what);
    else if (reader.end() !== undefined) this.#note('wrong', `no Content-Length (${what})`);
    else if (sent !== undefined) this.#unlessDisturbed('broken', what);
    else if (!isOpen) this.#unlessDisturbed('portClosed', what);
    setTimeout(
      () => {
        if (!this.#isStopped) this.#open();
      },
      isOpen ? 0 : RECONNECT_MS,
    );
  }

  #unlessDisturbed(name: 'refused' | 'lost' | 'broken' | 'portClosed', what: string): void {
    if (this.#options.isDisturbed) this.#counts[name] += 1;
    else this.#note('failed', what);
  }

  #note(kind: 'wrong' | 'failed', what: string): void {
    const faults = this.#counts[kind];
    faults.count += 1;
    if (faults.first.length < FAULTS_SHOWN) faults.first.push(what);
  }

  /** Closes the connections of requests that are late. */
  #look(): void {
    const nowMs = performance.now();
    for (const connection of this.#connections) {
      const { sent, askedMs, socket } = connection;
      if (sent === undefined || nowMs - askedMs < TIME_LIMIT_MS) continue;
      connection.isLate = true;
      connection.why = `no whole answer within ${TIME_LIMIT_MS / 1000} s`;
      socket.destroy();
    }
  }
}
