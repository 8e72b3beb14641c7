/** HTTP/1.1 as bytes on a socket, so that a bench sees every header and every byte as it was sent. */
import { connect } from 'node:net';
import { HOST } from './origin.js';

/** One request of a client; always GET. */
export interface Target {
  /** The path with its query, as in the request line. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface RawAnswer {
  readonly status: number;
  /** The status line without the HTTP version: `200 OK`. */
  readonly statusLine: string;
  /** Header fields in their order and case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

const TIME_LIMIT_MS = 10_000;
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const FIRST_BYTES = 64 * 1024;

/** The bytes of a GET request to a server; the connection stays open. */
export function encodeRequest(port: number, { path, headers }: Target): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${HOST}:${port}\r\n${lines.join('')}\r\n`);
}

/** Sends one request on its own connection. @throws without a listener, or without a whole answer within 10 s. */
export function ask(port: number, target: Target): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: HOST, port, noDelay: true });
    socket.write(encodeRequest(port, target));
    const reader = new AnswerReader();
    const fail = (why: string): void => {
      socket.destroy();
      reject(new Error(`GET ${target.path}: ${why}`));
    };
    socket.setTimeout(TIME_LIMIT_MS, () => {
      fail('no whole answer within 10 s');
    });
    socket.on('error', (error) => {
      fail(error.message);
    });
    socket.on('close', () => {
      fail('closed before the answer was whole');
    });
    socket.on('data', (chunk) => {
      try {
        const answer = reader.read(chunk);
        if (answer === undefined) return;
        resolve(answer);
        socket.destroy();
      } catch (error) {
        fail(String(error));
      }
    });
  });
}

/** The value of a header, whatever its case; `undefined` when it was not sent. */
export function headerOf(answer: RawAnswer, name: string): string | undefined {
  const wanted = name.toLowerCase();
  return answer.headers.find(([key]) => key.toLowerCase() === wanted)?.[1];
}

/**
 * Reads answers from a connection into reused memory: thousands of buffers a second would keep the collector busy. One
 * request at a time: nothing may follow an answer.
 */
export class AnswerReader {
  #memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #used = 0;
  #head: AnswerHead | undefined;
  #bodyStart = 0;
  #bodyEnd = Infinity;

  /**
   * The answer, after its last byte; the next call may overwrite its body.
   *
   * @param chunk may be overwritten after the call.
   * @throws for an answer without a Content-Length, or with further bytes.
   */
  read(chunk: Uint8Array): RawAnswer | undefined {
    this.#append(chunk);
    if (this.#head === undefined) this.#readHead();
    if (this.#head === undefined || this.#used < this.#bodyEnd) return undefined;
    if (this.#used > this.#bodyEnd) throw new Error('bytes after the end of the answer');
    const answer = {
      ...this.#head,
      body: this.#memory.subarray(this.#bodyStart, this.#bodyEnd),
    };
    this.#head = undefined;
    this.#used = 0;
    this.#bodyEnd = Infinity;
    return answer;
  }

  #readHead(): void {
    const end = this.#memory.subarray(0, this.#used).indexOf(END_OF_HEAD);
    if (end < 0) return;
    this.#head = parseHead(this.#memory.toString('latin1', 0, end));
    this.#bodyStart = end + END_OF_HEAD.length;
    this.#bodyEnd = this.#bodyStart + bodyBytesOf(this.#head);
    this.#reserve(this.#bodyEnd);
  }

  #append(chunk: Uint8Array): void {
    this.#reserve(this.#used + chunk.length);
    this.#memory.set(chunk, this.#used);
    this.#used += chunk.length;
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#memory.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(bytes, 2 * this.#memory.length));
    this.#memory.copy(larger, 0, 0, this.#used);
    this.#memory = larger;
  }
}

type AnswerHead = Omit<RawAnswer, 'body'>;

/** @throws for an invalid head of an answer (HTTP/1.1). */
function parseHead(text: string): AnswerHead {
  const [first = '', ...lines] = text.split('\r\n');
  const found = /^HTTP\/1\.1 ((\d{3}) .*)$/.exec(first);
  if (found?.[1] === undefined) throw new Error(`not a status line: ${first.slice(0, 80)}`);
  const headers = lines.map((line): readonly [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { status: Number(found[2]), statusLine: found[1], headers };
}

/** RFC 9112 §6.3: a 204 and a 304 have no body, whatever their headers say. */
function bodyBytesOf(head: AnswerHead): number {
  if (head.status === 204 || head.status === 304) return 0;
  const length = head.headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  if (length === undefined) throw new Error('an answer without Content-Length');
  return Number(length);
}
