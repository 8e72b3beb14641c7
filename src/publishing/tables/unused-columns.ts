/** Finds columns of the tables to build from that mean nothing in the schema version of the document. */
import type { Table } from './table-options.js';
import type { ReadTable } from './build-lists.js';
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
export function findUnusedColumns(
  tables: ReadonlyMap<Table, ReadTable>,
  schemaVersion: SchemaVersion,
): readonly UnusedColumn[] {
  if (hasNewMembers(schemaVersion)) return [];
  return (['components', 'measurements'] as const).flatMap((table) => {
    const read = tables.get(table);
    return NEW_MEMBERS[table].flatMap((column) =>
      read?.columns.some(({ name }) => name === column) === true
        ? [{ file: read.file.name, column }]
        : [],
    );
  });
}
