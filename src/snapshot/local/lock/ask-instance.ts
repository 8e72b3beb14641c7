/** Asks the instance that has a directory of local copies (`lock-socket.ts` says how). */
import { join } from 'node:path';
import { lockNames, openDirectory, send, type InstanceMessage, type Reply } from './lock-socket.js';

/** How telling a reply is: where several processes listen, those that give way to the owner of the lock say nothing. */
const TELLING: readonly Reply['kind'][] = ['reply', 'silent', 'denied', 'nobody'];

/** The reply of the instance; `nobody` where none runs with this directory. Never fails. */
export async function askInstance(
  directory: string,
  message: InstanceMessage,
  timeoutMs: number,
): Promise<Reply> {
  try {
    const opened = openDirectory(directory);
    try {
      const names = await lockNames(opened.path);
      const replies = await Promise.all(
        names.map((name) => send(join(opened.path, name), message, timeoutMs)),
      );
      const found = TELLING.map((kind) => replies.find((reply) => reply.kind === kind));
      return found.find((reply) => reply !== undefined) ?? { kind: 'nobody' };
    } finally {
      opened.close();
    }
  } catch (error) {
    const isDenied = error instanceof Error && 'code' in error && error.code === 'EACCES';
    return { kind: isDenied ? 'denied' : 'nobody' };
  }
}
