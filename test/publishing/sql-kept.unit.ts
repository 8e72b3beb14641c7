/** SQL reads every value, column, code and instant of a file unchanged (`docs/tables.md`, "Exports"). */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { explain } from '../../src/publishing/sql/explain.js';
import {
  build,
  COMPONENTS,
  folderOf,
  measurement,
  refusal,
  script,
  STATIONS,
  type Files,
} from './export-folders.js';

const FOLDERS = 'test/fixtures/sql-cases';

async function filesOf(name: string): Promise<Files> {
  const files: Record<string, Buffer> = {};
  for (const file of await readdir(join(FOLDERS, name))) {
    files[file] = await readFile(join(FOLDERS, name, file));
  }
  return files;
}

/** Values of station A, hour after hour, as a call reads them. */
function reading(call: string, columns = 'value', start = 'time::TIMESTAMP'): string {
  return `${STATIONS}${COMPONENTS} CREATE VIEW measurements AS
    SELECT 'A' AS station_code, 'NO2' AS short_name, ${start} AS time_start_utc, ${columns} FROM ${call};`;
}

const day = (number: number, ...values: readonly (string | number)[]): string =>
  `time,value\n${values.map((value, at) => `2025-07-0${number} 0${at}:00:00,${value}\n`).join('')}`;

async function valuesOf(t: Test, files: Files): Promise<readonly unknown[]> {
  return (await build(t, files)).measurements.map(({ value }) => value);
}

/** A call that reads files, or an instant; and the refusal, or members of the rows. */
interface Case extends Partial<
  Readonly<Record<'before' | 'reads' | 'columns' | 'start' | 'time' | 'says', string>>
> {
  readonly files?: Files;
  readonly values?: readonly number[];
  readonly times?: readonly string[];
  readonly notes?: readonly string[];
}

const CASES = JSON.parse(
  await readFile('test/fixtures/cases/kept-by-sql.json', 'utf8'),
) as Readonly<Record<string, readonly Case[]>>;

for (const [title, cases] of Object.entries(CASES)) {
  void t.test(title, async (t) => {
    for (const { files, before = '', reads, columns, start, time = '', says, ...wanted } of cases) {
      const read = reads === undefined ? undefined : reading(reads, columns, start);
      const all = { ...files, 'bura.sql': `${before} ${read ?? script({ time_start_utc: time })}` };
      const name = reads ?? time;
      if (says !== undefined) {
        t.match(await refusal(t, all), new RegExp(says), name);
        continue;
      }
      const { measurements: rows, notes } = await build(t, all);
      const [values, times] = [rows.map(({ value }) => value), rows.map((row) => row.time)];
      t.strictSame({ values, times, notes }, { values, times, notes, ...wanted }, name);
    }
  });
}

void t.test('a column of integers has its decimals in a later file, or is refused', async (t) => {
  const message = await refusal(t, await filesOf('integers'));
  t.match(message, /^no2_07\.csv: column "NO2": bura\.sql, line 6, reads 5\.5 as 6 \(BIGINT\)/);
  const { 'bura.sql': sql, ...files } = await filesOf('integers');
  const untyped = String(sql).replace(", 'NO2': 'BIGINT'", '').replace(', sample_size=100000', '');
  t.strictSame(await valuesOf(t, { ...files, 'bura.sql': untyped }), [5, 6, 5.5, 6.4]);
  const later = await refusal(t, await filesOf('new-column'));
  t.match(later, /no such station_code in stations: .*"station_code":"nueva"/);
});

void t.test('a long file has its decimals, by whatever call it is read', async (t) => {
  const hours = Array.from({ length: 60_000 }, (_, at) => {
    const time = new Date(Date.UTC(2019, 0, 1, at)).toISOString().slice(0, 19).replace('T', ' ');
    return { time, value: at < 40_000 ? 7 : 7.4 };
  });
  const csv = hours.map(({ time, value }) => `${time},${value}\n`).join('');
  const files = { 'long.csv': `time,value\n${csv}`, 'long.json': JSON.stringify(hours) };
  for (const call of [
    `read_csv('long.csv', header = true)`,
    `read_csv_auto('lo*.csv')`,
    `READ_CSV ( ['long.csv'] /* one ) */, header => true )`,
    `read_json('long.json')`,
  ]) {
    const values = await valuesOf(t, { ...files, 'bura.sql': reading(call) });
    t.strictSame([values.length, values[39_999], values[40_000]], [60_000, 7, 7.4], call);
  }
  const bare = await refusal(t, { ...files, 'bura.sql': reading(`'long.csv'`) });
  t.match(bare, /^long\.csv: column "value": bura\.sql, line 2, reads 7\.4 as 7 \(BIGINT\)/);
});

