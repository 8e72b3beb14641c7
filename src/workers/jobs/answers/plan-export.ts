/** `GET /portal/export`: one series of one window as a file. */
import { SnapshotError } from '../../../snapshot/domain/snapshot-error.js';
import { dateOfHour, timeOfHour, windowHours } from '../../../snapshot/domain/windows.js';
import {
  exportRows,
  renderExportCsv,
  type ExportPoint,
  type ExportRow,
  type ExportSeries,
} from '../../../views/export-table.js';
import { loaderFrom } from '../../load-module.js';
import { openSnapshot, type OpenSnapshot } from '../../open-snapshot.js';
import type * as Ods from '../../formats/spreadsheets/ods.js';
import type * as Xlsx from '../../formats/spreadsheets/xlsx.js';
import { planBytes, planText } from '../../formats/answers.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import type { ExportedSeries, PlanExportTask } from '../../messages.js';

const load = loaderFrom(import.meta.url);

/** Renders a whole export, of at most 720 hours. @throws {SnapshotError} `copy_damaged`, also for a missing series. */
export async function planExport(task: PlanExportTask): Promise<Plan> {
  const snapshot = openSnapshot(task.location);
  // All data are read before the first `await`, after which the copy may be closed.
  const rows = readRows(snapshot, task);
  const { generatedAtMs } = snapshot.reader.header;
  const { format, gzip } = task;
  const records = rows.length;
  if (format === 'csv') return planText(renderExportCsv(rows), { gzip, records });
  // Loaded at the first use: loading takes longer than most jobs.
  const fileOf =
    format === 'xlsx'
      ? (load('../../formats/spreadsheets/xlsx.js') as typeof Xlsx).xlsxFile
      : (load('../../formats/spreadsheets/ods.js') as typeof Ods).odsFile;
  return planBytes(await fileOf(rows, generatedAtMs), { gzip: false, records });
}

/** The points of `/measurements` for the same series and window. @throws {SnapshotError} `copy_damaged`. */
export function readRows(
  snapshot: OpenSnapshot,
  { organizationId, stationId, componentId, window }: ExportedSeries,
): readonly ExportRow[] {
  const { reader } = snapshot;
  const { organizations, stations, components } = snapshot.network();
  const station = stations.find(({ id }) => id === stationId);
  const component = components.find(({ id }) => id === componentId);
  if (station === undefined || component === undefined) {
    throw new SnapshotError('copy_damaged', `no series ${stationId}/${componentId} to export`);
  }
  const series: ExportSeries = {
    organization_id: organizationId,
    organization_name: organizations.find(({ id }) => id === organizationId)?.name ?? '',
    station_id: stationId,
    station_name: station.name,
    station_code: station.code,
    network_id: station.networkId,
    network_code: station.networkCode,
    component_id: componentId,
    component_short_name: component.shortName,
    unit: component.unit,
  };
  const { from } = windowHours(window, reader.header);
  const stored = reader.series([stationId, componentId]);
  const points: ExportPoint[] = [];
  for (let record = stored.firstAtOrAfter(from); record < stored.records; record += 1) {
    const hour = stored.hour(record);
    const value = stored.value(record);
    if (!Number.isNaN(value))
      points.push({ date: dateOfHour(hour), time: timeOfHour(hour), value });
  }
  return exportRows(series, points);
}
