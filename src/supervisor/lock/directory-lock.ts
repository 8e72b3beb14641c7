/**
 * Locks the directory of local copies for one process: two would remove each other's copies.
 *
 * Whoever starts listens on a Unix socket of its own name in the directory, and only then looks for others. A process
 * that was killed listens no more, so its socket is void, in whatever container or under whatever process id it ran;
 * and of two that start at once, the one that looks last sees the other. Nobody removes a socket to take its name.
 *
 * The socket serves HTTP: it is where operators ask the instance that has the lock
 * (`docs/operations/monitoring.md, "Looking at an instance"`).
 */
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, rm, stat } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { adminSocketName, openDirectory, otherLocks, pointAdminSocket } from './sockets.js';

/**
 * Looks at most. Those that start at once give way to each other, and look again after random delays, so that one of
 * them finds itself alone.
 */
const LOOKS_MAX = 20;

/** Who starts takes a new name for each look: a socket that is there for this many of them is that of an instance. */
const LOOKS_AT_ONE = 4;

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 800;

const CONNECTIONS_MAX = 16;

export interface DirectoryLock {
  /** Whether the instance beside which it was locked still has the directory. */
  hasPredecessor(): Promise<boolean>;
  /** Whether another process wants the directory: one that takes over, or one that has just been started. */
  isAwaited(): Promise<boolean>;
  /** From now on operators are answered, and find this instance under `ADMIN_SOCKET`. */
  serve(listener: RequestListener): Promise<void>;
  /** May be called again. */
  release(): Promise<void>;
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
  await mkdir(directory, { recursive: true });
  const opened = openDirectory(directory);
  try {
    const ignored = beside ? adminSocketName(opened.path) : undefined;
    const alone = await listenAlone(opened.path, ignored);
    if (alone === undefined) {
      const reason = 'another one is taking over';
      if (beside)
        throw new Error(`cannot take over from the instance that has ${directory}: ${reason}`);
      throw new Error(`${directory} is in use by another instance`);
    }
    const { name, server } = alone;
    let released: Promise<void> | undefined;
    const release = async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      opened.close();
      await Promise.resolve();
    };
    if (!beside) await pointAdminSocket(opened.path, name);
    return {
      hasPredecessor: async () =>
        ignored !== undefined && (await otherLocks(opened.path, name)).living.includes(ignored),
      isAwaited: async () => (await otherLocks(opened.path, name)).living.length > 0,
      serve: async (listener) => {
        server.removeAllListeners('request').on('request', listener);
        await pointAdminSocket(opened.path, name);
      },
      release: () => (released ??= release()),
    };
  } catch (error) {
    opened.close();
    throw error;
  }
}

/**
 * A socket beside which there is no other one but `ignored`; undefined where there is.
 *
 * @param path of the directory, short enough for a socket in it.
 */
async function listenAlone(
  path: string,
  ignored: string | undefined,
): Promise<{ readonly name: string; readonly server: Server } | undefined> {
  const looksAt = new Map<string, number>();
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const name = `~lock-${randomBytes(4).toString('hex')}`;
    const server = await listen(join(path, name));
    const { living, dead } = await otherLocks(path, name);
    const others = living.filter((one) => one !== ignored);
    // Whoever looked before this process listened may have taken its socket for a dead one, and removed it.
    if (others.length === 0 && (await isThere(join(path, name)))) {
      for (const one of dead) await rm(join(path, one), { force: true });
      return { name, server };
    }
    server.close();
    for (const one of others) looksAt.set(one, (looksAt.get(one) ?? 0) + 1);
    if (Math.max(0, ...looksAt.values()) >= LOOKS_AT_ONE) break;
    await after(randomInt(Math.min(FIRST_DELAY_MS * 2 ** look, LONGEST_DELAY_MS)));
  }
  return undefined;
}

/** @throws {Error} the system's own, where the socket cannot be made. */
async function listen(path: string): Promise<Server> {
  const server = createServer((_request, response) => {
    response.writeHead(503, { 'Content-Type': 'text/plain' }).end('The instance is starting.\n');
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.listen(path).unref();
  await once(server, 'listening');
  return server;
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
