/** Runs a child process for one task: at a low priority, killed at its deadline, with the reason of its end. */
import { fork, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { deadlineWithin } from '../files/deadline.js';
import { childEnvironment, startChild } from './child-process.js';

/** Low priority of the child: fronts keep the cores, and an import under load does not starve. */
const NICENESS = 10;

/** Time for the exit after the last message; closing threads and files takes less. */
const EXIT_MS = 5000;

/** Time for the exit of a killed child, which a hanging disk may hold. */
const ABANDON_MS = 2000;

/** Characters from the end of stderr for the error message. */
const MAX_STDERR_CHARS = 4096;

export interface ChildRun<Message> {
  /** Name of the child in messages, such as `the import`. */
  readonly what: string;
  readonly role: 'import' | 'archive';
  readonly module: URL;
  /** The only message to the child. */
  readonly request: object;
  readonly deadlineMs: number;
  /** Kills the child at once. */
  readonly signal: AbortSignal;
  /** Called with the id of the child; with undefined when it has exited or only frees its memory. */
  readonly onProcess?: ((pid: number | undefined) => void) | undefined;
  /**
   * Called with each message; returns whether more messages follow (`goes on`), the run resolves at once (`is done`),
   * or it resolves when the child has exited (`ends`).
   */
  readonly onMessage: (message: Message) => 'goes on' | 'is done' | 'ends';
}

/**
 * Resolves with the last message and one sentence on the end: at a message for which `onMessage` returns `is done`,
 * otherwise after the child's exit and all its output.
 */
export async function runChild<Message>({
  what,
  role,
  module,
  request,
  deadlineMs,
  signal,
  onProcess,
  onMessage,
}: ChildRun<Message>): Promise<{ readonly last: Message | undefined; readonly how: string }> {
  const deadline = deadlineWithin(deadlineMs, signal);
  const { process: child, ended } = startChild(role, () =>
    fork(module, { env: childEnvironment(), stdio: ['ignore', 'ignore', 'pipe', 'ipc'] }),
  );
  lowerPriority(child);
  onProcess?.(child.pid);
  const reasonOnStderr = collectStderr(child);
  let last: Message | undefined;
  let exitTimer: NodeJS.Timeout | undefined;
  const abandon = (): void => {
    child.unref();
    child.channel?.unref();
    child.stderr?.destroy();
  };
  const kill = (): void => {
    child.kill('SIGKILL');
    clearTimeout(exitTimer);
    exitTimer = setTimeout(abandon, ABANDON_MS);
  };
  deadline.signal.addEventListener('abort', kill);
  const done = new Promise<undefined>((resolve) => {
    child.on('message', (message: Message) => {
      last = message;
      const then = onMessage(message);
      if (then === 'goes on') return;
      exitTimer = setTimeout(kill, EXIT_MS);
      // The run does not wait for the child to free its memory, which takes a tenth of a second.
      if (then === 'is done') resolve(undefined);
    });
  });
  void ended.then(() => {
    clearTimeout(exitTimer);
  });
  // A message that a dead child does not get is ignored: the exit reports the end.
  child.send(request, () => undefined);
  try {
    const end = await Promise.race([done, ended]);
    if (signal.aborted) return { last, how: `${what} was called off` };
    if (deadline.isOver()) return { last, how: `${what} was not done after ${deadlineMs} ms` };
    if (end === undefined) return { last, how: `${what} is done` };
    if (end.failure !== undefined)
      return { last, how: `${what} cannot be started: ${end.failure}` };
    const { code, signal: killedBy } = end;
    const how = killedBy === null ? `with exit code ${code ?? 'unknown'}` : `by ${killedBy}`;
    return { last, how: `${what} ended without a result, ${how}${reasonOnStderr()}` };
  } finally {
    deadline.signal.removeEventListener('abort', kill);
    deadline.end();
    onProcess?.(undefined);
  }
}

/** Called before the child starts threads, which inherit its priority. */
function lowerPriority(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    setPriority(child.pid, NICENESS);
  } catch {
    // The child has ended, or the system lacks priorities.
  }
}

function collectStderr(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-MAX_STDERR_CHARS);
  });
  return () => {
    const lines = text.split('\n').map((line) => line.trim());
    // V8 prints its reason among lines of addresses; other programs give theirs in the first line.
    const line = lines.find((each) => /^FATAL|Error/.test(each)) ?? lines.find(Boolean);
    return line === undefined ? '' : `: ${line}`;
  };
}
