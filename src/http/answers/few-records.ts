/** Observations that a front process finds by itself, being few: a worker would be asked for longer than they take. */
import type { HourInterval } from '../../snapshot/domain/windows.js';
import type { StoredSeries } from '../../snapshot/local/observations/stored-series.js';
import type { SnapshotReader } from '../../snapshot/local/reader.js';
import {
  findRecords,
  planRecords,
  type RecordsForm,
  type RecordsSource,
} from '../../snapshot/local/observations/records-plan.js';
import { looksAtStations, type Selection } from '../../snapshot/domain/selection.js';
import type { SeriesKey, SeriesList } from '../../snapshot/local/observations/series-list.js';
import type { Plan } from '../../snapshot/local/plan.js';
import type { BlockCache } from './block-cache.js';

/** Each is read as a whole, 12 kB of 30 days, in 3 µs. */
const SERIES_MAX = 16;

/** The whole of one series, and half as much again. To compress as many takes less than 0.3 ms. */
const RECORDS_MAX = 1000;

export interface RecordsQuery extends RecordsForm {
  readonly selection: Selection;
  readonly interval: HourInterval;
}

export class FewRecords implements RecordsSource {
  readonly #reader: SnapshotReader;
  readonly #blocks: BlockCache;
  readonly #list: SeriesList;

  /** @throws {SnapshotError} `copy_damaged`. */
  constructor(reader: SnapshotReader, blocks: BlockCache) {
    this.#reader = reader;
    this.#blocks = blocks;
    this.#list = reader.seriesList();
  }

  /**
   * Undefined where they are too many, or to find that out would take long: then they are a worker's.
   *
   * @throws {SnapshotError} `copy_damaged`.
   */
  few(query: RecordsQuery): Plan | undefined {
    const { selection, interval } = query;
    const { stationIds, parameterCodes } = selection;
    // Without a station all series would be looked at, and a client chooses how many stations there are.
    if (stationIds === undefined ? this.#list.length > SERIES_MAX : stationIds.length > 1) {
      return undefined;
    }
    if (looksAtStations(selection) || (parameterCodes?.length ?? 0) > SERIES_MAX) return undefined;
    const keys = this.#list.select(selection);
    if (keys.length > SERIES_MAX) return undefined;
    const found = findRecords(this, keys, interval, query);
    if (found.records > RECORDS_MAX) return undefined;
    return planRecords(this, found, query);
  }

  series(key: SeriesKey): StoredSeries {
    return this.#reader.series(key);
  }

  readInto(bytes: Uint8Array, file: string, offset: number): void {
    this.#blocks.readInto(bytes, file, offset);
  }
}
