/**
 * Locks the directory of local copies for one process: two would remove each other's copies.
 *
 * Whoever starts listens on a Unix socket of its own name in the directory, and only then looks for others. A process
 * that was killed listens no more, so its socket is void, in whatever container or under whatever process id it ran;
 * and of two that start at once, the one that looks last sees the other. Nobody removes a socket to take its name.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import {
  isListening,
  listen,
  lockNames,
  openDirectory,
  type AnswerMessage,
  type LockSocket,
  type TakeOverHandler,
} from './lock-socket.js';

/**
 * Looks at most. Those that start at once give way to each other, and look again after random delays, so that one of
 * them finds itself alone.
 */
const LOOKS_MAX = 20;

/** Who starts takes a new name for each look: a socket that is there for this many of them is that of an instance. */
const LOOKS_AT_ONE = 4;

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 800;

export interface DirectoryLock {
  /** Answers messages of other processes from now on. */
  onMessage(answer: AnswerMessage): void;
  /** Is given the connections of whoever wants to take the lock over. */
  onTakeOver(handler: TakeOverHandler): void;
  /** May be called again. */
  release(): Promise<void>;
}

/** A lock that others may have too. */
export interface SharedLock {
  readonly lock: DirectoryLock;
  /** Sockets of the others that live now, to be connected to. */
  others(): Promise<readonly string[]>;
}

/**
 * Locks the directory, which is created where it does not exist; `release` unlocks it.
 *
 * @throws {Error} somebody else has it; or the system's own, where it cannot be made or written to.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  return await inDirectory(directory, async (opened) =>
    lockOf(await listenAlone(opened.path, directory), opened),
  );
}

/**
 * Locks the directory beside whoever has it, for a process that will ask that one to leave: when it has left, nobody
 * else can lock it.
 *
 * @throws {Error} the system's own.
 */
export async function lockBeside(directory: string): Promise<SharedLock> {
  return await inDirectory(directory, async (opened) => {
    const name = newName();
    const socket = await listen(join(opened.path, name));
    return {
      lock: lockOf(socket, opened),
      others: async () => {
        const { living } = await othersIn(opened.path, name);
        return living.map((one) => join(opened.path, one));
      },
    };
  });
}

type OpenedDirectory = ReturnType<typeof openDirectory>;

async function inDirectory<T>(
  directory: string,
  work: (opened: OpenedDirectory) => Promise<T>,
): Promise<T> {
  await mkdir(directory, { recursive: true });
  const opened = openDirectory(directory);
  try {
    return await work(opened);
  } catch (error) {
    opened.close();
    throw error;
  }
}

function lockOf(socket: LockSocket, opened: OpenedDirectory): DirectoryLock {
  let released: Promise<void> | undefined;
  const release = async (): Promise<void> => {
    await socket.close();
    opened.close();
  };
  return {
    onMessage: (answer) => {
      socket.onMessage(answer);
    },
    onTakeOver: (handler) => {
      socket.onTakeOver(handler);
    },
    release: () => (released ??= release()),
  };
}

/** @param path of the directory, short enough for a socket in it. */
async function listenAlone(path: string, directory: string): Promise<LockSocket> {
  const looksAt = new Map<string, number>();
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const name = newName();
    const socket = await listen(join(path, name));
    const { living, dead } = await othersIn(path, name);
    // Whoever looked before this process listened may have taken its socket for a dead one, and removed it.
    if (living.length === 0 && (await isThere(join(path, name)))) {
      for (const one of dead) await rm(join(path, one), { force: true });
      return socket;
    }
    await socket.close();
    for (const one of living) looksAt.set(one, (looksAt.get(one) ?? 0) + 1);
    if (Math.max(0, ...looksAt.values()) >= LOOKS_AT_ONE) break;
    await after(randomInt(Math.min(FIRST_DELAY_MS * 2 ** look, LONGEST_DELAY_MS)));
  }
  throw new Error(`${directory} is in use by another instance`);
}

function newName(): string {
  return `~lock-${randomBytes(4).toString('hex')}`;
}

/** The other sockets in the directory: of processes that live, and of those that are gone. */
async function othersIn(
  path: string,
  own: string,
): Promise<{ readonly living: readonly string[]; readonly dead: readonly string[] }> {
  const living: string[] = [];
  const dead: string[] = [];
  for (const name of await lockNames(path)) {
    if (name === own) continue;
    ((await isListening(join(path, name))) ? living : dead).push(name);
  }
  return { living, dead };
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
