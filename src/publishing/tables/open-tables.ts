/** Opens the five tables of a folder: its own, or those that its `bura.sql` makes. */
import { existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../../files/file-error.js';
import { DocumentError } from '../../snapshot/document/problems.js';
import { withTables, type ExportOptions, type Suspicious } from '../sql/exports.js';
import { SCRIPT } from '../sql/folder.js';
import { CsvTables } from './csv-tables.js';

export interface OpenOptions extends Omit<ExportOptions, 'onProgress'> {
  /** What reading the rows is called. */
  readonly step: string;
  /** Called with how much of a step is done. */
  readonly onProgress?: ((step: string, done: number, total: number) => void) | undefined;
}

/**
 * Has work done with the tables.
 *
 * @throws {DocumentError} its paths said as where they are to be mended.
 * @throws {FileError} for what cannot be read.
 * @throws {SqlError} what DuckDB says of `bura.sql`.
 */
export async function withCsvTables<T>(
  from: string,
  { step, onProgress, ...options }: OpenOptions,
  work: (tables: CsvTables, files: Suspicious) => Promise<T>,
): Promise<T> {
  const { problems, signal } = options;
  const onBytes = (done: number, total: number): void => {
    signal?.throwIfAborted();
    onProgress?.(step, done, total);
  };
  const open = async (folder: string, files: Suspicious): Promise<T> => {
    const tables = new CsvTables(folder, { problems, onProgress: onBytes });
    return await work(tables, files).catch((error: unknown) => {
      if (!(error instanceof DocumentError)) throw error;
      throw error.withPaths((path) => tables.placeOf(path));
    });
  };
  await access(from).catch((error: unknown) => {
    throw new FileError(`read ${from}`, error);
  });
  if (!existsSync(join(from, SCRIPT))) return await open(from, { notes: [], cut: [] });
  const onPercent = (percent: number): void => onProgress?.(SCRIPT, percent, 100);
  return await withTables(from, { ...options, onProgress: onPercent }, open);
}
