/** Reads one complete local copy: finished answers by name, observations by series and hour. */
import { SnapshotError } from '../domain/snapshot-error.js';
import type { Organization, SnapshotHeader } from '../domain/model.js';
import type { HourInterval } from '../domain/windows.js';
import { ReadableEnvironment, type Coding } from './environment.js';
import { chunkOfHour, type SeriesChunks } from './chunks.js';
import type { BundleFile } from './bundle.js';
import { FileReader } from './files.js';
import { NameList, type CopyRecord, type ObservationKey } from './keys.js';
import {
  decodeChunks,
  decodeBundle,
  decodeFileList,
  decodeGroupCount,
  decodeHeader,
  decodeHours,
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
  readonly #names: NameList;

  /**
   * @param directory of one copy that `verifyCopy` has verified.
   * @throws {SnapshotError} `copy_damaged` where the copy was never completed, or has been damaged since.
   */
  constructor(directory: string) {
    this.directory = directory;
    this.#environment = new ReadableEnvironment(directory);
    try {
      this.header = decodeHeader(this.#record('header'));
      this.files = new FileReader(this.#environment, decodeFileList(this.#record('files')));
      const groups = decodeGroupCount(this.#record('names'));
      this.#names = new NameList(groups, (group) => this.#record(`names/${group}`));
    } catch (error) {
      void this.#environment.close();
      throw error;
    }
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

  /**
   * A finished answer; undefined where the import has made none of that name in that coding. A view: valid until the next
   * read of any kind.
   *
   * @throws {SnapshotError} `copy_damaged` for one that is not as it was written, or is not there any more.
   */
  answer(name: string, coding: Coding): Uint8Array | undefined {
    const bytes = this.#environment.answer(name, coding);
    if (bytes === undefined && this.#names.includes(`${coding} ${name}`)) {
      throw missing(`answer ${name}`);
    }
    return bytes;
  }

  /** Observations of one series whose hour lies in the half-open interval, ascending; nulls as NaN. */
  *observations(series: SeriesChunks, interval: HourInterval): Generator<Observation> {
    const { stationId, componentId } = series;
    for (const { firstHour, lastHour } of series.chunks) {
      if (lastHour < interval.from || firstHour >= interval.to) continue;
      const key: ObservationKey = [stationId, componentId, chunkOfHour(firstHour)];
      const bytes = this.#environment.observations(key);
      if (bytes === undefined) throw missing(`chunk ${key.join('/')} of the observations`);
      const { hours, values } = decodeHours(bytes);
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
    throw missing(`record ${name}`);
  }
}

function missing(what: string): SnapshotError {
  return new SnapshotError('copy_damaged', `${what} is missing`);
}
