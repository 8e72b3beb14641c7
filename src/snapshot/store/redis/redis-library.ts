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

/** Interval of pings: a hung server is noticed after this and its silence. */
const PING_MS = 2000;

export type RedisClient = ReturnType<typeof newClient>;

export interface ClientLogin {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly database?: number;
  readonly tls?: { readonly ca: Buffer | undefined } | undefined;
  /** Longest silence of a server; default: 5 s. */
  readonly silenceMs?: number;
  /** Aborts connections; those with TLS are ended by the library. */
  readonly signal?: AbortSignal | undefined;
}

const load = createRequire(import.meta.url);

let isLimited = false;

/** The library, loaded by the first use, as it takes half the time of a command; a failed `import()` would be final. */
export function library(): typeof Redis {
  const loaded = load('@redis/client') as typeof Redis;
  if (!isLimited) limitReplies();
  isLimited = true;
  return loaded;
}

/** Ends connections with too long replies, which the library does not limit. */
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

/** A client of one server, not yet connected; it ends with its first failure. */
export function newClient(node: RedisNode, login: ClientLogin) {
  const { socket, ...options } = clientOptions(login);
  return library().createClient({ ...options, socket: { ...socket, ...socketOf(node) } });
}

/** Options of every client, also within the library's clients of sentinels and clusters. */
export function clientOptions(login: ClientLogin) {
  const { username, password, database = 0, tls, silenceMs = SILENCE_MS, signal } = login;
  const socket = {
    connectTimeout: silenceMs,
    socketTimeout: silenceMs,
    // After a failover the store is on another server, so a new client is made.
    reconnectStrategy: false as const,
    ...(signal === undefined ? {} : { signal }),
  };
  return {
    // Every server supports version 2, and the service needs no more.
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
    // The commands may be forbidden, and are not needed.
    disableClientInfo: true,
    maintNotifications: 'disabled' as const,
  };
}

export function socketOf({ host, port }: RedisNode) {
  // RFC 6066 §3: an address is no server name.
  return { host, port, ...(isIP(host) === 0 ? { servername: host } : {}) };
}

/** Bytes `first` to `last` of a value; empty without a value. */
export async function readBytes(
  client: RedisClient,
  key: string,
  [first, last]: readonly [number, number],
): Promise<Buffer> {
  const inBytes = client.withTypeMapping({ [library().RESP_TYPES.BLOB_STRING]: Buffer });
  return (await inBytes.getRange(key, first, last)) ?? Buffer.alloc(0);
}

/** No server, or none of the wanted kind. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: string;

  constructor(message: string, code = '') {
    super(message);
    this.code = code;
  }
}

/** Limits the time of an answer, since a server may send other data for ever. The caller ends what goes on. */
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

/** Errors of a server that is starting, is no longer the master, or is another node. */
const TRANSIENT =
  /^(?:READONLY|LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|NOREPLICAS|BUSY|UNBLOCKED)\b/;

/** Failures of a certificate, which are permanent. */
const CERTIFICATE = /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL|^ERR_OSSL|^EPROTO$/;

/** Whether a failure is transient, on this server or its successor. */
export function isTransient(error: Error): boolean {
  return isReply(error) ? TRANSIENT.test(error.message) : !CERTIFICATE.test(codeOf(error));
}

/** The system's code, such as `ECONNREFUSED`, or empty. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

export function reasonOf(error: unknown): string {
  if (isSilence(error)) return `no answer for ${SILENCE_MS / 1000} s`;
  return error instanceof Error ? error.message || codeOf(error) : String(error);
}
