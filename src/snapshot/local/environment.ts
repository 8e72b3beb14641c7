/** LMDB environments, one for each snapshot, written once, then only read; the only file that loads lmdb. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { SnapshotError } from '../domain/snapshot-error.js';
import { CheckedTable } from './checked-table.js';
import { identityOf } from './identity.js';
import { isReadersFull } from './read-failure.js';
import type { SeriesKey } from './observations/series-list.js';

/** LMDB's file in a copy's directory. */
export const ENVIRONMENT_FILE = 'data.mdb';

/** Limit of threads that read a copy: 64 fronts with 63 workers each. Each takes 64 bytes in LMDB's lock file. */
const READERS_MAX = 4096;

export type Coding = 'identity' | 'gzip';

interface Tables {
  readonly root: RootDatabase<Buffer, string>;
  readonly answers: Readonly<Record<Coding, CheckedTable<string>>>;
  readonly series: CheckedTable<SeriesKey>;
  /** Records by name; `CopyRecords` lists them. */
  readonly records: CheckedTable<string>;
  /** Segments of large files, by `segmentKey`. */
  readonly segments: CheckedTable<number>;
}

/** An environment that an import is writing, in a directory without readers. */
export class WritableEnvironment {
  readonly tables: Tables;

  constructor(directory: string) {
    this.tables = openTables(directory, false);
  }

  /** Runs `write` in one transaction, which takes memory for all its values. */
  transaction(write: () => void): void {
    this.tables.root.transactionSync(write);
  }

  /** Resolves when all pages are written and the file is closed. `sealCopy` flushes it to the disk later. */
  async close(): Promise<void> {
    await this.tables.root.flushed;
    await this.tables.root.close();
  }
}

/**
 * A complete environment. LMDB does not check its file, so the file is verified before it is opened (`manifest.ts`),
 * and each value when it is read. Tables throw `copy_damaged` for values that differ from those written, and
 * `lease_ended` after `close`. The caller checks for missing values.
 */
export class ReadableEnvironment {
  readonly tables: Tables;
  readonly #directory: string;
  readonly #file: string;

  /** @throws {SnapshotError} `copy_damaged` if the file is missing; `copy_unreadable` if it cannot be opened. */
  constructor(directory: string) {
    const file = fileIn(directory);
    // lmdb would create a missing directory, then fail to read it.
    if (file === undefined) {
      throw new SnapshotError('copy_damaged', `no ${ENVIRONMENT_FILE} in ${directory}`);
    }
    this.#directory = directory;
    this.#file = file;
    this.tables = openForReading(directory);
  }

  /** Whether the path still leads to the opened file: the copy may have been removed and made again. */
  get isInPlace(): boolean {
    return fileIn(this.#directory) === this.#file;
  }

  /** Called after the last reader has ended. The files may have been deleted before. */
  async close(): Promise<void> {
    const { root, answers, series, records, segments } = this.tables;
    for (const table of [answers.identity, answers.gzip, series, records, segments]) table.close();
    await root.close();
  }
}

function fileIn(directory: string): string | undefined {
  try {
    return identityOf(statSync(join(directory, ENVIRONMENT_FILE), { bigint: true }));
  } catch {
    return undefined;
  }
}

/** Opens a verified environment. Fails only if readers, file descriptors or memory run out, or if the disk fails. */
function openForReading(directory: string): Tables {
  try {
    return openTables(directory, true);
  } catch (cause) {
    const why = isReadersFull(cause)
      ? 'too many threads read it (MDB_READERS_FULL)'
      : String(cause);
    const message = `cannot open ${directory}: ${why}`;
    throw new SnapshotError('copy_unreadable', message, { cause });
  }
}

function openTables(directory: string, readOnly: boolean): Tables {
  const root = open<Buffer, string>({
    path: directory,
    encoding: 'binary',
    readOnly,
    maxDbs: 6,
    maxReaders: READERS_MAX,
    // Otherwise lmdb takes a path with a dot in its last segment for a file.
    noSubdir: false,
    // `sealCopy` flushes the whole file once.
    overlappingSync: false,
    noSync: !readOnly,
  });
  const table = <K extends string | SeriesKey>(name: string): CheckedTable<K> =>
    new CheckedTable<K>(name, root.openDB<Buffer, K>({ name, encoding: 'binary' }));
  const segments = root.openDB<Buffer, number>({
    name: 'segments',
    encoding: 'binary',
    keyEncoding: 'uint32',
  });
  return {
    root,
    answers: { identity: table('answers'), gzip: table('answers.gzip') },
    series: table('series'),
    records: table('records'),
    segments: new CheckedTable('segments', segments),
  };
}
