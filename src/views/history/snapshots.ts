/** Descriptions of snapshots that a client may name in a request for changes. */
import { utcDateTime } from '../../snapshot/domain/windows.js';

export interface ListedSnapshot {
  readonly snapshotId: string;
  /** Epoch milliseconds, UTC. */
  readonly generatedAtMs: number;
  /** Epoch milliseconds, UTC. */
  readonly activatedAtMs: number;
  readonly measurementRows: number;
  readonly active: boolean;
}

/** An item of `GET /api/v1/snapshots` (docs/http-api/changes.md, "Changes"). */
export function viewSnapshot(snapshot: ListedSnapshot): Readonly<Record<string, unknown>> {
  const { snapshotId, generatedAtMs, activatedAtMs, measurementRows, active } = snapshot;
  return {
    snapshot_id: snapshotId,
    generated_at_utc: utcDateTime(generatedAtMs),
    activated_at_utc: utcDateTime(activatedAtMs),
    measurement_rows: measurementRows,
    active,
  };
}
