/** Writes the relations of `bura.sql` (`docs/tables.md`, "Exports") as the five tables of a document, in CSV. */
import { join } from 'node:path';
import type { Problems } from '../../snapshot/document/problems.js';
import { LISTS, usualWord, type ListName, type Table } from '../tables/table-columns.js';
import { quoted, SqlError, type Database } from './database.js';
import { fromGrid } from './positions.js';

const SHOWN_MAX = 5;

export interface RelationColumn {
  readonly name: string;
  readonly type: string;
}

/** Row keys of stations and components: ids, or codes from which ids can be made. */
const KEYS = {
  stations: { id: 'station_id', code: 'station_code' },
  components: { id: 'component_id', code: 'short_name' },
} as const;
type Keyed = keyof typeof KEYS;

const TIME = 'time_start_utc';
/** Columns of measurements that rows are made of; others are additional. */
const OWN = [TIME, 'station_id', 'station_code', 'component_id', 'short_name', 'value'];
const POSITION = ['x', 'y', 'epsg'];
const DEGREES = ['latitude', 'longitude'];
const POINT = 'concat_ws(chr(10), stations.x, stations.y, stations.epsg)';
/** Whether a script must create the relation. */
const IS_NEEDED = { organizations: false, networks: false, components: true, stations: true };

/**
 * Writes `stations.csv`, `components.csv`, `measurements.csv` and, where the script makes them, `organizations.csv` and
 * `networks.csv`.
 *
 * @param options.problems collects faults of the relations, and rows that are invalid in a document.
 * @throws {SqlError} with DuckDB's message.
 * @throws {DocumentError} with these problems.
 */
export async function writeTables(
  database: Database,
  { folder, problems }: { readonly folder: string; readonly problems: Problems },
): Promise<void> {
  const write = async (table: Table, relation: string): Promise<void> => {
    const to = quoted(join(folder, `${table}.csv`));
    await ofRelation(table, database.run(`COPY (${relation}) TO ${to} (FORMAT csv)`));
  };
  for (const list of LISTS) {
    const columns = await columnsOf(database, list);
    if (columns.length > 0) {
      const query = listOf(database, list, columns, problems);
      await write(list, await ofRelation(list, query));
    } else if (IS_NEEDED[list]) problems.add('bura.sql', `leaves no table or view ${list}`);
  }
  const columns = await columnsOf(database, 'measurements');
  if (columns.length === 0) problems.add('bura.sql', 'leaves no table or view measurements');
  else checkColumns(columns, problems);
  problems.throwIfAny();
  await ofRelation('measurements', database.run(rowsTable(columns)));
  await refuseRows(database, columns, problems);
  const more = columns.filter(({ name }) => !OWN.includes(name)).map(timeOrColumn);
  const members = [
    'station_id',
    'component_id',
    `strftime(bura_hour, '%Y-%m-%d') AS date`,
    `strftime(bura_hour, '%H:%M') AS time`,
    'bura_number AS value',
    ...more,
  ];
  await write('measurements', `SELECT ${members.join(', ')} FROM bura_rows`);
}

/** Adds the name of the relation to failures of generated statements. */
async function ofRelation<T>(relation: Table, work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    if (!(error instanceof SqlError)) throw error;
    const message = error.message.replace(/ LINE \d+: .*$/s, '');
    throw new SqlError(`bura.sql, ${relation}: ${message}`, { cause: error });
  });
}

async function columnsOf(database: Database, relation: string): Promise<readonly RelationColumn[]> {
  const columns = await database.texts(`
    SELECT column_name, data_type FROM information_schema.columns
    WHERE table_catalog = 'memory' AND table_schema = 'main' AND table_name = ${quoted(relation)}
    ORDER BY ordinal_position`);
  return columns.map(([name = '', type = '']) => ({ name, type }));
}

/**
 * The query for the CSV table of a list. Stations and components first become the tables `bura_stations` and
 * `bura_components`, from which measurements get their ids.
 */
