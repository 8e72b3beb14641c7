/**
 * Locks the directory of local copies for one process: two would remove each other's copies.
 *
 * The lock is flock(2) on a file that only its user can open; the kernel frees it when the process is gone. Node lacks
 * the call, so the program flock of util-linux makes it on an inherited descriptor. The lock holds for all processes
 * that see the directory, in other containers too.
 *
 * The holder alone listens on the socket for operators (`docs/operations/monitoring.md, "Looking at an instance"`).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { systemCode } from '../../files/file-error.js';
import { identityAt } from '../../snapshot/local/identity.js';
import { openDirectory, type OpenDirectory } from '../../snapshot/local/open-directory.js';
import { OperatorsServer } from '../operators/operators-server.js';

/** Names with a tilde, which no snapshot id has, so that they are no local copies. */
export const ADMIN_SOCKET = '~admin.sock';
const LOCK_FILE = '~lock';

/** Exit code of flock where another process has the lock. */
const TAKEN = 1;

export class DirectoryLock {
  readonly #path: string;
  readonly #directory: OpenDirectory;
  /** Open file of the lock. */
  readonly #descriptor: number;
  readonly #operators: OperatorsServer;
  #isLost = false;

  private constructor(path: string, directory: OpenDirectory, descriptor: number) {
    this.#path = path;
    this.#directory = directory;
    this.#descriptor = descriptor;
    this.#operators = new OperatorsServer((_request, response) => {
      response
        .writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' })
        .end('The instance is starting.\n');
    });
  }

  /**
   * Locks the directory, and creates it where needed.
   *
   * @throws {Error} one line: another instance has it, there is no program flock, or the system's own.
   */
  static async take(path: string): Promise<DirectoryLock> {
    await mkdir(path, { recursive: true });
    const directory = openDirectory(path);
    const descriptor = openSync(join(path, LOCK_FILE), 'a', 0o600);
    const lock = new DirectoryLock(path, directory, descriptor);
    try {
      if (!(await isLocked(descriptor))) throw new Error(`${path} is in use by another instance`);
      const socket = join(directory.path, ADMIN_SOCKET);
      await rm(socket, { force: true });
      await once(lock.#operators.server.listen(socket).unref(), 'listening');
      return lock;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** Whether the path still leads to the locked directory. */
  async isInPlace(): Promise<boolean> {
    this.#isLost = (await identityAt(this.#path)) !== this.#directory.identity;
    return !this.#isLost;
  }

  /** Sets the listener for operators. */
  serve(listener: RequestListener): void {
    this.#operators.listener = listener;
  }

  release(): void {
    // After a loss the server is not closed, as that would remove the socket of a new instance.
    if (this.#isLost) this.#operators.server.closeAllConnections();
    else this.#operators.close();
    closeSync(this.#descriptor);
    this.#directory.close();
  }
}

/** Locks an open file; false where another process has the lock. */
async function isLocked(descriptor: number): Promise<boolean> {
  const flock = spawn('flock', ['--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'inherit', descriptor],
  });
  const [code] = (await once(flock, 'close').catch((cause: unknown) => {
    const reason = systemCode(cause) === 'ENOENT' ? 'it is not installed' : String(cause);
    const message = `LOCAL_DIR cannot be locked by the program flock (util-linux): ${reason}`;
    throw new Error(message, { cause });
  })) as [number | null];
  if (code !== 0 && code !== TAKEN) throw new Error('LOCAL_DIR cannot be locked on this disk');
  return code === 0;
}
