/** The Unix sockets in a directory of local copies: one for each process that has, or wants, the directory. */
import { readlinkSync } from 'node:fs';
import { readdir, rename, rm, symlink } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { join } from 'node:path';

/** Leads to the socket of the instance that has the directory. No snapshot id has a tilde, so no local copy has this name. */
export const ADMIN_SOCKET = '~admin.sock';

const LOCK_NAME = /^~lock-[0-9a-f]{8}$/;

/** Names of the lock sockets in a directory but this one: of processes that live, and of those that are gone. */
export async function otherLocks(
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

/** Has `ADMIN_SOCKET` lead to this socket, by one rename. */
export async function pointAdminSocket(path: string, name: string): Promise<void> {
  const link = join(path, `${ADMIN_SOCKET}.new`);
  await rm(link, { force: true });
  await symlink(name, link);
  await rename(link, join(path, ADMIN_SOCKET));
}

/** The name of the socket that `ADMIN_SOCKET` leads to; undefined before the first instance. */
export function adminSocketName(path: string): string | undefined {
  try {
    return readlinkSync(join(path, ADMIN_SOCKET));
  } catch {
    return undefined;
  }
}

/** Whether a process listens at the path; one whose queue is full, or that is stopped, does. */
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
