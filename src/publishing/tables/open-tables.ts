/** Opens the five tables of a folder: its own, or those that its `bura.sql` makes. */
import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../../files/file-error.js';
import { DocumentError } from '../../snapshot/document/problems.js';
import { exportTables, type Exported, type ExportOptions } from '../sql/exports.js';
import { SCRIPT } from '../sql/folder.js';
import { CsvTables } from './csv-tables.js';

/**
 * Runs work with the tables.
 *
 * @throws {DocumentError} whose paths name rows and columns of the tables.
 * @throws {FileError} for a folder or file that cannot be read.
 * @throws {SqlError} with DuckDB's message about `bura.sql`.
 */
export async function withCsvTables<T>(
  from: string,
  options: ExportOptions,
  work: (tables: CsvTables, files: Pick<Exported, 'notes' | 'cut'>) => Promise<T>,
): Promise<T> {
  const { problems, signal, onProgress } = options;
  await access(from).catch((error: unknown) => {
    throw new FileError(`read ${from}`, error);
  });
  const isMade = existsSync(join(from, SCRIPT));
  const files = isMade ? await exportTables(from, options) : { folder: from, notes: [], cut: [] };
  const onBytes = (done: number, total: number): void => {
    signal?.throwIfAborted();
    onProgress?.('reading', done, total);
  };
  const tables = new CsvTables(files.folder, { problems, isMade, onProgress: onBytes });
  return await work(tables, files).catch((error: unknown) => {
    if (!(error instanceof DocumentError)) throw error;
    throw error.withPaths((path) => tables.placeOf(path));
  });
}
