/**
 * Locks the directory of local copies for one process: two would remove each other's copies.
 *
 * Whoever starts listens on a Unix socket of its own name in the directory, and only then looks for others. A process
 * that was killed listens no more, so its socket is void, in whatever container or under whatever process id it ran;
 * and of two that start at once, the one that looks last sees the other. Nobody removes a socket to take its name.
 *
 * What others remove all the same, sockets or the whole directory, is made again by `restore`. Until then the directory
 * is locked by a socket without a file, whose name is its device and inode, for all in the same network namespace.
 *
 * The socket serves HTTP: it is where operators ask the instance that has the lock
 * (`docs/operations/monitoring.md, "Looking at an instance"`).
 */
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, stat } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { systemCode } from '../../files/file-error.js';
import { identityAt } from '../../snapshot/local/identity.js';
import { openDirectory, type OpenDirectory } from '../../snapshot/local/open-directory.js';
import { OperatorsServer } from '../operators/operators-server.js';
import { adminSocketName, otherLocks, pointAdminSocket } from './sockets.js';

/**
 * Looks at most. Those that start at once give way to each other, and look again after random delays, so that one of
 * them finds itself alone.
 */
const LOOKS_MAX = 20;

/** Who starts takes a new name for each look: a socket that is there for this many of them is that of an instance. */
const LOOKS_AT_ONE = 4;

/** Who takes over waits for so many of the shortest delays. */
const CLAIMS_MAX = 20;

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 800;

interface OwnSocket {
  readonly name: string;
  readonly door: OperatorsServer;
}

/** A directory while it is locked. */
interface Held extends OwnSocket {
  readonly directory: OpenDirectory;
  /** Undefined while the instance beside which it was locked has it. */
  guard: Server | undefined;
}

interface HoldOptions {
  /** Name of the socket of the instance beside which it may be locked. Default: none. */
  readonly predecessor?: string | undefined;
  /** Where it is held already. Default: it is not. */
  readonly guard?: Server | undefined;
}

/** What was made again. */
export type Restored = 'sockets' | 'directory';

export class DirectoryLock {
  readonly #directory: string;
  /** Name of the socket of the instance beside which it was locked. */
  readonly #predecessor: string | undefined;
  #held: Held;
  #listener: RequestListener | undefined;
  /** Somebody else has the directory, or it cannot be made again. */
  #isLost = false;
  #isReleased = false;

  constructor(directory: string, held: Held, predecessor: string | undefined) {
    this.#directory = directory;
    this.#held = held;
    this.#predecessor = predecessor;
  }

