/** A client with one request at a time that records when the first and the last byte of the answer came. */
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { AnswerCounter, encodeRequest, type Target } from '../harness/exchange.js';

/** Times in milliseconds since the call. */
export interface Lap {
  /** The time to the first byte of the body. */
  readonly firstByteMs: number;
  /** The time to the last byte of the body. */
  readonly wholeMs: number;
}

interface Waiting {
  readonly startedMs: number;
  readonly resolve: (lap: Lap) => void;
  readonly reject: (error: Error) => void;
  firstByteMs: number | undefined;
}

const READ_BYTES = 256 * 1024;

/** A connection that is opened with its first request, whose time then includes the opening. */
export class Stopwatch {
  readonly #port: number;
  readonly #memory = Buffer.allocUnsafeSlow(READ_BYTES);
  readonly #counter = new AnswerCounter();
  #socket: Socket | undefined;
  #waiting: Waiting | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** @throws asynchronously, on another status than 200 and when the connection ends before the last byte. */
  ask(target: Target): Promise<Lap> {
    return new Promise((resolve, reject) => {
      this.#waiting = { startedMs: performance.now(), resolve, reject, firstByteMs: undefined };
      this.#socket ??= this.#open();
      this.#socket.write(encodeRequest(this.#port, target));
    });
  }

  close(): void {
    this.#waiting = undefined;
    this.#socket?.destroy();
  }

  #open(): Socket {
    const socket = connect({
      port: this.#port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: this.#memory, callback: (length) => this.#read(length) },
    });
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('closed before the last byte')));
    return socket;
  }

  #read(length: number): boolean {
    const atMs = performance.now();
    const { status, bodyBytes, isWhole } = this.#counter.count(this.#memory.subarray(0, length));
    const waiting = this.#waiting;
    if (waiting === undefined) return true;
    if (bodyBytes > 0) waiting.firstByteMs ??= atMs - waiting.startedMs;
    if (!isWhole) return true;
    this.#waiting = undefined;
    if (status !== 200 || waiting.firstByteMs === undefined) {
      waiting.reject(new Error(`status ${status}`));
    } else {
      waiting.resolve({ firstByteMs: waiting.firstByteMs, wholeMs: atMs - waiting.startedMs });
    }
    return true;
  }
}
