/** HTTP/1.1 as bytes on a socket, so that a bench sees every header and every byte as it was sent. */
import { connect } from 'node:net';

export type Headers = Readonly<Record<string, string>>;

/** One thing that a client asks for; always with GET. */
export interface Target {
  /** With the query, as it stands in the request line. */
  readonly path: string;
  readonly headers: Headers;
}

export interface RawAnswer {
  readonly status: number;
  /** After the version: `200 OK`. */
  readonly statusLine: string;
  /** In the order and the case in which they came. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

const TIME_LIMIT_MS = 10_000;
const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** The bytes of a GET request to a server on this machine; the connection stays open. */
export function encodeRequest(port: number, { path, headers }: Target): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${lines.join('')}\r\n`);
}

/**
 * Asks once, on a connection of its own.
 *
 * @throws when nobody listens, or no whole answer came within 10 s.
 */
export function ask(port: number, target: Target): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(encodeRequest(port, target)));
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
 * Cuts answers out of what a connection delivers. One request at a time: nothing may follow an answer.
 *
 * @throws when the bytes are no answer with a Content-Length, or more came than was asked for.
 */
export class AnswerReader {
  #pending: Buffer = Buffer.alloc(0);
  #head: Omit<RawAnswer, 'body'> | undefined;
  #bodyBytes = 0;

  /** The answer, once its last byte is here. */
  read(chunk: Buffer): RawAnswer | undefined {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    if (this.#head === undefined && !this.#readHead()) return undefined;
    if (this.#head === undefined || this.#pending.length < this.#bodyBytes) return undefined;
    if (this.#pending.length > this.#bodyBytes)
      throw new Error('bytes after the end of the answer');
    const answer = { ...this.#head, body: this.#pending };
    this.#head = undefined;
    this.#pending = Buffer.alloc(0);
    return answer;
  }

  #readHead(): boolean {
    const end = this.#pending.indexOf(END_OF_HEAD);
    if (end < 0) return false;
    this.#head = parseHead(this.#pending.toString('latin1', 0, end));
    this.#pending = this.#pending.subarray(end + END_OF_HEAD.length);
    this.#bodyBytes = bodyBytesOf(this.#head);
    return true;
  }
}

function parseHead(text: string): Omit<RawAnswer, 'body'> {
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
function bodyBytesOf(head: Omit<RawAnswer, 'body'>): number {
  if (head.status === 204 || head.status === 304) return 0;
  const length = head.headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1];
  if (length === undefined) throw new Error('an answer without Content-Length');
  return Number(length);
}
