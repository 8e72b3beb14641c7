/** `GET /api/v1/daily.csv` and `/monthly.csv`: days and months of the snapshot, and older ones of the archive. */
import { createPeriods, monthOf, RUNNING_HOURS } from '../../../snapshot/domain/days.js';
import { compareCodes } from '../../../snapshot/domain/observation-order.js';
import { looksAtStations, stationsMatching } from '../../../snapshot/domain/selection.js';
import { SnapshotError } from '../../../snapshot/domain/snapshot-error.js';
import { retainedHours, type HourInterval } from '../../../snapshot/domain/windows.js';
import { createZoneClock, DAY_MS } from '../../../snapshot/domain/zone-clock.js';
import { TEXT_FILE } from '../../../snapshot/local/observations/record-layout.js';
import type { SnapshotReader } from '../../../snapshot/local/reader.js';
import type { SeriesKey } from '../../../snapshot/local/observations/series-list.js';
import type { Plan } from '../../../snapshot/local/plan.js';
import { csvLine } from '../../../views/csv.js';
import { createPeriodText, periodFields, type DailyRow } from '../../../views/hvd/archive.js';
import { DATA_STATUS } from '../../../views/hvd/fields.js';
import { planLongText } from '../../formats/long-text.js';
import { DailyFileReader } from '../../formats/parquet/read-daily.js';
import type { PlanDailyTask, SnapshotLocation } from '../../messages.js';
import { openSnapshot, type OpenSnapshot } from '../../open-snapshot.js';

type Task = Omit<PlanDailyTask, 'location' | 'gzip'>;

const ROWS_MAX = 2_000_000;

/** @throws {SnapshotError} `too_many_rows`, `archive_damaged`, `copy_damaged`. */
export async function planDaily({ location, gzip, ...task }: PlanDailyTask): Promise<Plan> {
  const { directory } = location;
  const { archive, ...request } = task;
  const key = `daily ${JSON.stringify([archive?.files.map(({ sha256 }) => sha256), request])}`;
  return await planLongText((write) => writeRows(write, location, task), { gzip, directory, key });
}

/** Writes rows by station, parameter, day and unit; memory holds only the rows of decoded row groups. */
async function* writeRows(
  write: (text: string) => void,
  location: SnapshotLocation,
  task: Task,
): AsyncGenerator<void, number, undefined> {
  const { archive, period, selection, from, to, recentFrom } = task;
  const stationIds = stationsOf(openSnapshot(location), task);
  const periods = period === 'daily' ? to - from : monthOf(to) - monthOf(from);
  const most = stationIds.length * task.parameters * periods;
  if (most > ROWS_MAX) throw new SnapshotError('too_many_rows', `${most} rows`);
  const isCsv = task.format === 'csv';
  write(isCsv ? csvLine(periodFields(period).map(({ name }) => name)) : '[');
  const textOf = createPeriodText(period, task.format);
  const recentRows = createRecentRows(openSnapshot(location), task);
  const { parameterCodes } = selection;
  const older = { stationIds, parameterCodes, from, to: Math.min(to, recentFrom) };
  const readers: DailyFileReader[] = [];
  let records = 0;
  try {
    if (archive) {
      for (const file of archive.files) readers.push(new DailyFileReader(archive, file, older));
    }
    for (const stationId of stationIds) {
      const rows: DailyRow[] = [];
      for (const reader of readers) rows.push(...(yield* reader.rowsOf(stationId)));
      rows.push(...recentRows(openSnapshot(location), stationId));
      for (const row of rows.sort(compareRows)) {
        write((isCsv || records === 0 ? '' : ',') + textOf(row));
        records += 1;
      }
      yield;
    }
    if (!isCsv) write(']');
    return records;
  } finally {
    for (const reader of readers) reader.close();
  }
}

/** Ids of the selected stations, ascending; the archive also has stations that have ended. */
function stationsOf(snapshot: OpenSnapshot, { selection, archive }: Task): readonly number[] {
  const current = stationsMatching(snapshot.stations(), selection).map(({ id }) => id);
  if (archive === undefined || looksAtStations(selection)) return current;
  const all = new Set(archive.files.flatMap(({ stationIds }) => stationIds.map(Number)));
  for (const id of archive.hidden.stationIds) all.delete(Number(id));
  const archived = selection.stationIds?.filter((id) => all.has(id)) ?? [...all];
  return [...new Set([...current, ...archived])].sort((a, b) => a - b);
}

/** Makes a reader of the snapshot's rows of one station. */
function createRecentRows(snapshot: OpenSnapshot, task: Task) {
  const { period, timeZone, selection, from, to, recentFrom } = task;
  const { parameterCodes } = selection;
  const { to: endHour } = retainedHours(snapshot.reader.header);
  const periods = createPeriods(createZoneClock(timeZone), endHour);
  const units = new Map(snapshot.network().components.map(({ id, unit }) => [id, unit]));
  const first = Math.max(from, recentFrom);
  // Running means of the first day begin on the day before.
  const firstHour = periods.firstHourOf(first) - RUNNING_HOURS;
  const hours = { from: firstHour, to: periods.firstHourOf(Math.max(first, to)) };
  return ({ reader, series }: OpenSnapshot, stationId: number): readonly DailyRow[] =>
    series.select({ stationIds: [stationId], parameterCodes }).flatMap((key) => {
      const { published, updated, ...stored } = readRows(reader, key, hours);
      const values = { ...stored, unit: units.get(key[1]) ?? '' };
      const all = period === 'daily' ? periods.daysOf(values) : periods.monthsOf(values);
      const selected = all.filter(({ firstDay }) => firstDay >= first && firstDay < to);
      return selected.map(({ firstDay, interval, rows, ...one }) => ({
        ...one,
        station_id: String(stationId),
        parameter_code: series.codeOf(key),
        unit: values.unit,
        date: new Date(firstDay * DAY_MS),
        hours_expected: interval.to - interval.from,
        days: one.fullDays,
        highest_8h_mean: one.highest8hMean,
        published_at_utc: new Date(published.slice(rows.from, rows.to).sort()[0] ?? 0),
        updated_at_utc: new Date(updated.slice(rows.from, rows.to).sort().at(-1) ?? 0),
        data_status: DATA_STATUS,
      }));
    });
}

/** Rows of one series in some hours. @throws {SnapshotError} `copy_damaged`. */
function readRows(reader: SnapshotReader, key: SeriesKey, { from, to }: HourInterval) {
  const stored = reader.series(key);
  const first = stored.firstAtOrAfter(from);
  const records = Array.from({ length: stored.firstAtOrAfter(to) - first }, (_, at) => first + at);
  const start = stored.startIn('csv', first);
  const ends = records.map((record) => stored.startIn('csv', record + 1) - start);
  const hours = records.map((record) => stored.hour(record));
  const values = records.map((record) => stored.value(record));
  // The last read, since the stored series is valid until the next one.
  const text = Buffer.from(reader.read(TEXT_FILE.csv, start, ends.at(-1) ?? 0)).toString('latin1');
  // A line ends with two times, an empty cell and CRLF.
  const timesAt = (place: number): readonly string[] =>
    ends.map((end) => text.slice(end + place, end + place + 'YYYY-MM-DDTHH:MM:SSZ'.length));
  return { hours, values, published: timesAt(-44), updated: timesAt(-23) };
}

function compareRows(a: DailyRow, b: DailyRow): number {
  return (
    compareCodes(a.parameter_code, b.parameter_code) ||
    a.date.getTime() - b.date.getTime() ||
    compareCodes(a.unit ?? '', b.unit ?? '')
  );
}
