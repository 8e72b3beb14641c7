/** Finds the finished bytes of observations that are too many for a front process to look for. */
import { findRecords, planRecords } from '../../../snapshot/local/observations/records-plan.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import { openSnapshot, seriesFilterOf } from '../../open-snapshot.js';
import type { PlanObservationsTask } from '../../messages.js';

/**
 * The records of `GET /api/v1/observations` (form `json`) or `/observations/stream` (form `ndjson`), without the text
 * around them.
 *
 * @throws {SnapshotError} `copy_damaged`.
 */
export function planObservations(task: PlanObservationsTask): Plan {
  const { location, selection, interval, form, gzip } = task;
  const snapshot = openSnapshot(location);
  const { reader, series } = snapshot;
  const found = findRecords(reader, series.select(seriesFilterOf(snapshot, selection)), interval);
  return planRecords(reader, found, { form, gzip });
}
