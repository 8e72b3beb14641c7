/** Reads daily values from cached archive files; decodes each relevant row group once for all stations. */
import {
  parquetMetadataAsync,
  parquetReadObjects,
  type FileMetaData,
  type ParquetQueryFilter,
} from 'hyparquet';
import type { KeptFile } from '../../../snapshot/archive/archive-state.js';
import { KeptFileReader, keptPath } from '../../../snapshot/archive/kept-file.js';
import type { HiddenIds } from '../../../snapshot/local/records.js';
import type { DailyRow } from '../../../views/hvd/archive.js';
import type { DailyFiles } from '../../messages.js';
import { TimeSlices } from '../../short-jobs.js';

export interface DailySelection {
  readonly stationIds: readonly number[];
  readonly parameterCodes: readonly string[] | undefined;
  /** Days since the epoch, UTC, half-open. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** A station of the archive, which the active snapshot may lack. */
export interface ArchivedStation {
  readonly id: number;
  readonly name: string;
}

const DAY_MS = 86_400_000;

/** Reads selected rows of one file by station, without hidden stations and parameters. */
export class DailyFileReader {
  readonly #reader: KeptFileReader;
  readonly #file: Parameters<typeof parquetMetadataAsync>[0];
  readonly #filter: ParquetQueryFilter;
  #metadata: FileMetaData | undefined;
  /** The next row group, and its first row. */
  #group = 0;
  #rowStart = 0;
  /** Decoded rows of later stations; files are sorted by station. */
  readonly #rows = new Map<number, DailyRow[]>();
  #lastStation = -Infinity;

  /** @throws {SnapshotError} `archive_damaged`. */
  constructor({ folder, hidden }: DailyFiles, file: KeptFile, selection: DailySelection) {
    const reader = new KeptFileReader(keptPath(folder, file), file);
    this.#reader = reader;
    this.#file = asyncBuffer(reader, file);
    this.#filter = filterOf(selection, hidden);
  }

  /** Rows of a station; call with ascending ids. Yields after each group. @throws {SnapshotError} `archive_damaged`. */
  async *rowsOf(stationId: number): AsyncGenerator<void, readonly DailyRow[], undefined> {
    const metadata = (this.#metadata ??= await parquetMetadataAsync(this.#file));
    while (this.#lastStation <= stationId && this.#group < metadata.row_groups.length) {
      await this.#decodeGroup(metadata);
      yield;
    }
    const rows = this.#rows.get(stationId) ?? [];
    this.#rows.delete(stationId);
    return rows;
  }

  close(): void {
    this.#reader.close();
  }

  /** Decodes the next group, unless its statistics exclude all selected rows. */
  async #decodeGroup(metadata: FileMetaData): Promise<void> {
    const rowStart = this.#rowStart;
    const rowEnd = rowStart + Number(metadata.row_groups[this.#group]?.num_rows);
    const range = { file: this.#file, metadata, filter: this.#filter, rowStart, rowEnd };
    // The rows have the columns of the archive.
    const rows = (await parquetReadObjects(range)) as unknown as readonly DailyRow[];
    for (const row of rows) {
      const stationId = Number(row.station_id);
      const others = this.#rows.get(stationId);
      if (others === undefined) this.#rows.set(stationId, [row]);
      else others.push(row);
      this.#lastStation = stationId;
    }
    this.#group += 1;
    this.#rowStart = rowEnd;
  }
}

/** The selected rows of one file by station; yields to other jobs. @throws {SnapshotError} `archive_damaged`. */
export async function readDaily(
  daily: DailyFiles,
  file: KeptFile,
  selection: DailySelection,
): Promise<readonly DailyRow[]> {
  const reader = new DailyFileReader(daily, file, selection);
  const turns = new TimeSlices();
  const rows: DailyRow[] = [];
  try {
    for (const stationId of selection.stationIds.toSorted((a, b) => a - b)) {
      const steps = reader.rowsOf(stationId);
      let step = await steps.next();
      for (; step.done !== true; step = await steps.next()) await turns.next();
      rows.push(...step.value);
    }
    return rows;
  } finally {
    reader.close();
  }
}

/** A station of the archive's list; undefined for an unknown id. @throws {SnapshotError} `archive_damaged`. */
export async function readArchivedStation(
  { folder, stations }: DailyFiles,
  stationId: number,
): Promise<ArchivedStation | undefined> {
  if (stations === undefined) return undefined;
  const reader = new KeptFileReader(keptPath(folder, stations), stations);
  try {
    const file = asyncBuffer(reader, stations);
    const filter = { station_id: { $eq: String(stationId) } };
    const columns = ['station_id', 'station_name'];
    const [row] = await parquetReadObjects({ file, filter, columns });
    return row && { id: stationId, name: String(row['station_name']) };
  } finally {
    reader.close();
  }
}

/** A cached file for the Parquet library. */
function asyncBuffer(reader: KeptFileReader, { sizeBytes }: Pick<KeptFile, 'sizeBytes'>) {
  return {
    byteLength: sizeBytes,
    slice: (from: number, to = sizeBytes): ArrayBuffer => reader.read(from, to),
  };
}

function filterOf(
  { stationIds, parameterCodes, from, to }: DailySelection,
  { stationIds: hiddenIds, parameterCodes: hiddenCodes }: HiddenIds,
): ParquetQueryFilter {
  const ids = stationIds.map(String).filter((id) => !hiddenIds.includes(id));
  const codes = parameterCodes && [{ parameter_code: { $in: [...parameterCodes] } }];
  const first = from === undefined ? [] : [{ date: { $gte: new Date(from * DAY_MS) } }];
  const end = to === undefined ? [] : [{ date: { $lt: new Date(to * DAY_MS) } }];
  const isPublic = { parameter_code: { $nin: [...hiddenCodes] } };
  return { $and: [{ station_id: { $in: ids } }, isPublic, ...(codes ?? []), ...first, ...end] };
}