  /** Whether the instance beside which it was locked still has the directory. */
  async hasPredecessor(): Promise<boolean> {
    const { directory, name } = this.#held;
    if (this.#predecessor === undefined) return false;
    return (await otherLocks(directory.path, name)).living.includes(this.#predecessor);
  }

  /** Whether another process wants the directory: one that takes over, or one that has just been started. */
  async isAwaited(): Promise<boolean> {
    const { directory, name } = this.#held;
    return (await this.isOwn()) && (await otherLocks(directory.path, name)).living.length > 0;
  }

  /** Whether the path leads to the directory that is locked: what else lies there is not this process's. */
  async isOwn(): Promise<boolean> {
    if (this.#isLost || this.#isReleased) return false;
    const { identity } = this.#held.directory;
    return (await identityAt(this.#directory).catch(() => undefined)) === identity;
  }

  /** From now on operators are answered, and find this instance under `ADMIN_SOCKET`. */
  async serve(listener: RequestListener): Promise<void> {
    const { door, directory, name } = this.#held;
    this.#held.guard ??= await this.#claim(directory.identity);
    if (this.#held.guard === undefined) throw inUse(this.#directory);
    door.listener = listener;
    await pointAdminSocket(directory.path, name);
    this.#listener = listener;
  }

  /** What was killed may have it a moment longer, until the last of its threads has ended. */
  async #claim(identity: string): Promise<Server | undefined> {
    const looks = this.#predecessor === undefined ? 1 : CLAIMS_MAX;
    for (let look = 1; ; look += 1) {
      const guard = await claimIdentity(identity);
      if (guard !== undefined || look === looks) return guard;
      await after(FIRST_DELAY_MS);
    }
  }

  /**
   * Makes again what others have removed or replaced, once it is served; undefined where all is there.
   *
   * @throws {Error} somebody else has the directory now; or the system's own, where it cannot be made.
   */
  async restore(): Promise<Restored | undefined> {
    const listener = this.#listener;
    if (listener === undefined || this.#isReleased) return undefined;
    const before = this.#held;
    const { directory, name } = before;
    const isSame = (await identityAt(this.#directory)) === directory.identity;
    const hasSocket = isSame && (await isThere(join(directory.path, name)));
    if (hasSocket && adminSocketName(directory.path) === name) {
      this.#isLost = false;
      return undefined;
    }
    if (!hasSocket) {
      this.#isLost = true;
      const held = await hold(this.#directory, isSame ? before : {});
      if (held === undefined) throw inUse(this.#directory);
      this.#held = held;
      letGo({ ...before, guard: held.guard === before.guard ? undefined : before.guard });
      this.#isLost = false;
    }
    await this.serve(listener);
    return isSame ? 'sockets' : 'directory';
  }

  /** May be called again. */
  release(): Promise<void> {
    if (!this.#isReleased) letGo(this.#held);
    this.#isReleased = true;
    return Promise.resolve();
  }
}

/**
 * Locks the directory, which is created where it does not exist; `release` unlocks it.
 *
 * @param beside whether it may be locked beside the instance that has it, by one process at a time.
 * @throws {Error} somebody else has it; or the system's own, where it cannot be made or written to.
 */
export async function lockDirectory(
  directory: string,
  { beside = false } = {},
): Promise<DirectoryLock> {
  const predecessor = beside ? adminSocketName(directory) : undefined;
  const held = await hold(directory, { predecessor });
  if (held === undefined) {
    if (!beside) throw inUse(directory);
    const reason = 'another one is taking over, or its sockets were removed just now: try again';
    throw new Error(`cannot take over from the instance that has ${directory}: ${reason}`);
  }
  if (!beside) await pointAdminSocket(held.directory.path, held.name);
  return new DirectoryLock(directory, held, predecessor);
}

function inUse(directory: string): Error {
  return new Error(`${directory} is in use by another instance`);
}

/** Undefined where somebody else has it, whose sockets may have been removed. */
async function hold(
  directory: string,
  { predecessor, guard: own }: HoldOptions,
): Promise<Held | undefined> {
  await mkdir(directory, { recursive: true });
  const opened = openDirectory(directory);
  let guard = own;
  const giveUp = (): void => {
    if (guard !== own) guard?.close();
    opened.close();
  };
  try {
    const { living } = await otherLocks(opened.path, '');
    const isBeside = predecessor !== undefined && living.includes(predecessor);
    if (!isBeside) guard ??= await claimIdentity(opened.identity);
    const isFree = guard !== undefined || isBeside;
    const socket = isFree ? await listenAlone(opened.path, predecessor) : undefined;
    if (socket !== undefined) return { ...socket, directory: opened, guard };
    giveUp();
    return undefined;
  } catch (error) {
    giveUp();
    throw error;
  }
}

function letGo({ door, guard, directory }: Held): void {
  door.close();
  guard?.close();
  directory.close();
}

/**
 * Listens under the directory's own identity, on a name that no file has and nobody can remove (unix(7), abstract sockets);
 * undefined where somebody does. Other systems than Linux have no such names, and other network namespaces others.
 */
async function claimIdentity(identity: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy());
  // Of a connection that cannot be accepted.
  server.on('error', () => undefined);
  if (process.platform !== 'linux') return server;
  try {
    server.listen(`\0bura-lock-${identity}`).unref();
    await once(server, 'listening');
  } catch (error) {
    if (systemCode(error) === 'EADDRINUSE') return undefined;
  }
  return server;
}

/**
 * A socket beside which there is no other one but `ignored`; undefined where there is.
 *
 * @param path of the directory, short enough for a socket in it.
 */
async function listenAlone(
  path: string,
  ignored: string | undefined,
): Promise<OwnSocket | undefined> {
  const looksAt = new Map<string, number>();
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const name = `~lock-${randomBytes(4).toString('hex')}`;
    const door = await listen(join(path, name));
    const { living, dead } = await otherLocks(path, name);
    const others = living.filter((one) => one !== ignored);
    // Whoever looked before this process listened may have taken its socket for a dead one, and removed it.
    if (others.length === 0 && (await isThere(join(path, name)))) {
      for (const one of dead) await rm(join(path, one), { force: true });
      return { name, door };
    }
    door.close();
    for (const one of others) looksAt.set(one, (looksAt.get(one) ?? 0) + 1);
    if (Math.max(0, ...looksAt.values()) >= LOOKS_AT_ONE) break;
    await after(randomInt(Math.min(FIRST_DELAY_MS * 2 ** look, LONGEST_DELAY_MS)));
  }
  return undefined;
}

/** @throws {Error} the system's own, where the socket cannot be made. */
async function listen(path: string): Promise<OperatorsServer> {
  const door = new OperatorsServer((_request, response) => {
    response
      .writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' })
      .end('The instance is starting.\n');
  });
  await once(door.server.listen(path).unref(), 'listening');
  return door;
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
