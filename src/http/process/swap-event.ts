/** The event of a swap: which snapshot is served, and how many rows differ from the one before. */
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import { utcDateTime } from '../../snapshot/domain/windows.js';
import type { ChangeCounts } from '../../snapshot/history/changes.js';
import type { History } from '../../snapshot/history/history.js';
import type { WorkerPool } from '../../workers/pool.js';
import type { SnapshotEvent } from '../answers/snapshot-events.js';

interface Difference {
  readonly since: string;
  readonly counts: ChangeCounts;
}

/** Has a worker count; a previous snapshot that cannot be read any more counts as none. Never rejected. */
export async function eventOf(
  pool: WorkerPool,
  { snapshotId, generatedAtMs, counts: { measurement_rows } }: SnapshotHeader,
  history: History,
): Promise<SnapshotEvent> {
  const difference = await differenceOf(pool, snapshotId, history).catch(() => undefined);
  return {
    snapshotId,
    data: {
      snapshot_id: snapshotId,
      generated_at_utc: utcDateTime(generatedAtMs),
      measurement_rows,
      previous_snapshot_id: difference?.since ?? null,
      added: difference?.counts.added ?? null,
      changed: difference?.counts.changed ?? null,
      withdrawn: difference?.counts.withdrawn ?? null,
    },
  };
}

async function differenceOf(
  pool: WorkerPool,
  snapshotId: string,
  { folder, previousId: since }: History,
): Promise<Difference | undefined> {
  if (since === undefined) return undefined;
  return { since, counts: await pool.run('count-changes', { folder, since, snapshotId }) };
}
