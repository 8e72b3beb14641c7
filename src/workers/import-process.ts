/** The import process: takes one request over IPC, answers one result, and exits. */
import { SnapshotError } from '../snapshot/errors.js';
import { openStore } from '../snapshot/store/open.js';
import { importSnapshot } from './jobs/import-snapshot.js';
import type { Failure, ImportRequest, ImportResult } from './messages.js';
import { WorkerPool } from './pool.js';

// Nobody is left to hear the result: what was begun is a leftover that the next start removes.
process.once('disconnect', () => process.exit(1));

process.once('message', (request: ImportRequest) => {
  void run(request).then((result) => {
    process.send?.(result, () => process.exit(0));
  });
});

async function run(request: ImportRequest): Promise<ImportResult> {
  const startedAt = performance.now();
  const pool = new WorkerPool({ threads: request.threads, maxQueue: Infinity });
  try {
    const directory = await importSnapshot({
      store: openStore({ address: request.store, keyPrefix: request.keyPrefix }),
      pointer: request.pointer,
      expectedSchemaVersion: request.expectedSchemaVersion,
      directory: request.directory,
      pool,
      // One for each thread, one that is written, and one that waits so that no thread does.
      concurrency: request.threads + 2,
    });
    return { ok: true, directory, milliseconds: Math.round(performance.now() - startedAt) };
  } catch (error) {
    return { ok: false, failure: asFailure(error) };
  }
}

function asFailure(error: unknown): Failure {
  if (error instanceof SnapshotError) return { code: error.code, message: error.message };
  return {
    code: 'import_failed',
    message: error instanceof Error ? error.message : String(error),
  };
}
