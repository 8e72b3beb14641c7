/** Plans answers from the stored bytes of observations, for selections that are too large for a front. */
import { OBSERVATIONS_FILE } from '../../../snapshot/domain/windows.js';
import { csvFile } from '../../../snapshot/local/observations/record-layout.js';
import {
  findRecords,
  planInSteps,
  type FoundRecords,
} from '../../../snapshot/local/observations/records-plan.js';
import type { SnapshotReader } from '../../../snapshot/local/reader.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import { csvLine } from '../../../views/csv.js';
import { fieldNames } from '../../../views/hvd/fields.js';
import { openSnapshot } from '../../open-snapshot.js';
import type { PlanObservationsTask } from '../../messages.js';
import { inTurns } from '../../short-jobs.js';
import { selectedSeries } from './selected-series.js';

/**
 * The records of `GET /api/v1/observations` (form `json`), `/observations/stream` (`ndjson`) or `/observations.csv`
 * (`csv`), without an envelope.
 *
 * @throws {SnapshotError} `copy_damaged`.
 */
export async function planObservations(task: PlanObservationsTask): Promise<Plan> {
  return await plan(task, false);
}

/** Plans a large selection, in time slices between which other jobs run. */
export async function planManyObservations(task: PlanObservationsTask): Promise<Plan> {
  return await plan(task, true);
}

async function plan(task: PlanObservationsTask, isLong: boolean): Promise<Plan> {
  const { location, interval, form, gzip } = task;
  const snapshot = openSnapshot(location);
  const { reader } = snapshot;
  const keys = selectedSeries(snapshot, task);
  const selected = findRecords(reader, keys, interval, task);
  const whole = form === 'csv' && gzip ? wholeCsv(reader, selected) : undefined;
  if (whole !== undefined) return whole;
  const steps = planInSteps(
    {
      readInto: (bytes, file, offset) => {
        openSnapshot(location).reader.readInto(bytes, file, offset);
      },
    },
    selected,
    task,
  );
  return await inTurns(steps, isLong);
}

const HEADER_BYTES = Buffer.byteLength(csvLine(fieldNames('observations')));

/** The gzip form of the bulk file, if the request selects all of its records. */
function wholeCsv(reader: SnapshotReader, { records, pieces }: FoundRecords): Plan | undefined {
  const bytes = pieces.reduce((sum, { length }) => sum + length, HEADER_BYTES);
  if (bytes !== reader.sizeOf(csvFile('identity'))) return undefined;
  const file = reader.record('bundle').find(({ name }) => name === `${OBSERVATIONS_FILE}.csv`);
  if (file?.gzip === undefined) return undefined;
  const { sizeBytes } = file.gzip;
  const range = { kind: 'range', file: csvFile('gzip'), offset: 0, length: sizeBytes } as const;
  return { coding: 'gzip', records, totalBytes: sizeBytes, chunks: [range] };
}
