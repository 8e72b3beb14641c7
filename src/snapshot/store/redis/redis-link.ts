/** A store's link to its server: connected when it is needed, looked for anew after a failure, with delays in between. */
import { setTimeout as wait } from 'node:timers/promises';
import { SnapshotError } from '../../domain/snapshot-error.js';
import { readRegularFile } from '../file/regular-file.js';
import type { RedisAddress, RedisNode } from './redis-address.js';
import type { RedisConnection } from './redis-connection.js';
import { RedisTopology } from './redis-topology.js';
import { ConnectionError, isTransient, ReplyError } from './redis-errors.js';
import { RetryDelays } from './retry-delays.js';

/** After a wait of so long a note says why. */
const NOTE_AFTER_MS = 2000;

export interface RedisLinkOptions {
  readonly address: RedisAddress;
  /** The address without credentials. */
  readonly shown: string;
  /** Certificates in PEM. Undefined: those of the system. */
  readonly caFile: string | undefined;
  readonly sentinelPassword: string | undefined;
  /** Any key of the store: it says on which node of a cluster the store lies. */
  readonly key: string;
  /** How long an operation is tried again while the server cannot be reached; 0: not at all. */
  readonly retryForMs: number;
  /** Aborted, no server that is away is waited for any more. */
  readonly signal: AbortSignal | undefined;
  readonly onNote: (note: string) => void;
}

export class RedisLink {
  readonly #options: RedisLinkOptions;
  readonly #topology = new RedisTopology();
  readonly #delays = new RetryDelays();
  readonly #closed = new AbortController();
  readonly #connections = new Set<RedisConnection>();
  /** Shared by all operations. */
  #connection: Promise<RedisConnection> | undefined;
  /** The server that operations were sent to last. */
  #node: RedisNode | undefined;
  /** What the last attempt has failed with, and when the next one is due. */
  #failure: { readonly error: Error; readonly dueAtMs: number } | undefined;

  constructor(options: RedisLinkOptions) {
    this.#options = options;
  }

  /**
   * What `work` gives. It may be done more than once: whoever writes must be able to write the same again.
   *
   * @throws {SnapshotError} `store_unreachable`; what `work` throws, where that cannot pass.
   */
  async run<T>(
    work: (connection: RedisConnection) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const startedMs = performance.now();
    let isNoted = false;
    let mayBeOutdated = true;
    let movedTo: RedisNode | undefined;
    for (;;) {
      signal?.throwIfAborted();
      const isReused = this.#connection !== undefined;
      const connection = this.#open(movedTo);
      let isConnected = false;
      try {
        const server = await connection;
        isConnected = true;
        const result = await work(server);
        this.markHealthy();
        return result;
      } catch (error) {
        // An answer of a server that is there and well is for the caller.
        if (!(error instanceof Error) || (isConnected && !isAway(error))) throw error;
        if (this.#closed.signal.aborted) throw error;
        this.#fail(error, connection);
        movedTo = error instanceof ReplyError ? error.movedTo : undefined;
        // A server may close an idle connection just as it is used again, and in a cluster another node may have the
        // slot by now: neither says that the store is away.
        if (
          mayBeOutdated &&
          (movedTo !== undefined || (isReused && isConnected && isClosed(error)))
        ) {
          mayBeOutdated = false;
          this.markHealthy();
          continue;
        }
        const waitedMs = performance.now() - startedMs;
        const delayMs = this.#dueInMs();
        const unreachable = this.#unreachable(error);
        if (!isTransient(error) || waitedMs + delayMs > this.#options.retryForMs) throw unreachable;
        if (!isNoted && waitedMs > NOTE_AFTER_MS) {
          isNoted = true;
          this.#options.onNote(`${unreachable.message}; it is tried again`);
        }
        const signals = [this.#closed.signal, this.#options.signal, signal];
        await wait(delayMs, undefined, {
          signal: AbortSignal.any(signals.filter((one) => one !== undefined)),
        });
      }
    }
  }

  /** A connection of the caller's own, closed with the link. */
  async connect(at?: RedisNode): Promise<RedisConnection> {
    const { address, caFile, sentinelPassword, key } = this.#options;
    this.#closed.signal.throwIfAborted();
    const tls = address.tls ? { ca: await readCa(caFile) } : undefined;
    const connection = await this.#topology.connect({ address, tls, sentinelPassword, key }, at);
    this.#connections.add(connection);
    void connection.ended.then(() => this.#connections.delete(connection));
    if (this.#closed.signal.aborted) connection.close();
    return connection;
  }

  /** The server is known to be away: operations fail at once until the next attempt is due. */
  fail(error: Error): void {
    this.#fail(error, this.#connection);
  }

  /** The server answers: whatever failed before counts no more. */
  markHealthy(): void {
    this.#failure = undefined;
    this.#delays.reset();
  }

  /** Whether operations go to another server by now than a connection does. */
  hasLeft({ node }: RedisConnection): boolean {
    const { host, port } = this.#node ?? node;
    return host !== node.host || port !== node.port;
  }

  close(): void {
    this.#closed.abort();
    for (const connection of this.#connections) connection.close();
  }

  /** Fails at once while an attempt is not due. */
  #open(at: RedisNode | undefined): Promise<RedisConnection> {
    if (this.#connection !== undefined) return this.#connection;
    if (this.#failure !== undefined && this.#dueInMs() > 0) {
      return Promise.reject(this.#failure.error);
    }
    const opened = this.connect(at);
    this.#connection = opened;
    const forget = (): void => {
      if (this.#connection === opened) this.#connection = undefined;
    };
    opened.then(
      (connection) => {
        this.#node = connection.node;
        return connection.ended.then(forget);
      },
      () => undefined,
    );
    return opened;
  }

  /** Counts a failure, unless it was one of a connection that is out of use already. */
  #fail(error: Error, connection: Promise<RedisConnection> | undefined): void {
    if (this.#connection !== undefined && connection !== this.#connection) return;
    if (this.#connection === undefined && this.#dueInMs() > 0) return;
    this.#connection = undefined;
    connection?.then(
      (opened) => {
        opened.close();
      },
      () => undefined,
    );
    this.#failure = { error, dueAtMs: performance.now() + this.#delays.next() };
  }

  #dueInMs(): number {
    return Math.max(0, (this.#failure?.dueAtMs ?? 0) - performance.now());
  }

  #unreachable(error: unknown): SnapshotError {
    const why = error instanceof Error ? error.message : String(error);
    const message = `${this.#options.shown}: ${why}`;
    return new SnapshotError('store_unreachable', message, { cause: error });
  }
}

/** By the server, while nothing was waited for. */
function isClosed(error: Error): boolean {
  return error instanceof ConnectionError && !error.isSilence;
}

function isAway(error: Error): boolean {
  return error instanceof ConnectionError || isTransient(error);
}

async function readCa(file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readRegularFile(file);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConnectionError(`REDIS_CA_FILE cannot be read: ${why}`, { code: 'ERR_TLS_CA' });
  }
}
