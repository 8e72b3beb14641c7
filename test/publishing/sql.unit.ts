/** Exports read by SQL (`docs/tables.md`, "Exports"): the script's input, its output, and refusals. */
import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import exceljs from 'exceljs';
import iconv from 'iconv-lite';
import t from 'tap';
import { explain } from '../../src/publishing/sql/explain.js';
import { buildDocument } from '../../src/publishing/tables/build-document.js';
import {
  build,
  COMPONENTS,
  folderOf,
  measurement,
  NAMED,
  refusal,
  script,
  STATIONS,
} from './export-folders.js';

const HOUR_MS = 3_600_000;

/** The clock of a zone, by the words that `Intl` has. */
function clockOf(timeZone: string): (epochMs: number) => string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (epochMs) => format.format(epochMs);
}

void t.test('utc: the instants of a clock time, in every zone and over its changes', async (t) => {
  const zones = ['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Casablanca'];
  const year = Date.UTC(2025, 0, 1);
  const found: { zone: string; ms: number; nth: number; text: string }[] = [];
  for (const zone of zones) {
    const at = new Map<string, number>();
    const clock = clockOf(zone);
    // Every half hour of a year, and whether its clock time was there before.
    for (let ms = year; ms < year + 365 * 24 * HOUR_MS; ms += HOUR_MS / 2) {
      const text = clock(ms);
      const nth = (at.get(text) ?? 0) + 1;
      at.set(text, nth);
      if (nth === 2 || ms % (197 * HOUR_MS) === 0) found.push({ zone, ms, nth, text });
    }
  }
  t.ok(found.filter(({ nth }) => nth === 2).length > 4, 'hours that are shown twice');
  const rows = found.map(
    ({ zone, ms, nth, text }) =>
      `(${ms}, epoch_ms(utc(TIMESTAMP '${text}', '${zone}', nth := ${nth})))`,
  );
  const sql = `${script()} CREATE TABLE wrong AS FROM (VALUES ${rows.join(', ')}) AS v(expected, got) WHERE expected <> got;
    SELECT CASE WHEN count(*) > 0 THEN error(string_agg(wrong::VARCHAR)) END FROM wrong;`;
  t.equal((await build(t, { 'bura.sql': sql })).measurements.length, 1);
});

void t.test('utc: what the clock skips, or shows only once, is an error', async (t) => {
  for (const [time, says] of [
    [`utc(TIMESTAMP '2026-03-29 02:00', 'Europe/Berlin')`, /skips 2026-03-29 02:00/],
    [`utc(TIMESTAMP '2026-03-29 03:00', 'Europe/Berlin', nth := 2)`, /shows only once 2026-03-29/],
    [`utc(TIMESTAMP '2026-03-29 03:00', 'Europe/Nowhere')`, /Unknown TimeZone 'Europe\/Nowhere'/],
    [`utc(NULL, 'Europe/Berlin')`, /no time_start_utc: .*"station_code":"A"/],
  ] as const) {
    t.match(await refusal(t, { 'bura.sql': script({ time_start_utc: time }) }), says);
  }
});

