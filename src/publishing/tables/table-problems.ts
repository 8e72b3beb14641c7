/** Reports problems of a built document where they can be mended: file, line and column instead of a path. */
import { TABLES, type Table } from './table-options.js';
import type { ReadTable } from './build-lists.js';
import { linesOfRecords } from './table-reader.js';
import { DocumentError, Problems, type Problem } from '../../snapshot/document/problems.js';

const PATH = /^([a-z]+)\[(\d+)\](?:\.(\w+))?/;

interface CellLocation {
  readonly table: ReadTable;
  readonly record: number;
  readonly column: string | undefined;
}

/** The same refusal, its paths said as `stations.csv, line 5, column latitude` where a table is behind them. */
export async function inTables(
  error: DocumentError,
  tables: ReadonlyMap<Table, ReadTable>,
): Promise<DocumentError> {
  const locations = error.problems.map(({ path }) => locationOf(path, tables));
  const lines = await linesOf(locations);
  const problems = error.problems.map((problem, index) => said(problem, locations[index], lines));
  return new DocumentError(problems, error.problemCount, { cause: error });
}

function locationOf(path: string, tables: ReadonlyMap<Table, ReadTable>): CellLocation | undefined {
  const [, list, record = '', column] = PATH.exec(path) ?? [];
  const table = TABLES.find((name) => name === list);
  const read = table === undefined ? undefined : tables.get(table);
  if (read === undefined) return undefined;
  const title = read.columns.find(({ name }) => name === column)?.title ?? column;
  return { table: read, record: Number(record), column: title };
}

async function linesOf(
  locations: readonly (CellLocation | undefined)[],
): Promise<ReadonlyMap<ReadTable, ReadonlyMap<number, number>>> {
  const records = new Map<ReadTable, Set<number>>();
  for (const location of locations) {
    if (location === undefined) continue;
    const { table, record } = location;
    records.set(table, (records.get(table) ?? new Set()).add(record));
  }
  const lines = new Map<ReadTable, ReadonlyMap<number, number>>();
  for (const [table, wanted] of records) {
    const options = { form: table.form, problems: new Problems() };
    lines.set(table, await linesOfRecords(table.file, wanted, options));
  }
  return lines;
}

function said(
  problem: Problem,
  location: CellLocation | undefined,
  lines: ReadonlyMap<ReadTable, ReadonlyMap<number, number>>,
): Problem {
  if (location === undefined) return problem;
  const line = lines.get(location.table)?.get(location.record);
  const column = location.column === undefined ? '' : `, column ${location.column}`;
  return { ...problem, path: `${location.table.file.name}, line ${line ?? '?'}${column}` };
}
