/** A child process of the supervisor: start, end, and environment. */
import { ChildProcess } from 'node:child_process';

/** Numbers of failed starts, by role. */
export const failedStarts = { front: 0, import: 0, archive: 0 };

/** How a process ended: code, signal, or the failure of its start. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly failure?: string;
}

export interface Child {
  /** The process; after a failed start it has no `pid`, and `send` and `kill` do nothing. */
  readonly process: ChildProcess;
  /** Resolves after the exit and all messages. Never rejects. */
  readonly ended: Promise<ChildEnd>;
}

/**
 * Starts a child process; a failed start (no files, memory, processes or program) is reported as its end, not thrown.
 * For some of these errors Node throws; for others it returns a process without `send`, whose `kill` would end this
 * whole process group.
 *
 * @param role label of failed starts; undefined for an optional process.
 */
export function startChild(
  role: keyof typeof failedStarts | undefined,
  start: () => ChildProcess,
): Child {
  const child = tryToStart(start);
  const ended = new Promise<ChildEnd>((resolve) => {
    child.once('close', (code, signal) => {
      resolve({ code, signal });
    });
    // Later errors, such as a signal to a process that has exited, are harmless.
    child.on('error', ({ message }) => {
      if (child.pid === undefined) resolve({ code: null, signal: null, failure: message });
    });
  });
  if (child.pid === undefined) {
    if (role !== undefined) failedStarts[role] += 1;
    Object.assign(child, { send: () => false, kill: () => false });
  }
  return { process: child, ended };
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

/** The end of a process in words: `exit code 1`, `SIGKILL`, `it cannot be started (spawn EMFILE)`. */
export function describeEnd({ code, signal, failure }: ChildEnd): string {
  if (failure !== undefined) return `it cannot be started (${failure})`;
  return signal ?? `exit code ${code ?? 'unknown'}`;
}

/** Settings with passwords; a child that needs them gets them in a message. */
const SECRET = /^(?:SNAPSHOT_STORE$|REDIS_)/;

/** The environment without credentials of the store. */
export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !SECRET.test(name)));
}
