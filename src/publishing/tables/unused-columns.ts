/** Finds columns of the tables to build from that mean nothing in the schema version of the document. */
import type { Table } from './cells.js';
import { readCsv, type CsvFile } from './csv-reader.js';
import type { Problems } from '../../snapshot/document/problems.js';
import {
  hasNewMembers,
  NEW_MEMBERS,
  type SchemaVersion,
} from '../../snapshot/document/schema-version.js';

export interface UnusedColumn {
  /** Such as `measurements.csv.gz`. */
  readonly file: string;
  readonly column: string;
}

/** Those that a later version knows; of others it is plain that they are additional. */
export async function findUnusedColumns(
  tables: ReadonlyMap<Table, CsvFile>,
  { schemaVersion, problems }: { schemaVersion: SchemaVersion; problems: Problems },
): Promise<readonly UnusedColumn[]> {
  if (hasNewMembers(schemaVersion)) return [];
  const found: UnusedColumn[] = [];
  for (const table of ['components', 'measurements'] as const) {
    const file = tables.get(table);
    if (file === undefined) continue;
    const header = await readHeader(file, problems);
    for (const column of NEW_MEMBERS[table]) {
      if (header.includes(column)) found.push({ file: file.name, column });
    }
  }
  return found;
}

async function readHeader(file: CsvFile, problems: Problems): Promise<readonly string[]> {
  for await (const record of readCsv(file, { problems })) return record.map((name) => name.trim());
  return [];
}
