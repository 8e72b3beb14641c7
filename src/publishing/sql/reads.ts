/** Checks that the calls in a `bura.sql` keep every column and value of the files (`docs/tables.md`). */
import type { Problems } from '../../snapshot/document/problems.js';
import { quoted, SqlError, type Database } from './database.js';
import { SCRIPT } from './folder.js';
import { OFFSET } from './macros.js';
import type { RelationColumn } from './relations.js';
import { escapedPattern, type ReadCall, type Script } from './script.js';

const FILE = 'bura_file';
const NUMBER = /^(?:U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DECIMAL.*)$/;
const TYPES = ['types', 'dtypes', 'column_types'];
/** Options that set how types are found. */
const TYPES_CHOSEN = ['sample_size', 'all_varchar', 'columns', 'auto_detect'];
/** Options that set the columns. */
const TITLES_CHOSEN = ['union_by_name', 'columns', 'names', 'column_names', 'auto_detect'];
/** Options that infer types from all rows, and for JSON from all files, instead of only the first. */
const ALL_ROWS = { sample_size: '-1' };
const ALL_JSON = { ...ALL_ROWS, maximum_sample_files: '2147483647' };

type Options = Readonly<Record<string, string | undefined>>;

/** A script whose calls infer types from all rows and, where files differ, read each file by its own titles. */
interface Prepared extends Script {
  readonly later: readonly Later[];
}

/** A column of a later file that all files before it lack. */
interface Later {
  readonly name: string;
  readonly title: string;
  /** Whether the column is read: not by a bare file name, nor if a file lacks another column (a changed title). */
  readonly isRead: boolean;
}

export async function prepareReads(database: Database, script: Script): Promise<Prepared> {
  const later: Later[] = [];
  const calls: ReadCall[] = [];
  const edits: { readonly at: number; readonly sql: string }[] = [];
  for (const call of script.calls) {
    const added = call.isJson
      ? lacks(call, [...TYPES_CHOSEN, 'maximum_sample_files']) && ALL_JSON
      : // Files that a variable names can only be checked after the script has run.
        await compareFiles(database, call, later).catch(() => addedTypes(call));
    const options = new Map([...call.options, ...Object.entries(added || {})]);
    calls.push(call.end === undefined ? call : { ...call, options });
    if (call.end === undefined) continue;
    const sql = Object.entries(added || {}).map(([name, value]) => `, ${name} = ${value}`);
    edits.push({ at: call.end, sql: sql.join('') });
  }
  const text = edits
    .toReversed()
    .reduce((all, { at, sql }) => all.slice(0, at) + sql + all.slice(at), script.text);
  return { ...script, text, calls, later };
}

function lacks({ options }: ReadCall, names: readonly string[]): boolean {
  return !names.some((name) => options.has(name));
}

function addedTypes(call: ReadCall): Readonly<Record<string, string>> {
  return lacks(call, TYPES_CHOSEN) ? ALL_ROWS : {};
}

/** Whether the options of a call set the type of a column. */
function isTold({ options }: ReadCall, { name }: RelationColumn): boolean {
  return TYPES.some((option) => options.get(option)?.includes(quoted(name)));
}

/**
 * Finds the options with which a call reads each file by its own titles. Without `union_by_name` DuckDB drops columns
 * of later files, refuses unused columns for their type, and does not skip lines when it adds file names.
 *
 * @throws {SqlError} for files that cannot be read.
 */
