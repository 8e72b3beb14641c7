/** A strict HTTP/1.1 client on a kept connection: exact bytes in, exactly one answer out. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import type { Test } from 'tap';
import { AnswerReader, requestBytes, type Answer, type Request } from './exchange.js';

export { fieldOf, requestBytes, type Answer } from './exchange.js';

interface RawOptions {
  /** Longest wait for the other side to close, from the last byte sent; default: 15 s. */
  readonly timeoutMs?: number;
  /** Milliseconds between two chunks, so that they are two packets; default: 5. */
  readonly gapMs?: number;
  /** When to end our side, after which no request can follow; default: never. */
  readonly ends?: Promise<unknown>;
}

type Bytes = string | Uint8Array;

export class Connection {
  readonly #socket: Socket;
  readonly #reader = new AnswerReader();
  #received: Buffer[] = [];
  #isClosed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received.push(chunk);
      this.#wake();
    });
    socket.once('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
    // `ask` reports the close.
    socket.on('error', () => undefined);
  }

  static async open(port: number, localAddress = '127.0.0.1'): Promise<Connection> {
    const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }

  /**
   * Sends one request, whole or in chunks, and reads its answer. It closes the connection, and throws, when the other side
   * closes it early, the answer is not strict HTTP, or nothing comes for `limitMs`.
   */
  async ask(request: Request | readonly Uint8Array[], limitMs = 60_000): Promise<Answer> {
    const chunks = 'target' in request ? [requestBytes(request)] : request;
    const isHead = Buffer.concat(chunks).toString('latin1', 0, 5) === 'HEAD ';
    try {
      this.#expectNothing();
      await this.#send(chunks, 2);
      const answer = await this.#answer(isHead, limitMs);
      this.#expectNothing();
      return { ...answer, body: Buffer.from(answer.body) };
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Sends a last request, well-formed or not, and reads everything until the other side closes, by an end or a reset, or
   * the time is over.
   */
  async last(
    bytes: Bytes | readonly Bytes[],
    { timeoutMs = 15_000, gapMs = 5, ends }: RawOptions = {},
  ): Promise<{ readonly received: Buffer; readonly closed: boolean }> {
    const isOne = typeof bytes === 'string' || bytes instanceof Uint8Array;
    await this.#send(isOne ? [bytes] : bytes, gapMs);
    void ends?.then(() => this.#socket.end());
    const endMs = performance.now() + timeoutMs;
    while (!this.#isClosed && performance.now() < endMs) {
      await this.#changed(endMs - performance.now());
    }
    const closed = this.#isClosed;
    this.close();
    return { received: Buffer.concat(this.#received), closed };
  }

  async #send(chunks: readonly Bytes[], gapMs: number): Promise<void> {
    for (const [index, chunk] of chunks.entries()) {
      if (index > 0) await after(gapMs);
      if (!this.#isClosed) this.#socket.write(chunk);
    }
  }

  async #answer(isHead: boolean, limitMs: number): Promise<Answer> {
    for (;;) {
      const [chunk] = this.#received.splice(0, 1);
      if (chunk === undefined && !this.#isClosed) {
        if (!(await this.#changed(limitMs))) {
          throw new Error(`nothing for ${limitMs} ms after ${this.#reader.shown()}`);
        }
        continue;
      }
      const answer = chunk === undefined ? this.#reader.end() : this.#reader.read(chunk, isHead);
      if (answer !== undefined) return answer;
      if (chunk === undefined) throw new Error(`closed after ${this.#reader.shown()}`);
    }
  }

  #expectNothing(): void {
    const [first] = this.#received;
    if (first === undefined) return;
    throw new Error(`nobody asked for ${JSON.stringify(first.toString('latin1', 0, 200))}`);
  }

  /** Whether bytes or the end have come in time. */
  async #changed(limitMs: number): Promise<boolean> {
    const time = new AbortController();
    this.#wake = () => {
      time.abort();
    };
    const isLate = after(limitMs, true, { signal: time.signal }).catch(() => false);
    return !(await isLate);
  }
}

export async function sendRaw(port: number, ...last: Parameters<Connection['last']>) {
  return await (await Connection.open(port)).last(...last);
}

/** Calls `take` for every request in order, with one of a few kept connections. */
export async function askAll<T>(
  port: number,
  requests: readonly T[],
  of: {
    readonly connections: number;
    readonly take: (connection: Connection, request: T) => Promise<void>;
  },
): Promise<void> {
  const waiting = requests.values();
  const work = async (): Promise<void> => {
    let connection = await Connection.open(port);
    try {
      for (const request of waiting) {
        if (connection.isClosed) connection = await Connection.open(port);
        await of.take(connection, request);
      }
    } finally {
      connection.close();
    }
  };
  await Promise.all(Array.from({ length: Math.min(of.connections, requests.length) }, work));
}

export async function askOnce(
  { port }: { readonly port: number },
  ...request: Parameters<Connection['ask']>
): Promise<Answer> {
  const connection = await Connection.open(port);
  try {
    return await connection.ask(...request);
  } finally {
    connection.close();
  }
}

export function fieldsWithoutDate({ fields }: Pick<Answer, 'fields'>): readonly string[] {
  const others = fields.filter(([name]) => name !== 'Date');
  return others.map(([name, value]) => `${name}: ${value}`).toSorted();
}

export type Ask = (
  target: string,
  fields?: Readonly<Record<string, string>>,
  method?: string,
) => Promise<Answer>;

/** Requests over a kept connection, which is opened again where either side has closed it. */
export function asker(t: Test, { port }: { readonly port: number }): Ask {
  let connection: Connection | undefined;
  t.teardown(() => connection?.close());
  return async (target, fields = {}, method = 'GET') => {
    if (connection === undefined || connection.isClosed) connection = await Connection.open(port);
    return await connection.ask({ target, fields, method });
  };
}

export function jsonOf({ body }: Answer): unknown {
  return JSON.parse(body.toString());
}
