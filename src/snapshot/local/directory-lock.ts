/** Locks the directory of local copies for one process: two would remove each other's copies. */
import { mkdir, open, rm } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** No snapshot id has a tilde, so no local copy has this name. */
const LOCK_FILE = '~lock';

/** A socket's path may be no longer (108 bytes on Linux, 104 elsewhere, with a NUL). */
const LONGEST_PATH = 103;

/**
 * Locks the directory, which is created where it does not exist; `release` unlocks it.
 *
 * The lock is a Unix socket that somebody listens on: a process that was killed listens no more, so its
 * lock is void, in whatever container or under whatever process id it ran.
 *
 * @throws {Error} somebody else has it; or the system's own, where it cannot be made or written to.
 */
export async function lockDirectory(directory: string): Promise<{ release(): Promise<void> }> {
  await mkdir(directory, { recursive: true });
  const handle = await open(directory, 'r');
  const path = join(directory, LOCK_FILE);
  // Linux lets a long path be a short one, by way of the open directory.
  const isLong = Buffer.byteLength(path) > LONGEST_PATH;
  try {
    const server = await listenAlone(
      isLong ? `/proc/self/fd/${handle.fd}/${LOCK_FILE}` : path,
      directory,
    );
    return {
      release: async () => {
        await new Promise((resolve) => server.close(resolve));
        await handle.close();
      },
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function listenAlone(path: string, directory: string): Promise<Server> {
  const first = await listen(path);
  if (first !== undefined) return first;
  if (!(await isListening(path))) {
    await rm(path, { force: true });
    const second = await listen(path);
    if (second !== undefined) return second;
  }
  throw new Error(`${directory} is in use by another instance`);
}

/** Undefined where the path is taken, by a living process or by what a dead one left. */
async function listen(path: string): Promise<Server | undefined> {
  return await new Promise((resolve, reject) => {
    // Nothing is ever said: that it can be connected to is the answer.
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

async function isListening(path: string): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}
