/** Observations that a front process finds by itself, being few: a worker would be asked for longer than they take. */
import type { HourInterval } from '../../snapshot/domain/windows.js';
import type { SnapshotReader } from '../../snapshot/local/reader.js';
import type { Form } from '../../snapshot/local/observations/layout.js';
import { findRecords, planRecords } from '../../snapshot/local/observations/records-plan.js';
import type { SeriesFilter, SeriesList } from '../../snapshot/local/observations/series-list.js';
import type { Plan } from '../../snapshot/local/plan.js';

/** Each is read as a whole, 12 kB of 30 days, in 3 µs. */
const SERIES_MAX = 16;

/** The whole of one series, and half as much again. To compress as many takes less than 0.3 ms. */
const RECORDS_MAX = 1000;

export interface RecordsQuery {
  readonly filter: SeriesFilter;
  readonly interval: HourInterval;
  readonly form: Form;
  readonly gzip: boolean;
}

export class FewRecords {
  readonly #reader: SnapshotReader;
  readonly #list: SeriesList;

  /** @throws {SnapshotError} `copy_damaged`. */
  constructor(reader: SnapshotReader) {
    this.#reader = reader;
    this.#list = reader.seriesList();
  }

  /**
   * Undefined where they are too many, or to find that out would take long: then they are a worker's.
   *
   * @throws {SnapshotError} `copy_damaged`.
   */
  few({ filter, interval, form, gzip }: RecordsQuery): Plan | undefined {
    // Without a station all series would be looked at.
    if (filter.stationId === undefined && this.#list.length > SERIES_MAX) return undefined;
    const keys = this.#list.select(filter);
    if (keys.length > SERIES_MAX) return undefined;
    const found = findRecords(this.#reader, keys, interval);
    if (found.records > RECORDS_MAX) return undefined;
    return planRecords(this.#reader, found, { form, gzip });
  }
}
