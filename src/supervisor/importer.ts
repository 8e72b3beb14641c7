/** Runs an import process, which makes one local copy, and reports its end. */
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';
import { removeLeftovers } from '../snapshot/local/copies.js';
import type { ImportRequest, ImportResult, ImportUsage } from '../workers/messages.js';
import { runChild, type ChildRun } from './child-run.js';

export interface ImportProcessOptions extends Pick<
  ChildRun<ImportResult>,
  'deadlineMs' | 'signal' | 'onProcess'
> {
  /** Called with the usage that the process reports with its result; not called without a result. */
  readonly onUsage?: (usage: ImportUsage) => void;
}

/**
 * Makes a local copy in a process of low priority. After a failure the process and its files are gone.
 *
 * @throws {SnapshotError} the import's own, or `import_failed`: killed, cancelled, past its deadline, out of memory, or
 * ended without a result.
 */
export async function importSnapshot(
  request: ImportRequest,
  { onUsage, ...run }: ImportProcessOptions,
): Promise<Extract<ImportResult, { ok: true }>> {
  run.signal.throwIfAborted();
  const { last: result, how } = await runChild<ImportResult>({
    what: 'the import',
    role: 'import',
    module: new URL('../workers/import-process.js', import.meta.url),
    request,
    ...run,
    onMessage: ({ ok }) => (ok ? 'is done' : 'ends'),
  });
  if (result !== undefined) onUsage?.(result.usage);
  if (result?.ok === true) return result;
  await removeLeftovers(request.directory);
  if (result !== undefined) throw new SnapshotError(result.failure.code, result.failure.message);
  throw new SnapshotError('import_failed', how);
}
