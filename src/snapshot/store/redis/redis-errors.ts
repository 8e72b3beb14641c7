/** Errors of Redis: what a server answers instead of a result, and servers that do not answer; which of them may pass. */

import type { RedisNode } from './redis-address.js';

/** An answer that is an error; its first word says of what kind, such as `WRONGPASS`. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError';
  readonly kind: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = /^[A-Z]+/.exec(message)?.[0] ?? '';
  }

  /** The node of a cluster that has taken over the slot of a key, where the answer says so and names it. */
  get movedTo(): RedisNode | undefined {
    const [, host, port] = /^MOVED \d+ (.+):(\d+)$/.exec(this.message) ?? [];
    return host === undefined || host === '?' ? undefined : { host, port: Number(port) };
  }
}

/** There is no server, or none that answers, or none that is the one looked for. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** The system's code, `ETIMEDOUT` for a server that is silent, or empty. */
  readonly code: string;

  constructor(message: string, { code = '', cause }: { code?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.code = code;
  }

  get isSilence(): boolean {
    return this.code === 'ETIMEDOUT';
  }
}

/** Answers of a server that is starting, is no master any more, or is another node than the one asked for. */
const TRANSIENT: ReadonlySet<string> = new Set([
  'READONLY',
  'LOADING',
  'MASTERDOWN',
  'CLUSTERDOWN',
  'TRYAGAIN',
  'MOVED',
  'ASK',
  'NOREPLICAS',
  'BUSY',
  'UNBLOCKED',
]);

/** Failures of a certificate: no later attempt finds a better one. */
const CERTIFICATE = /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL|^ERR_OSSL|^EPROTO$/;

/** Whether a failure may be over in a while, on this server or on the one that takes its place. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ReplyError) return TRANSIENT.has(error.kind);
  return error instanceof ConnectionError && !CERTIFICATE.test(error.code);
}