async function compareFiles(
  database: Database,
  call: ReadCall,
  later: Later[],
): Promise<Readonly<Record<string, string>>> {
  // An empty file has no titles.
  const nonEmpty = await database.texts(
    `SELECT DISTINCT filename FROM read_blob(${call.files}) WHERE size > 0 ORDER BY 1`,
  );
  const names = nonEmpty.map(([path = '']) => path.replace(/^\.\//, ''));
  const read = async (name: string, changed: Options = {}): Promise<readonly RelationColumn[]> => {
    const file = { ...call, files: quoted(escapedPattern(name)) };
    const typeless = Object.fromEntries(TYPES.map((option) => [option, undefined]));
    return await described(database, file, { ...typeless, ...changed });
  };
  const isAllTold = (columns: readonly RelationColumn[]): boolean =>
    columns.every((column) => isTold(call, column));
  const types = names[0] && isAllTold(await read(names[0])) ? {} : addedTypes(call);
  if (names.length < 2 || !lacks(call, TITLES_CHOSEN)) return types;
  const { skip = '0' } = Object.fromEntries(call.options);
  let isUnion = skip !== '0' && call.options.has('filename');
  const known = new Map<string, string>();
  const [first, ...others] = await Promise.all(names.map(async (name) => await read(name, types)));
  for (const column of first ?? []) known.set(column.name, column.type);
  const required = [...known.keys()];
  const fresh: Omit<Later, 'isRead'>[] = [];
  let isLacking = false;
  for (const [at, columns] of others.entries()) {
    const titles = new Set(columns.map(({ name }) => name));
    isLacking ||= required.some((title) => !titles.has(title));
    for (const column of columns) {
      const type = known.get(column.name);
      if (type === undefined) fresh.push({ name: names[at + 1] ?? '', title: column.name });
      else if (type !== column.type && !isTold(call, column)) isUnion = true;
      known.set(column.name, type ?? column.type);
    }
  }
  const isRead = call.end !== undefined && !isLacking;
  later.push(...fresh.map((one) => ({ ...one, isRead })));
  return isRead && (isUnion || fresh.length > 0) ? { ...types, union_by_name: 'true' } : types;
}

/** Reports cells that a call reads as another value, and columns that it drops. @throws {DocumentError} */
export async function checkReads(
  database: Database,
  script: Prepared,
  { problems, hasRun }: { readonly problems: Problems; readonly hasRun: boolean },
): Promise<void> {
  for (const call of script.calls) {
    if (call.isJson || /^true$/i.test(call.options.get('all_varchar') ?? '')) continue;
    try {
      await checkValues(database, call, script, problems);
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      const what = `read_csv cannot be checked by itself (${error.message.replace(/ LINE \d+: .*$/s, '')}): if it is right, say all_varchar = true in it`;
      if (hasRun) problems.add(`${SCRIPT}, line ${call.line}`, what);
    }
  }
  for (const { name, title } of script.later.filter(({ isRead }) => hasRun && !isRead)) {
    problems.add(
      name,
      `column "${title}" is in no file before: add union_by_name = true to read it`,
    );
  }
  problems.throwIfAny();
}

/** SQL of the call with changed options; undefined removes an option. */
function callOf({ files, options }: ReadCall, changed: Options): string {
  const all = Object.entries({ ...Object.fromEntries(options), ...changed });
  const said = all.flatMap(([name, sql]) => (sql === undefined ? [] : [`${name} = ${sql}`]));
  return `read_csv(${[files, ...said].join(', ')})`;
}

async function described(
  database: Database,
  call: ReadCall,
  changed: Options = {},
): Promise<readonly RelationColumn[]> {
  const rows = await database.texts(
    `SELECT column_name, column_type FROM (DESCRIBE FROM ${callOf(call, changed)})`,
  );
  return rows.map(([name = '', type = '']) => ({ name, type }));
}

/** Compares values of lossy types with the texts of their cells; reads each file once. */
async function checkValues(
  database: Database,
  call: ReadCall,
  script: Script,
  problems: Problems,
): Promise<void> {
  const { options, line } = call;
  const columns = await described(database, call);
  const conditions = columns.flatMap((column) => {
    const lost = lostBy(column, call, script);
    return lost === '' ? [] : [{ ...column, lost }];
  });
  if (conditions.length === 0) return;
  const texts = (some: readonly RelationColumn[]): string =>
    `{${some.map(({ name }) => `${quoted(name)}: 'VARCHAR'`).join(', ')}}`;
  const isFile = ({ name }: RelationColumn): boolean =>
    options.has('filename') && name === 'filename';
  const source = callOf(call, {
    ...Object.fromEntries(TYPES.map((option) => [option, undefined])),
    ...(options.has('columns')
      ? { columns: texts(columns.filter((one) => !isFile(one))) }
      : { types: texts(conditions) }),
    filename: quoted(FILE),
  });
  const figures = conditions.map(({ name, type, lost }) => {
    const cell = quoted(name, '"');
    const first = [cell, `TRY_CAST(${plain(cell, options)} AS ${type})`].map(
      (value) => `arg_min(${value}, ${FILE}) FILTER (${lost})`,
    );
    return [`min(${FILE}) FILTER (${lost})`, ...first].join(', ');
  });
  const [row = []] = await database.texts(`SELECT ${figures.join(', ')} FROM ${source}`);
  for (const [at, { name, type }] of conditions.entries()) {
    const [file = '', cell = '', read = ''] = row.slice(3 * at);
    if (file === '') continue;
    const better = NUMBER.test(type) && !isCode(name, script.text) ? 'DOUBLE' : 'VARCHAR';
    const is = `${SCRIPT}, line ${line}, reads ${cell} as ${read} (${type})`;
    problems.add(
      file.replace(/^\.\//, ''),
      `column "${name}": ${is}: add types = {${quoted(name)}: '${better}'}`,
    );
  }
}

/** SQL condition for cells whose value differs from their text; empty where the type of the column is not lossy. */
function lostBy(column: RelationColumn, call: ReadCall, { text, usesZones }: Script): string {
  const { name, type } = column;
  const { options } = call;
  if (type === 'VARCHAR' || (name === 'filename' && options.has('filename'))) return '';
  const cell = quoted(name, '"');
  const as = (other: string): string => `TRY_CAST(${plain(cell, options)} AS ${other})`;
  const conditions = [];
  if (isCode(name, text)) conditions.push(`${as(type)}::VARCHAR <> trim(${cell})`);
  if (NUMBER.test(type)) conditions.push(`${as(type)}::VARCHAR::DOUBLE <> ${as('DOUBLE')}`);
  if (type === 'DATE') conditions.push(`${as(type)}::TIMESTAMP <> ${as('TIMESTAMP')}`);
  const offset = `regexp_matches(${cell}, ${quoted(OFFSET)})`;
  if (type === 'TIMESTAMP' && usesZones) conditions.push(offset);
  if (type === 'TIMESTAMP WITH TIME ZONE' && !isTold(call, column)) {
    conditions.push(`NOT ${offset}`);
  }
  return conditions.join(' OR ');
}

/** SQL of a cell with a decimal point instead of a comma. */
function plain(cell: string, options: ReadCall['options']): string {
  const separator = options.get('decimal_separator') ?? '';
  return separator.includes(',') ? `replace(${cell}, ',', '.')` : cell;
}

/** Whether a script uses the column as a code of stations or components, which is text. */
function isCode(name: string, text: string): boolean {
  if (/^(?:station_code|short_name)$/i.test(name)) return true;
  const escaped = name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const column = String.raw`(?<![\p{L}\p{N}_"'])(?:"${escaped}"|${escaped})(?:::\w+)?`;
  const code = String.raw`(?:AS\s+)?"?(?:station_code|short_name)(?![\p{L}\p{N}_])`;
  return new RegExp(String.raw`${column}(?:\s+AS\s+\w+\))?\s+${code}`, 'iu').test(text);
}
