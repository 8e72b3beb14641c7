/** Exports read by SQL (`docs/tables.md`, "Exports"): the script's input, its output, and refusals. */
import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
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

void t.test('utc: the instants of a clock time, in every zone and over its changes', async (t) => {
  const year = Date.UTC(2025, 0, 1);
  const rows: string[] = [];
  let twice = 0;
  const zones = ['Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Africa/Casablanca'];
  for (const zone of zones) {
    const at = new Map<string, number>();
    const styles = { dateStyle: 'short', timeStyle: 'medium' } as const;
    const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...styles });
    // Every half hour of a year, and whether its clock time was there before.
    for (let ms = year; ms < year + 365 * 24 * HOUR_MS; ms += HOUR_MS / 2) {
      const text = clock.format(ms);
      const nth = (at.get(text) ?? 0) + 1;
      at.set(text, nth);
      if (nth === 2) twice += 1;
      if (nth === 2 || ms % (197 * HOUR_MS) === 0)
        rows.push(`(${ms}, epoch_ms(utc(TIMESTAMP '${text}', '${zone}', nth := ${nth})))`);
    }
  }
  t.ok(twice > 4, 'hours that are shown twice');
  const sql = `${script()} CREATE TABLE wrong AS FROM (VALUES ${rows.join(', ')}) AS v(expected, got) WHERE expected <> got;
    SELECT CASE WHEN count(*) > 0 THEN error(string_agg(wrong::VARCHAR)) END FROM wrong;`;
  t.equal((await build(t, { 'bura.sql': sql })).measurements.length, 1);
});

void t.test('id: 31 bits that a text always has; degrees: the sum of its parts', async (t) => {
  const cases = Array.from({ length: 200 }, (_, at) => {
    const [whole, minutes, tenths] = [(at * 37) % 180, (at * 7) % 60, (at * 101) % 600];
    const [d, m, s, side] = [whole, minutes, (tenths / 10).toFixed(1), 'NESW'[at % 4] ?? 'N'];
    const sign = /[SW]/.test(side) ? '-' : '';
    const texts = [
      ...[`${d}°${m}''${s}"${side}`, `${d}° ${m}′ ${s}″ ${side}`],
      ...[`${side} ${d} ${m} ${s.replace('.', ',')}`, `${sign}${d}:${m}:${s}`],
    ];
    const size = whole + minutes / 60 + tenths / 36_000;
    return `('${texts[(at >> 2) % 4]}', ${sign}${size})`;
  });
  const sql = `${script()}
    CREATE TABLE wrong AS FROM (VALUES ${cases.join(', ')}) AS v(text, expected)
      WHERE abs(degrees(text) - expected) > 1e-6 OR degrees(text) IS NULL;
    SELECT CASE WHEN count(*) > 0 THEN error(string_agg(wrong::VARCHAR)) END FROM wrong;
    SELECT CASE WHEN id('A') <> id('A') OR degrees(NULL) IS NOT NULL OR degrees('45.25') <> 45.25 OR degrees(45.25) <> 45.25 THEN error('other') END;`;
  const { stations } = await build(t, { 'bura.sql': sql });
  const ids = stations.map((one) => Number(one['station_id']));
  t.ok(new Set(ids).size === 2 && ids.every((id) => id >= 0 && id < 2 ** 31), ids.join(', '));
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
    ['utf-16be', 'Zürich', 'stations.csv'],
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
    if (!label.startsWith('utf')) continue;
    const wrong = await refusal(t, files, { encoding: 'windows-1252' });
    t.match(wrong, /^stations\.csv: NUL characters, .* read as windows-1252$/);
  }
  const sql = { 'bura.sql': `${NAMES} ${measurement()}` };
  const utf8 = { ...sql, 'stations.csv': `\ufeff${text('Ђурђево')}` };
  const { stations } = await build(t, utf8, { encoding: 'windows-1252' });
  t.equal(stations[0]?.['station_name'], 'Ђурђево', 'whatever the flag says');
  const none = { ...sql, 'stations.csv': Buffer.from([0x41, 0x0a, 0x81, 0x0a]) };
  t.match(await refusal(t, none, { encoding: 'big5' }), /^stations\.csv: not big5, nor UTF-8$/);
});

const WORKBOOK = await readFile('test/fixtures/workbooks/without-addresses.xlsx');

