/** `bura build --explain DIR`: describes the files of a folder, and drafts `bura.sql` (`docs/tables.md`, "Exports"). */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withTemporaryFolder } from '../../files/durable-file.js';
import { FileError } from '../../files/file-error.js';
import { Problems } from '../../snapshot/document/problems.js';
import { isMember, LISTS, type ListName } from '../tables/table-columns.js';
import { quoted, SqlError, type Database } from './database.js';
import { hintOf, SCRIPT, TEXT } from './folder.js';
import { withFolder } from './exports.js';
import type { RelationColumn } from './relations.js';
import { escapedPattern } from './script.js';

const ROWS_SHOWN = 3;
/** Number of rows from which DuckDB finds types, and lowest and highest values. */
const SAMPLE = 100_000;
const CELL_MAX = 40;

interface File {
  readonly name: string;
  /** The call `read_csv(...)` with all options. */
  readonly from: string;
  readonly columns: readonly RelationColumn[];
}

interface ExplainOptions {
  readonly encoding?: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export async function explain(folder: string, options: ExplainOptions): Promise<void> {
  const { say } = options;
  const problems = new Problems();
  const files = await withTemporaryFolder(tmpdir(), (root) =>
    withFolder(folder, { ...options, root, problems }, async (database, prepared) => {
      const explained: File[] = [];
      for (const { readAs, encoding } of prepared.values()) {
        // The first sheet of a workbook has two names: the first of them, `NAME.xlsx.csv`, is left out.
        for (const name of readAs.length > 1 ? readAs.slice(1) : readAs) {
          if (!TEXT.test(name)) say(`${name}: not a table${hintOf(name)}`);
          else explained.push(await explainFile(database, name, say, encoding));
        }
      }
      return explained;
    }),
  );
  const path = join(folder, SCRIPT);
  if (files.length === 0) say(`no table in ${folder}: ${SCRIPT} is not written`);
  else if (existsSync(path)) say(`${path} is there and stays as it is`);
  else {
    await writeFile(path, scriptOf(files), { flag: 'wx' }).catch((error: unknown) => {
      throw new FileError(`write ${path}`, error);
    });
    say(
      `${path} is written: decide each word that begins with decide_, then bura build --from ${folder}${options.encoding === undefined ? '' : ` --encoding ${options.encoding}`}`,
    );
  }
}

async function explainFile(
  database: Database,
  name: string,
  say: ExplainOptions['say'],
  encoding = 'of a workbook',
): Promise<File> {
  say('');
  const pattern = quoted(escapedPattern(name));
  try {
    const { from, sniffed, isTitled, ...dialect } = await sniff(database, pattern);
    const lines = isTitled ? 'the header' : 'the rows (no header)';
    say(
      `${name}: ${encoding}, delimiter ${JSON.stringify(dialect.delimiter)}, quote ${dialect.quote || 'none'}, lines before ${lines}: ${dialect.skipped}`,
    );
    const figures = await database.texts(`
      SELECT column_name, column_type, min, max, null_percentage
      FROM (SUMMARIZE FROM ${sniffed} LIMIT ${SAMPLE})`);
    for (const [title = '', type = '', least = '', most = '', empty = ''] of figures) {
      say(`  ${title} ${type}, ${cut(least)} to ${cut(most)}, ${empty} % empty`);
    }
    for (const row of await database.texts(`FROM ${from} LIMIT ${ROWS_SHOWN}`)) {
      say(`    ${row.map(cut).join(' | ')}`);
    }
    const columns = figures.map(([title = '', type = '']) => ({ name: title, type }));
    return { name, from, columns };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    say(`${name}: ${error.message}`);
    return { name, from: `read_csv(${pattern}, decide_how_to_read_it)`, columns: [] };
  }
}

/** DuckDB's options for a file: `sniffed` has the found types, `from` has text for all columns. @throws {SqlError} */
async function sniff(database: Database, pattern: string) {
  const columns = await database.texts(`
    SELECT one.name, one.type, HasHeader, SkipRows, nullif(Delimiter, '(empty)'), nullif(Quote, '(empty)'),
      nullif(Escape, '(empty)'), nullif(Comment, '(empty)'), DateFormat, TimestampFormat
    FROM (SELECT *, unnest(Columns) AS one FROM sniff_csv(${pattern}, sample_size = ${SAMPLE}))`);
  const [header = '', skipped = '', delimiter = '', quote = '', escape = '', ...others] =
    columns[0]?.slice(2) ?? [];
  const [comment = '', ...formats] = others;
  // Values of later files may need quotes, even if the values of this file do not.
  const marks = quote === '' ? ['"', '"'] : [quote, escape];
  const values = [delimiter || ',', ...marks, comment].map((mark) => quoted(mark));
  const dialect = ['delim', 'quote', 'escape', 'comment']
    .map((option, at) => `, ${option} = ${values[at]}`)
    .join('');
  const start = `read_csv(${pattern}, header = ${header}, skip = ${skipped}${dialect}`;
  const typed = (isText: boolean): string =>
    `{${columns.map(([title = '', type = '']) => `${quoted(title)}: ${quoted(isText ? 'VARCHAR' : type)}`).join(', ')}}`;
  const formatOptions = ['dateformat', 'timestampformat'].flatMap((option, at) =>
    formats[at] ? [`, ${option} = ${quoted(formats[at])}`] : [],
  );
  const isTitled = header === 'true';
  // All columns as text, as later rows may not fit the types of the first. `types` also refuses missing titles.
  const types = isTitled ? `types = ${typed(true)}` : 'all_varchar = true';
  return {
    from: `${start}, ${types})`,
    sniffed: `${start}${formatOptions.join('')}, auto_detect = false, columns = ${typed(false)})`,
    isTitled,
    delimiter,
    quote,
    skipped,
  };
}

function cut(text: string): string {
  return text.length > CELL_MAX ? `${text.slice(0, CELL_MAX)}…` : text;
}

/** Columns that the draft selects for a list; the operator must name the source of each column that the file lacks. */
const NEEDED = {
  stations: ['station_code', 'station_name', 'latitude', 'longitude'],
  components: ['short_name', 'unit'],
} as const;

function scriptOf(files: readonly File[]): string {
  const isLike =
    (list: ListName) =>
    (file: File): boolean =>
      file.columns.some(({ name }) => name !== 'station_id' && isMember(list, name)) &&
      !file.columns.some(({ name }) => isMember('measurements', name) && name === 'value');
  return [
    '-- Read by DuckDB. Every word that begins with decide_ is refused until somebody has put in what is meant.',
    '-- What a relation needs, and the macros utc, id and degrees: docs/tables.md; an example of each layout: docs/exports/.',
    ...files.flatMap(({ name, from, columns }, index) => [
      '',
      `-- ${name}: ${columns.map((column) => `${column.name} ${column.type}`).join(', ')}`,
      `-- Every column is text, as it is. A pattern such as '*.csv' in place of the name reads next month's file too.`,
      `CREATE VIEW ${viewOf(index)} AS FROM ${from};`,
    ]),
    '',
    ...(['stations', 'components'] as const).flatMap((list) => {
      const at = files.findIndex(isLike(list));
      const columns = files[at]?.columns.map(({ name }) => name) ?? [];
      const members = NEEDED[list].map((member) =>
        columns.includes(member) ? `  ${member},` : `  decide_${member} AS ${member},`,
      );
      const view = at < 0 ? 'decide_which_file' : viewOf(at);
      return [`CREATE VIEW ${list} AS SELECT`, ...members, `FROM ${view};`, ''];
    }),
    '-- utc(time, zone) is the instant of a clock time; with nth := 2 the second of an hour that the clock shows twice.',
    '-- It is the start of the hour: where the export says the end, take INTERVAL 1 HOUR away.',
    'CREATE VIEW measurements AS SELECT',
    '  decide_station_code AS station_code,',
    '  decide_short_name AS short_name,',
    "  utc(decide_time, 'decide_zone') AS time_start_utc,",
    "  decide_value AS value, -- text with a point is a number; of a comma: replace(decide_value, ',', '.')",
    'FROM decide_which_file;',
    '',
    ...LISTS.slice(0, 2).map(
      (list) => `-- CREATE VIEW ${list}: or --organization-name and --organization-short-name.`,
    ),
    '',
  ].join('\n');
}

function viewOf(index: number): string {
  return `file_${index + 1}`;
}
