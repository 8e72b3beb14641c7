/** Windows of observation requests, and `meta` of the answers (docs/http-api/requests.md, "Observation windows"). */
import type { SnapshotHeader } from '../../snapshot/domain/model.js';
import {
  HOUR_MS,
  hourFrom,
  RETENTION_DAYS,
  utcDateTime,
  type HourGrid,
  type HourInterval,
} from '../../snapshot/domain/windows.js';
import { AGGREGATION_TYPE, DATA_STATUS } from './fields.js';

/** Epoch milliseconds, UTC, `[from, to)`; undefined ends are open. */
export interface RequestedWindow {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Epoch milliseconds, UTC, `[from, to)`, in the retention window; `to` is never before `from`. */
export interface ActualWindow {
  readonly from: number;
  readonly to: number;
}

const RETENTION_MS = RETENTION_DAYS * 24 * HOUR_MS;

/** Clamps both ends into the retention window, `[generated_at - 30 d, generated_at]`. */
export function clipWindow(requested: RequestedWindow, generatedAtMs: number): ActualWindow {
  const oldest = generatedAtMs - RETENTION_MS;
  const from = Math.min(Math.max(requested.from ?? oldest, oldest), generatedAtMs);
  return { from, to: Math.min(Math.max(requested.to ?? generatedAtMs, from), generatedAtMs) };
}

export function hoursOfWindow({ from, to }: ActualWindow, header: HourGrid): HourInterval {
  return { from: hourFrom(from, header), to: hourFrom(to, header) };
}

const RECORD_ORDER = 'store retrieval order: station_id, parameter_code, time_start_utc';

/** The text around the records of `GET /api/v1/observations` and `/observations/latest`. */
export function listEnvelope(
  header: SnapshotHeader,
  requested: RequestedWindow,
): { readonly head: string; readonly tail: (records: number) => string } {
  return {
    head: '{"data":[',
    tail: (records) => `],"meta":${metaText(header, requested)},"count":${records}}}`,
  };
}

/** The first line of `GET /api/v1/observations/stream`. */
export function streamEnvelope(
  header: SnapshotHeader,
  requested: RequestedWindow,
): { readonly head: string; readonly tail: () => string } {
  const order = JSON.stringify(RECORD_ORDER);
  const meta = `${metaText(header, requested)},"streaming":true,"record_order":${order}}`;
  return { head: `{"meta":${meta}}\n`, tail: () => '' };
}

/** Common members of `meta`, as JSON without the closing brace. */
function metaText(header: SnapshotHeader, requested: RequestedWindow): string {
  const actual = clipWindow(requested, header.generatedAtMs);
  const from = viewEnd(requested.from);
  const to = viewEnd(requested.to);
  const windows = {
    requested_window: from === null && to === null ? null : { from, to },
    // An actual end is usually the requested one: its text is reused, because formatting is a third of the work here.
    actual_window: {
      from: actual.from === requested.from ? from : viewEnd(actual.from),
      to: actual.to === requested.to ? to : viewEnd(actual.to),
    },
    out_of_retention_window: actual.from >= actual.to,
  };
  const cached = snapshotTexts.get(header);
  const snapshot = cached ?? JSON.stringify(viewSnapshot(header)).slice(0, -1);
  if (cached === undefined) snapshotTexts.set(header, snapshot);
  return `${snapshot},${JSON.stringify(windows).slice(1, -1)}`;
}

/** JSON of the members that all answers of a snapshot share: rendering it takes longer than finding a few records. */
const snapshotTexts = new WeakMap<SnapshotHeader, string>();

function viewSnapshot(header: SnapshotHeader): Readonly<Record<string, unknown>> {
  return {
    snapshot_id: header.snapshotId,
    generated_at_utc: utcDateTime(header.generatedAtMs),
    retention_days: RETENTION_DAYS,
    data_status: DATA_STATUS,
    aggregation_type: AGGREGATION_TYPE,
  };
}

function viewEnd(epochMs: number | undefined): string | null {
  return epochMs === undefined ? null : utcDateTime(epochMs);
}