async function listOf(
  database: Database,
  list: ListName,
  columns: readonly RelationColumn[],
  problems: Problems,
): Promise<string> {
  const has = (name: string): boolean => columns.some((column) => column.name === name);
  const isGrid = list === 'stations' && POSITION.every(has);
  const selected = columns
    .filter(({ name }) => !isGrid || ![...POSITION, ...DEGREES].includes(name))
    .map(timeOrColumn);
  if (isGrid) {
    await keepPositions(database, { problems, has });
    // Degrees have precedence over grid coordinates.
    for (const name of DEGREES) {
      const own = has(name) ? `${list}.${name}::VARCHAR` : 'NULL';
      selected.push(`coalesce(${own}, bura_positions.bura_${name}) AS ${name}`);
    }
  }
  const joined = isGrid ? `LEFT JOIN bura_positions ON bura_point = ${POINT}` : '';
  if (list !== 'stations' && list !== 'components') {
    return `SELECT ${selected.join(', ')} FROM ${list} ORDER BY ALL`;
  }
  const { id, code } = KEYS[list];
  if (!has(id)) selected.unshift(`id(${code}) AS ${id}`);
  await database.run(
    `CREATE TEMP TABLE bura_${list} AS SELECT ${selected.join(', ')} FROM ${list} ${joined}`,
  );
  // A repeated code or id would duplicate measurements.
  for (const name of [code, id].filter(has)) {
    const twice = await database.texts(`
      SELECT ${name} FROM bura_${list} WHERE ${name} IS NOT NULL
      GROUP BY 1 HAVING count(*) > 1 ORDER BY 1 LIMIT ${SHOWN_MAX}`);
    for (const [value = ''] of twice) problems.add(list, `${name} ${value} appears twice`);
  }
  if (!has(id)) {
    const same = await database.texts(`
      SELECT string_agg(DISTINCT ${code}, ' and ') FROM bura_${list}
      GROUP BY ${id} HAVING count(DISTINCT ${code}) > 1 LIMIT ${SHOWN_MAX}`);
    for (const [codes = ''] of same) problems.add(list, `${codes} have one id(): say ${id}`);
  }
  // Sorted, so that the same tables give the same document.
  return `FROM bura_${list} ORDER BY ${id}`;
}

/** SQL of a column: elements of arrays are joined by blanks, and times get the document's form. */
function timeOrColumn({ name, type }: RelationColumn): string {
  const column = quoted(name, '"');
  if (type.endsWith('[]')) return `array_to_string(${column}, ' ') AS ${column}`;
  return type.startsWith('TIMESTAMP')
    ? `strftime(${column}::TIMESTAMPTZ, '%Y-%m-%dT%H:%M:%SZ') AS ${column}`
    : column;
}

async function keepPositions(
  database: Database,
  { problems, has }: { readonly problems: Problems; readonly has: (name: string) => boolean },
): Promise<void> {
  const name = ['station_code', 'station_id'].find(has) ?? 'NULL';
  const isWithout = DEGREES.map((degrees) => (has(degrees) ? `${degrees} IS NULL` : 'true'));
  const points = await database.texts(`
    SELECT any_value(${POINT}), x::VARCHAR, y::VARCHAR, epsg::VARCHAR, min(${name})::VARCHAR
    FROM stations WHERE ${isWithout.join(' AND ')} GROUP BY ALL ORDER BY ALL`);
  const values = points.flatMap(([point = '', ...cells]) => {
    const code = cells.pop() ?? '';
    const [x = NaN, y = NaN, epsg = NaN] = cells.map((cell) => (cell === '' ? NaN : Number(cell)));
    const position = fromGrid({ x, y, epsg });
    if (position !== undefined) {
      return [
        `(${[point, position.latitude, position.longitude].map((one) => quoted(one)).join(', ')})`,
      ];
    }
    if (cells.some((cell) => cell !== '')) {
      const expected = `expected a point x, y of a known system epsg, got ${cells.join(', ')}`;
      problems.add('stations', `station ${code}: ${expected}`);
    }
    return [];
  });
  problems.throwIfAny();
  await database.run(`
    CREATE TEMP TABLE bura_positions AS
    SELECT * FROM (VALUES ${['(NULL, NULL, NULL)', ...values].join(', ')})
      AS positions(bura_point, bura_latitude, bura_longitude)`);
}

function checkColumns(columns: readonly RelationColumn[], problems: Problems): void {
  const has = (name: string): boolean => columns.some((column) => column.name === name);
  for (const names of [
    ['station_id', 'station_code'],
    ['component_id', 'short_name'],
    [TIME],
    ['value'],
  ]) {
    if (!names.some(has)) problems.add('measurements', `no column ${names.join(' or ')}`);
  }
  for (const { name, type } of columns) {
    const word = ['date', 'time'].includes(name) ? name : usualWord('measurements', name);
    if (word !== undefined) {
      const meant = /date|time/.test(word) ? TIME : word;
      problems.add('measurements', `column "${name}" is not known: call it ${meant}`);
    }
    if (name === TIME && !type.startsWith('TIMESTAMP')) {
      problems.add(
        'measurements',
        `${TIME}: expected a TIMESTAMPTZ, such as utc(...), got ${type}`,
      );
    }
  }
}

