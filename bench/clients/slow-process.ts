/**
 * A process with many clients on slow lines: each asks for one large answer and reads it a little at a time. What it
 * does not read stays with the kernel, and then with the server.
 *
 * Node cannot make a socket's receive buffer small, so a slow line is one that is not read: reading stops after every
 * read, and goes on when the next one is due.
 */
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { crowdAddress } from '../harness/addresses.js';
import { AnswerCounter, encodeRequest, type Target } from '../harness/exchange.js';

export interface SlowOrder {
  readonly port: number;
  readonly target: Target;
  readonly readers: number;
  /** The rate of each reader. */
  readonly bytesPerSecond: number;
}

/** Figures since the last report. */
export interface SlowReport {
  /** Readers that have an answer with status 200 and are still reading. */
  readonly reading: number;
  /** Readers that were closed before the last byte, refused, or answered with another status. */
  readonly failed: number;
  /** The first reason. */
  readonly firstFailure: string | undefined;
  readonly bytes: number;
  /** Bytes of the reader that got least. */
  readonly leastBytes: number;
}

/** Messages to this process: `start` once, then `report` any number of times. The process ends with its parent. */
type ToSlow = { readonly kind: 'start'; readonly order: SlowOrder } | { readonly kind: 'report' };

/** How often each reader reads, in a second. */
const READS_PER_SECOND = 2;
const TICK_MS = 5;
/** The machine's queue for connections that nobody has accepted yet is short. */
const OPENED_PER_TICK = 10;

class SlowReader {
  readonly #counter = new AnswerCounter();
  readonly #socket: Socket;
  status = 0;
  bytes = 0;
  failure: string | undefined;

  /**
   * @param member says which of the crowd this is: each has an address of its own.
   * @param memory the buffer for reads, which all readers share because nothing is kept.
   */
  constructor({ port, target }: SlowOrder, member: number, memory: Buffer) {
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      localAddress: crowdAddress(member),
      onread: { buffer: memory, callback: (length) => this.#take(memory.subarray(0, length)) },
    });
    this.#socket.write(encodeRequest(port, target));
    this.#socket.on('error', (error) => {
      this.failure ??= error.message;
    });
    this.#socket.on('close', () => {
      this.failure ??= 'closed before the last byte';
    });
  }

  /** Reads once more, as soon as there is something to read. */
  readOn(): void {
    if (this.failure === undefined) this.#socket.resume();
  }

  #take(bytes: Buffer): boolean {
    const { status, isWhole } = this.#counter.count(bytes);
    this.bytes += bytes.length;
    this.status = status;
    if (status > 200) this.failure ??= `status ${status}`;
    else if (isWhole) this.failure ??= 'read to its end: too short an answer to be slow with';
    return false;
  }
}

const readers: SlowReader[] = [];

function start(order: SlowOrder): void {
  const memory = Buffer.allocUnsafeSlow(order.bytesPerSecond / READS_PER_SECOND);
  let atMs = performance.now();
  let due = 0;
  let next = 0;
  setInterval(() => {
    const elapsedMs = performance.now() - atMs;
    atMs += elapsedMs;
    const missing = Math.min(OPENED_PER_TICK, order.readers - readers.length);
    for (let at = 0; at < missing; at += 1) {
      readers.push(new SlowReader(order, readers.length, memory));
    }
    // Each in its turn, so that they are spread evenly over the time.
    due = Math.min(due + (elapsedMs * order.readers * READS_PER_SECOND) / 1000, order.readers);
    for (; due >= 1; due -= 1) {
      readers[next]?.readOn();
      next = (next + 1) % order.readers;
    }
  }, TICK_MS);
}

function report(): SlowReport {
  const failures = readers.flatMap(({ failure }) => failure ?? []);
  const bytes = readers.map((reader) => reader.bytes);
  for (const reader of readers) reader.bytes = 0;
  return {
    reading: readers.filter(({ failure, status }) => failure === undefined && status === 200)
      .length,
    failed: failures.length,
    firstFailure: failures[0],
    bytes: bytes.reduce((sum, each) => sum + each, 0),
    leastBytes: Math.min(...bytes),
  };
}

process.on('message', (message: ToSlow) => {
  if (message.kind === 'start') start(message.order);
  else process.send?.(report());
});
process.once('disconnect', () => {
  process.exit(0);
});
