/**
 * A store's link to its server: a client is open as long as the link is used, and a new one is opened after each failure.
 *
 * By hand is what the library does not do: what was under way is sent again, as long as the caller waits for a server that
 * is away; meanwhile the others fail at once, with the reason.
 */
import { setTimeout as wait } from 'node:timers/promises';
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

/** After a wait of so long a note says why. */
const NOTE_AFTER_MS = 2000;

/** How often an operation that waits looks whether the server is back; nothing is sent to it. */
const LOOK_MS = 50;

/** For one operation, of a chunk or a few commands, on the slowest of links. */
const OPERATION_MS = 30_000;

/** Between attempts to reach a server: doubled each time. */
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5000;

export interface RedisLinkOptions extends ServerAccess {
  /** The address without credentials. */
  readonly shown: string;
  /** How long an operation is tried again while the server cannot be reached; 0: not at all. */
  readonly retryForMs: number;
  /** Aborted, no server that is away is waited for any more. */
  readonly signal: AbortSignal | undefined;
  readonly onNote: (note: string) => void;
}

interface Watch {
  readonly channel: string;
  readonly onChange: () => void;
}

export class RedisLink {
  readonly #options: RedisLinkOptions;
  readonly #closed = new AbortController();
  /** For all operations; rejected while the server is away. Undefined before the first one. */
  #opened: Promise<RedisClient> | undefined;
  /** The client that is open. */
  #client: RedisClient | undefined;
  /** A connection of its own: one that listens takes no commands. */
  #listener: RedisClient | undefined;
  #watch: Watch | undefined;
  #isNoted = false;
  /** Why the server is away. */
  #failure: Error | undefined;
  /** Since anything was done. */
  #failures = 0;

  constructor(options: RedisLinkOptions) {
    this.#options = options;
  }

  /**
   * What `work` gives. It may be done more than once, on another server the second time: whoever writes must be able to
   * write the same again.
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
        client = await (this.#opened ?? this.#open());
        const result = await inTime(work(client), OPERATION_MS);
        this.#failures = 0;
        return result;
      } catch (error) {
        if (!(error instanceof Error) || this.#closed.signal.aborted) throw error;
        if (client !== undefined) {
          // An answer of a server that is there and well is for the caller.
          if (client === this.#client && !isTransient(error)) throw this.#refused(doing, error);
          this.#fail(error, client);
        }
        const why = this.#failure;
        if (why === undefined) continue;
        const message = this.#reasonOf(why);
        const waitedMs = performance.now() - startedMs;
        if (!isTransient(why) || waitedMs >= retryForMs) {
          throw new SnapshotError('store_unreachable', `${shown}: ${message}`, { cause: why });
        }
        if (!isNoted && waitedMs > NOTE_AFTER_MS) {
          isNoted = true;
          onNote(`${message}; it is tried again`);
        }
        await wait(LOOK_MS);
        for (const one of [this.#closed.signal, this.#options.signal]) one?.throwIfAborted();
      }
    }
  }

  /** Calls back with each message of a channel, and when the server has gone away or is back. */
  watch(channel: string, onChange: () => void): { close(): void } {
    const watch = { channel, onChange };
    this.#watch = watch;
    if (this.#opened === undefined) void this.#open();
    else if (this.#client !== undefined) void this.#listen(this.#client, watch);
    return {
      close: () => {
        this.#watch = undefined;
        this.#listener?.destroy();
      },
    };
  }

  close(): void {
    this.#closed.abort();
    this.#client?.destroy();
    this.#listener?.destroy();
  }

  /** @param delayMs before it is tried. */
  #open(delayMs = 0): Promise<RedisClient> {
    const { signal } = this.#closed;
    const wasAway = this.#failure !== undefined;
    const due = delayMs === 0 ? undefined : wait(delayMs, undefined, { signal, ref: !wasAway });
    const opening = Promise.resolve(due).then(() => openServer(this.#options, wasAway));
    // One that is away counts as away until it answers, and nobody waits for the attempt.
    if (!wasAway) this.#opened = opening;
    opening.then(
      (client) => {
        if (signal.aborted) {
          client.destroy();
          return;
        }
        client.on('error', (error: Error) => {
          this.#fail(error, client);
        });
        this.#opened = opening;
        this.#client = client;
        this.#failure = undefined;
        if (this.#watch !== undefined) void this.#listen(client, this.#watch);
      },
      (error: unknown) => {
        this.#fail(error instanceof Error ? error : new Error(String(error)), undefined);
      },
    );
    return opening;
  }

  /** @param client that has failed; nothing is done where it is out of use already. */
  #fail(error: Error, client: RedisClient | undefined): void {
    const isOver = this.#closed.signal.aborted || this.#options.signal?.aborted === true;
    if (isOver || client !== this.#client) return;
    this.#client = undefined;
    client?.destroy();
    this.#listener?.destroy();
    // A server may close a connection and be well, and in a cluster another node may have the slot by now: neither says
    // that the store is away, so operations wait for the next client.
    const isSilent = isSilence(error) || error instanceof ConnectionError;
    const isAway = client === undefined || this.#failures > 0 || isSilent;
    const longestMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#failures);
    this.#failures += 1;
    if (isAway) {
      this.#failure = error;
      this.#opened = Promise.reject(error);
      this.#opened.catch(() => undefined);
    }
    // A random part, so that instances do not come back all at once.
    void this.#open(longestMs * (0.5 + Math.random() / 2));
    if (isAway) this.#watch?.onChange();
  }

  /** On the server of a client. What fails is left to the poll, which is told to look at once. */
  async #listen(client: RedisClient, { channel, onChange }: Watch): Promise<void> {
    const listener = client.duplicate();
    this.#listener = listener;
    listener.on('error', (error: Error) => {
      this.#fail(error, client);
    });
    try {
      await listener.connect();
      await listener.subscribe(channel, onChange);
    } catch (error) {
      listener.destroy();
      if (!isReply(error)) return;
      // The server is there, but this user may not listen.
      const why = `it cannot be listened to, so it is only polled: ${this.#reasonOf(error)}`;
      if (!this.#isNoted) this.#options.onNote(why);
      this.#isNoted = true;
    }
    if (client !== this.#client || this.#watch === undefined) listener.destroy();
    // Messages before the subscription were not heard.
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

  /** A server that does not know a command repeats it with its arguments, and those of a login are not to be shown. */
  #reasonOf(error: Error): string {
    const { address, sentinelPassword } = this.#options;
    const secrets = [address.password, sentinelPassword].filter((secret) => secret !== undefined);
    return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), reasonOf(error));
  }
}
