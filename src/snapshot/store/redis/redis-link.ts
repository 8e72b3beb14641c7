/**
 * A store's link to its server: one client, and a new one after each failure.
 *
 * Adds to the library that pending work is sent again while the caller waits for a server that is away, and that other
 * calls fail at once, with the reason.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { BackOff } from '../../domain/back-off.js';
import { SnapshotError } from '../../domain/snapshot-error.js';
import {
  ConnectionError,
  inTime,
  isReply,
  isSilence,
  isTransient,
  reasonOf,
  type RedisClient,
} from './redis-library.js';
import { openServer, type ServerAccess } from './redis-server.js';

/** Time after which a note states the reason of a wait. */
const NOTE_AFTER_MS = 2000;

/** Interval at which a waiting operation checks for the server, without sending. */
const RETRY_INTERVAL_MS = 50;

/** Limit of one operation, a chunk or a few commands, on slow links. */
const OPERATION_MS = 30_000;

const DELAYS = { firstMs: 100, longestMs: 5000 };

export interface RedisLinkOptions extends ServerAccess {
  readonly shown: string;
  /** Time for which operations are retried while the server is away; 0: none. */
  readonly retryForMs: number;
  /** Aborts waiting for a server that is away. */
  readonly signal: AbortSignal | undefined;
  readonly onNote: (note: string) => void;
}

type LinkState =
  | { readonly kind: 'unused' }
  /** Operations wait for the client. */
  | { readonly kind: 'opening'; readonly client: Promise<RedisClient> }
  | { readonly kind: 'open'; readonly client: RedisClient }
  /** A client is being opened; operations fail with the reason. */
  | { readonly kind: 'away'; readonly reason: Error };

interface Watch {
  readonly channel: string;
  readonly onChange: () => void;
  /** A separate connection: one that listens takes no commands. */
  listener?: RedisClient;
}

export class RedisLink {
  readonly #options: RedisLinkOptions;
  readonly #closed = new AbortController();
  /** Its failures are those since the last successful operation. */
  readonly #backOff = new BackOff(DELAYS);
  #state: LinkState = { kind: 'unused' };
  #watch: Watch | undefined;
  #isNoted = false;

  constructor(options: RedisLinkOptions) {
    this.#options = options;
  }

