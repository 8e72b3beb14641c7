/**
 * Takes over from the instance that runs (`docs/operations.md, "Restarts and upgrades"`): asks it through the lock of
 * `LOCAL_DIR` to pause, then to leave. Until it has agreed to leave, closing the connection has it go on.
 */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { randomInt } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import {
  lockBeside,
  lockDirectory,
  type DirectoryLock,
  type SharedLock,
} from '../../snapshot/local/lock/directory-lock.js';
import { TAKE_OVER } from '../../snapshot/local/lock/lock-socket.js';
import { Channel, kindOf, type Predecessor } from './channel.js';

/** An event loop is never busy for as long. */
const ANSWER_MS = 5000;

/** Pausing ends an import, and waits for what is being verified. */
const PAUSE_MS = 30_000;

const ALIVE_MS = 1000;

const GONE_MS = 1000;
const GONE_LOOK_MS = 20;

/** An instance that starts or ends cannot be taken over from yet; it is asked again after up to as long, so many times. */
const LOOKS_MAX = 10;
const DELAY_MS = 500;

/** A lock, and the instance that still has it too; without one it is an ordinary start. */
export interface TakenLock {
  readonly lock: DirectoryLock;
  readonly from: TakeOver | undefined;
}

/**
 * Locks the directory, beside the instance that has it, which is paused from now on.
 *
 * @throws {Error} one line: why it cannot be taken over from.
 */
export async function beginTakeOver(directory: string): Promise<TakenLock> {
  let reason = '';
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const shared = await lockBeside(directory);
    try {
      const others = await shared.others();
      if (others.length === 0) {
        await shared.lock.release();
        return { lock: await lockDirectory(directory), from: undefined };
      }
      const asked = await Promise.all(others.map(ask));
      const paused = asked.find((one) => one.kind === 'paused');
      if (paused !== undefined) return { lock: shared.lock, from: new TakeOver(paused, shared) };
      const refused = asked.filter((one) => one.kind === 'no');
      // Beside one that refuses, a silent one is somebody else that takes over.
      const final = refused.find((one) => one.isFinal) ?? refused.find((one) => one.isSilent);
      reason = (final ?? refused[0])?.reason ?? '';
      if (final !== undefined) break;
    } catch (error) {
      await shared.lock.release();
      throw error;
    }
    await shared.lock.release();
    await after(randomInt(DELAY_MS));
  }
  throw new Error(`cannot take over from the instance that has ${directory}: ${reason}`);
}

export class TakeOver {
  readonly predecessor: Predecessor;
  readonly #channel: Channel;
  readonly #lock: SharedLock;
  readonly #heart: NodeJS.Timeout;
  #isOpen = true;

  constructor({ channel, predecessor }: Paused, lock: SharedLock) {
    this.predecessor = predecessor;
    this.#channel = channel;
    this.#lock = lock;
    this.#heart = setInterval(() => {
      channel.send({ kind: 'alive' });
    }, ALIVE_MS);
    void channel.closed.then(() => {
      this.#isOpen = false;
      clearInterval(this.#heart);
    });
  }

  /** Directories of the copies that the other instance may still read. */
  lent(): ReadonlySet<string> {
    return new Set(this.#isOpen ? this.predecessor.directories : []);
  }

  /**
   * Waits for `work`, as long as the other instance waits for it too. If that one is gone, nothing has to be waited for.
   *
   * @throws {Error} that of `work`; or the other instance waits no longer, and goes on.
   */
  async whileWaitedFor(work: Promise<unknown>): Promise<void> {
    const closed = this.#channel.closed.then(async () => {
      if (!(await this.#isGone())) throw new Error('the running instance waits no longer');
    });
    await Promise.race([work, closed]);
  }

  /**
   * Has the other instance leave. It has left, or is gone, or hangs, when this resolves with true, true and false: in
   * any case the lock is this instance's.
   *
   * @param beforeLeaving called when the other one has agreed; must not fail.
   * @throws {Error} it does not leave: it goes on.
   */
  async finish(beforeLeaving: () => Promise<void>): Promise<boolean> {
    this.#channel.send({ kind: 'ready' });
    if (!(await this.#hears('proceed')) && !(await this.#isGone())) {
      throw new Error('the running instance does not answer, and was not asked to leave');
    }
    await beforeLeaving();
    this.#channel.send({ kind: 'confirm' });
    const hasLeft = (await this.#hears('left')) || (await this.#isGone());
    clearInterval(this.#heart);
    this.#channel.unref();
    return hasLeft;
  }

  close(): void {
    this.#channel.close();
  }

  async #hears(kind: string): Promise<boolean> {
    return kindOf(await this.#channel.next(ANSWER_MS)) === kind;
  }

  /** The connection is closed, and nobody else has the lock: not even a process that hangs. */
  async #isGone(): Promise<boolean> {
    if (this.#isOpen) return false;
    // A process that ends does not close everything at once.
    const deadline = performance.now() + GONE_MS;
    while ((await this.#lock.others()).length > 0) {
      if (performance.now() > deadline) return false;
      await after(GONE_LOOK_MS);
    }
    return true;
  }
}

interface Paused {
  readonly kind: 'paused';
  readonly channel: Channel;
  readonly predecessor: Predecessor;
}

interface Refused {
  readonly kind: 'no';
  readonly reason: string;
  /** Whether it need not be asked again. */
  readonly isFinal: boolean;
  /** It listens, and says nothing. */
  readonly isSilent?: boolean;
}

/** Asks whoever listens at a socket to pause. */
async function ask(path: string): Promise<Paused | Refused> {
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
  } catch (error) {
    return refusalBy(error);
  }
  return await askOn(socket);
}

async function askOn(socket: Socket): Promise<Paused | Refused> {
  const channel = new Channel(socket);
  channel.send({ kind: TAKE_OVER, pid: process.pid, uid: process.geteuid?.() ?? -1 });
  let answer = await channel.next(ANSWER_MS);
  if (kindOf(answer) === 'pausing') answer = await channel.next(PAUSE_MS);
  const predecessor = predecessorOf(answer);
  if (predecessor !== undefined) return { kind: 'paused', channel, predecessor };
  const isSilent = answer === undefined && !channel.isClosed;
  channel.close();
  if (isSilent) {
    const reason = 'it does not answer; end it (SIGKILL), then start again';
    return { kind: 'no', reason, isFinal: false, isSilent: true };
  }
  return refusalIn(answer);
}

function refusalIn(answer: unknown): Refused {
  if (typeof answer === 'object' && answer !== null && 'reason' in answer) {
    const isPassing = 'isPassing' in answer && answer.isPassing === true;
    return { kind: 'no', reason: String(answer.reason), isFinal: !isPassing };
  }
  const reason = 'it starts, or is of a build that cannot be taken over from; stop it first';
  return { kind: 'no', reason, isFinal: false };
}

function refusalBy(error: unknown): Refused {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EACCES' || code === 'EPERM') {
    return { kind: 'no', reason: 'it runs as another user', isFinal: true };
  }
  return { kind: 'no', reason: String(error), isFinal: false };
}

function predecessorOf(answer: unknown): Predecessor | undefined {
  if (kindOf(answer) !== 'paused' || typeof answer !== 'object') return undefined;
  const { pid, port, serves, directories }: Readonly<Record<string, unknown>> = { ...answer };
  const isPlain = Number.isSafeInteger(pid) && Number.isSafeInteger(port);
  if (!isPlain || !Array.isArray(directories)) return undefined;
  return {
    pid: Number(pid),
    port: Number(port),
    serves: serves === true,
    directories: directories.map(String),
  };
}
