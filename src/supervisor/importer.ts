/** Starts an import process, which makes one local copy, and handles every way in which it can end. */
import { fork, type ChildProcess } from 'node:child_process';
import { setPriority } from 'node:os';
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';
import { removeLeftovers } from '../snapshot/local/copies.js';
import { childEnvironment, startChild } from '../snapshot/store/child-process.js';
import type { ImportRequest, ImportResult, ImportUsage } from '../workers/messages.js';

/** Nice enough that fronts keep the cores, not so nice that an import starves under load. */
const NICENESS = 10;

/** Time in which a child that has sent its result has to exit; closing its threads and files takes less. */
const EXIT_MS = 5000;

/** A killed child that is still there is held by a disk that hangs: this process ends without it. */
const ABANDON_MS = 2000;

/** Characters from the end of the child's stderr that are held for the error message. */
const MAX_STDERR_CHARS = 4096;

export interface ImportOptions {
  /** An import that takes longer is killed. */
  readonly deadlineMs: number;
  /** Kills it at once. */
  readonly signal: AbortSignal;
  /** Called with the id of its process, and with undefined when that is gone or has nothing left to do. */
  readonly onProcess?: (pid: number | undefined) => void;
  /** Called with what it has taken, unless it was killed. */
  readonly onUsage?: (usage: ImportUsage) => void;
}

/**
 * Has a local copy made by a process of its own, at a low priority; when it resolves, the copy is there and the process
 * has nothing left to do but to end.
 *
 * After a failure the process is gone, and nothing of it is left on the disk.
 *
 * @throws {SnapshotError} the import's own, or `import_failed`: killed, called off, past its deadline, out of
 *   memory, or ended without a result.
 */
export async function importSnapshot(
  request: ImportRequest,
  { deadlineMs, signal, onProcess, onUsage }: ImportOptions,
): Promise<Extract<ImportResult, { ok: true }>> {
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(deadlineMs);
  const end = await runChild(request, AbortSignal.any([signal, deadline]), onProcess);
  if (end.result !== undefined) onUsage?.(end.result.usage);
  if (end.result?.ok === true) return end.result;
  await removeLeftovers(request.directory);
  if (end.result !== undefined) {
    throw new SnapshotError(end.result.failure.code, end.result.failure.message);
  }
  if (signal.aborted) throw new SnapshotError('import_failed', 'the import was called off');
  throw new SnapshotError(
    'import_failed',
    deadline.aborted ? `the import was not done after ${deadlineMs} ms` : end.how,
  );
}

interface End {
  readonly result: ImportResult | undefined;
  /** One sentence: how the process ended. */
  readonly how: string;
}

/** Resolves when the process is gone and all it said has been read. */
async function runChild(
  request: ImportRequest,
  signal: AbortSignal,
  onProcess: ImportOptions['onProcess'],
): Promise<End> {
  const child = startChild('import', () =>
    fork(new URL('../workers/import-process.js', import.meta.url), {
      env: childEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    }),
  );
  lowerPriority(child);
  onProcess?.(child.pid);
  const reasonOnStderr = collectStderr(child);
  let result: ImportResult | undefined;
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
  signal.addEventListener('abort', kill);
  const done = new Promise<string>((resolve) => {
    child.once('message', (message: ImportResult) => {
      result = message;
      exitTimer = setTimeout(kill, EXIT_MS);
      // Its memory takes a tenth of a second to free, which nobody has to wait for.
      if (message.ok) resolve('done');
    });
  });
  // A child that ends before it has read the request is noticed by its end.
  child.send(request, () => undefined);
  try {
    const gone = new Promise<string>((resolve) => {
      child.once('error', (error) => {
        // Only a process that never was has no `close`.
        if (child.pid === undefined) resolve(`the import cannot be started: ${error.message}`);
      });
      child.once('close', (code, killedBy) => {
        clearTimeout(exitTimer);
        const how = killedBy === null ? `with exit code ${code ?? 'unknown'}` : `by ${killedBy}`;
        resolve(`the import ended without a result, ${how}${reasonOnStderr()}`);
      });
    });
    return { how: await Promise.race([done, gone]), result };
  } finally {
    signal.removeEventListener('abort', kill);
    onProcess?.(undefined);
  }
}

/** Before the child has started its own threads: they take over its priority. */
function lowerPriority(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    setPriority(child.pid, NICENESS);
  } catch {
    // It has ended already, or the system has no such thing; the import is right without it.
  }
}

function collectStderr(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-MAX_STDERR_CHARS);
  });
  return () => {
    const lines = text.split('\n').map((line) => line.trim());
    // V8 prints its reason between addresses; otherwise the first line says most.
    const line = lines.find((each) => /^FATAL|Error/.test(each)) ?? lines.find(Boolean);
    return line === undefined ? '' : `: ${line}`;
  };
}
