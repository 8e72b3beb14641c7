/** `GET /portal/export`: one series of one window as a file, from what the other endpoints say of it. */
import { answerKey, type SeriesWindow } from '../../../snapshot/local/keys.js';
import type { SnapshotReader } from '../../../snapshot/local/reader.js';
import {
  exportRows,
  renderExportCsv,
  type ExportPoint,
  type ExportRow,
  type ExportSeries,
} from '../../../views/export-table.js';
import { loaderFrom } from '../../load-module.js';
import { openSnapshot } from '../../open-snapshot.js';
import type * as Ods from '../../formats/spreadsheets/ods.js';
import type * as Xlsx from '../../formats/spreadsheets/xlsx.js';
import { planBytes, planText } from '../../formats/answers.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { PlanExportTask } from '../../messages.js';
import {
  asArray,
  asNumber,
  asObject,
  asString,
  readAnswer,
  readAnswerList,
} from './read-finished.js';

const load = loaderFrom(import.meta.url);

/**
 * A window has 720 hours at the most, so a file is made whole.
 *
 * @throws {SnapshotError} `copy_damaged`; also for a series that has no points in that window.
 */
export async function planExport(task: PlanExportTask): Promise<Plan> {
  const { reader } = openSnapshot(task.location);
  // All is read before the first `await`: later the copy may be closed.
  const rows = readRows(reader, task);
  const { generatedAtMs } = reader.header;
  const compressedInside = { gzip: false, records: rows.length };
  switch (task.format) {
    case 'csv':
      return planText(renderExportCsv(rows), { gzip: task.gzip, records: rows.length });
    case 'xlsx': {
      // Loaded by the first job that needs it, as jobs themselves are: it takes longer than most jobs.
      const { xlsxFile } = load('../../formats/spreadsheets/xlsx.js') as typeof Xlsx;
      return planBytes(await xlsxFile(rows, generatedAtMs), compressedInside);
    }
    case 'ods': {
      const { odsFile } = load('../../formats/spreadsheets/ods.js') as typeof Ods;
      return planBytes(odsFile(rows, generatedAtMs), compressedInside);
    }
  }
}

/** From the finished answers, so that a file never says anything else than `/measurements` does. */
export function readRows(reader: SnapshotReader, task: SeriesWindow): readonly ExportRow[] {
  const timeSeries = asObject(readAnswer(reader, answerKey.timeSeries(task)));
  const station = asObject(readAnswer(reader, answerKey.stationMetadata(task)));
  const organization = readAnswerList(reader, answerKey.organizations).find(
    ({ organization_id: id }) => id === task.organizationId,
  );
  const series: ExportSeries = {
    organization_id: task.organizationId,
    organization_name: asString(organization?.['name']),
    station_id: task.stationId,
    station_name: asString(station['station_name']),
    station_code: asString(station['station_code']),
    network_id: asNumber(station['network_id']),
    network_code: asString(station['network_code']),
    component_id: task.componentId,
    component_short_name: asString(timeSeries['component_short_name']),
    unit: asString(timeSeries['unit']),
  };
  return exportRows(series, asArray(timeSeries['points']).map(asPoint));
}

function asPoint(value: unknown): ExportPoint {
  const point = asObject(value);
  return {
    date: asString(point['date']),
    time: asString(point['time']),
    value: asNumber(point['value']),
  };
}
