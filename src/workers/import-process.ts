/** The import process: rehearses if it is told to, takes one request over IPC, answers one result, and exits. */
import { SnapshotError } from '../snapshot/domain/snapshot-error.js';
import { openStore } from '../snapshot/store/open.js';
import { importSnapshot } from './jobs/import/import-snapshot.js';
import { rehearse } from './jobs/import/rehearse.js';
import type { Failure, ImportRequest, ImportResult, ToImportProcess } from './messages.js';
import { WorkerPool } from './pool.js';

// Nobody is left to hear the result: what was begun is a leftover that the next start removes.
process.once('disconnect', () => process.exit(1));

let pool: WorkerPool | undefined;
let rehearsal: Promise<void> | undefined;

process.on('message', (message: ToImportProcess) => {
  const { threads, directory } = message;
  const threadPool = (pool ??= new WorkerPool({ threads, maxQueue: Infinity }));
  if (message.kind === 'rehearse') {
    rehearsal = rehearse(directory, threadPool);
    return;
  }
  void run(message, threadPool).then((result) => {
    process.send?.(result, () => process.exit(0));
  });
});

async function run(request: ImportRequest, threadPool: WorkerPool): Promise<ImportResult> {
  const startedAt = performance.now();
  await rehearsal;
  try {
    const directory = await importSnapshot({
      store: openStore({ address: request.store, keyPrefix: request.keyPrefix }),
      pointer: request.pointer,
      expectedSchemaVersion: request.expectedSchemaVersion,
      directory: request.directory,
      pool: threadPool,
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
