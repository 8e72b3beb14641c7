/** Runs `bura.sql` over a folder of exports (`docs/tables.md`, "Exports"). */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../../files/file-error.js';
import { Database, SqlError } from './database.js';
import {
  hintOf,
  prepareFolder,
  SCRIPT,
  type FolderOptions,
  type PreparedFile,
  type PreparedFolder,
} from './folder.js';
import { checkReads, prepareReads } from './reads.js';
import { writeTables } from './relations.js';
import { parseScript } from './script.js';

export interface ExportOptions extends FolderOptions {
  /** Real path of an empty folder for temporary files. */
  readonly root: string;
  readonly onProgress?: ((step: string, done: number, total: number) => void) | undefined;
}

export interface Exported {
  readonly folder: string;
  /** Lines about files that no statement has read, and about columns that only a later file has. */
  readonly notes: readonly string[];
  /** Names of read files that are empty or whose last line has no end. */
  readonly cut: readonly string[];
}

/**
 * Runs the folder's `bura.sql`, and writes its relations as CSV tables to a new folder.
 *
 * @throws {SqlError} with DuckDB's message.
 * @throws {DocumentError} for faults of the script, of its relations or of values that it misreads.
 * @throws {FileError} for a folder or file that cannot be read.
 */
export async function exportTables(from: string, options: ExportOptions): Promise<Exported> {
  const path = join(from, SCRIPT);
  const { problems } = options;
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new FileError(`read ${path}`, error);
  });
  const folder = join(options.root, 'tables');
  await mkdir(folder);
  return await withFolder(from, options, async (database, files) => {
    const names = new Set([...files.values()].flatMap(({ readAs }) => readAs));
    const parsed = parseScript(text, { names, problems });
    problems.throwIfAny();
    const script = await prepareReads(database, parsed);
    await database.runScript(script.text).catch(async (error: unknown) => {
      if (!(error instanceof SqlError)) throw error;
      // The cause is often a value that a `read_csv` call of the script misreads: then that value is reported instead
      // of DuckDB's error.
      await checkReads(database, script, { problems, hasRun: false });
      throw new SqlError(`${path}: ${error.message}`, { cause: error });
    });
    await checkReads(database, script, { problems, hasRun: true });
    await writeTables(database, { ...options, folder });
    const opened = await database.filesRead();
    const isRead = ({ readAs }: PreparedFile): boolean => readAs.some((one) => opened.has(one));
    const namesOf = (isMeant: (file: PreparedFile) => boolean): readonly string[] =>
      [...files].flatMap(([name, file]) => (isMeant(file) ? [name] : []));
    const unread = namesOf((file) => !isRead(file));
    return {
      folder,
      notes: [
        ...script.later.map(({ name, title }) => `${name}: column "${title}" is in no file before`),
        ...unread.map((name) => `${name}: no statement of ${SCRIPT} has read it${hintOf(name)}`),
      ],
      cut: namesOf((file) => file.isCut && isRead(file)),
    };
  });
}

/** Runs work with a database that can read the prepared files of a folder. @throws {SqlError} @throws {FileError} */
export async function withFolder<T>(
  from: string,
  options: ExportOptions,
  work: (database: Database, files: PreparedFolder) => Promise<T>,
): Promise<T> {
  const { root, signal, onProgress } = options;
  const folder = join(root, 'folder');
  await mkdir(folder);
  const files = await prepareFolder(from, folder, options);
  options.problems.throwIfAny();
  const paths = [...files.values()].map(({ path }) => path);
  const cwd = process.cwd();
  // DuckDB resolves and prints names relative to the working directory.
  process.chdir(folder);
  let database: Database | undefined;
  try {
    database = await Database.open({
      temporary: root,
      paths,
      signal,
      onProgress: (percent) => onProgress?.(SCRIPT, percent, 100),
    });
    return await work(database, files);
  } finally {
    database?.close();
    process.chdir(cwd);
  }
}
