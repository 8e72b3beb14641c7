/** Child processes: how they are started, and their environment, which is this process's own without what gives access to the store. */
import { ChildProcess } from 'node:child_process';

/** How many processes could not be started that operators look for. */
export const failedStarts = { front: 0, import: 0, archive: 0 };

/**
 * Starts a child process, and never throws: one that cannot be started, because open files, memory or processes are used
 * up or its program is not there, has no `pid`, and an `error` in the next turn. Nothing can be sent to it.
 *
 * Node itself throws some of these errors, and leaves a process that it had too few files for without `send`; its `kill`
 * would be one of this whole group.
 *
 * @param role what it is counted as; undefined for one that may be missing.
 */
export function startChild(
  role: keyof typeof failedStarts | undefined,
  start: () => ChildProcess,
): ChildProcess {
  const child = tryToStart(start);
  // What fails later, such as a signal to one that is gone, ends nobody.
  child.on('error', () => undefined);
  if (child.pid !== undefined) return child;
  if (role !== undefined) failedStarts[role] += 1;
  return Object.assign(child, { send: () => false, kill: () => false });
}

function tryToStart(start: () => ChildProcess): ChildProcess {
  try {
    return start();
  } catch (error) {
    const child = new ChildProcess();
    process.nextTick(() => child.emit('error', error));
    return child;
  }
}

/** Settings with passwords in them. Whoever needs the store's address gets it in a message. */
const SECRET = /^(?:SNAPSHOT_STORE$|REDIS_)/;

export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !SECRET.test(name)));
}
