/** A child process of the supervisor: how it is started, how it has ended, and what it inherits of the environment. */
import { ChildProcess } from 'node:child_process';

/** How many processes of each role could not be started. */
export const failedStarts = { front: 0, import: 0, archive: 0 };

/** How a process ended: by a code or by a signal; or why it could not be started. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly failure?: string;
}

export interface Child {
  /** Has no `pid` where it could not be started; then nothing is sent to it, and nothing killed. */
  readonly process: ChildProcess;
  /** Resolves when the process is gone and all that it has sent was read. Never rejects. */
  readonly ended: Promise<ChildEnd>;
}

/**
 * Starts a child process; a failed start (no files, memory, processes or program) is reported as its end, not thrown.
 * Node throws some of these errors, and leaves others a process without `send`, whose `kill` would end this whole
 * group.
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
    // A started process emits `close` too; later errors, such as a signal to a process that has exited, are harmless.
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

/** For messages: `exit code 1`, `SIGKILL`, `it cannot be started (spawn EMFILE)`. */
export function describeEnd({ code, signal, failure }: ChildEnd): string {
  if (failure !== undefined) return `it cannot be started (${failure})`;
  return signal ?? `exit code ${code ?? 'unknown'}`;
}

/** Settings with passwords in them. A child that needs the store's address gets it in a message. */
const SECRET = /^(?:SNAPSHOT_STORE$|REDIS_)/;

/** The environment of this process without what gives access to the store. */
export function childEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !SECRET.test(name)));
}