void t.test('id: 31 bits that a text always has; degrees: the sum of its parts', async (t) => {
  const forms = [
    (d: number, m: number, s: string, side: string) => `${d}°${m}'${s}"${side}`,
    (d: number, m: number, s: string, side: string) => `${d}° ${m}′ ${s}″ ${side}`,
    (d: number, m: number, s: string, side: string) => `${side} ${d} ${m} ${s.replace('.', ',')}`,
    (d: number, m: number, s: string, side: string) =>
      `${/[SW]/.test(side) ? '-' : ''}${d}:${m}:${s}`,
  ];
  const cases = Array.from({ length: 200 }, (_, at) => {
    const [whole, minutes, tenths] = [(at * 37) % 180, (at * 7) % 60, (at * 101) % 600];
    const side = 'NESW'[at % 4] ?? 'N';
    const text = forms[(at >> 2) % 4]?.(whole, minutes, (tenths / 10).toFixed(1), side) ?? '';
    const size = whole + minutes / 60 + tenths / 36_000;
    return `('${text.replaceAll("'", "''")}', ${/[SW]/.test(side) ? -size : size})`;
  });
  const sql = `${script()}
    CREATE TABLE wrong AS FROM (VALUES ${cases.join(', ')}) AS v(text, expected)
      WHERE abs(degrees(text) - expected) > 1e-6 OR degrees(text) IS NULL;
    SELECT CASE WHEN count(*) > 0 THEN error(string_agg(wrong::VARCHAR)) END FROM wrong;
    SELECT CASE WHEN id('A') <> id('A') OR degrees(NULL) IS NOT NULL OR degrees('45.25') <> 45.25 OR degrees(45.25) <> 45.25 THEN error('other') END;`;
  const { stations } = await build(t, { 'bura.sql': sql });
  const ids = stations.map((one) => Number(one['station_id']));
  t.ok(new Set(ids).size === 2 && ids.every((id) => id >= 0 && id < 2 ** 31), ids.join(', '));
  for (const text of [`45°60'0"N`, `45°10'60"`, 'north', '4 5 6 7', '']) {
    const wrong = `${script()} SELECT degrees('${text.replaceAll("'", "''")}');`;
    t.match(await refusal(t, { 'bura.sql': wrong }), /degrees: expected degrees, minutes/, text);
  }
  for (const text of [`16° 20' 40" O`, `16°20'40"o`, 'O 16 20 40', '16,34 O', 'O16°']) {
    const wrong = `${script()} SELECT degrees('${text.replaceAll("'", "''")}');`;
    t.match(await refusal(t, { 'bura.sql': wrong }), /O is east in one language and west/, text);
  }
});

const NAMES = `
  CREATE VIEW stations AS FROM read_csv('stations.csv', header = true, types = {'station_code': 'VARCHAR', 'station_name': 'VARCHAR'});
  ${COMPONENTS}`;

void t.test('letters: decoded by --encoding where they are not UTF-8', async (t) => {
  const text = (name: string): string => `station_code,station_name\nA,"${name}"\n`;
  for (const [label, name, file] of [
    ['windows-1251', 'Београд, Стари град', 'stations.csv'],
    ['big5', '臺北', 'stations.csv.gz'],
    ['utf-16le', 'Zürich', 'stations.csv'],
  ] as const) {
    const bytes = iconv.encode(text(name), label);
    const sql = `${NAMES.replace('stations.csv', file)} ${measurement()}`;
    const files = { 'bura.sql': sql, [file]: file.endsWith('.gz') ? gzipSync(bytes) : bytes };
    const { stations } = await build(t, files, { encoding: label });
    t.equal(stations[0]?.['station_name'], name, label);
    t.match(
      await refusal(t, files),
      /^stations\.csv\S*: (?:not UTF-8 at byte \d+|NUL characters, .*): add --encoding/,
    );
  }
  const sql = { 'bura.sql': `${NAMES} ${measurement()}` };
  const utf8 = { ...sql, 'stations.csv': `\ufeff${text('Ђурђево')}` };
  const { stations } = await build(t, utf8, { encoding: 'windows-1252' });
  t.equal(stations[0]?.['station_name'], 'Ђурђево', 'whatever the flag says');
  const none = { ...sql, 'stations.csv': Buffer.from([0x41, 0x0a, 0x81, 0x0a]) };
  t.match(await refusal(t, none, { encoding: 'big5' }), /^stations\.csv: not big5, nor UTF-8$/);
});

async function workbook(): Promise<Buffer> {
  const book = new exceljs.Workbook();
  const sheet = book.addWorksheet('Estaciones');
  sheet.addRow(['code', 'name', 'value', 'time']);
  sheet.addRow(['007', ' Peñafiel, "1"', 0.1 + 0.2, new Date(Date.UTC(2026, 2, 1, 5, 0, 0, 400))]);
  sheet.addRow(['008', { richText: [{ text: 'Ís' }, { text: 'car' }] }, 1e-7, 46_082.25]);
  sheet.getCell('D3').numFmt = 'dd/mm/yyyy hh:mm';
  book.addWorksheet('Second sheet').addRow(['only', 1]);
  return Buffer.from(await book.xlsx.writeBuffer());
}

