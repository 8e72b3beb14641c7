/** The files of a folder that a table is in, found by a pattern that may say what their names mean. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../../snapshot/document/file-error.js';
import type { Problems } from '../../snapshot/document/problems.js';

/** What a file's name may say of all its rows. */
type Named = 'station' | 'component';

export interface TableFile {
  /** Without the folder, such as `stations.csv.gz`: what messages say. */
  readonly name: string;
  readonly path: string;
  /** As stored. */
  readonly sizeBytes: number;
  readonly named: Readonly<Partial<Record<Named, string>>>;
}

/** Of a table that nothing is said of. */
const DEFAULT_ENDINGS = ['.csv', '.csv.gz', '.xlsx'] as const;

/** The one table `name` of a folder; two forms of it are a problem, and none is `undefined`. */
export async function findTable(
  { folder, name }: { readonly folder: string; readonly name: string },
  problems: Problems,
): Promise<TableFile | undefined> {
  const found: TableFile[] = [];
  for (const ending of DEFAULT_ENDINGS) {
    const file = await tableFile(folder, `${name}${ending}`).catch(() => undefined);
    if (file !== undefined) found.push(file);
  }
  const [first, second] = found;
  if (first && second) problems.fail(first.name, `there is a ${second.name} too`);
  return first;
}

/**
 * The files whose names fit a pattern, by name: `*` stands for any text, `{station}` and `{component}` for one that means
 * that.
 *
 * @throws {FileError} for a folder that cannot be read.
 */
export async function findTables(folder: string, pattern: string): Promise<readonly TableFile[]> {
  const expression = new RegExp(
    `^${pattern
      .replace(/[.+?^$()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('{station}', '(?<station>.+?)')
      .replaceAll('{component}', '(?<component>.+?)')
      .replace(/[{}](?!\w*>)/g, '\\$&')}$`,
    'u',
  );
  const names = await readdir(folder).catch((error: unknown) => {
    throw new FileError(`read ${folder}`, error);
  });
  const files: TableFile[] = [];
  for (const name of names.sort()) {
    const { groups } = expression.exec(name) ?? {};
    if (!expression.test(name)) continue;
    files.push({ ...(await tableFile(folder, name)), named: { ...groups } });
  }
  return files;
}

async function tableFile(folder: string, name: string): Promise<TableFile> {
  const path = join(folder, name);
  return { name, path, sizeBytes: (await stat(path)).size, named: {} };
}
