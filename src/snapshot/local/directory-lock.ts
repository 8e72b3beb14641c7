/**
 * Locks the directory of local copies for one process: two would remove each other's copies.
 *
 * Whoever starts listens on a Unix socket of its own name in the directory, and only then looks for others. A process
 * that was killed listens no more, so its socket is void, in whatever container or under whatever process id it ran;
 * and of two that start at once, the one that looks last sees the other. Nobody removes a socket to take its name.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

/** No snapshot id has a tilde, so no local copy has such a name; `~lock` alone is that of older builds. */
const LOCK_NAME = /^~lock(?:-[0-9a-f]{8})?$/;

/** A socket's path may be no longer (108 bytes on Linux, 104 elsewhere, with a NUL). */
const LONGEST_PATH = 103;
const LONGEST_NAME = '~lock-01234567';

/**
 * Looks at most. Those that start at once give way to each other, and look again after random delays, so that one of
 * them finds itself alone.
 */
const LOOKS_MAX = 20;

/** Who starts takes a new name for each look: a socket that is there for this many of them is that of an instance. */
const LOOKS_AT_ONE = 4;

const FIRST_DELAY_MS = 50;
const LONGEST_DELAY_MS = 800;

/**
 * Locks the directory, which is created where it does not exist; `release` unlocks it.
 *
 * @throws {Error} somebody else has it; or the system's own, where it cannot be made or written to.
 */
export async function lockDirectory(directory: string): Promise<{ release(): Promise<void> }> {
  await mkdir(directory, { recursive: true });
  const handle = await open(directory, 'r');
  // Linux lets a long path be a short one, by way of the open directory.
  const isLong = Buffer.byteLength(join(directory, LONGEST_NAME)) > LONGEST_PATH;
  try {
    const server = await listenAlone(isLong ? `/proc/self/fd/${handle.fd}` : directory, directory);
    return {
      release: async () => {
        await closed(server);
        await handle.close();
      },
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** @param path of the directory, short enough for a socket in it. */
async function listenAlone(path: string, directory: string): Promise<Server> {
  const looksAt = new Map<string, number>();
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const name = `~lock-${randomBytes(4).toString('hex')}`;
    const server = await listen(join(path, name));
    const { living, dead } = await othersIn(path, name);
    // Whoever looked before this process listened may have taken its socket for a dead one, and removed it.
    if (living.length === 0 && (await isThere(join(path, name)))) {
      for (const one of dead) await rm(join(path, one), { force: true });
      return server;
    }
    await closed(server);
    for (const one of living) looksAt.set(one, (looksAt.get(one) ?? 0) + 1);
    if (Math.max(0, ...looksAt.values()) >= LOOKS_AT_ONE) break;
    await after(randomInt(Math.min(FIRST_DELAY_MS * 2 ** look, LONGEST_DELAY_MS)));
  }
  throw new Error(`${directory} is in use by another instance`);
}

async function listen(path: string): Promise<Server> {
  return await new Promise((resolve, reject) => {
    // Nothing is ever said: that it can be connected to is the answer.
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** Removes its socket, too. */
async function closed(server: Server): Promise<void> {
  await new Promise((resolve) => server.close(resolve));
}

/** The other sockets in the directory: of processes that live, and of those that are gone. */
async function othersIn(
  path: string,
  own: string,
): Promise<{ readonly living: readonly string[]; readonly dead: readonly string[] }> {
  const living: string[] = [];
  const dead: string[] = [];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (!entry.isSocket() || !LOCK_NAME.test(entry.name) || entry.name === own) continue;
    ((await isListening(join(path, entry.name))) ? living : dead).push(entry.name);
  }
  return { living, dead };
}

/** A refusal says that nobody listens; any other failure, such as a full queue of a process that is stopped, does not. */
async function isListening(path: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT');
    });
  });
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