void t.test('a type that is told and narrower than a text is refused', async (t) => {
  for (const [type, value, shown] of [
    ['INT', '5.5', '6'],
    ['UTINYINT', '7.25', '7'],
    ['DECIMAL(5,1)', '2.25', '2.3'],
    ['FLOAT', '0.123456789', '0.12345679'],
  ] as const) {
    for (const call of [
      `read_csv('v*.csv', header = true, types = {'value': '${type}'})`,
      `read_csv('v*.csv', delim = ',', skip = 1, header = false, auto_detect = false, columns = {'time': 'VARCHAR', 'value': '${type}'})`,
    ]) {
      const files = { 'v1.csv': day(1, 1, 2), 'v2.csv': day(2, 3, value) };
      const message = await refusal(t, { ...files, 'bura.sql': reading(call) });
      t.ok(
        message.startsWith(`v2.csv: column "value": bura.sql, line 2, reads ${value} as ${shown}`),
        message,
      );
      const whole = { 'v1.csv': day(1, 1, '02'), 'v2.csv': day(2, 3, '4.0') };
      t.strictSame(await valuesOf(t, { ...whole, 'bura.sql': reading(call) }), [1, 2, 3, 4], type);
    }
  }
});

void t.test('a code is the text that stands in the file', async (t) => {
  for (const [code, type] of [
    ['1e5', 'DOUBLE'],
    ['007', 'INT'],
    ['4.10', 'DOUBLE'],
    ['t', 'BOOLEAN'],
  ] as const) {
    const files = { 's.csv': `Code,station_name\n${code},Alpha\n` };
    const sql = (
      call: string,
    ): string => `CREATE VIEW stations AS SELECT "Code" AS station_code, station_name FROM ${call};
      ${COMPONENTS} ${measurement({ station_code: `(SELECT any_value(station_code) FROM stations)` })}`;
    for (const call of [
      `read_csv('s.csv', header = true, types = {'Code': '${type}'})`,
      ...(code === '007' ? [] : [`read_csv('s.csv', header = true)`]),
    ]) {
      const message = await refusal(t, { ...files, 'bura.sql': sql(call) });
      t.match(message, new RegExp(`^s\\.csv: column "Code": .* reads ${code} as \\S+ `), call);
      t.match(message, /add types = \{'Code': '?VARCHAR/);
    }
    const text = sql(`read_csv('s.csv', header = true, types = {'Code': 'VARCHAR'})`);
    const { stations } = await build(t, { ...files, 'bura.sql': text });
    t.equal(stations[0]?.['station_code'], code);
  }
});

void t.test('lines above the header of several files are skipped', async (t) => {
  const files = await filesOf('skip');
  for (const more of ['files_to_sniff = 1', 'all_varchar = true', `types = {'value': 'DOUBLE'}`]) {
    const call = `read_csv('m*.csv', ${more}, filename = true, header = true, skip = 2)`;
    const sql = reading(call, 'value, filename AS file');
    t.strictSame(await valuesOf(t, { ...files, 'bura.sql': sql }), [1.5, 1.5, 2.5, 2.5], more);
  }
});

void t.test('further columns may be called as ours are', async (t) => {
  const names =
    `number problem hour_of_day shown m stations components measurements ts zone nth days instant text which
    bura_file x y epsg one twice positions row`.split(/\s+/);
  const more = names.map((name, at) => `${at} AS "${name}"`).join(', ');
  const sql = `${STATIONS}${COMPONENTS}
    CREATE VIEW measurements AS SELECT 'A' AS station_code, 'NO2' AS short_name, ${more}, 1.5 AS value,
      utc(instant_text, 'Europe/Madrid') AS time_start_utc FROM (SELECT '2025-07-01 12:00' AS instant_text);`;
  const { measurements } = await build(t, { 'bura.sql': sql });
  t.match(measurements, [{ value: 1.5, time: '10:00' }]);
  for (const [at, name] of names.entries()) t.equal(measurements[0]?.[name], String(at), name);
  const used = names.slice(8, 14).map((name) => {
    const from = `SELECT TIMESTAMP '2025-07-01 12:00' AS "${name}"`;
    return `SELECT utc("${name}", 'Etc/GMT-1') FROM (${from});`;
  });
  const { measurements: rows } = await build(t, { 'bura.sql': `${script()} ${used.join(' ')}` });
  t.equal(rows.length, 1);
});

void t.test('stations in degrees, in a grid, in both and in neither', async (t) => {
  const sql = (
    x: string,
  ): string => `${COMPONENTS} ${measurement()} CREATE TABLE stations AS FROM (VALUES
    ('A', 'Alpha', 45.5, 15.5, NULL, NULL, NULL), ('B', 'Beta', NULL, NULL, '404800', '4606900', 25830),
    ('C', 'Both', 1.25, 2.5, '404800', '4606900', 25830), ('D', 'None', NULL, NULL, NULL, NULL, NULL),
    ('E', 'Five', NULL, NULL, '${x}', '4606900.5', 25830))
    AS s(station_code, station_name, latitude, longitude, x, y, epsg);`;
  const { stations } = await build(t, { 'bura.sql': sql('404800.5') });
  const places = new Map(
    stations.map((one) => [one['station_code'], [one['latitude'], one['longitude']]]),
  );
  t.strictSame(places.get('A'), [45.5, 15.5]);
  t.strictSame(places.get('C'), [1.25, 2.5]);
  t.strictSame(places.get('D'), [undefined, undefined]);
  // As `gdaltransform` has it: 41.608137, -4.142522.
  t.match(String(places.get('B')), /^41\.60813[67]\d*,-4\.14252[12]\d*$/);
  t.match(String(places.get('E')), /^41\.6081\d*,-4\.1425\d*$/);
  t.notSame(places.get('B'), places.get('E'));
  const wrong = await refusal(t, { 'bura.sql': sql('404 800') });
  t.match(wrong, /^stations: station E: expected a point x, y of a known system epsg, got 404 800/);
});

void t.test('explain: titles and names as they are, each column as text', async (t) => {
  const files = {
    ...(await filesOf('apostrophe')),
    ...(await filesOf('brackets')),
    'data1.csv': 'time,w\n2025-07-01 12:00,9\n',
    'all*?.tsv': 'code\t"a ""b"""\n007\t1\n1e5\t2\n',
    'no title.txt': '2025-07-01;1\n2025-07-02;2\n',
  };
  const folder = await folderOf(t, files);
  const signal = new AbortController().signal;
  const lines: string[] = [];
  await explain(folder, { signal, say: (line) => void lines.push(line) });
  const said = lines.join('\n');
  t.match(said, / {2}O'Higgins BIGINT, 5 to 5/);
  t.match(said, /data\[1\]\.csv: utf-8[^\n]*\n {2}time [^\n]*\n {2}v BIGINT, 1 to 1/);
  t.match(said, /data1\.csv: utf-8[^\n]*\n {2}time [^\n]*\n {2}w BIGINT, 9 to 9/);
  t.match(said, /export \[2025\]\.xlsx\.Daten\.csv: of a workbook/);
  t.notMatch(said, /Error/);
  const sql = await readFile(join(folder, 'bura.sql'), 'utf8');
  const views = sql.split('\n').filter((line) => /^CREATE VIEW file_/.test(line));
  t.equal(views.length, 6);
  t.notMatch(views.join('\n'), /BIGINT|DOUBLE|TIMESTAMP/);
  // Each view has the columns of its file, as text, whatever else is decided.
  const tables = views.map(
    (_, at) => `CREATE TABLE t${at} AS SELECT * FROM (UNPIVOT file_${at + 1} ON COLUMNS(*));`,
  );
  const all = views.map((_, at) => `FROM t${at}`).join(' UNION ALL ');
  const checked = `${views.join('\n')} ${tables.join('\n')} ${script()}
    SELECT error(string_agg(concat_ws('=', name, value), ' ' ORDER BY name, value)) FROM (${all});`;
  const message = await refusal(t, { ...files, 'bura.sql': checked });
  const cells = [`O'Higgins=5`, 'v=1', 'w=9', 'code=007', 'code=1e5', 'a "b"=1', 'column1=2'];
  for (const cell of cells) t.ok(message.includes(cell), `${cell} in ${message}`);
});

void t.test('a folder may have any name', async (t) => {
  const files = { 'it\'s "a" [folder]/v.csv': day(1, 1.5) };
  const sql = reading(`read_csv('*/v.csv', header = true)`);
  t.strictSame(await valuesOf(t, { ...files, 'bura.sql': sql }), [1.5]);
});
