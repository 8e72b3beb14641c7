/**
 * The running instance's side of a take-over (`docs/operations.md, "Restarts and upgrades"`): it pauses for whoever asks,
 * and leaves only when that one serves on the port and says so. Whatever fails before, it goes on.
 */
import type { DirectoryLock } from '../../snapshot/local/lock/directory-lock.js';
import type { Log } from '../../log/log.js';
import { Channel, kindOf, type Predecessor } from './channel.js';

/** Whoever takes over says something once a second; after as long a silence it is taken for stopped. */
const SILENCE_MS = 20_000;

/** What an instance does when another one takes over. */
export interface RunningInstance {
  describe(): Predecessor;
  /** Neither imports nor removes anything in the directory of copies any more; goes on serving. */
  pause(): Promise<void>;
  /** Goes on as before. */
  resume(): Promise<void>;
  /** Leaves what only one instance can have. */
  leave(): Promise<void>;
}

export class HandOver {
  /** Resolves when another instance has taken over. */
  readonly taken: Promise<void>;
  readonly #log: Log;
  readonly #onTaken: () => void;
  #running: RunningInstance | undefined;
  #channel: Channel | undefined;

  constructor(lock: DirectoryLock, log: Log) {
    let onTaken = (): void => undefined;
    this.taken = new Promise((resolve) => {
      onTaken = resolve;
    });
    this.#onTaken = onTaken;
    this.#log = log;
    lock.onTakeOver((socket, message) => {
      void this.#onRequest(new Channel(socket), message);
    });
  }

  /** From now on another instance may take over. */
  offer(running: RunningInstance): void {
    this.#running = running;
  }

  /** From now on none may begin to. */
  withdraw(): void {
    this.#running = undefined;
  }

  /** To be called when nothing of this instance is left that another one could meet. */
  close(): void {
    this.#channel?.close();
  }

  async #onRequest(channel: Channel, message: unknown): Promise<void> {
    const running = this.#running;
    if (running === undefined) {
      refuse(channel, 'it starts or ends', true);
      return;
    }
    const reason = this.#channel === undefined ? refusalOf(message) : 'another one is taking over';
    if (reason !== undefined) {
      refuse(channel, reason, false);
      return;
    }
    this.#channel = channel;
    this.#log.info({ by_pid: pidOf(message) }, 'another instance takes over');
    channel.send({ kind: 'pausing' });
    await running.pause();
    channel.send({ kind: 'paused', ...running.describe() });
    if (await isConfirmed(channel)) {
      this.#onTaken();
      await running.leave();
      channel.send({ kind: 'left' });
      channel.unref();
      return;
    }
    channel.close();
    this.#channel = undefined;
    this.#log.warn('the other instance has not taken over');
    await running.resume();
  }
}

async function isConfirmed(channel: Channel): Promise<boolean> {
  for (;;) {
    const message = await channel.next(SILENCE_MS);
    if (message === undefined) return false;
    if (kindOf(message) === 'ready') channel.send({ kind: 'proceed' });
    if (kindOf(message) === 'confirm') return true;
  }
}

function refuse(channel: Channel, reason: string, isPassing: boolean): void {
  channel.send({ kind: 'refused', reason, isPassing });
  channel.end();
}

function pidOf(message: unknown): number | undefined {
  const pid = typeof message === 'object' && message !== null && 'pid' in message && message.pid;
  return typeof pid === 'number' ? pid : undefined;
}

function refusalOf(message: unknown): string | undefined {
  const uid = process.geteuid?.();
  const theirs = typeof message === 'object' && message !== null && 'uid' in message && message.uid;
  if (theirs === uid) return undefined;
  return `it runs as user ${String(uid)}, and only the same user can share its port`;
}