void t.test('workbooks: each sheet is a CSV file, the first without its name too', async (t) => {
  const sql = `
    CREATE VIEW cells AS FROM read_csv('all/book.xlsx.csv', header = true, all_varchar = true);
    CREATE VIEW stations AS SELECT code AS station_code, name AS station_name FROM cells;
    ${COMPONENTS}
    SELECT CASE WHEN column1 <> '1' THEN error('other') END FROM read_csv('all/book.xlsx.Second sheet.csv', header = false, all_varchar = true);
    SELECT CASE WHEN count(*) <> 2 THEN error('other') END FROM 'all/*.Estaciones.csv';
    CREATE VIEW measurements AS SELECT code AS station_code, 'NO2' AS short_name, value::DOUBLE AS value, time::TIMESTAMP AS time_start_utc FROM cells;`;
  const bytes = await workbook();
  const built = await build(t, { 'bura.sql': sql, 'all/book.xlsx': bytes });
  t.match(built.stations, [
    { station_code: '007', station_name: ' Peñafiel, "1"' },
    { station_code: '008', station_name: 'Íscar' },
  ]);
  const rows = built.measurements.toSorted((a, b) => a.time.localeCompare(b.time));
  t.match(rows, [
    { date: '2026-03-01', time: '05:00', value: 0.1 + 0.2 },
    { date: '2026-03-01', time: '06:00', value: 1e-7 },
  ]);
  t.strictSame(built.notes, []);
  // However often it is read: the streams of a workbook come in any order.
  const cuts = Array.from({ length: 8 }, (_, index) => Math.floor((index * bytes.length) / 8));
  for (const cut of [...cuts, bytes.length - 1]) {
    const files = { 'bura.sql': sql, 'all/book.xlsx': bytes.subarray(0, cut) };
    t.match(await refusal(t, files), /^all\/book\.xlsx: not a workbook that can be read: /);
  }
});

void t.test('what is no regular file is not read; a link to a file is one', async (t) => {
  const files = { 'bura.sql': `${NAMES} ${measurement()}` };
  const from = await folderOf(t, {
    ...files,
    '../elsewhere.csv': 'station_code,station_name\nA,x\n',
  });
  await symlink('../elsewhere.csv', join(from, 'stations.csv'));
  await symlink('/dev/zero', join(from, 'zero.csv'));
  await symlink('nowhere', join(from, 'broken.csv'));
  await promisify(execFile)('mkfifo', [join(from, 'pipe.csv')]);
  const out = join(from, '..', 'document.json');
  t.match(await buildDocument({ from, out, ...NAMED }), { rows: 1, notes: [] });
});

void t.test('relations: by ids or codes, points of a grid, other columns', async (t) => {
  const sql = `
    CREATE TABLE organizations AS SELECT 7 AS organization_id, 'Seven' AS name, 'S' AS short_name;
    CREATE TABLE networks AS SELECT 8 AS network_id, 'N' AS network_code, 'Net' AS name, 'N' AS short_name;
    CREATE TABLE components AS SELECT 5 AS component_id, 'NO2' AS short_name, 'ppb' AS unit;
    CREATE TABLE stations AS SELECT 1 AS station_id, 'A' AS station_code, 'Alpha' AS station_name,
      404800 AS x, 4606900 AS y, 25830 AS epsg, [5] AS component_ids, DATE '2001-02-03' AS start_date, 'v' AS operator, true AS active;
    CREATE VIEW measurements AS SELECT 1 AS station_id, 5 AS component_id, h AS time_start_utc, CASE WHEN hour(h) > 1 THEN 2.5 END AS value, 'ok' AS flag
      FROM range(TIMESTAMPTZ '2026-03-01 00:00:00+00', TIMESTAMPTZ '2026-03-01 03:00:00+00', INTERVAL 1 HOUR) AS r(h);`;
  const built = await build(t, { 'bura.sql': sql });
  t.same(await build(t, { 'bura.sql': sql }), built, 'the same tables make the same document');
  const { stations, organizations, measurements } = built;
  t.match(organizations, [{ organization_id: 7, name: 'Seven' }]);
  const [station] = stations;
  t.match(station, { station_id: 1, organization_id: 7, network_id: 8, component_ids: [5] });
  t.match(station, { start_date: '2001-02-03', operator: 'v', active: true });
  // As `gdaltransform` has it.
  t.ok(Math.abs(Number(station?.['latitude']) - 41.608137) < 1e-6, String(station?.['latitude']));
  t.ok(Math.abs(Number(station?.['longitude']) + 4.142522) < 1e-6, String(station?.['longitude']));
  t.match(
    measurements.map(({ time, value, flag }) => [time, value, flag]),
    [
      ['00:00', null, 'ok'],
      ['01:00', null, 'ok'],
      ['02:00', 2.5, 'ok'],
    ],
  );
});

