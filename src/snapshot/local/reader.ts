/** Reads one complete local copy: finished answers by name, observations by series and hour. */
import { SnapshotError } from '../domain/snapshot-error.js';
import type { Organization, SnapshotHeader } from '../domain/model.js';
import type { HourInterval } from '../domain/windows.js';
import { ReadableEnvironment, type Coding } from './environment.js';
import type { SeriesChunks } from './chunks.js';
import type { BundleFile } from './bundle.js';
import { FileReader } from './files.js';
import { dayOfHour, type CopyRecord } from './keys.js';
import {
  decodeChunks,
  decodeBundle,
  decodeDay,
  decodeFileList,
  decodeHeader,
  decodeLatest,
  decodePublicIds,
  decodePublisher,
  decodeStations,
  decodeTexts,
  type FilterableStation,
  type LatestObservation,
  type PublicIds,
} from './records.js';

/** One hour of one series; `hour` since the epoch, UTC; NaN where the document says null. */
export interface Observation {
  readonly hour: number;
  readonly value: number;
}

export class SnapshotReader {
  readonly header: SnapshotHeader;
  /** Where it was opened. */
  readonly directory: string;
  readonly files: FileReader;
  readonly #environment: ReadableEnvironment;

  /**
   * @param directory of one copy that `verifyCopy` has verified.
   * @throws {SnapshotError} `copy_damaged` where the copy was never completed.
   */
  constructor(directory: string) {
    this.directory = directory;
    this.#environment = new ReadableEnvironment(directory);
    this.header = decodeHeader(this.#record('header'));
    this.files = new FileReader(this.#environment, decodeFileList(this.#record('files')));
  }

  /** The index of finished observations: decoded on each call, so keep it. */
  chunks(): readonly SeriesChunks[] {
    return decodeChunks(this.#record('chunks'));
  }

  /** The files of the bulk bundle. */
  bundle(): readonly BundleFile[] {
    return decodeBundle(this.#record('bundle'));
  }

  /** Stations in their order. */
  stations(): readonly FilterableStation[] {
    return decodeStations(this.#record('station-filter'));
  }

  /** In the order of the observations. */
  latest(): readonly LatestObservation[] {
    return decodeLatest(this.#record('latest'));
  }

  /** The organization whose data these are; undefined where there is none, and so no data. */
  publisher(): Organization | undefined {
    return decodePublisher(this.#record('publisher'));
  }

  /** The catalogue's text, as the texts that the base URL goes between. */
  catalog(): readonly string[] {
    return decodeTexts(this.#record('catalog'));
  }

  /** What a client may name. */
  publicIds(): PublicIds {
    return decodePublicIds(this.#record('public-ids'));
  }

  /** A finished answer, or undefined. A view: valid until the next read of any kind. */
  answer(name: string, coding: Coding): Uint8Array | undefined {
    return this.#environment.answer(name, coding);
  }

  /** Observations of one series whose hour lies in the half-open interval, ascending; nulls as NaN. */
  *observations(
    series: { readonly stationId: number; readonly componentId: number },
    interval: HourInterval,
  ): Generator<Observation> {
    const days = { fromDay: dayOfHour(interval.from), toDay: dayOfHour(interval.to - 1) + 1 };
    for (const bytes of this.#environment.observations({ ...series, ...days })) {
      const { hours, values } = decodeDay(bytes);
      for (const [index, hour] of hours.entries()) {
        if (hour >= interval.from && hour < interval.to) {
          yield { hour, value: values[index] ?? NaN };
        }
      }
    }
  }

  async close(): Promise<void> {
    await this.#environment.close();
  }

  #record(name: CopyRecord): Uint8Array {
    const bytes = this.#environment.record(name);
    if (bytes !== undefined) return bytes;
    throw new SnapshotError('copy_damaged', `a local copy without ${name} was never completed`);
  }
}
