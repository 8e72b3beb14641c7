/** The Redis library: loaded where it is needed, with the options of all its clients, and its errors told apart. */
import { createRequire } from 'node:module';
import { isIP } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type * as Redis from '@redis/client';
import type * as Replies from '@redis/client/dist/lib/RESP/decoder.js';
import type { RedisNode } from './redis-address.js';
import { ReplyLimit } from './reply-limit.js';

/** A server that does not answer for so long counts as away (`docs/operations/stores.md, "Redis"`). */
const SILENCE_MS = 5000;

/** How often a server is asked for a sign of life: a hung one is noticed within this and its silence. */
const PING_MS = 2000;

export type RedisClient = ReturnType<typeof newClient>;

export interface ClientLogin {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Default: 0. */
  readonly database?: number;
  /** Default: no TLS. */
  readonly tls?: { readonly ca: Buffer | undefined } | undefined;
  /** How long a server may be silent. Default: 5 s. */
  readonly silenceMs?: number;
  /** Aborted, its connections end; those with TLS by the library alone. Default: they stay. */
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

/** Has every connection end that is sent more than a reply may have; the library itself knows no limit. */
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

/** A client of one server, not yet connected. It ends with its first failure. */
export function newClient(node: RedisNode, login: ClientLogin) {
  const { socket, ...options } = clientOptions(login);
  return library().createClient({ ...options, socket: { ...socket, ...socketOf(node) } });
}

/** Options of every client, also of those within the library's clients of sentinels and clusters. */
export function clientOptions(login: ClientLogin) {
  const { username, password, database = 0, tls, silenceMs = SILENCE_MS, signal } = login;
  const socket = {
    connectTimeout: silenceMs,
    socketTimeout: silenceMs,
    // After a failover the store lies on another server, so a new client is made.
    reconnectStrategy: false as const,
    ...(signal === undefined ? {} : { signal }),
  };
  return {
    // Every server of the protocol speaks version 2, and nothing of version 3 is needed.
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
    // Commands that a user with few permissions may not send, and that nothing here needs.
    disableClientInfo: true,
    maintNotifications: 'disabled' as const,
  };
}

export function socketOf({ host, port }: RedisNode) {
  // RFC 6066 §3: an address is no server name.
  return { host, port, ...(isIP(host) === 0 ? { servername: host } : {}) };
}

/** Some of a value's bytes, from `first` to `last`; empty without a value. */
export async function readBytes(
  client: RedisClient,
  key: string,
  [first, last]: readonly [number, number],
): Promise<Buffer> {
  const inBytes = client.withTypeMapping({ [library().RESP_TYPES.BLOB_STRING]: Buffer });
  return (await inBytes.getRange(key, first, last)) ?? Buffer.alloc(0);
}

/** There is no server, or none that is the one looked for. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly code: string;

  constructor(message: string, code = '') {
    super(message);
    this.code = code;
  }
}

/** A server may send something all the time and never answer. The caller ends what goes on after this has failed. */
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

/** Whether a server answers with an error, and is there. */
export function isReply(error: unknown): error is Error {
  return error instanceof library().ErrorReply;
}

export function isSilence(error: unknown): boolean {
  const { ConnectionTimeoutError, SocketTimeoutError } = library();
  return error instanceof ConnectionTimeoutError || error instanceof SocketTimeoutError;
}

/** Errors of a server that is starting, is no longer the master, or is another node than the one asked for. */
const TRANSIENT =
  /^(?:READONLY|LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|NOREPLICAS|BUSY|UNBLOCKED)\b/;

/** Failures of a certificate: no later attempt finds a better one. */
const CERTIFICATE = /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL|^ERR_OSSL|^EPROTO$/;

/** Whether a failure may be over in a while, on this server or on the one that takes its place. */
export function isTransient(error: Error): boolean {
  return isReply(error) ? TRANSIENT.test(error.message) : !CERTIFICATE.test(codeOf(error));
}

/** The system's code, such as `ECONNREFUSED`, or empty. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/** Why a server is away, for operators. */
export function reasonOf(error: unknown): string {
  if (isSilence(error)) return `no answer for ${SILENCE_MS / 1000} s`;
  return error instanceof Error ? error.message || codeOf(error) : String(error);
}
