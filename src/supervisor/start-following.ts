/** Follows the store's pointer for the fronts: imports by a process of their own, and what is served handed on. */
import { availableParallelism } from 'node:os';
import { BUILD_ID } from '../build-id.js';
import { storeAccess, type Settings } from '../settings.js';
import type { FollowEvent } from '../snapshot/follow/follow-event.js';
import { follow } from '../snapshot/follow/follow.js';
import { KeptHistory } from '../snapshot/history/kept-history.js';
import type { PointerStore } from '../snapshot/store/store.js';
import { importSnapshot } from '../workers/importer.js';
import type { Fronts } from './fronts.js';
import type { Log } from '../log/log.js';
import type { Metrics } from './operators/metrics.js';
import type { Followed } from './restart/following.js';
import type { TakeOver } from './restart/take-over.js';

/**
 * Threads of an import that render and compress: one for each core, since the main thread of the import waits for them,
 * and at most 8, since each takes some 30 MB.
 */
const IMPORT_THREADS = Math.min(availableParallelism(), 8);

/** Ten times what the largest snapshot takes on a slow machine; a store that stalls is recognized sooner. */
export const IMPORT_DEADLINE_MS = 600_000;

export interface StartFollowingOptions {
  readonly settings: Settings;
  /** Of the local copies. */
  readonly directory: string;
  readonly store: PointerStore;
  readonly log: Log;
  readonly starting: Promise<Fronts>;
  /** The instance that this one takes over from. */
  readonly from: TakeOver | undefined;
  /** The import that runs. */
  readonly importing: { pid: number | undefined };
  /** Undefined where nobody can ask for them. */
  readonly metrics: Metrics | undefined;
}

export async function startFollowing(
  on: StartFollowingOptions,
  report: (event: FollowEvent) => void,
): Promise<Followed> {
  const { settings, directory, store, log, starting, from, importing, metrics } = on;
  const { expectedSchemaVersion } = settings;
  let fronts: Fronts | undefined;
  const history = await KeptHistory.open({
    directory,
    limit: settings.historySnapshots,
    onChange: (list) => {
      fronts?.sendHistory(list);
    },
    onFailure: (error, snapshotId) => {
      log.info({ snapshot_id: snapshotId, reason: String(error) }, 'history incomplete');
    },
  });
  const lent = (): ReadonlySet<string> => from?.lent() ?? new Set();
  const follower = await follow({
    store,
    expectedSchemaVersion,
    build: BUILD_ID,
    directory,
    pollMs: settings.pointerPollSeconds * 1000,
    graceMs: settings.storeGraceSeconds * 1000,
    importSnapshot: async (pointer, signal) =>
      await importSnapshot(
        {
          store: storeAccess(settings),
          pointer,
          expectedSchemaVersion,
          build: BUILD_ID,
          directory,
          threads: IMPORT_THREADS,
        },
        {
          deadlineMs: IMPORT_DEADLINE_MS,
          signal,
          onProcess: (pid) => {
            importing.pid = pid;
          },
          onUsage: (usage) => metrics?.recordImport(usage),
        },
      ),
    apply: async (serving) => {
      fronts = await starting;
      const list =
        serving.kind === 'snapshot' ? history.serving(serving.snapshotId, serving) : undefined;
      const isServed = await fronts.serve(serving, await list);
      if (isServed === false) history.notServed();
      return isServed;
    },
    inUse: () => fronts?.inUse() ?? new Set(),
    lent,
    report,
  });
  return { follower, history };
}
