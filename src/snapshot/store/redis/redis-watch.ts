/** Listens to a store's channel on a connection of its own; whatever fails is left to the poll, which is told to look at once. */
import { setTimeout as wait } from 'node:timers/promises';
import type { RedisConnection } from './redis-connection.js';
import { ReplyError } from './redis-errors.js';
import type { RedisLink } from './redis-link.js';
import { RetryDelays } from './retry-delays.js';

/** How often the server is asked for a sign of life: a hung one is noticed within this and its silence. */
const PING_MS = 2000;

export interface RedisWatchOptions {
  readonly link: RedisLink;
  readonly channel: string;
  /** A message has come, the server has gone away, or it is back. */
  readonly onChange: () => void;
  /** Listening has begun; called every time. */
  readonly onListening: () => void;
  readonly onNote: (note: string) => void;
}

export function watchChannel(options: RedisWatchOptions): { close(): void } {
  const closed = new AbortController();
  void listen(options, closed.signal);
  return {
    close() {
      closed.abort();
    },
  };
}

async function listen(options: RedisWatchOptions, closed: AbortSignal): Promise<void> {
  const { link, onChange, onNote } = options;
  const delays = new RetryDelays();
  let isNoted = false;
  const isOver = (): boolean => closed.aborted;
  while (!isOver()) {
    let connection: RedisConnection | undefined;
    try {
      connection = await link.connect();
      await listenOn(connection, options, closed, () => {
        delays.reset();
      });
    } catch (error) {
      if (isOver() || !(error instanceof Error)) break;
      if (error instanceof ReplyError && connection !== undefined) {
        // The server is there, but this user may not listen.
        if (!isNoted) onNote(`it cannot be listened to, so it is only polled: ${error.message}`);
        isNoted = true;
      } else {
        link.fail(error);
        onChange();
      }
    } finally {
      connection?.close();
    }
    await wait(delays.next(), undefined, { signal: closed, ref: false }).catch(() => undefined);
  }
}

/** Resolves when watching is over, or to be begun anew on another server; rejects when the connection is gone. */
async function listenOn(
  connection: RedisConnection,
  { link, channel, onChange, onListening }: RedisWatchOptions,
  closed: AbortSignal,
  onSuccess: () => void,
): Promise<void> {
  await connection.subscribe(channel, onChange);
  link.markHealthy();
  onSuccess();
  onListening();
  // Messages before the subscription were not heard.
  onChange();
  const over = new AbortController();
  const end = (): void => {
    over.abort();
  };
  closed.addEventListener('abort', end);
  void connection.ended.then(end);
  const isOver = (): boolean => closed.aborted;
  try {
    // A node that is taken out of a cluster answers, but hears no message any more.
    do {
      const pause = wait(PING_MS, undefined, { signal: over.signal, ref: false });
      await pause.catch(() => undefined);
      // On a connection that has ended it fails with the reason.
      if (!isOver()) await connection.ping();
    } while (!isOver() && !link.hasLeft(connection));
  } finally {
    closed.removeEventListener('abort', end);
  }
}
