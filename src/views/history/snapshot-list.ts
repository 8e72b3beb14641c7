/** The snapshots that a client may name: `GET /api/v1/snapshots` (docs/http-api.md, "Changes"). */
import { utcDateTime } from '../../snapshot/domain/windows.js';

/** Undefined where nobody has read it yet. */
export interface ListedSnapshot {
  readonly snapshotId: string;
  /** Epoch milliseconds, UTC. */
  readonly generatedAtMs: number | undefined;
  /** Epoch milliseconds, UTC. */
  readonly activatedAtMs: number | undefined;
  /** The document's own count. */
  readonly measurementRows: number | undefined;
  readonly active: boolean;
}

export function viewSnapshot(snapshot: ListedSnapshot): Readonly<Record<string, unknown>> {
  const { snapshotId, generatedAtMs, activatedAtMs, measurementRows = null, active } = snapshot;
  return {
    snapshot_id: snapshotId,
    generated_at_utc: timeOrNull(generatedAtMs),
    activated_at_utc: timeOrNull(activatedAtMs),
    measurement_rows: measurementRows,
    active,
  };
}

function timeOrNull(epochMs: number | undefined): string | null {
  return epochMs === undefined ? null : utcDateTime(epochMs);
}
