/** `GET /api/v1/archive/daily.csv`: daily values of some stations, from files of the archive. */
import type { Plan } from '../../../snapshot/local/plan.js';
import { compareCodes } from '../../../snapshot/domain/observation-order.js';
import { dailyCsvHeader, dailyCsvLine } from '../../../views/hvd/archive.js';
import { planLongText } from '../../formats/long-text.js';
import { DailyFileReader } from '../../formats/parquet/read-daily.js';
import type { PlanDailyTask } from '../../messages.js';

/** @throws {SnapshotError} `archive_damaged`. */
export async function planDaily({ location, gzip, ...task }: PlanDailyTask): Promise<Plan> {
  const { directory } = location;
  const { files, folder: _, ...selection } = task;
  const key = `daily ${JSON.stringify([files.map(({ sha256 }) => sha256), selection])}`;
  return await planLongText((write) => writeDaily(write, task), { gzip, directory, key });
}

/** Writes rows by station, parameter and day; memory holds only the rows of decoded row groups. */
async function* writeDaily(
  write: (text: string) => void,
  task: Omit<PlanDailyTask, 'location' | 'gzip'>,
): AsyncGenerator<void, number, undefined> {
  write(dailyCsvHeader());
  let records = 0;
  const readers: DailyFileReader[] = [];
  try {
    for (const file of task.files) readers.push(new DailyFileReader(task, file, task));
    for (const stationId of task.stationIds.toSorted((a, b) => a - b)) {
      const rows = [];
      for (const reader of readers) rows.push(...(yield* reader.rowsOf(stationId)));
      rows.sort(
        (a, b) =>
          compareCodes(a.parameter_code, b.parameter_code) || Number(a.date) - Number(b.date),
      );
      for (const row of rows) write(dailyCsvLine(row));
      records += rows.length;
      yield;
    }
    return records;
  } finally {
    for (const reader of readers) reader.close();
  }
}
