/** The soak's client: connections that each send one request after the other and have every answer checked. */
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { AnswerReader, encodeRequest, type RawAnswer } from '../harness/exchange.js';
import { Latencies } from '../measure/statistics.js';
import type { Checker, Sent } from './checker.js';
import { KINDS, type Kind, type SoakRequest, type SoakRequests } from './requests.js';

/** What a moment belongs to, by which gaps and latencies are told apart. */
const PHASES = ['quiet', 'swap', 'restart'] as const;
export type Phase = (typeof PHASES)[number];

interface Faults {
  readonly count: number;
  /** Descriptions of the first ones. */
  readonly first: readonly string[];
}

export interface SoakCounts {
  readonly seconds: number;
  /** Answers that were received whole, whatever they were. */
  readonly answers: number;
  readonly byKind: Readonly<Record<Kind, number>>;
  readonly notModified: number;
  readonly bodyBytes: number;
  /** How often the oracle was asked; all other bodies were equal to one that it had found right. */
  readonly computed: number;
  /** Answers whose status, snapshot, entity tag, length or body is not what the oracle says. */
  readonly wrong: Faults;
  /** Requests without a whole answer within 15 s, and answers with a status that nothing calls for. */
  readonly failed: Faults;
  /** Answers of 503 with `Retry-After`, while the service was neither stopping nor starting. */
  readonly refused: number;
  /** The same while it was, and answers that say that there is no snapshot yet. */
  readonly refusedAtRestart: number;
  /** Connections that were refused while the service was being restarted and its port was closed. */
  readonly portClosed: number;
  /** Requests on a kept connection that a stopping service closed without a byte; RFC 9112 §9.3.1 has the client repeat them. */
  readonly droppedAtRestart: number;
  /** Answers of 500 while threads may be ended: those of the jobs that they had. */
  readonly lost: number;
  readonly swaps: number;
  /** The longest time between two right answers, in milliseconds. */
  readonly longestGapMs: Readonly<Record<Phase, number>>;
  /** The longest time for which the client itself did not run: gaps are no shorter, whatever the service does. */
  readonly ownPauseMs: number;
  /** CPU time of the client and its oracle. */
  readonly cpuSeconds: number;
  readonly latencyMs: Readonly<
    Record<Phase, { readonly p50: number; readonly p99: number; readonly p999: number }>
  >;
}

const READ_BYTES = 256 * 1024;
const TIME_LIMIT_MS = 15_000;
const LOOK_EVERY_MS = 50;
const RECONNECT_MS = 20;
const FAULTS_SHOWN = 10;
/** How long after a swap or restart a moment still belongs to it. */
const AFTERMATH_MS = 1_000;

interface Connection {
  readonly socket: Socket;
  readonly reader: AnswerReader;
  isOpen: boolean;
  /** Whether a byte of the awaited answer has come. */
  hasBegun: boolean;
  sent: Sent | undefined;
  why: string;
}

class FaultCount implements Faults {
  count = 0;
  readonly first: string[] = [];

  add(what: string): void {
    this.count += 1;
    if (this.first.length < FAULTS_SHOWN) this.first.push(what);
  }
}

export interface SoakClientOptions {
  readonly port: number;
  readonly connections: number;
  /**
   * Whether processes are killed and files taken away meanwhile: connections may end at any time, and answers be of any
   * snapshot. What is broken off counts as `droppedAtRestart`.
   */
  readonly isDisturbed: boolean;
}

