/** Reports problems of a built document where they can be mended: file, line and column instead of a path. */
import { TABLES, type Table } from './cells.js';
import { linesOfRecords, type CsvFile } from './csv-reader.js';
import { DocumentError, type Problem } from '../../snapshot/document/problems.js';

const PATH = /^([a-z]+)\[(\d+)\](?:\.(\w+))?/;

interface CellLocation {
  readonly file: CsvFile;
  readonly record: number;
  readonly column: string | undefined;
}

/** The same refusal, its paths said as `stations.csv, line 5, column latitude` where a table is behind them. */
export async function inTables(
  error: DocumentError,
  tables: ReadonlyMap<Table, CsvFile>,
): Promise<DocumentError> {
  const locations = error.problems.map(({ path }) => locationOf(path, tables));
  const lines = await linesOf(locations);
  const problems = error.problems.map((problem, index) => said(problem, locations[index], lines));
  return new DocumentError(problems, error.problemCount, { cause: error });
}

function locationOf(path: string, tables: ReadonlyMap<Table, CsvFile>): CellLocation | undefined {
  const [, list, record = '', column] = PATH.exec(path) ?? [];
  const table = TABLES.find((name) => name === list);
  const file = table === undefined ? undefined : tables.get(table);
  return file === undefined ? undefined : { file, record: Number(record), column };
}

async function linesOf(
  locations: readonly (CellLocation | undefined)[],
): Promise<ReadonlyMap<CsvFile, ReadonlyMap<number, number>>> {
  const records = new Map<CsvFile, Set<number>>();
  for (const location of locations) {
    if (location === undefined) continue;
    records.set(location.file, (records.get(location.file) ?? new Set()).add(location.record));
  }
  const lines = new Map<CsvFile, ReadonlyMap<number, number>>();
  for (const [file, wanted] of records) lines.set(file, await linesOfRecords(file, wanted));
  return lines;
}

function said(
  problem: Problem,
  location: CellLocation | undefined,
  lines: ReadonlyMap<CsvFile, ReadonlyMap<number, number>>,
): Problem {
  if (location === undefined) return problem;
  const line = lines.get(location.file)?.get(location.record);
  const column = location.column === undefined ? '' : `, column ${location.column}`;
  return { ...problem, path: `${location.file.name}, line ${line ?? '?'}${column}` };
}
