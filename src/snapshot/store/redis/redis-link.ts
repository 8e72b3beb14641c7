/**
 * A store's link to its server: one client, replaced after each failure. Unlike the library, the link repeats pending
 * operations for a limited time while the server is away, and otherwise fails them at once with the reason.
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

/** Time after which a note tells operators why an operation waits. */
const NOTE_AFTER_MS = 2000;

/** Interval at which a waiting operation checks whether a client is open again; the check sends nothing. */
const RETRY_INTERVAL_MS = 50;

/** Time limit of one operation (a chunk, or a few commands), long enough for slow links. */
const OPERATION_MS = 30_000;

const DELAYS = { firstMs: 100, longestMs: 5000 };

export interface RedisLinkOptions extends ServerAccess {
  readonly shown: string;
  /** Time for which operations are retried while the server is away; 0: no retries. */
  readonly retryForMs: number;
  /** Aborts the wait for a server that is away. */
  readonly signal: AbortSignal | undefined;
  readonly onNote: (note: string) => void;
}

type LinkState =
  | { readonly kind: 'unused' }
  /** Operations wait for the client. */
  | { readonly kind: 'opening'; readonly client: Promise<RedisClient> }
  | { readonly kind: 'open'; readonly client: RedisClient }
  /** Attempts to open a client continue; operations fail with the reason. */
  | { readonly kind: 'away'; readonly reason: Error };

interface Watch {
  readonly channel: string;
  readonly onChange: () => void;
  /** A separate connection, since a connection with a subscription accepts no other commands. */
  listener?: RedisClient;
}

export class RedisLink {
  readonly #options: RedisLinkOptions;
  readonly #closed = new AbortController();
  /** Counts the failures since the last successful operation. */
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
          // An error reply from an available server goes to the caller, unless it is transient.
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

  /** Calls `onChange` for each message of a channel, and when the server goes away or returns. */
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

  #open(delayMs = 0): Promise<RedisClient> {
    const { signal } = this.#closed;
    const wasAway = this.#state.kind === 'away';
    const due = delayMs === 0 ? undefined : wait(delayMs, undefined, { signal, ref: !wasAway });
    const opening = Promise.resolve(due).then(() => openServer(this.#options, wasAway));
    // A server that was away stays `away` until it answers, so operations do not wait for the attempt.
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

  /** Replaces a client after a failure. @param client no effect if replaced already; undefined for a failed attempt. */
  #fail(error: Error, client: RedisClient | undefined): void {
    const isOver = this.#closed.signal.aborted || this.#options.signal?.aborted === true;
    const open = this.#state.kind === 'open' ? this.#state.client : undefined;
    if (isOver || client !== open) return;
    client?.destroy();
    this.#watch?.listener?.destroy();
    // A first failure such as a closed connection or a moved slot of a cluster does not mean that the server is away:
    // operations wait for the next client.
    const isSilent = isSilence(error) || error instanceof ConnectionError;
    const isAway = client === undefined || this.#backOff.failures > 0 || isSilent;
    if (isAway) this.#state = { kind: 'away', reason: error };
    // The random factor prevents all instances from reconnecting at the same time.
    void this.#open(this.#backOff.fail() * (0.5 + Math.random() / 2));
    if (isAway) this.#watch?.onChange();
  }

  /** Subscribes on a client's server by a second connection, then reports a change. */
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
      // The user has no permission to subscribe.
      const why = `it cannot be listened to, so it is only polled: ${this.#reasonOf(error)}`;
      if (!this.#isNoted) this.#options.onNote(why);
      this.#isNoted = true;
    }
    if (!this.#isOpen(client) || this.#watch !== watch) listener.destroy();
    // Messages sent before the subscription are lost, so there may be a change.
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

  /** The reason without credentials: a server repeats an unknown command with its arguments. */
  #reasonOf(error: Error): string {
    const { address, sentinelPassword } = this.#options;
    const secrets = [address.password, sentinelPassword].filter((secret) => secret !== undefined);
    return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), reasonOf(error));
  }
}