export class SoakClient {
  readonly #options: SoakClientOptions;
  readonly #requests: SoakRequests;
  readonly #checker: Checker;
  readonly #memory = Buffer.allocUnsafeSlow(READ_BYTES);
  readonly #connections = new Set<Connection>();
  readonly #encoded = new Map<number, Buffer>();
  readonly #startedMs = performance.now();
  readonly #cpuBefore = process.cpuUsage();
  readonly #byKind = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>;
  readonly #failed = new FaultCount();
  readonly #wrong = new FaultCount();
  readonly #gapMs: Record<Phase, number> = { quiet: 0, swap: 0, restart: 0 };
  readonly #latencies = Object.fromEntries(
    PHASES.map((phase) => [phase, new Latencies()]),
  ) as Record<Phase, Latencies>;
  readonly #timer: NodeJS.Timeout;
  #answers = 0;
  #notModified = 0;
  #bodyBytes = 0;
  #refused = 0;
  #refusedAtRestart = 0;
  #portClosed = 0;
  #dropped = 0;
  #lost = 0;
  #isRestarting = false;
  #restartedMs = -Infinity;
  #lastRightMs = performance.now();
  #lastPhase: Phase = 'quiet';
  #lookedMs = performance.now();
  #ownPauseMs = 0;
  #isStopped = false;

  constructor(options: SoakClientOptions, requests: SoakRequests, checker: Checker) {
    this.#options = options;
    this.#requests = requests;
    this.#checker = checker;
    this.#isRestarting = options.isDisturbed;
    for (let at = 0; at < options.connections; at += 1) this.#open();
    this.#timer = setInterval(() => {
      this.#look();
    }, LOOK_EVERY_MS);
  }

  /** Must be called before the pointer moves. */
  announceSwap(snapshotId: string): void {
    this.#checker.timeline.announce(snapshotId);
  }

  /** Must be called before the service is stopped, and after it is ready again. */
  announceRestart(isRestarting: boolean): void {
    this.#isRestarting = isRestarting;
    if (!isRestarting) this.#restartedMs = performance.now();
  }

  counts(): SoakCounts {
    const { timeline } = this.#checker;
    const { user, system } = process.cpuUsage(this.#cpuBefore);
    const inMs = (latencies: Latencies): SoakCounts['latencyMs'][Phase] => ({
      p50: latencies.quantile(0.5) / 1000,
      p99: latencies.quantile(0.99) / 1000,
      p999: latencies.quantile(0.999) / 1000,
    });
    return {
      seconds: (performance.now() - this.#startedMs) / 1000,
      answers: this.#answers,
      byKind: this.#byKind,
      notModified: this.#notModified,
      bodyBytes: this.#bodyBytes,
      computed: this.#checker.computed,
      wrong: { count: this.#wrong.count, first: this.#wrong.first },
      failed: { count: this.#failed.count, first: this.#failed.first },
      refused: this.#refused,
      refusedAtRestart: this.#refusedAtRestart,
      portClosed: this.#portClosed,
      droppedAtRestart: this.#dropped,
      lost: this.#lost,
      swaps: timeline.swaps,
      longestGapMs: this.#gapMs,
      ownPauseMs: this.#ownPauseMs,
      cpuSeconds: (user + system) / 1e6,
      latencyMs: {
        quiet: inMs(this.#latencies.quiet),
        swap: inMs(this.#latencies.swap),
        restart: inMs(this.#latencies.restart),
      },
    };
  }

  /** Ends the load; what is under way counts for nothing. */
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
      // One piece of memory for all: what is read is taken out of it at once.
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
      hasBegun: false,
      sent: undefined,
      why: 'closed before the last byte',
    };
    this.#connections.add(connection);
    socket.on('connect', () => {
      connection.isOpen = true;
      this.#ask(connection, this.#requests.next());
    });
    socket.on('error', (error) => {
      connection.why = error.message;
    });
    socket.on('close', () => {
      this.#connections.delete(connection);
      this.#closed(connection);
    });
  }

  #read(connection: Connection, bytes: Buffer): void {
    try {
      connection.hasBegun = true;
      const answer = connection.reader.read(bytes);
      if (answer !== undefined) this.#take(connection, answer);
    } catch (error) {
      connection.why = String(error);
      // No end of a process makes bytes that are no answer.
      if (this.#options.isDisturbed) this.#wrong.add(connection.why);
      connection.socket.destroy();
    }
  }

  #ask(connection: Connection, request: SoakRequest): void {
    const tag = request.conditional ? this.#checker.currentTag() : undefined;
    connection.sent = { request, tag, sentMs: performance.now() };
    connection.hasBegun = false;
    connection.socket.write(this.#encode(request, tag));
  }

  #encode(request: SoakRequest, tag: string | undefined): Buffer {
    const { id, path, gzip } = request;
    const key = tag === undefined ? id : undefined;
    const known = key === undefined ? undefined : this.#encoded.get(key);
    if (known !== undefined) return known;
    const bytes = encodeRequest(this.#options.port, {
      path,
      headers: {
        ...(gzip ? { 'Accept-Encoding': 'gzip' } : {}),
        ...(tag === undefined ? {} : { 'If-None-Match': tag }),
      },
    });
    if (key !== undefined) this.#encoded.set(key, bytes);
    return bytes;
  }

  #take(connection: Connection, answer: RawAnswer): void {
    const { sent } = connection;
    if (sent === undefined) throw new Error('an answer without a request');
    connection.sent = undefined;
    const nowMs = performance.now();
    this.#answers += 1;
    this.#byKind[sent.request.kind] += 1;
    this.#bodyBytes += answer.body.length;
    const verdict = this.#checker.check(sent, answer, nowMs);
    switch (verdict.kind) {
      case 'right':
        this.#right(sent, answer, nowMs);
        break;
      case 'refused':
        if (this.#isOfRestart(sent)) this.#refusedAtRestart += 1;
        else this.#refused += 1;
        break;
      case 'unavailable':
        if (this.#isOfRestart(sent)) this.#refusedAtRestart += 1;
        else this.#failed.add(verdict.what);
        break;
      case 'failed':
        if (this.#options.isDisturbed && answer.status === 500) this.#lost += 1;
        else this.#failed.add(verdict.what);
        break;
      case 'wrong':
        this.#wrong.add(verdict.what);
        break;
    }
    const isLast = answer.headers.some(
      ([name, value]) => name.toLowerCase() === 'connection' && value.toLowerCase() === 'close',
    );
    if (isLast) connection.socket.end();
    else this.#ask(connection, this.#requests.next());
  }

  #right(sent: Sent, answer: RawAnswer, nowMs: number): void {
    if (answer.status === 304) this.#notModified += 1;
    const phase = this.#phase(nowMs);
    // A gap belongs to an event that it began or ended in.
    const ofGap = phase === 'quiet' ? this.#lastPhase : phase;
    this.#gapMs[ofGap] = Math.max(this.#gapMs[ofGap], nowMs - this.#lastRightMs);
    this.#lastRightMs = nowMs;
    this.#lastPhase = phase;
    this.#latencies[phase].record((nowMs - sent.sentMs) * 1000);
  }

  #isOfRestart({ sentMs }: Sent): boolean {
    return this.#isRestarting || sentMs < this.#restartedMs;
  }

  #phase(nowMs: number): Phase {
    if (this.#isRestarting || nowMs < this.#restartedMs + AFTERMATH_MS) return 'restart';
    const { isSwapping, visibleMs } = this.#checker.timeline;
    return isSwapping || nowMs < visibleMs + AFTERMATH_MS ? 'swap' : 'quiet';
  }

  #closed({ sent, isOpen, hasBegun, why }: Connection): void {
    if (this.#isStopped) return;
    if (sent !== undefined) {
      if (this.#isOfRestart(sent) && (!hasBegun || this.#options.isDisturbed)) this.#dropped += 1;
      else this.#failed.add(`${why} (${sent.request.path})`);
    } else if (!isOpen) {
      if (this.#isRestarting) this.#portClosed += 1;
      else this.#failed.add(`cannot connect: ${why}`);
    }
    setTimeout(
      () => {
        if (!this.#isStopped) this.#open();
      },
      isOpen ? 0 : RECONNECT_MS,
    );
  }

  /** Gives up what is too late, and notices when this process did not run. */
  #look(): void {
    const nowMs = performance.now();
    this.#ownPauseMs = Math.max(this.#ownPauseMs, nowMs - this.#lookedMs - LOOK_EVERY_MS);
    this.#lookedMs = nowMs;
    for (const connection of this.#connections) {
      const { sent, socket } = connection;
      if (sent === undefined || nowMs - sent.sentMs < TIME_LIMIT_MS) continue;
      connection.why = `no whole answer within ${TIME_LIMIT_MS / 1000} s`;
      connection.hasBegun = true;
      socket.destroy();
    }
  }
}
