/** Reads daily values from cached archive files; decodes each relevant row group once for all stations. */
import { parquetMetadataAsync, parquetReadObjects, type FileMetaData } from 'hyparquet';
import { parquetReadColumn } from 'hyparquet/src/read.js';
import type { KeptFile } from '../../../snapshot/archive/archive-state.js';
import { KeptFileReader, keptPath } from '../../../snapshot/archive/kept-file.js';
import { DAY_MS } from '../../../snapshot/domain/zone-clock.js';
import type { DailyRow } from '../../../views/hvd/archive.js';
import type { DailyFiles } from '../../messages.js';
import { TimeSlices } from '../../short-jobs.js';

export interface DailySelection {
  readonly stationIds: readonly number[];
  readonly parameterCodes: readonly string[] | undefined;
  /** Local days since the epoch, half-open; of hourly values, whose rows have them as `mean`, days of UTC. */
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** A station of the archive, which the active snapshot may lack. */
export interface ArchivedStation {
  readonly id: number;
  readonly name: string;
}

/** Reads selected rows of one file by station, without hidden stations and parameters. */
export class DailyFileReader {
  readonly #reader: KeptFileReader;
  readonly #file: Parameters<typeof parquetMetadataAsync>[0];
  /** Ids of selected stations that are not hidden. */
  readonly #stationIds: ReadonlySet<string>;
  readonly #isSelected: (stationId: unknown, code: unknown, date: unknown) => boolean;
  /** The column of the hour, the day, or the first day of the month. */
  readonly #date: string;
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
    const { stationIds, parameterCodes, from = -Infinity, to = Infinity } = selection;
    const codes = parameterCodes && new Set(parameterCodes);
    const hiddenCodes = new Set(hidden.parameterCodes);
    const [kind = ''] = file.path.split('/');
    const ids = new Set(stationIds.map(String));
    for (const id of hidden.stationIds) ids.delete(id);
    this.#stationIds = ids;
    this.#date = { monthly: 'month', observations: 'time_start_utc' }[kind] ?? 'date';
    // Filters of the library take four times as long.
    this.#isSelected = (id, name, date) => {
      const [code, day] = [String(name), Number(date) / DAY_MS];
      if (!ids.has(String(id)) || hiddenCodes.has(code)) return false;
      return codes?.has(code) !== false && day >= from && day < to;
    };
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

  /** Decodes the selected rows of the next group, unless its statistics exclude all selected stations. */
  async #decodeGroup(metadata: FileMetaData): Promise<void> {
    const group = metadata.row_groups[this.#group];
    const rowStart = this.#rowStart;
    this.#group += 1;
    this.#rowStart += Number(group?.num_rows);
    if (group === undefined || !this.#mayHold(group)) return;
    const range = { file: this.#file, metadata, rowStart, rowEnd: this.#rowStart };
    const names = metadata.schema.slice(1).map(({ name }) => name);
    const columns: readonly ArrayLike<unknown>[] = await Promise.all(
      names.map(async (name) => await parquetReadColumn({ ...range, columns: [name] })),
    );
    const keys = ['station_id', 'parameter_code', this.#date];
    const [ids = [], codes = [], dates = []] = keys.map((name) => columns[names.indexOf(name)]);
    for (let at = 0; at < ids.length; at += 1) {
      if (!this.#isSelected(ids[at], codes[at], dates[at])) continue;
      const cells: Record<string, unknown> = { date: dates[at] };
      for (const [place, name] of names.entries()) cells[name] = columns[place]?.[at];
      // The rows have the columns of the archive.
      const row = { mean: cells['value'], ...cells } as unknown as DailyRow;
      const stationId = Number(row.station_id);
      const others = this.#rows.get(stationId);
      if (others === undefined) this.#rows.set(stationId, [row]);
      else others.push(row);
      this.#lastStation = stationId;
    }
  }

  #mayHold({ columns }: FileMetaData['row_groups'][number]): boolean {
    const ids = columns.find(({ meta_data: of }) => of?.path_in_schema[0] === 'station_id');
    const { min_value: least, max_value: most } = ids?.meta_data?.statistics ?? {};
    if (typeof least !== 'string' || typeof most !== 'string') return true;
    return [...this.#stationIds].some((id) => id >= least && id <= most);
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

/** The archive's stations that are not hidden, by id. @throws {SnapshotError} `archive_damaged`. */
export async function readArchivedStations({
  folder,
  stations,
  hidden,
}: DailyFiles): Promise<readonly ArchivedStation[]> {
  if (stations === undefined) return [];
  const reader = new KeptFileReader(keptPath(folder, stations), stations);
  try {
    const file = asyncBuffer(reader, stations);
    const rows = await parquetReadObjects({ file, columns: ['station_id', 'station_name'] });
    return rows.flatMap(({ station_id: id, station_name: name }) =>
      hidden.stationIds.includes(String(id)) ? [] : { id: Number(id), name: String(name) },
    );
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