void t.test('workbooks: each sheet is a CSV file, the first without its name too', async (t) => {
  const sql = `${STATIONS}${COMPONENTS}
    CREATE VIEW measurements AS SELECT 'A' AS station_code, 'NO2' AS short_name, v::DOUBLE AS value, t::TIMESTAMP AS time_start_utc
      FROM read_csv('all/book.xlsx.csv', header = true, all_varchar = true);
    SELECT CASE WHEN count(*) <> 1 THEN error('other') END FROM 'all/*.Daten.csv';`;
  const { measurements, notes } = await build(t, { 'bura.sql': sql, 'all/book.xlsx': WORKBOOK });
  t.match(measurements, [{ date: '2025-07-01', time: '12:00', value: 5.5 }]);
  t.strictSame(notes, []);
  const files = { 'bura.sql': sql, 'all/book.xlsx': WORKBOOK.subarray(0, -1) };
  t.match(await refusal(t, files), /^all\/book\.xlsx: not a workbook that can be read: /);
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

void t.test('relations: by ids or codes, other columns', async (t) => {
  const sql = `
    CREATE TABLE organizations AS SELECT 7 AS organization_id, 'Seven' AS name, 'S' AS short_name;
    CREATE TABLE networks AS SELECT 8 AS network_id, 'N' AS network_code, 'Net' AS name, 'N' AS short_name;
    CREATE TABLE components AS SELECT 5 AS component_id, 'NO2' AS short_name, 'ppb' AS unit;
    CREATE TABLE stations AS SELECT 1 AS station_id, 'A' AS station_code, 'Alpha' AS station_name,
      [5] AS component_ids, DATE '2001-02-03' AS start_date, 'v' AS operator, true AS active;
    CREATE VIEW measurements AS SELECT 1 AS station_id, 5 AS component_id, h AS time_start_utc, CASE WHEN hour(h) > 1 THEN 2.5 END AS value, 'ok' AS flag
      FROM range(TIMESTAMPTZ '2026-03-01 00:00:00+00', TIMESTAMPTZ '2026-03-01 03:00:00+00', INTERVAL 1 HOUR) AS r(h);`;
  const built = await build(t, { 'bura.sql': sql });
  t.same(await build(t, { 'bura.sql': sql }), built, 'the same tables make the same document');
  const { stations, organizations, measurements } = built;
  t.match(organizations, [{ organization_id: 7, name: 'Seven' }]);
  const [station] = stations;
  t.match(station, { station_id: 1, organization_id: 7, network_id: 8, component_ids: [5] });
  t.match(station, { start_date: '2001-02-03', operator: 'v', active: true });
  t.match(measurements, [
    { time: '00:00', value: null, flag: 'ok' },
    { time: '01:00', value: null, flag: 'ok' },
    { time: '02:00', value: 2.5, flag: 'ok' },
  ]);
});

const WRITES = JSON.parse(
  await readFile('test/fixtures/cases/sql-writes.json', 'utf8'),
) as readonly string[];

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
    ...{ 'README.pdf': '%PDF', 'old.xls': 'x', 'b.XLSB': 'x', 'sub/other.csv': 'a\n' },
    'sub/values_2.csv': values.replace('05:', '06:'),
  };
  const { notes, measurements } = await build(t, files);
  t.equal(measurements.length, 2, 'a new file is read');
  t.strictSame(notes.toSorted(), [
    'README.pdf: no statement of bura.sql has read it',
    'b.XLSB: no statement of bura.sql has read it: save it as .xlsx or CSV',
    'old.xls: no statement of bura.sql has read it: save it as .xlsx or CSV',
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
    'book.xlsx': WORKBOOK,
    'notes.md': 'x',
    'old.xls': 'x',
  });
  const lines: string[] = [];
  const signal = new AbortController().signal;
  await explain(folder, { signal, say: (line) => void lines.push(line) });
  const said = lines.join('\n');
  for (const part of [
    ...[/sites\.csv: utf-8, delimiter ";"/, /data\/2026\.csv: utf-8, delimiter ","/],
    ...[/NO2 DOUBLE, 1\.5 to 1\.5, 50(?:\.0+)? % empty/, /book\.xlsx\.Daten\.csv/],
    ...[/notes\.md: not a table/, 'old.xls: not a table: save it as .xlsx or CSV'],
  ]) {
    t.match(said, part);
  }
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
