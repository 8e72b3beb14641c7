/** One LMDB environment a snapshot, opened for writing once or for reading: the door to lmdb. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { SnapshotError } from '../domain/snapshot-error.js';
import type { ObservationKey } from './keys.js';

/** The file that LMDB keeps in a copy's directory. */
export const ENVIRONMENT_FILE = 'data.mdb';

/** How an answer is stored. */
export type Coding = 'identity' | 'gzip';

/** Tables of one environment; values are bytes, and what they mean is `records.ts`' to know. */
interface Tables {
  readonly root: RootDatabase<Buffer, string>;
  readonly answers: Readonly<Record<Coding, Database<Buffer, string>>>;
  readonly observations: Database<Buffer, ObservationKey>;
  /** Records by name: the header, the list of files, the index of chunks. */
  readonly records: Database<Buffer, string>;
  /** Segments of files that are too large for one value, by `segmentKey`. */
  readonly segments: Database<Buffer, number>;
}

export interface ObservationRange {
  readonly stationId: number;
  readonly componentId: number;
  /** UTC days since the epoch, `[fromDay, toDay)`. */
  readonly fromDay: number;
  readonly toDay: number;
}

/** An environment that is being filled, in a directory of its own that nobody reads yet. */
export class WritableEnvironment {
  readonly #tables: Tables;

  constructor(directory: string) {
    this.#tables = openTables(directory, false);
  }

  /** Runs `write` in one transaction: nothing else bounds what one commit holds in memory. */
  transaction(write: () => void): void {
    this.#tables.root.transactionSync(write);
  }

  putAnswer(name: string, coding: Coding, body: Uint8Array): void {
    this.#tables.answers[coding].putSync(name, asBuffer(body));
  }

  putObservations(key: ObservationKey, record: Uint8Array): void {
    this.#tables.observations.putSync(key, asBuffer(record));
  }

  putRecord(name: string, record: Uint8Array): void {
    this.#tables.records.putSync(name, asBuffer(record));
  }

  putSegment(key: number, bytes: Uint8Array): void {
    this.#tables.segments.putSync(key, asBuffer(bytes));
  }

  /** Resolves when every page is written and the file is closed; to flush it is left to `sealCopy`. */
  async close(): Promise<void> {
    await this.#tables.root.flushed;
    await this.#tables.root.close();
  }
}

/** A complete environment. Its file is trusted blindly by LMDB: verify it first (`copies.ts`). */
export class ReadableEnvironment {
  readonly #tables: Tables;
  #open = true;

  /** @throws {SnapshotError} `copy_damaged` where there is no environment. */
  constructor(directory: string) {
    // lmdb would create the directory that it then fails to read.
    if (!existsSync(join(directory, ENVIRONMENT_FILE))) {
      throw new SnapshotError('copy_damaged', `no ${ENVIRONMENT_FILE} in ${directory}`);
    }
    this.#tables = openTables(directory, true);
  }

  /** A record's bytes: a copy. */
  record(name: string): Uint8Array | undefined {
    return this.#read(() => this.#tables.records.getBinary(name));
  }

  /** One segment of a file: a copy, so that many answers can share it. */
  segment(key: number): Uint8Array | undefined {
    return this.#read(() => this.#tables.segments.getBinary(key));
  }

  /**
   * A finished answer. The bytes are a view of one shared buffer: valid until the next read of any kind.
   *
   * @throws {SnapshotError} `lease_ended` after `close`.
   */
  answer(name: string, coding: Coding): Uint8Array | undefined {
    if (!this.#open) throw closedError();
    const value = this.#tables.answers[coding].getBinaryFast(name);
    // lmdb overrides `length` alone: to native code its buffer has the whole 16 MB of `byteLength`.
    return value && new Uint8Array(value.buffer, value.byteOffset, value.length);
  }

  /** Observation records of one series, ascending by day. */
  observations(range: ObservationRange): Iterable<Uint8Array> {
    const { stationId, componentId, fromDay, toDay } = range;
    return this.#read(() =>
      this.#tables.observations
        .getRange({
          start: [stationId, componentId, fromDay],
          end: [stationId, componentId, toDay],
        })
        .map((entry) => entry.value),
    );
  }

  /** After the last reader; deleting the files before it is safe, reading after it is not. */
  async close(): Promise<void> {
    this.#open = false;
    await this.#tables.root.close();
  }

  #read<T>(read: () => T): T {
    if (!this.#open) throw closedError();
    return read();
  }
}

function openTables(directory: string, readOnly: boolean): Tables {
  const root = open<Buffer, string>({
    path: directory,
    encoding: 'binary',
    readOnly,
    maxDbs: 6,
    maxReaders: 256,
    // A path with a dot in its last part would be taken for a file.
    noSubdir: false,
    // The whole file is flushed once, when it is sealed.
    overlappingSync: false,
    noSync: !readOnly,
  });
  const table = <K extends string | ObservationKey>(name: string): Database<Buffer, K> =>
    root.openDB<Buffer, K>({ name, encoding: 'binary' });
  return {
    root,
    answers: { identity: table('answers'), gzip: table('answers.gzip') },
    observations: table('observations'),
    records: table('records'),
    segments: root.openDB<Buffer, number>({
      name: 'segments',
      encoding: 'binary',
      keyEncoding: 'uint32',
    }),
  };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function closedError(): SnapshotError {
  return new SnapshotError('lease_ended', 'the local copy was closed before this read');
}