  /**
   * Runs `work`, possibly more than once and on another server: writes must be repeatable.
   *
   * @param doing for messages, such as `read the pointer`.
   * @throws {SnapshotError} `store_unreachable`, `store_full`.
   */
  async run<T>(
    doing: string,
    work: (client: RedisClient) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const { shown, retryForMs, onNote } = this.#options;
    const startedMs = performance.now();
    let isNoted = false;
    for (;;) {
      signal?.throwIfAborted();
      let client: RedisClient | undefined;
      try {
        client = await this.#ready();
        const result = await inTime(work(client), OPERATION_MS);
        this.#backOff.succeed();
        return result;
      } catch (error) {
        if (!(error instanceof Error) || this.#closed.signal.aborted) throw error;
        if (client !== undefined) {
          // The answer of an available server is the caller's.
          if (this.#isOpen(client) && !isTransient(error)) throw this.#refused(doing, error);
          this.#fail(error, client);
        }
        if (this.#state.kind !== 'away') continue;
        const why = this.#state.reason;
        const message = this.#reasonOf(why);
        const waitedMs = performance.now() - startedMs;
        if (!isTransient(why) || waitedMs >= retryForMs) {
          throw new SnapshotError('store_unreachable', `${shown}: ${message}`, { cause: why });
        }
        if (!isNoted && waitedMs > NOTE_AFTER_MS) {
          isNoted = true;
          onNote(`${message}; it will be tried again`);
        }
        await wait(RETRY_INTERVAL_MS);
        for (const one of [this.#closed.signal, this.#options.signal]) one?.throwIfAborted();
      }
    }
  }

  /** Calls back at each message of a channel, and when the server goes away or returns. */
  watch(channel: string, onChange: () => void): { close(): void } {
    const watch: Watch = { channel, onChange };
    this.#watch = watch;
    if (this.#state.kind === 'unused') void this.#open();
    else if (this.#state.kind === 'open') void this.#listen(this.#state.client, watch);
    return {
      close: () => {
        this.#watch = undefined;
        watch.listener?.destroy();
      },
    };
  }

  close(): void {
    this.#closed.abort();
    if (this.#state.kind === 'open') this.#state.client.destroy();
    this.#watch?.listener?.destroy();
  }

  #isOpen(client: RedisClient): boolean {
    return this.#state.kind === 'open' && this.#state.client === client;
  }

  async #ready(): Promise<RedisClient> {
    const state = this.#state;
    if (state.kind === 'unused') return await this.#open();
    if (state.kind === 'away') throw state.reason;
    return await state.client;
  }

  /** @param delayMs before the attempt. */
  #open(delayMs = 0): Promise<RedisClient> {
    const { signal } = this.#closed;
    const wasAway = this.#state.kind === 'away';
    const due = delayMs === 0 ? undefined : wait(delayMs, undefined, { signal, ref: !wasAway });
    const opening = Promise.resolve(due).then(() => openServer(this.#options, wasAway));
    // A server that is away stays so until it answers; operations do not wait for the attempt.
    if (!wasAway) this.#state = { kind: 'opening', client: opening };
    opening.then(
      (client) => {
        if (signal.aborted) {
          client.destroy();
          return;
        }
        client.on('error', (error: Error) => {
          this.#fail(error, client);
        });
        this.#state = { kind: 'open', client };
        if (this.#watch !== undefined) void this.#listen(client, this.#watch);
      },
      (error: unknown) => {
        this.#fail(error instanceof Error ? error : new Error(String(error)), undefined);
      },
    );
    return opening;
  }

  /** @param client that has failed; undefined for a failed attempt. Ignores replaced clients. */
  #fail(error: Error, client: RedisClient | undefined): void {
    const isOver = this.#closed.signal.aborted || this.#options.signal?.aborted === true;
    const open = this.#state.kind === 'open' ? this.#state.client : undefined;
    if (isOver || client !== open) return;
    client?.destroy();
    this.#watch?.listener?.destroy();
    // A closed connection, or a moved slot of a cluster, does not mean that the store is away: operations wait for the
    // next client.
    const isSilent = isSilence(error) || error instanceof ConnectionError;
    const isAway = client === undefined || this.#backOff.failures > 0 || isSilent;
    if (isAway) this.#state = { kind: 'away', reason: error };
    // A random part spreads the instances.
    void this.#open(this.#backOff.fail() * (0.5 + Math.random() / 2));
    if (isAway) this.#watch?.onChange();
  }

  /** Listens on a client's server. After a failure the poll is told to look at once. */
  async #listen(client: RedisClient, watch: Watch): Promise<void> {
    const { channel, onChange } = watch;
    const listener = client.duplicate();
    watch.listener = listener;
    listener.on('error', (error: Error) => {
      this.#fail(error, client);
    });
    try {
      await listener.connect();
      await listener.subscribe(channel, onChange);
    } catch (error) {
      listener.destroy();
      if (!isReply(error)) return;
      // The user may not listen.
      const why = `it cannot be listened to, so it is only polled: ${this.#reasonOf(error)}`;
      if (!this.#isNoted) this.#options.onNote(why);
      this.#isNoted = true;
    }
    if (!this.#isOpen(client) || this.#watch !== watch) listener.destroy();
    // Messages before the subscription are lost.
    else onChange();
  }

  #refused(doing: string, error: Error): SnapshotError {
    const { shown } = this.#options;
    const why = this.#reasonOf(error);
    return error.message.startsWith('OOM')
      ? new SnapshotError('store_full', `${shown} is full: ${why}`, { cause: error })
      : new SnapshotError('store_unreachable', `cannot ${doing} in ${shown}: ${why}`, {
          cause: error,
        });
  }

  /** A server repeats unknown commands with their arguments, which may be credentials. */
  #reasonOf(error: Error): string {
    const { address, sentinelPassword } = this.#options;
    const secrets = [address.password, sentinelPassword].filter((secret) => secret !== undefined);
    return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), reasonOf(error));
  }
}