/** SQL that creates `bura_rows`: measurements with ids, sorted; an invalid row also has its problem and JSON text. */
function rowsTable(columns: readonly RelationColumn[]): string {
  const has = (name: string): boolean => columns.some((column) => column.name === name);
  const key = (list: Keyed): string => (has(KEYS[list].id) ? KEYS[list].id : KEYS[list].code);
  const joinSql = (list: Keyed): string =>
    `LEFT JOIN bura_${list} ON bura_${list}.${key(list)}::VARCHAR = bura_row.${key(list)}::VARCHAR`;
  const more = columns
    .filter(({ name }) => !OWN.includes(name))
    .map(({ name }) => `, bura_row.${quoted(name, '"')}`);
  const isText = columns.some(({ name, type }) => name === 'value' && type === 'VARCHAR');
  const value = 'bura_row.value';
  return `
    CREATE TEMP TABLE bura_rows AS
    SELECT
      bura_stations.station_id, bura_components.component_id, bura_row.${TIME}::TIMESTAMPTZ AS bura_hour,
      ${isText ? `TRY_CAST(${value} AS DOUBLE)` : value} AS bura_number${more.join('')},
      CASE
        WHEN bura_stations.station_id IS NULL THEN 'no such ${key('stations')} in stations'
        WHEN bura_components.component_id IS NULL THEN 'no such ${key('components')} in components'
        WHEN bura_hour IS NULL THEN 'no ${TIME}'
        WHEN NOT isfinite(bura_hour) OR epoch_us(bura_hour) % 900000000 <> 0 THEN '${TIME} is not a whole hour in UTC'
        WHEN bura_hour < TIMESTAMPTZ '1900-01-01' THEN '${TIME} is before 1900, as of a year of two digits'
        WHEN ${value} IS NOT NULL AND NOT coalesce(isfinite(bura_number::DOUBLE), false) THEN 'value is not a number'
      END AS bura_problem,
      CASE WHEN bura_problem IS NOT NULL THEN to_json(bura_row)::VARCHAR END AS bura_shown
    FROM (FROM measurements) AS bura_row ${joinSql('stations')} ${joinSql('components')}
    ORDER BY 1, 2, 3`;
}

async function refuseRows(
  database: Database,
  columns: readonly RelationColumn[],
  problems: Problems,
): Promise<void> {
  const has = (name: string): boolean => columns.some((column) => column.name === name);
  // Messages name the code where there is a code, as the id may be made from it.
  const codeSql = (list: Keyed): string =>
    has(KEYS[list].code)
      ? `(SELECT any_value(${KEYS[list].code}) FROM bura_${list} AS one WHERE one.${KEYS[list].id} = twice.${KEYS[list].id})`
      : KEYS[list].id;
  const refused = `
    SELECT bura_problem, bura_shown FROM bura_rows WHERE bura_problem IS NOT NULL
    UNION ALL
    SELECT other_problem, concat('station ', ${codeSql('stations')}, ', component ', ${codeSql('components')}, ', ', bura_hour)
    FROM (SELECT station_id, component_id, bura_hour, CASE
        WHEN lag(bura_hour) OVER (PARTITION BY station_id, component_id ORDER BY bura_hour) = bura_hour THEN 'there twice'
        WHEN minute(bura_hour) <> (SELECT mode(minute(bura_hour)) FROM bura_rows WHERE bura_problem IS NULL)
          THEN '${TIME} is not a whole hour in UTC, or not at the minute of most rows'
      END AS other_problem
      FROM bura_rows WHERE bura_problem IS NULL QUALIFY other_problem IS NOT NULL) AS twice`;
  const rows = await database.texts(
    `SELECT *, count(*) OVER () FROM (${refused}) LIMIT ${SHOWN_MAX}`,
  );
  for (const [problem = '', row = ''] of rows) problems.add('measurements', `${problem}: ${row}`);
  const others = Number(rows[0]?.[2] ?? 0) - rows.length;
  if (others > 0) problems.add('measurements', `${others} more wrong rows`);
  problems.throwIfAny();
}
