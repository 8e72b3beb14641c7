/** Changes between two snapshots as NDJSON (docs/http-api/changes.md, "Changes"). */
import { HOUR_MS, retentionFromMs, utcDateTime } from '../../snapshot/domain/windows.js';
import { cached } from '../../texts/cached.js';

export const CHANGE_KINDS = ['added', 'changed', 'withdrawn'] as const;
type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface ChangesMeta {
  readonly since: string;
  readonly snapshotId: string;
  /** Generation time of the newer snapshot: epoch milliseconds, UTC. */
  readonly generatedAtMs: number;
  readonly counts: Readonly<Record<ChangeKind, number>>;
}

export function changesMetaLine(meta: ChangesMeta): string {
  const { since, snapshotId, generatedAtMs, counts } = meta;
  const times = {
    generated_at_utc: utcDateTime(generatedAtMs),
    retention_from_utc: utcDateTime(retentionFromMs(generatedAtMs)),
  };
  const line = { since, snapshot_id: snapshotId, ...times, ...counts };
  return `${JSON.stringify({ meta: line })}\n`;
}

/** Renders a line of one row; `value` and `previous` are NaN for null. */
export type RenderChange = (
  kind: ChangeKind,
  series: { readonly stationId: number; readonly parameterCode: string },
  /** Hours since the epoch, UTC. */
  hour: number,
  value: number,
  previous: number,
) => string;

/** Makes a renderer that caches the texts of hours, which many rows share. */
export function createChangeLines(): RenderChange {
  const timeOf = cached((hour: number) => JSON.stringify(utcDateTime(hour * HOUR_MS)));
  return (kind, { stationId, parameterCode }, hour, value, previous) =>
    `{"op":"${kind}","station_id":"${stationId}","parameter_code":${JSON.stringify(parameterCode)},` +
    `"time_start_utc":${timeOf(hour)},"value":${kind === 'withdrawn' ? 'null' : numberText(value)},` +
    `"previous_value":${kind === 'added' ? 'null' : numberText(previous)}}\n`;
}

/** The number as `JSON.stringify` writes it, in half of its time; NaN becomes null. */
function numberText(value: number): string {
  return Number.isNaN(value) ? 'null' : `${value}`;
}
