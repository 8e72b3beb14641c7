/** Additions to an archive, a snapshot or past years, as Parquet files by month. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { inObservationOrder } from '../../snapshot/domain/observation-order.js';
import { publicPart } from '../../snapshot/domain/public.js';
import { monthOf, startOfMonth } from '../../snapshot/domain/days.js';
import { dateOfHour, retainedHours, type HourInterval } from '../../snapshot/domain/windows.js';
import { DAY_HOURS } from '../../snapshot/domain/zone-clock.js';
import type { Finding } from '../findings.js';
import { observationsParquet } from '../../workers/formats/parquet/observations-parquet.js';

export interface WorkOptions {
  /** Folder of temporary files. */
  readonly root: string;
  /** Aborts before the index is replaced: the archive then stays the same. */
  readonly signal: AbortSignal;
  /** Called with the progress of a step; for `archiving`, the number of stored files. */
  readonly onProgress: (step: string, done: number, total: number) => void;
  /** Called with likely mistakes before anything is stored; refuses by throwing. */
  readonly refuse: (findings: readonly Finding[]) => void;
  /** Time zone of days and months, an IANA name. */
  readonly timeZone: string;
  /** Whether past years replace different rows of the archive; default: false. */
  readonly overwrites?: boolean;
  /** Whether to leave out damaged or missing files; default: false, where a needed one is an error. */
  readonly repairs?: boolean;
}

/** The index's time of an archive without a snapshot. */
export const NO_SNAPSHOT_MS = 0;

export interface Addition {
  /** Lists and time of the public part; rows may be missing. */
  readonly publicSnapshot: Snapshot;
  /** Paths of the files with the rows, by folder of their month; a file may be empty. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
  /** Whether the addition is a snapshot, which must not be older than the archive; false for past years. */
  readonly isNewer: boolean;
  /** Reads the snapshot that defines the hidden stations and components; undefined without one. */
  readonly readHiding: () => Promise<Snapshot | undefined>;
  /** One line for each note about the input. */
  readonly notes: readonly string[];
}

/** A snapshot as an addition, with a file for each month of its retention window. @param root folder for the files. */
export async function additionOf(snapshot: Snapshot, root: string): Promise<Addition> {
  const publicSnapshot = publicPart(snapshot);
  const rows = new Map<string, readonly string[]>();
  const hours = retainedHours(publicSnapshot.header);
  await writeMonths(publicSnapshot, rows, { ...hours, path: join(root, 'rows') });
  return {
    publicSnapshot,
    rows,
    isNewer: true,
    readHiding: () => Promise.resolve(snapshot),
    notes: [],
  };
}

/**
 * Writes the public part of a snapshot between two hours, a file a month in observation order, and adds the files to
 * `rows`.
 *
 * @param options.path prefix of all paths.
 * @returns the number of series.
 */
export async function writeMonths(
  snapshot: Snapshot,
  rows: Map<string, readonly string[]>,
  options: HourInterval & { readonly path: string },
): Promise<number> {
  let count = 0;
  for (let { from } = options; from < options.to; from = nextMonth(from)) {
    const month = utcMonthOf(from);
    const folder = monthFolder(month);
    const path = `${options.path}-${month}.parquet`;
    const ofMonth = publicPart(snapshot, { from, to: nextMonth(from) });
    const { header, components, observations } = ofMonth;
    const series = inObservationOrder(observations.series, components);
    await writeFile(path, observationsParquet({ header, observations, series, metadata: {} }));
    rows.set(folder, [...(rows.get(folder) ?? []), path]);
    count += series.length;
  }
  return count;
}

function nextMonth(hour: number): number {
  return startOfMonth(utcMonthOf(hour) + 1) * DAY_HOURS;
}

/** Months since year 0, UTC, of an hour since the epoch. */
export function utcMonthOf(hour: number): number {
  return monthOf(Math.floor(hour / DAY_HOURS));
}

/** The folder of a month since year 0, UTC. */
export function monthFolder(month: number): string {
  const [year = '', ofYear = ''] = dateOfHour(startOfMonth(month) * DAY_HOURS).split('-');
  return `observations/year=${year}/month=${ofYear}`;
}

/** The month since year 0 of a folder. */
export function monthOfFolder(folder: string): number {
  const [year = 0, month = 0] = (folder.match(/\d+/g) ?? []).map(Number);
  return year * 12 + month - 1;
}
