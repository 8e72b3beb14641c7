/** `GET /api/v1/archive/daily.csv`: daily values of some stations, from the files of the archive that have them. */
import type { Plan } from '../../../snapshot/local/plan.js';
import { compareCodes } from '../../../snapshot/domain/observation-order.js';
import { dailyCsvHeader, dailyCsvLine } from '../../../views/hvd/archive.js';
import { planLongText } from '../../formats/long-text.js';
import { openDaily, type DailySelection } from '../../formats/parquet/read-daily.js';
import type { PlanDailyTask } from '../../messages.js';

/** @throws {SnapshotError} `store_unreachable`. */
export async function planDaily({
  location,
  gzip,
  source,
  files,
  ...selection
}: PlanDailyTask): Promise<Plan> {
  const { directory } = location;
  const key = `daily ${JSON.stringify([files.map(({ sha256 }) => sha256), selection])}`;
  const daily = { files: files.map((file) => openDaily(source, file)), selection };
  return await planLongText((write) => writeDaily(write, daily), { gzip, directory, key });
}

/** By station, parameter and day: the rows of one station are together in memory. */
async function* writeDaily(
  write: (text: string) => void,
  {
    files,
    selection: { stationIds, ...selection },
  }: {
    readonly files: readonly ReturnType<typeof openDaily>[];
    readonly selection: Omit<DailySelection, 'stationId'> & Pick<PlanDailyTask, 'stationIds'>;
  },
): AsyncGenerator<void, number, undefined> {
  write(dailyCsvHeader());
  let records = 0;
  for (const stationId of stationIds) {
    const rows = [];
    for (const file of files) {
      for await (const some of file({ ...selection, stationId })) {
        for (const row of some) rows.push(row);
        yield;
      }
    }
    rows.sort(
      (a, b) => compareCodes(a.parameter_code, b.parameter_code) || Number(a.date) - Number(b.date),
    );
    for (const row of rows) write(dailyCsvLine(row));
    records += rows.length;
    yield;
  }
  return records;
}
