/** Loads the Redis library, with the options of all clients and a classification of its errors. */
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type * as Redis from '@redis/client';
import type * as Replies from '@redis/client/dist/lib/RESP/decoder.js';
import type { RedisNode } from './redis-address.js';
import { ReplyLimit } from './reply-limit.js';

/** A server that is silent for longer counts as away (`docs/operations/stores.md, "Redis"`). */
const SILENCE_MS = 5000;

/** Interval of pings: a hung server is noticed after `PING_MS` and `SILENCE_MS`. */
const PING_MS = 2000;

export type RedisClient = ReturnType<typeof newClient>;

export interface ClientLogin {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly database?: number;
  readonly tls?: { readonly ca: Buffer | undefined } | undefined;
  /** Longest silence of a server; default: 5 s. */
  readonly silenceMs?: number;
  /** Aborts connections without TLS; the library ends those with TLS. */
  readonly signal?: AbortSignal | undefined;
}

const load = createRequire(import.meta.url);

let isLimited = false;

/** The library, loaded at first use: loading takes half of a command's time. Node never repeats a failed `import()`. */
export function library(): typeof Redis {
  const loaded = load('@redis/client') as typeof Redis;
  if (!isLimited) limitReplies();
  isLimited = true;
  return loaded;
}

/** Ends connections whose replies are too long; the library itself has no limit. */
function limitReplies(): void {
  const { Decoder } = load('@redis/client/dist/lib/RESP/decoder.js') as typeof Replies;
  const limits = new WeakMap<object, ReplyLimit>();
  const prototype: { write: (chunk: Buffer) => void; reset: () => void } = Decoder.prototype;
  const { write, reset } = prototype;
  prototype.write = function (this: object, chunk: Buffer) {
    const limit = limits.get(this) ?? new ReplyLimit();
    limits.set(this, limit);
    limit.check(chunk);
    write.call(this, chunk);
  };
  prototype.reset = function (this: object) {
    limits.delete(this);
    reset.call(this);
  };
}

/** A client of one server, not connected yet. Its first failure ends it. */
export function newClient(node: RedisNode, login: ClientLogin) {
  const { socket, ...options } = clientOptions(login);
  return library().createClient({ ...options, socket: { ...socket, ...socketOf(node) } });
}

/** Options of all clients, including those within the library's sentinel and cluster clients. */
export function clientOptions(login: ClientLogin) {
  const { username, password, database = 0, tls, silenceMs = SILENCE_MS, signal } = login;
  const socket = {
    connectTimeout: silenceMs,
    socketTimeout: silenceMs,
    // No reconnection: after a failover the store is on another server, so a new client is opened.
    reconnectStrategy: false as const,
    ...(signal === undefined ? {} : { signal }),
  };
  return {
    // Every server supports version 2 of the protocol, and the service needs no more.
    RESP: 2 as const,
    socket:
      tls === undefined
        ? socket
        : { ...socket, tls: true as const, ...(tls.ca === undefined ? {} : { ca: tls.ca }) },
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    database,
    pingInterval: PING_MS,
    disableOfflineQueue: true,
    // These options avoid commands that are not needed and may be forbidden.
    disableClientInfo: true,
    maintNotifications: 'disabled' as const,
  };
}

export function socketOf({ host, port }: RedisNode) {
  // An IP address must not be sent as a server name (RFC 6066 §3).
  return { host, port, ...(isIP(host) === 0 ? { servername: host } : {}) };
}

/** Bytes `first` to `last`, inclusive, of a value; empty if the value is missing. */
export async function readBytes(
  client: RedisClient,
  key: string,
  [first, last]: readonly [number, number],
): Promise<Buffer> {
  const inBytes = client.withTypeMapping({ [library().RESP_TYPES.BLOB_STRING]: Buffer });
  return (await inBytes.getRange(key, first, last)) ?? Buffer.alloc(0);
}

/** A failure to reach a server, or to find a suitable one. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: string;

  constructor(message: string, code = '') {
    super(message);
    this.code = code;
  }
}

/** Limits the time of an answer, since a server may send other data for ever. The caller ends the late request. */
export async function inTime<T>(answer: Promise<T>, limitMs: number): Promise<T> {
  const isThere = new AbortController();
  const options = { ref: false, signal: isThere.signal };
  const late = wait(limitMs, undefined, options).then(() => {
    throw new ConnectionError(`no whole answer for ${limitMs / 1000} s`);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    isThere.abort();
  }
}

/** Whether a server answered with an error. */
export function isReply(error: unknown): error is Error {
  return error instanceof library().ErrorReply;
}

export function isSilence(error: unknown): boolean {
  const { ConnectionTimeoutError, SocketTimeoutError } = library();
  return error instanceof ConnectionTimeoutError || error instanceof SocketTimeoutError;
}

/** Error replies of a server that is starting, is no longer the master, or is the wrong node of a cluster. */
const TRANSIENT =
  /^(?:READONLY|LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|NOREPLICAS|BUSY|UNBLOCKED)\b/;

/** Error codes of certificate failures, which are permanent. */
const CERTIFICATE = /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL|^ERR_OSSL|^EPROTO$/;

/** Whether a later attempt may succeed, on this server or its successor. */
export function isTransient(error: Error): boolean {
  return isReply(error) ? TRANSIENT.test(error.message) : !CERTIFICATE.test(codeOf(error));
}

/** The error code of the system, such as `ECONNREFUSED`; empty without a code. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

export function reasonOf(error: unknown): string {
  if (isSilence(error)) return `no answer for ${SILENCE_MS / 1000} s`;
  return error instanceof Error ? error.message || codeOf(error) : String(error);
}
