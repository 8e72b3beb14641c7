/** Writes the local copy of one snapshot to a temporary folder, which is renamed when the copy is complete. */
import type { SnapshotHeader } from '../domain/model.js';
import { commitTemporary, createTemporary, type CopyName } from './copies.js';
import { WritableEnvironment, type Coding } from './environment.js';
import { FileWriter } from './copy-files.js';
import { groupNames } from './keys.js';
import { sealCopy, type CopyManifest } from './manifest.js';
import type { SeriesKey } from './observations/series-list.js';
import { encodeSeries, type SeriesColumns } from './observations/stored-series.js';
import { removeOwnFolder } from './own-files.js';
import { encodeRecord, type CopyRecords, type StoredFile } from './records.js';

/** A prepared answer; `gzip` is missing where compression saves nothing. */
export interface StoredAnswer {
  readonly name: string;
  readonly identity: Uint8Array;
  readonly gzip?: Uint8Array;
}

/** Writes a new copy. After a failure the caller calls `abandon`, which removes all files. */
export class CopyWriter {
  readonly #directory: string;
  readonly #name: CopyName;
  /** Folder of temporary files, removed with the copy. */
  readonly temporary: string;
  readonly #environment: WritableEnvironment;
  readonly #files: FileWriter[] = [];
  /** Names of answers, each with its content coding. */
  readonly #names: string[] = [];

  private constructor(directory: string, name: CopyName, temporary: string) {
    this.#directory = directory;
    this.#name = name;
    this.temporary = temporary;
    this.#environment = new WritableEnvironment(temporary);
  }

  /** @param directory of all local copies of the namespace. */
  static async create(directory: string, name: CopyName): Promise<CopyWriter> {
    return new CopyWriter(directory, name, await createTemporary(directory, name));
  }

  /** Stores answers in one transaction, whose memory grows with their size. */
  putAnswers(answers: Iterable<StoredAnswer>): void {
    this.transaction(() => {
      for (const { name, identity, gzip } of answers) {
        this.#putAnswer(name, 'identity', identity);
        if (gzip) this.#putAnswer(name, 'gzip', gzip);
      }
    });
  }

  #putAnswer(name: string, coding: Coding, body: Uint8Array): void {
    this.#environment.tables.answers[coding].put(name, body);
    this.#names.push(`${coding} ${name}`);
  }

  /** Called within `transaction`. */
  putSeries(key: SeriesKey, series: SeriesColumns): void {
    this.#environment.tables.series.put(key, encodeSeries(series));
  }

  /** A new file; the caller appends to it within `transaction`. */
  createFile(name: string): FileWriter {
    const file = new FileWriter(this.#environment, this.#files.length, name);
    this.#files.push(file);
    return file;
  }

  transaction(write: () => void): void {
    this.#environment.transaction(write);
  }

  /** Stores a record in its own transaction. */
  putRecord<K extends keyof CopyRecords>(name: K, value: CopyRecords[K]): void {
    this.transaction(() => {
      this.#environment.tables.records.put(name, encodeRecord(value));
    });
  }

  /** Writes the header last, closes and seals the environment, and renames the folder: then the copy exists. */
  async finish(header: SnapshotHeader): Promise<CopyManifest> {
    let files: readonly StoredFile[] = [];
    this.transaction(() => {
      files = this.#files.map((file) => file.finish());
    });
    this.putRecord('files', files);
    const groups = groupNames(this.#names);
    this.putRecord('names', groups.length);
    this.transaction(() => {
      for (const [group, names] of groups.entries()) {
        this.#environment.tables.records.put(`names/${group}`, names);
      }
    });
    this.putRecord('header', header);
    await this.#environment.close();
    const { schemaVersion } = header;
    const manifest = await sealCopy(this.temporary, { ...this.#name, schemaVersion });
    await commitTemporary(this.temporary, { directory: this.#directory, name: this.#name });
    return manifest;
  }

  async abandon(): Promise<void> {
    await this.#environment.close().catch(() => undefined);
    await removeOwnFolder(this.temporary);
  }
}
