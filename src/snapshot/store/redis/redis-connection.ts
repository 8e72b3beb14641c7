/**
 * One connection to one Redis server; the only module that knows the library.
 *
 * The library has clients for sentinels and clusters too. They are not used: all keys of a store lie on one server, so one
 * connection to it is enough, and one way to find that server, to notice that it is gone and to find the next one.
 */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect, isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type * as Redis from '@redis/client';
import type { RedisNode } from './redis-address.js';
import { ConnectionError, ReplyError } from './redis-errors.js';

/** A server that does not answer for so long counts as away (`docs/operations/stores.md, "Redis"`). */
const SILENCE_MS = 5000;

/** A TLS handshake that is not done by then is looked into. */
const HANDSHAKE_MS = 1000;

/** Commands that may wait at a time; a store sends few at once, so more are a mistake. */
const MAX_WAITING = 64;

export interface ConnectOptions {
  readonly node: RedisNode;
  /** Undefined: no TLS. */
  readonly tls: { readonly ca: Buffer | undefined } | undefined;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
  /** How long a server may be silent. Default: 5 s. */
  readonly silenceMs?: number;
}

/** A reply as RESP2 has it; texts are bytes. */
export type Reply = Buffer | number | null | readonly Reply[];

type Client = ReturnType<typeof createClient>;

export class RedisConnection {
  readonly node: RedisNode;
  readonly #client: Client;
  readonly #silenceMs: number;
  readonly #password: string | undefined;
  readonly #ended: Promise<void>;
  #failure: Error | undefined;

  private constructor(client: Client, options: ConnectOptions) {
    this.node = options.node;
    this.#client = client;
    this.#silenceMs = options.silenceMs ?? SILENCE_MS;
    this.#password = options.password;
    this.#ended = new Promise((resolve) => {
      client.on('error', (error: Error) => {
        this.#failure ??= error;
        resolve();
      });
      client.on('end', resolve);
    });
  }

  /** Connects and logs in. */
  static async open(options: ConnectOptions): Promise<RedisConnection> {
    const client = createClient(options);
    const connection = new RedisConnection(client, options);
    const connecting = client.connect();
    // One that was given up may still succeed, and would then stay open.
    connecting
      .finally(() => {
        if (connection.#failure !== undefined) client.destroy();
      })
      .catch(() => undefined);
    const isDone = new AbortController();
    try {
      const refusal = options.tls && refusalOfPlainServer(options.node, isDone.signal);
      await connection.#inTime(refusal ? Promise.race([connecting, refusal]) : connecting);
    } catch (error) {
      connection.close();
      throw error;
    } finally {
      isDone.abort();
    }
    return connection;
  }

  /** Resolves when the connection is gone, for whatever reason. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  get isOpen(): boolean {
    return this.#failure === undefined && this.#client.isReady;
  }

  /**
   * The reply to one command.
   *
   * @throws {ReplyError} the server's answer is an error.
   * @throws {ConnectionError} the connection is gone.
   */
  async send(command: readonly (string | Buffer)[]): Promise<Reply> {
    return await this.#inTime(this.#client.sendCommand<Reply>([...command]));
  }

  /** Calls back with each message of a channel. From here on the connection takes nothing else but `ping`. */
  async subscribe(channel: string, onMessage: () => void): Promise<void> {
    await this.#inTime(this.#client.subscribe(channel, onMessage));
  }

  async ping(): Promise<void> {
    await this.#inTime(this.#client.ping());
  }

  close(): void {
    this.#end(new ConnectionError('the connection was closed'));
  }

  async #inTime<T>(reply: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const message = `no answer for ${this.#silenceMs / 1000} s`;
        reject(this.#end(new ConnectionError(message, { code: 'ETIMEDOUT' })));
      }, this.#silenceMs);
    });
    try {
      return await Promise.race([reply, late]);
    } catch (error) {
      throw this.#shown(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #end(why: Error): Error {
    this.#failure ??= why;
    this.#client.destroy();
    return this.#failure;
  }

  /** A server that does not know a command repeats it with its arguments, and those of a login are not to be shown. */
  #shown(error: unknown): Error {
    const why = this.#failure ?? (error instanceof Error ? error : new Error(String(error)));
    const isReply = error instanceof Error && isReplyError(error);
    const text = isReply ? error.message : why.message;
    const password = this.#password;
    const message = password === undefined ? text : text.replaceAll(password, '***');
    if (isReply) return new ReplyError(message);
    const code = 'code' in why && typeof why.code === 'string' ? why.code : '';
    return new ConnectionError(message, { code });
  }
}

const load = createRequire(import.meta.url);

/**
 * The library is loaded where it is needed: it takes as long as all the rest of a command. `import()` would never try
 * again what it could not load for want of open files.
 */
function createClient(options: ConnectOptions) {
  const { createClient: create, RESP_TYPES } = load('@redis/client') as typeof Redis;
  const { node, tls, username, password, database } = options;
  const common = {
    host: node.host,
    port: node.port,
    connectTimeout: options.silenceMs ?? SILENCE_MS,
    // Whoever holds the connection looks for the server anew: it may be another one now.
    reconnectStrategy: false as const,
  };
  return create({
    // Every server of the protocol speaks version 2, and nothing of version 3 is needed.
    RESP: 2,
    socket: tls === undefined ? common : { ...common, tls: true, ...tlsOptions(node, tls.ca) },
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    database,
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_WAITING,
    commandOptions: { typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } },
    // Commands that a user with few permissions may not send, and that nothing here needs.
    disableClientInfo: true,
    maintNotifications: 'disabled',
  });
}

/**
 * Never resolves: to a server without TLS a handshake is the beginning of a line, for whose end it waits in silence.
 *
 * @throws {ConnectionError} where the server answers a command without TLS.
 */
async function refusalOfPlainServer(
  { host, port }: RedisNode,
  isDone: AbortSignal,
): Promise<never> {
  try {
    await wait(HANDSHAKE_MS, undefined, { signal: isDone });
    const socket = connect({ host, port, signal: isDone });
    socket.write('PING\r\n');
    const [answer] = (await once(socket, 'data', { signal: isDone })) as [Buffer];
    socket.destroy();
    // PONG, or an error: a login is needed first.
    if (/^[+-]/.test(answer.toString())) {
      throw new ConnectionError('the server answers without TLS: `redis:` instead of `rediss:`', {
        code: 'EPROTO',
      });
    }
  } catch (error) {
    if (error instanceof ConnectionError) throw error;
  }
  return await new Promise(() => undefined);
}

function tlsOptions({ host }: RedisNode, ca: Buffer | undefined) {
  // RFC 6066 §3: an address is no server name.
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return { ...servername, ...(ca === undefined ? {} : { ca }) };
}

/** The members of an array, none where the reply is something else. */
export function asList(reply: Reply): readonly Reply[] {
  return typeof reply === 'object' && reply !== null && !Buffer.isBuffer(reply) ? reply : [];
}

/** By its name: the library's classes are loaded with the library. */
function isReplyError(error: Error): boolean {
  return /^(?:ErrorReply|SimpleError|BlobError)$/.test(error.constructor.name);
}
