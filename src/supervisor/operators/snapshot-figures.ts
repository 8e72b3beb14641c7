/** Figures of the active snapshot beside the one before: read once a snapshot, from the rows in the history. */
import { HOUR_MS } from '../../snapshot/domain/windows.js';
import type { History, HistoryEntry } from '../../snapshot/history/history.js';
import { readPast } from '../../snapshot/history/past-files.js';
import type { PastSnapshot } from '../../snapshot/history/past-snapshot.js';

export interface SnapshotFigures {
  /** The documents' own counts; undefined where there is no snapshot before. */
  readonly rows: number;
  readonly previousRows: number | undefined;
  /** Start of the newest hour with a value: epoch milliseconds, UTC; undefined without any. */
  readonly newestMs: number | undefined;
  /** Stations with a value in that hour. */
  readonly stations: number;
  /** Series with one, by the code of their parameter: zero for those without any. */
  readonly series: ReadonlyMap<string, number>;
}

type NewestHour = Pick<SnapshotFigures, 'newestMs' | 'stations' | 'series'>;

export class SnapshotReadings {
  #read: { readonly snapshotId: string; readonly newest: NewestHour } | undefined;

  /** Undefined where the rows of what is served are not kept. */
  figures(snapshotId: string | undefined, history: History): SnapshotFigures | undefined {
    const { folder, snapshots, previousId } = history;
    const entry = snapshots.find((one) => one.snapshotId === snapshotId);
    if (snapshotId === undefined || entry === undefined) return undefined;
    const isRead = this.#read?.snapshotId === snapshotId;
    const newest = isRead ? this.#read?.newest : newestOf(folder, entry);
    // One that cannot be read at the moment is read at the next scrape.
    this.#read = newest && { snapshotId, newest };
    const previous = snapshots.find((one) => one.snapshotId === previousId);
    const rows = entry.measurementRows;
    return newest && { rows, previousRows: previous?.measurementRows, ...newest };
  }
}

/** Undefined when the file is damaged or cannot be read, which requests for changes report. */
function newestOf(folder: string, entry: HistoryEntry): NewestHour | undefined {
  try {
    return newestHour(readPast(folder, entry));
  } catch {
    return undefined;
  }
}

function newestHour({ series, parameterCodes }: PastSnapshot): NewestHour {
  const last = series.map(({ stationId, parameterCode, hours, values }) => {
    const at = values.findLastIndex((value) => !Number.isNaN(value));
    return { stationId, parameterCode, hour: hours[at] ?? -Infinity };
  });
  const hour = last.reduce((newest, one) => Math.max(newest, one.hour), -Infinity);
  const current = last.filter((one) => one.hour === hour && hour > -Infinity);
  const counts = new Map(parameterCodes.map((code) => [code, 0]));
  for (const { parameterCode: code } of current) counts.set(code, (counts.get(code) ?? 0) + 1);
  return {
    newestMs: current.length > 0 ? hour * HOUR_MS : undefined,
    stations: new Set(current.map(({ stationId }) => stationId)).size,
    series: counts,
  };
}
