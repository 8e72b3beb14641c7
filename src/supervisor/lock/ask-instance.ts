/** Asks the instance of a directory of local copies, through its socket. */
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { openDirectory } from '../../snapshot/local/open-directory.js';
import { ADMIN_SOCKET } from './directory-lock.js';

/** `nobody`: no instance; `denied`: no permission; `starting`: retry soon; `silent`: no valid answer in time. */
export type Reply =
  | { readonly kind: 'reply'; readonly body: string }
  | { readonly kind: 'silent' | 'starting' | 'denied' | 'nobody' };

/** Delay after a cut connection or a full queue. */
const AGAIN_MS = 20;

/** The instance's answer; `nobody` without an instance. Never fails. */
export async function askInstance(
  directory: string,
  path: string,
  timeoutMs: number,
): Promise<Reply> {
  const signal = AbortSignal.timeout(timeoutMs);
  for (;;) {
    try {
      return await ask(directory, path, signal);
    } catch (error) {
      const kind = kindOf(error);
      if (kind !== 'cut') return { kind };
      await after(AGAIN_MS);
    }
  }
}

async function ask(directory: string, path: string, signal: AbortSignal): Promise<Reply> {
  const opened = openDirectory(directory);
  try {
    const socketPath = join(opened.path, ADMIN_SOCKET);
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      get({ socketPath, path, signal, agent: false }, resolve).once('error', reject);
    });
    const body = await text(message);
    if (message.statusCode === 200) return { kind: 'reply', body };
    return { kind: message.statusCode === 503 ? 'starting' : 'silent' };
  } finally {
    opened.close();
  }
}

/** Kind of a failure. A refused connection means that nobody listens; most other failures do not. */
function kindOf(error: unknown): 'silent' | 'cut' | 'denied' | 'nobody' {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ECONNREFUSED' || code === 'ENOENT') return 'nobody';
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'EAGAIN') return 'cut';
  return code === 'EACCES' || code === 'EPERM' ? 'denied' : 'silent';
}
