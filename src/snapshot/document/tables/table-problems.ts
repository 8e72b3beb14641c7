/** Says problems of a built document where they can be mended: file, line and column instead of a path. */
import { TABLES, type Table } from './cells.js';
import { linesOfRecords, type CsvFile } from './csv-reader.js';
import { DocumentError, type Problem } from '../problems.js';

const PATH = /^([a-z]+)\[(\d+)\](?:\.(\w+))?/;

interface Place {
  readonly file: CsvFile;
  readonly record: number;
  readonly column: string | undefined;
}

/** The same refusal, its paths said as `stations.csv, line 5, column latitude` where a table is behind them. */
export async function inTables(
  error: DocumentError,
  tables: ReadonlyMap<Table, CsvFile>,
): Promise<DocumentError> {
  const places = error.problems.map(({ path }) => placeOf(path, tables));
  const lines = await linesOf(places);
  const problems = error.problems.map((problem, index) => said(problem, places[index], lines));
  return new DocumentError(problems, error.problemCount, { cause: error });
}

function placeOf(path: string, tables: ReadonlyMap<Table, CsvFile>): Place | undefined {
  const [, list, record = '', column] = PATH.exec(path) ?? [];
  const table = TABLES.find((name) => name === list);
  const file = table === undefined ? undefined : tables.get(table);
  return file === undefined ? undefined : { file, record: Number(record), column };
}

async function linesOf(
  places: readonly (Place | undefined)[],
): Promise<ReadonlyMap<CsvFile, ReadonlyMap<number, number>>> {
  const records = new Map<CsvFile, Set<number>>();
  for (const place of places) {
    if (place === undefined) continue;
    records.set(place.file, (records.get(place.file) ?? new Set()).add(place.record));
  }
  const lines = new Map<CsvFile, ReadonlyMap<number, number>>();
  for (const [file, wanted] of records) lines.set(file, await linesOfRecords(file, wanted));
  return lines;
}

function said(
  problem: Problem,
  place: Place | undefined,
  lines: ReadonlyMap<CsvFile, ReadonlyMap<number, number>>,
): Problem {
  if (place === undefined) return problem;
  const line = lines.get(place.file)?.get(place.record);
  const column = place.column === undefined ? '' : `, column ${place.column}`;
  return { ...problem, path: `${place.file.name}, line ${line ?? '?'}${column}` };
}
