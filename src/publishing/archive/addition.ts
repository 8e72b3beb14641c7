/** Additions to an archive: a snapshot, or tables of years past; its rows as Parquet files of one month each. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot } from '../../snapshot/domain/model.js';
import { inObservationOrder } from '../../snapshot/domain/observation-order.js';
import { publicPart } from '../../snapshot/domain/public.js';
import {
  HOUR_MS,
  retainedHours,
  utcDateTime,
  type HourInterval,
} from '../../snapshot/domain/windows.js';
import type { Finding } from '../findings.js';
import { observationsParquet } from '../../workers/formats/parquet/observations-parquet.js';

/** How the work is done. */
export interface WorkOptions {
  /** A local folder for temporary files. */
  readonly root: string;
  /** Aborted before the index is replaced: the archive stays as it was. */
  readonly signal: AbortSignal;
  /** Called with how much of a step is done; of `archiving`, how many of the new files are stored. */
  readonly onProgress: (step: string, done: number, total: number) => void;
  /** Called with what looks like a mistake beside the archive, before anything is stored; it refuses by throwing. */
  readonly refuse: (findings: readonly Finding[]) => void;
  /** Whether rows of years past replace those of the archive that are different. Default: they are left. */
  readonly overwrites?: boolean;
  /** Whether files that are damaged or missing are left out of the archive. Default: where one is needed, it is an error. */
  readonly repairs?: boolean;
}

/** The time in the index of an archive that has no snapshot yet. */
export const NO_SNAPSHOT_MS = 0;

export interface Addition {
  /** The visible part of it: its lists, and when it was generated. The rows are some of those in the files, or all. */
  readonly shown: Snapshot;
  /** Paths of files of its rows, by the folder of their month in the archive; in some may be none. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
  /** Whether it is newer than what the archive has: a snapshot, not years past. */
  readonly isNewer: boolean;
  /** Reads the snapshot that says what is hidden; undefined without one. */
  readonly readHiding: () => Promise<Snapshot | undefined>;
  /** Notes about its files, in a line each. */
  readonly notes: readonly string[];
}

/** Its rows are in files of all months of its retention window. @param root a local folder that takes them. */
export async function additionOf(snapshot: Snapshot, root: string): Promise<Addition> {
  const shown = publicPart(snapshot);
  const rows = new Map<string, readonly string[]>();
  const hours = retainedHours(shown.header.generatedAtMs);
  await writeMonths(shown, rows, { ...hours, path: join(root, 'rows') });
  return { shown, rows, isNewer: true, readHiding: () => Promise.resolve(snapshot), notes: [] };
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
    const [year = '', month = ''] = utcDateTime(from * HOUR_MS).split('-');
    const folder = `observations/year=${year}/month=${month}`;
    const path = `${options.path}-${year}-${month}.parquet`;
    const shown = publicPart(snapshot, { from, to: nextMonth(from) });
    const { header, components, observations } = shown;
    const series = inObservationOrder(observations.series, components);
    await writeFile(path, observationsParquet({ header, observations, series, metadata: {} }));
    rows.set(folder, [...(rows.get(folder) ?? []), path]);
    count += series.length;
  }
  return count;
}

function nextMonth(hour: number): number {
  const date = new Date(hour * HOUR_MS);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) / HOUR_MS;
}
