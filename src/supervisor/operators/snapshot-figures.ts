/** Figures of the active snapshot and the one before, read from the history once for each active snapshot. */
import { HOUR_MS } from '../../snapshot/domain/windows.js';
import type { History, HistoryEntry } from '../../snapshot/history/history.js';
import { readPast } from '../../snapshot/history/past-files.js';
import type { PastSnapshot } from '../../snapshot/history/past-snapshot.js';

export interface SnapshotFigures {
  /** Rows of the active snapshot's document. */
  readonly rows: number;
  /** Rows of the document before; undefined where the history lacks it. */
  readonly previousRows: number | undefined;
  /** Start of the newest hour with a value: epoch milliseconds, UTC; undefined without any. */
  readonly newestMs: number | undefined;
  readonly stations: number;
  /** Series with a value in that hour, by parameter code. */
  readonly series: ReadonlyMap<string, number>;
}

type NewestHour = Pick<SnapshotFigures, 'newestMs' | 'stations' | 'series'>;

export class SnapshotReadings {
  #read: { readonly snapshotId: string; readonly newest: NewestHour } | undefined;

  /** Figures of the active snapshot; undefined where the history lacks its rows. */
  figures(snapshotId: string | undefined, history: History): SnapshotFigures | undefined {
    const { folder, snapshots, previousId } = history;
    const entry = snapshots.find((one) => one.snapshotId === snapshotId);
    if (snapshotId === undefined || entry === undefined) return undefined;
    const isRead = this.#read?.snapshotId === snapshotId;
    const newest = isRead ? this.#read?.newest : newestOf(folder, entry);
    // A file that cannot be read now is read again at the next scrape.
    this.#read = newest && { snapshotId, newest };
    const previous = snapshots.find((one) => one.snapshotId === previousId);
    const rows = entry.measurementRows;
    return newest && { rows, previousRows: previous?.measurementRows, ...newest };
  }
}

/** The newest hour; undefined for a damaged or unreadable file, which requests for changes report. */
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
