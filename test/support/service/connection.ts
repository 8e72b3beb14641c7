/** A strict HTTP/1.1 client on a kept connection: exact bytes in, exactly one answer out. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Test } from 'tap';

export interface Answer {
  readonly status: number;
  /** Header fields in their order, with their names as sent. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

export interface Request {
  /** Default GET. */
  readonly method?: string;
  /** The request target in the request line; text is sent as UTF-8. */
  readonly target: string | Uint8Array;
  readonly fields?: Readonly<Record<string, string>>;
}

const ANSWER_TIMEOUT_MS = 60_000;

/** Strict status line and field lines (RFC 9112 §4, §5). */
const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [ -~]*$/;
const FIELD_LINE = /^([A-Za-z][A-Za-z0-9-]*): ([ -~]*)$/;

/** The bytes of a whole request without content. */
export function requestBytes({ method = 'GET', target, fields = {} }: Request): Buffer {
  const lines = Object.entries({ Host: 'localhost', ...fields }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([
    Buffer.from(`${method} `),
    Buffer.from(target),
    Buffer.from(` HTTP/1.1\r\n${lines.join('')}\r\n`),
  ]);
}

/** The value of a field that must not repeat; undefined without it. */
export function fieldOf({ fields }: Pick<Answer, 'fields'>, name: string): string | undefined {
  const found = fields.filter(([one]) => one.toLowerCase() === name.toLowerCase());
  if (found.length > 1) throw new Error(`${name} repeats: ${JSON.stringify(found)}`);
  return found[0]?.[1];
}

export class Connection {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #isClosed = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    socket.once('close', () => {
      this.#isClosed = true;
      this.#wake();
    });
    // `ask` reports the close.
    socket.on('error', () => undefined);
  }

  /** @param localAddress of the client; default: 127.0.0.1. */
  static async open(port: number, localAddress = '127.0.0.1'): Promise<Connection> {
    const socket = connect({ host: '127.0.0.1', port, localAddress, noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  /** Whether either side has closed the connection. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket.destroy();
  }

  /**
   * Sends one request, whole or in chunks, and reads its answer.
   *
   * @throws {Error} when the connection closes early, when the answer is not strict HTTP, or after unexpected bytes;
   * the connection is then closed.
   */
  async ask(request: Request | readonly Uint8Array[]): Promise<Answer> {
    try {
      return await this.#ask(request);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Sends a last request, and reads everything until the other side closes. */
  async last(bytes: string): Promise<Buffer> {
    this.#socket.write(bytes);
    return await this.#untilClosed();
  }

  async #ask(request: Request | readonly Uint8Array[]): Promise<Answer> {
    const chunks: readonly Uint8Array[] = 'target' in request ? [requestBytes(request)] : request;
    const isHead = Buffer.concat(chunks).toString('latin1', 0, 5) === 'HEAD ';
    if (this.#received.length > 0) throw new Error(`nobody asked for ${this.#shown()}`);
    for (const [index, chunk] of chunks.entries()) {
      if (index > 0) await pause();
      this.#socket.write(chunk);
    }
    const end = await this.#find('\r\n\r\n');
    const { status, fields } = parseHead(this.#take(end + 4).toString('latin1'));
    const length = fieldOf({ fields }, 'content-length');
    // The library's own refusals have a body without a stated length, for HEAD too.
    const isBodiless = (isHead && length !== undefined) || status === 204 || status === 304;
    if (isBodiless) return this.#checked({ status, fields });
    const body =
      length === undefined ? await this.#untilClosed() : await this.#next(Number(length));
    return this.#checked({ status, fields, body });
  }

  #checked(answer: Omit<Answer, 'body'> & { readonly body?: Buffer }): Answer {
    if (this.#received.length > 0) throw new Error(`nobody asked for ${this.#shown()}`);
    return { ...answer, body: answer.body ?? Buffer.alloc(0) };
  }

  #shown(): string {
    return JSON.stringify(this.#received.subarray(0, 200).toString('latin1'));
  }

  async #find(mark: string): Promise<number> {
    let at = this.#received.indexOf(mark);
    while (at < 0) {
      await this.#more();
      at = this.#received.indexOf(mark);
    }
    return at;
  }

  async #next(length: number): Promise<Buffer> {
    while (this.#received.length < length) await this.#more();
    return this.#take(length);
  }

  async #untilClosed(): Promise<Buffer> {
    while (!this.#isClosed) await this.#changed();
    return this.#take(this.#received.length);
  }

  #take(length: number): Buffer {
    const taken = Buffer.from(this.#received.subarray(0, length));
    this.#received = this.#received.subarray(length);
    return taken;
  }

  async #more(): Promise<void> {
    if (this.#isClosed) throw new Error(`closed after ${this.#shown()}`);
    await this.#changed();
  }

  async #changed(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((settle, reject) => {
      this.#wake = settle;
      timer = setTimeout(() => {
        reject(new Error(`nothing for ${ANSWER_TIMEOUT_MS} ms after ${this.#shown()}`));
      }, ANSWER_TIMEOUT_MS);
    });
    clearTimeout(timer);
  }
}

/** Time for the other side to read the first packet. */
async function pause(): Promise<void> {
  await new Promise((settle) => setTimeout(settle, 2));
}

function parseHead(text: string): Omit<Answer, 'body'> {
  const [first = '', ...lines] = text.slice(0, -4).split('\r\n');
  const status = STATUS_LINE.exec(first)?.[1];
  if (status === undefined) throw new Error(`not a status line: ${JSON.stringify(first)}`);
  const fields = lines.map((line): readonly [string, string] => {
    const [, name, value] = FIELD_LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      throw new Error(`not a field line: ${JSON.stringify(line)}`);
    }
    return [name, value];
  });
  return { status: Number(status), fields };
}

/** A kept connection, opened again where either side has closed it. */
export function keptConnection(t: Test, port: number): Pick<Connection, 'ask'> {
  let connection: Connection | undefined;
  t.teardown(() => connection?.close());
  return {
    ask: async (request) => {
      if (connection === undefined || connection.isClosed) connection = await Connection.open(port);
      return await connection.ask(request);
    },
  };
}

/** Calls `take` for every request in order, with one of a few kept connections. */
export async function askAll<T>(
  port: number,
  requests: readonly T[],
  {
    connections,
    take,
  }: {
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
        await take(connection, request);
      }
    } finally {
      connection.close();
    }
  };
  const workers = Array.from({ length: Math.min(connections, requests.length) }, work);
  await Promise.all(workers);
}

/** Sends one request on its own connection. */
export async function askOnce(
  { port }: { readonly port: number },
  request: Parameters<Connection['ask']>[0],
): Promise<Answer> {
  const connection = await Connection.open(port);
  try {
    return await connection.ask(request);
  } finally {
    connection.close();
  }
}

/** All header fields except the date, sorted. */
export function fieldsWithoutDate({ fields }: Pick<Answer, 'fields'>): readonly string[] {
  const others = fields.filter(([name]) => name !== 'Date');
  return others.map(([name, value]) => `${name}: ${value}`).toSorted();
}

export type Ask = (
  target: string,
  fields?: Readonly<Record<string, string>>,
  method?: string,
) => Promise<Answer>;

/** Requests over a kept connection. */
export function asker(t: Test, { port }: { readonly port: number }): Ask {
  const connection = keptConnection(t, port);
  return async (target, fields = {}, method = 'GET') =>
    await connection.ask({ target, fields, method });
}

export function jsonOf({ body }: Answer): unknown {
  return JSON.parse(body.toString());
}
