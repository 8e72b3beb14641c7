/** Reads one complete local copy: prepared answers by name, observations by series and hour. */
import { SnapshotError } from '../domain/snapshot-error.js';
import type { SnapshotHeader } from '../domain/model.js';
import { hourShift } from '../domain/windows.js';
import { ReadableEnvironment, type Coding } from './environment.js';
import { FileReader } from './copy-files.js';
import { isNamed } from './keys.js';
import { TEXT_FILE, toForm } from './observations/record-layout.js';
import { SeriesList, type SeriesKey } from './observations/series-list.js';
import { StoredSeries } from './observations/stored-series.js';
import { decodeRecord, type CopyRecords } from './records.js';

export class SnapshotReader {
  readonly header: SnapshotHeader;
  readonly directory: string;
  readonly #environment: ReadableEnvironment;
  /** Number of groups of names, decoded at its first use. */
  #nameGroups: number | undefined;
  #files: FileReader | undefined;

  /** @param directory of a verified copy. Throws `copy_damaged` for an incomplete or damaged one. */
  constructor(directory: string) {
    this.directory = directory;
    this.#environment = new ReadableEnvironment(directory);
    try {
      this.header = this.record('header');
    } catch (error) {
      void this.#environment.close();
      throw error;
    }
  }

  /** See `ReadableEnvironment`. */
  get isInPlace(): boolean {
    return this.#environment.isInPlace;
  }

  /** A record that every copy has, decoded on each call: cache it. @throws {SnapshotError} `copy_damaged`. */
  record<K extends keyof CopyRecords>(name: K): CopyRecords[K] {
    return decodeRecord(name, this.#bytesOf(name));
  }

  /** The list of series, decoded on each call. */
  seriesList(): SeriesList {
    return new SeriesList(this.record('series'));
  }

  /**
   * A prepared answer, as a view that is valid until the next read; undefined if the import stored no such answer in
   * that coding.
   *
   * @throws {SnapshotError} `copy_damaged` if a stored answer is damaged or missing.
   */
  answer(name: string, coding: Coding): Uint8Array | undefined {
    const bytes = this.#environment.tables.answers[coding].view(name);
    if (bytes !== undefined) return bytes;
    this.#nameGroups ??= this.record('names');
    const readGroup = (group: number): Uint8Array => this.#bytesOf(`names/${group}`);
    if (!isNamed(`${coding} ${name}`, this.#nameGroups, readGroup)) return undefined;
    throw missing(`answer ${name}`);
  }

  /** A series of the list, as a view that is valid until the next read. @throws {SnapshotError} `copy_damaged`. */
  series(key: SeriesKey): StoredSeries {
    const bytes = this.#environment.tables.series.view(key);
    if (bytes === undefined) throw missing(`series ${key.join('/')}`);
    return new StoredSeries(bytes, hourShift(this.header));
  }

  /**
   * Fills `bytes` from `offset` of a stored file, or of the JSON that is derived from stored NDJSON.
   *
   * @throws {SnapshotError} `copy_damaged` for missing or damaged bytes.
   */
  readInto(bytes: Uint8Array, file: string, offset: number): void {
    const isMade = file === TEXT_FILE.json;
    this.#fileReader().readInto(bytes, isMade ? TEXT_FILE.ndjson : file, offset);
    if (isMade) toForm('json', bytes);
  }

  read(file: string, offset: number, length: number): Uint8Array {
    const bytes = Buffer.allocUnsafeSlow(length);
    this.readInto(bytes, file, offset);
    return bytes;
  }

  /** @throws {SnapshotError} `copy_damaged` for a missing file. */
  sizeOf(file: string): number {
    const stored = file === TEXT_FILE.json ? TEXT_FILE.ndjson : file;
    const sizeBytes = this.#fileReader().sizeBytes(stored);
    if (sizeBytes === undefined) throw missing(stored);
    return sizeBytes;
  }

  async close(): Promise<void> {
    await this.#environment.close();
  }

  #fileReader(): FileReader {
    return (this.#files ??= new FileReader(this.#environment, this.record('files')));
  }

  #bytesOf(name: string): Uint8Array {
    const bytes = this.#environment.tables.records.get(name);
    if (bytes !== undefined) return bytes;
    throw missing(`record ${name}`);
  }
}

function missing(what: string): SnapshotError {
  return new SnapshotError('copy_damaged', `${what} is missing`);
}
