/** Asks the instance that has a directory of local copies, through the socket of its lock. */
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ADMIN_SOCKET, openDirectory } from './sockets.js';

/** `silent`: somebody listens, and has said nothing in time; `starting`: it will answer soon. */
export type Reply =
  | { readonly kind: 'reply'; readonly body: string }
  | { readonly kind: 'silent' | 'starting' | 'denied' | 'nobody' };

/** What the instance answers under this path; `nobody` where none runs with this directory. Never fails. */
export async function askInstance(
  directory: string,
  path: string,
  timeoutMs: number,
): Promise<Reply> {
  try {
    const opened = openDirectory(directory);
    try {
      const socketPath = join(opened.path, ADMIN_SOCKET);
      const signal = AbortSignal.timeout(timeoutMs);
      const message = await new Promise<IncomingMessage>((resolve, reject) => {
        get({ socketPath, path, signal, agent: false }, resolve).once('error', reject);
      });
      const body = await text(message);
      if (message.statusCode === 200) return { kind: 'reply', body };
      return { kind: message.statusCode === 503 ? 'starting' : 'silent' };
    } finally {
      opened.close();
    }
  } catch (error) {
    return { kind: kindOf(error) };
  }
}

/** A refusal says that nobody listens; most other failures, such as a full queue of a process that is stopped, do not. */
function kindOf(error: unknown): 'silent' | 'denied' | 'nobody' {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'nobody';
  return code === 'EACCES' || code === 'EPERM' ? 'denied' : 'silent';
}