const WRITES = [
  `COPY stations TO 'stations.csv'`,
  `COPY stations TO 'outside.csv' (FORMAT csv)`,
  `COPY stations TO 'sub/new.csv'`,
  `COPY (FROM stations) TO '../new.parquet' (FORMAT parquet)`,
  `EXPORT DATABASE '.'`,
  `ATTACH 'outside.csv' AS other`,
  `ATTACH 'new.db' AS other`,
  `PREPARE p AS COPY stations TO 'stations.csv'; EXECUTE p`,
  `EXPLAIN ANALYZE COPY stations TO 'stations.csv'`,
  `BEGIN; COPY stations TO 'stations.csv'; COMMIT`,
  `CALL enable_logging('QueryLog', storage = 'file', storage_path = '.')`,
  `SET log_query_path = 'outside.csv'`,
  `PRAGMA profiling_output = 'outside.csv'`,
  `SET temp_directory = '.'`,
  `SET lock_configuration = false`,
  `CREATE PERSISTENT SECRET s (TYPE http, BEARER_TOKEN 'x')`,
];

void t.test('a script writes no file: not an export, and not what a link leads to', async (t) => {
  const files = { 'stations.csv': 'kept\n', 'sub/other.csv': 'kept\n', '../outside.csv': 'kept\n' };
  for (const sql of WRITES) {
    const from = await folderOf(t, { ...files, 'bura.sql': `${STATIONS} ${sql}; ${script()}` });
    await symlink('../outside.csv', join(from, 'outside.csv'));
    const out = join(from, '..', 'document.json');
    await t.rejects(buildDocument({ from, out, ...NAMED }), { name: 'SqlError' }, sql);
    t.strictSame((await readdir(from, { recursive: true })).sort(), [
      ...['bura.sql', 'outside.csv', 'stations.csv', 'sub', 'sub/other.csv'],
    ]);
    t.strictSame((await readdir(t.testdirName)).sort(), ['export', 'outside.csv']);
    for (const name of Object.keys(files)) {
      t.equal(await readFile(join(from, name), 'utf8'), 'kept\n', sql);
    }
  }
  const sql = `SET VARIABLE unit = 'ppb'; BEGIN; ${STATIONS} COMMIT; CREATE TABLE c(a TEXT); INSERT INTO c VALUES ('NO2');
    CREATE VIEW components AS SELECT a AS short_name, getvariable('unit') AS unit FROM c; ${measurement()}`;
  t.match((await build(t, { 'bura.sql': sql })).components, [{ short_name: 'NO2', unit: 'ppb' }]);
});

void t.test('names another format of workbooks, and what to do', async (t) => {
  const { notes } = await build(t, { 'bura.sql': script(), 'old.xls': 'x', 'b.XLSB': 'x' });
  t.strictSame(notes, [
    'b.XLSB: no statement of bura.sql has read it: save it as .xlsx or CSV',
    'old.xls: no statement of bura.sql has read it: save it as .xlsx or CSV',
  ]);
});

/** Scripts with their errors. */
const WRONG = JSON.parse(
  await readFile('test/fixtures/cases/refused-sql.json', 'utf8'),
) as Readonly<Record<string, readonly [sql: string, says: string]>>;

