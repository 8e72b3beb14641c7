/** The import process: takes one request over IPC, sends one result, and exits. */
import { failureOf } from '../snapshot/domain/snapshot-error.js';
import type { ImportPhase, ImportRequest, ImportResult, ImportUsage } from './messages.js';
import { WorkerPool } from './pool.js';

// The supervisor has exited; when it starts again, it removes the unfinished copy.
process.once('disconnect', () => process.exit(1));

process.once('message', (request: ImportRequest) => {
  void run(request).then((result) => {
    process.send?.(result, () => process.exit(0));
  });
});

/** Long enough for a failover of the store: a failed import would begin again. */
const RETRY_FOR_MS = 60_000;

async function run(request: ImportRequest): Promise<ImportResult> {
  const phases: Partial<Record<ImportPhase, number>> = {};
  try {
    // The worker threads start while this thread loads libraries and reads the document.
    const pool = new WorkerPool({ threads: request.threads });
    const { openStore } = await import('../snapshot/store/open.js');
    const { importSnapshot } = await import('./jobs/import/import-snapshot.js');
    const directory = await importSnapshot({
      ...request,
      store: openStore({ ...request.store, retryForMs: RETRY_FOR_MS }),
      pool,
      onPhase: (phase, milliseconds) => {
        phases[phase] = milliseconds;
      },
    });
    return { ok: true, directory, usage: usageOf(phases) };
  } catch (error) {
    return { ok: false, failure: failureOf(error), usage: usageOf(phases) };
  }
}

function usageOf(phases: ImportUsage['phases']): ImportUsage {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  return {
    phases,
    cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
    peakMemoryBytes: maxRSS * 1024,
  };
}
