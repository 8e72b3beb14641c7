/** SQL reads every value, column, code and instant of a file unchanged (`docs/tables.md`, "Exports"). */
import { cp, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import iconv from 'iconv-lite';
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

const CASES = 'test/fixtures/sql-cases';

async function filesOf(name: string): Promise<Files> {
  const files: Record<string, Buffer> = {};
  for (const file of await readdir(join(CASES, name))) {
    files[file] = await readFile(join(CASES, name, file));
  }
  return files;
}

/** Values of station A, hour after hour, as a call reads them. */
function reading(call: string, more = 'value'): string {
  return `${STATIONS}${COMPONENTS} CREATE VIEW measurements AS
    SELECT 'A' AS station_code, 'NO2' AS short_name, time::TIMESTAMP AS time_start_utc, ${more} FROM ${call};`;
}

const day = (number: number, ...values: readonly (string | number)[]): string =>
  values
    .map((value, at) => `2025-07-0${number} 0${at}:00:00,${value}\n`)
    .reduce((all, line) => all + line, 'time,value\n');

async function valuesOf(t: Test, files: Files): Promise<readonly unknown[]> {
  return (await build(t, files)).measurements.map(({ value }) => value);
}

void t.test('a column of integers has its decimals in a later file, or is refused', async (t) => {
  const message = await refusal(t, await filesOf('integers'));
  t.match(message, /^no2_07\.csv: column "NO2": bura\.sql, line 6, reads 5\.5 as 6 \(BIGINT\)/);
  const { 'bura.sql': sql, ...files } = await filesOf('integers');
  const untyped = String(sql).replace(", 'NO2': 'BIGINT'", '').replace(', sample_size=100000', '');
  t.strictSame(await valuesOf(t, { ...files, 'bura.sql': untyped }), [5, 6, 5.5, 6.4]);
});

void t.test('a long file has its decimals, by whatever call it is read', async (t) => {
  const hours = Array.from({ length: 60_000 }, (_, at) => {
    const time = new Date(Date.UTC(2019, 0, 1, at)).toISOString().slice(0, 19).replace('T', ' ');
    return { time, value: at < 40_000 ? 7 : 7.4 };
  });
  const csv = hours.map(({ time, value }) => `${time},${value}\n`);
  const files = {
    'long.csv': ['time,value\n', ...csv].join(''),
    'long.json': JSON.stringify(hours),
  };
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

void t.test('a macro may read files as text alone', async (t) => {
  const macro = (options: string): string =>
    `CREATE MACRO read(name) AS TABLE FROM read_csv(name, header = true, ${options}); ${reading(`read('v.csv')`)}`;
  const files = { 'v.csv': day(1, 1, 2.5) };
  t.match(
    await refusal(t, { ...files, 'bura.sql': macro(`types = {'value': 'INT'}`) }),
    /^bura\.sql, line 1: .*say all_varchar = true/,
  );
  const sql = macro('all_varchar = true');
  t.strictSame(await valuesOf(t, { ...files, 'bura.sql': sql }), [1, 2.5]);
});

void t.test('a date keeps the time that later rows have', async (t) => {
  const files = {
    'd1.csv': 'time,value\n2025-07-01,1\n',
    'd2.csv': 'time,value\n2025-07-02 05:00,2\n',
  };
  const call = (types: string): string => reading(`read_csv('d*.csv', header = true${types})`);
  t.match(
    await refusal(t, { ...files, 'bura.sql': call(`, types = {'time': 'DATE'}`) }),
    /^d2\.csv: column "time": .* reads 2025-07-02 05:00 as 2025-07-02 \(DATE\)/,
  );
  const { measurements } = await build(t, { ...files, 'bura.sql': call('') });
  t.strictSame(
    measurements.map(({ time }) => time),
    ['00:00', '05:00'],
  );
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

void t.test('columns of a later file: read, refused by name, or missed', async (t) => {
  const message = await refusal(t, await filesOf('new-column'));
  t.match(message, /no such station_code in stations: .*"station_code":"nueva"/);
  const call = `read_csv('v*.csv', files_to_sniff = 1, header = true, skip = 0, delim = ',')`;
  const more = { 'v1.csv': day(1, 1), 'v2.csv': 'flag,time,value\nok,2025-07-02 00:00,2.5\n' };
  const { measurements, notes } = await build(t, {
    ...more,
    'bura.sql': reading(call, '* EXCLUDE (time)'),
  });
  t.match(measurements, [{ value: 1 }, { value: 2.5, flag: 'ok' }]);
  t.strictSame(notes, ['v2.csv: column "flag" is in no file before']);
  const gone = { 'v1.csv': day(1, 1), 'v2.csv': 'time,valor\n2025-07-02 00:00,2.5\n' };
  t.match(
    await refusal(t, { ...gone, 'bura.sql': reading(call) }),
    /v2\.csv.*"?value"?|"?value"?.*v2\.csv/,
  );
  const unused = {
    'v1.csv': 'note,time,value\n1,2025-07-01 00:00,1\n',
    'v2.csv': more['v2.csv'].replace('flag', 'note'),
  };
  t.strictSame(await valuesOf(t, { ...unused, 'bura.sql': reading(call) }), [1, 2.5]);
});

void t.test('lines above the header of several files are skipped', async (t) => {
  const files = await filesOf('skip');
  for (const options of [
    'files_to_sniff = 1',
    'all_varchar = true',
    `types = {'value': 'DOUBLE'}`,
  ]) {
    const call = `read_csv('m*.csv', ${options}, filename = true, header = true, skip = 2)`;
    const values = await valuesOf(t, {
      ...files,
      'bura.sql': reading(call, 'value, filename AS file'),
    });
    t.strictSame(values, [1.5, 1.5, 2.5, 2.5], options);
  }
});

void t.test('an instant that has its offset is never moved', async (t) => {
  const at = async (time: string): Promise<unknown> => {
    const { measurements } = await build(t, { 'bura.sql': script({ time_start_utc: time }) });
    return measurements[0]?.time;
  };
  for (const text of [
    '12:00:00+02:00',
    '12:00:00+0200',
    '10:00:00Z',
    '12:00:00.000+02',
    '05:00:00-05:00',
  ]) {
    t.equal(await at(`utc('2025-07-01 ${text}', 'Europe/Madrid')`), '10:00', text);
  }
  for (const text of ['12:00+02:00', '10:00Z', '12:00 +02']) {
    const time = `utc('2025-07-01 ${text}', 'Europe/Madrid')`;
    t.match(await refusal(t, { 'bura.sql': script({ time_start_utc: time }) }), /timestamp/, text);
  }
  t.equal(await at(`utc(TIMESTAMPTZ '2025-07-01 12:00:00+02:00', 'America/Lima')`), '10:00');
  t.equal(await at(`utc('2025-07-01 12:00', 'Europe/Madrid')`), '10:00');
  t.equal(await at(`utc(DATE '2025-07-01', 'Etc/GMT-1')`), '23:00');
  const files = { 'v.csv': 'time,value\n2025-07-01T12:00:00+02:00,1\n' };
  const call = `read_csv('v.csv', header = true, types = {'time': 'TIMESTAMP'})`;
  const sql = reading(call).replace('time::TIMESTAMP', `utc(time, 'Europe/Madrid')`);
  t.match(await refusal(t, { ...files, 'bura.sql': sql }), /^v\.csv: column "time": .*\+02:00 as/);
  const sniffed = reading(`read_csv('v.csv')`).replace(
    'time::TIMESTAMP',
    `utc(time, 'Asia/Tokyo')`,
  );
  const { measurements } = await build(t, { ...files, 'bura.sql': sniffed });
  t.equal(measurements[0]?.time, '10:00');
});

void t.test('zones are Area/Location or UTC', async (t) => {
  const clock = `TIMESTAMP '2025-07-01 12:00'`;
  for (const zone of ['BST', 'AST', 'CST', 'IST', 'GMT', 'cet', '']) {
    const ways = [
      `utc(${clock}, '${zone}')`,
      `timezone('${zone}', ${clock})`,
      `(${clock} AT TIME ZONE '${zone}')`,
      `timezone((SELECT min(z) FROM (VALUES ('${zone}')) AS zones(z)), ${clock})`,
    ];
    for (const time of zone === 'BST' ? ways : ways.slice(0, 1)) {
      const message = await refusal(t, { 'bura.sql': script({ time_start_utc: time }) });
      t.match(message, /expected a time zone such as Europe\/Madrid, Etc\/GMT-1 or UTC, got/, time);
    }
  }
  const format = `strptime('2025-07-01 12:00 BST', '%Y-%m-%d %H:%M %Z')`;
  t.match(
    await refusal(t, { 'bura.sql': script({ time_start_utc: format }) }),
    /^bura\.sql, line \d+: %Z reads abbreviations/,
  );
  for (const [zone, hour] of [
    ['Etc/GMT-1', '11:00'],
    ['UTC', '12:00'],
    ['America/Argentina/Buenos_Aires', '15:00'],
    ['Etc/GMT+12', '00:00'],
  ] as const) {
    for (const time of [`utc(${clock}, '${zone}')`, `${clock} AT TIME ZONE '${zone}'`]) {
      const { measurements } = await build(t, { 'bura.sql': script({ time_start_utc: time }) });
      t.equal(measurements[0]?.time, hour, time);
    }
  }
});

void t.test('further columns may be called as ours are', async (t) => {
  const names =
    `number problem hour_of_day shown m stations components measurements ts zone nth days instant text which
    bura_file x y epsg one twice positions row`.split(/\s+/);
  const more = names.map((name, at) => `${at} AS "${name}"`).join(', ');
  const sql = `${STATIONS.replace("('B', 'Beta')", "('B', 'Beta')")}${COMPONENTS}
    CREATE VIEW measurements AS SELECT 'A' AS station_code, 'NO2' AS short_name, ${more}, 1.5 AS value,
      utc(instant_text, 'Europe/Madrid') AS time_start_utc FROM (SELECT '2025-07-01 12:00' AS instant_text);`;
  const { measurements } = await build(t, { 'bura.sql': sql });
  t.match(measurements, [{ value: 1.5, time: '10:00' }]);
  for (const [at, name] of names.entries()) t.equal(measurements[0]?.[name], String(at), name);
  const used = names
    .slice(8, 14)
    .map(
      (name) =>
        `SELECT utc("${name}", 'Etc/GMT-1') FROM (SELECT TIMESTAMP '2025-07-01 12:00' AS "${name}");`,
    );
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
  t.match(String(places.get('B')), /^41\.6081\d*,-4\.1425\d*$/);
  t.match(String(places.get('E')), /^41\.6081\d*,-4\.1425\d*$/);
  t.notSame(places.get('B'), places.get('E'));
  t.match(
    await refusal(t, { 'bura.sql': sql('404 800') }),
    /^stations: station E: expected a point x, y of a known system epsg, got 404 800/,
  );
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
  const cells = views.map(
    (_, at) => `CREATE TABLE t${at} AS SELECT * FROM (UNPIVOT file_${at + 1} ON COLUMNS(*));`,
  );
  const all = views.map((_, at) => `FROM t${at}`).join(' UNION ALL ');
  const checked = `${views.join('\n')} ${cells.join('\n')} ${script()}
    SELECT error(string_agg(concat_ws('=', name, value), ' ' ORDER BY name, value)) FROM (${all});`;
  const message = await refusal(t, { ...files, 'bura.sql': checked });
  for (const cell of [
    `O'Higgins=5`,
    'v=1',
    'w=9',
    'code=007',
    'code=1e5',
    'a "b"=1',
    'column1=2',
  ]) {
    t.ok(message.includes(cell), `${cell} in ${message}`);
  }
});

void t.test('a name with a bracket means the file that has it', async (t) => {
  const files = { 'v[1].csv': day(1, 1.5), 'v1.csv': day(2, 9), 'v[2].csv': day(3, 2.5) };
  for (const call of [
    `read_csv('v[1].csv', header = true)`,
    `read_csv(['v[1].csv'], header = true)`,
    `'v[1].csv'`,
    `"v[1].csv"`,
  ]) {
    t.strictSame(await valuesOf(t, { ...files, 'bura.sql': reading(call) }), [1.5], call);
  }
  const both = reading(`read_csv(['v[1].csv', 'v[2].csv'], header = true)`);
  t.strictSame(await valuesOf(t, { ...files, 'bura.sql': both }), [1.5, 2.5]);
  const pattern = reading(`read_csv('v[12].csv', header = true)`);
  t.strictSame(await valuesOf(t, { ...files, 'bura.sql': pattern }), [9]);
});

void t.test('UTF-16 without a mark is named, and read by --encoding', async (t) => {
  for (const [label, text] of [
    ['utf-16le', day(1, 1.5)],
    ['utf-16be', day(1, 1.5)],
  ] as const) {
    const bytes = iconv.encode(text, label, { addBOM: false });
    const files = { 'v.csv': bytes, 'bura.sql': reading(`read_csv('v.csv', header = true)`) };
    t.match(
      await refusal(t, files),
      /^v\.csv: NUL characters, .*: add --encoding, such as utf-16le$/,
    );
    const { measurements } = await build(t, files, { encoding: label });
    t.match(measurements, [{ value: 1.5 }], label);
    t.match(
      await refusal(t, files, { encoding: 'windows-1252' }),
      /^v\.csv: NUL characters, .* read as windows-1252$/,
    );
  }
});

void t.test('messages name a relation and codes, and no line of our SQL', async (t) => {
  const of = (values: string): string => `${STATIONS}${COMPONENTS} CREATE VIEW measurements AS
    SELECT 'A' AS station_code, 'NO2' AS short_name, time_start_utc, value FROM (VALUES ${values}) AS v(time_start_utc, value);`;
  const cast = of(
    `(TIMESTAMP '2025-07-01 12:00', '1'), (TIMESTAMP '2025-07-01 13:00', 'x')`,
  ).replace('value FROM', 'value::INT AS value FROM');
  const message = await refusal(t, { 'bura.sql': cast });
  t.match(message, /^bura\.sql, measurements: Conversion Error: .*'x'/);
  t.notMatch(message, /LINE|bura_/);
  const row = `(TIMESTAMP '2025-07-01 12:00', 1)`;
  t.equal(
    await refusal(t, { 'bura.sql': of(`${row}, ${row}`) }),
    'measurements: there twice: station A, component NO2, 2025-07-01 12:00:00+00',
  );
  const far = script().replace(`('B', 'Beta')`, `('B', '')`);
  t.match(
    await refusal(t, { 'bura.sql': far }),
    /^stations, station_code B, column station_name: /,
  );
});

void t.test('the directory of the process is as it was when DuckDB does not open', async (t) => {
  const here = process.cwd();
  const folder = await folderOf(t, {
    'it\'s "a" [folder]/v.csv': day(1, 1.5),
    'bura.sql': reading(`read_csv('*/v.csv', header = true)`),
  });
  const out = join(folder, '..', 'x.json');
  await cp(folder, join(folder, '..', 'copy'), { recursive: true });
  const { buildDocument } = await import('../../src/publishing/tables/build-document.js');
  const named = { organizationName: 'A', organizationShortName: 'A' };
  t.match(await buildDocument({ from: folder, out, ...named }), { rows: 1 });
  t.equal(process.cwd(), here);
  await writeFile(join(folder, 'bura.sql'), 'CREATE');
  await t.rejects(buildDocument({ from: folder, out, ...named }), /bura\.sql/);
  t.equal(process.cwd(), here);
});