for (const [what, [sql, says]] of Object.entries(WRONG)) {
  void t.test(`refuses ${what}`, async (t) => {
    t.match(await refusal(t, { 'bura.sql': sql }), new RegExp(says, 'i'));
  });
}

void t.test('names a file that no statement has read, also beside patterns', async (t) => {
  const values = 'station_code,short_name,time_start_utc,value\nA,NO2,2026-03-01 05:00:00,1\n';
  const sql = `${STATIONS}${COMPONENTS} CREATE VIEW measurements AS FROM read_csv('**/values_*.csv', header = true,
    types = {'station_code': 'VARCHAR', 'short_name': 'VARCHAR', 'time_start_utc': 'TIMESTAMP', 'value': 'DOUBLE'});`;
  const files = {
    'bura.sql': sql,
    'values_1.csv': values,
    'README.pdf': '%PDF',
    'sub/other.csv': 'a\n',
    'sub/values_2.csv': values.replace('05:', '06:'),
  };
  const { notes, measurements } = await build(t, files);
  t.equal(measurements.length, 2, 'a new file is read');
  t.strictSame(notes, [
    'README.pdf: no statement of bura.sql has read it',
    'sub/other.csv: no statement of bura.sql has read it',
  ]);
});

void t.test('can be ended while DuckDB is at work, and leaves nothing', async (t) => {
  const end = new AbortController();
  const sql = `${script()} SELECT count(*) FROM range(1000000) AS a, range(1000000) AS b WHERE a.range * b.range = 7;`;
  const onProgress = (step: string, done: number, total: number): void => {
    // How much of it is done DuckDB cannot tell.
    t.strictSame([step, done, total], ['bura.sql', 0, 100]);
    // Rows of hidden stations lie there.
    const [folder = ''] = readdirSync(t.testdirName).filter((name) => name !== 'export');
    t.equal(statSync(join(t.testdirName, folder)).mode & 0o777, 0o700, 'nobody else can look');
    end.abort(new Error('stop'));
  };
  t.equal(await refusal(t, { 'bura.sql': sql }, { signal: end.signal, onProgress }), 'stop');
});

void t.test('explain: facts of each file, and a script to decide on', async (t) => {
  const folder = await folderOf(t, {
    'sites.csv': 'station_code;station_name;latitude;longitude\nA;Alpha;45,5;20.1\n',
    'data/2026.csv': '# made by hand\nwhen,NO2\n2026-03-01 05:00:00,1.5\n2026-03-01 06:00:00,\n',
    'book.xlsx': await workbook(),
    'notes.md': 'x',
    'old.xls': 'x',
  });
  const lines: string[] = [];
  const signal = new AbortController().signal;
  await explain(folder, { signal, say: (line) => void lines.push(line) });
  const said = lines.join('\n');
  t.match(said, /sites\.csv: utf-8, delimiter ";"/);
  t.match(said, /data\/2026\.csv: utf-8, delimiter ","/);
  t.match(said, /NO2 DOUBLE, 1\.5 to 1\.5, 50(?:\.0+)? % empty/);
  t.match(said, /book\.xlsx\.Second sheet\.csv/);
  t.match(said, /notes\.md: not a table/);
  t.match(said, 'old.xls: not a table: save it as .xlsx or CSV');
  t.match(lines.at(-1), /is written: decide each word that begins with decide_/);
  const sql = await readFile(join(folder, 'bura.sql'), 'utf8');
  t.match(sql, /CREATE VIEW stations AS SELECT\n {2}station_code,\n {2}station_name,/);
  t.match(sql, /decide_unit AS unit/);
  // Each undecided word is refused by its name.
  const out = join(folder, '..', 'document.json');
  await t.rejects(buildDocument({ from: folder, out, ...NAMED }), /decide_/);
  await explain(folder, { signal, say: (line) => void lines.push(line) });
  t.match(lines.at(-1), /is there and stays as it is/);
  t.equal(await readFile(join(folder, 'bura.sql'), 'utf8'), sql);
});
