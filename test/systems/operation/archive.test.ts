/** The archive in a folder has the behaviour of every writable store; kills between two calls; and years of tables. */
import { appendFile, cp, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { readTables } from '../../../src/publishing/archive/read-tables.js';
import { objectsOf, snapshotDocument, writeDocument } from '../../support/documents/documents.js';
import { chanceOf, scaled } from '../../support/faults/chance.js';
import { testArchive } from '../support/archive/archive-behaviour.js';
import { archiving, assertArchive, placeOn, testerOf } from '../support/archive/archive-place.js';
import {
  inOrder,
  pastRows,
  threeSteps,
  withPast,
  worldSteps,
  writeCsv,
  writeExport,
  type Expected,
  type Step,
} from '../support/archive/archive-world.js';

const makePlace: Parameters<typeof testArchive>[1] = async (_t, folder) => {
  const root = join(folder, 'store');
  await mkdir(root);
  const pathOf = (name: string): string => join(root, 'demo', name);
  return {
    address: `file:${root}`,
    flip: async (name, at) => {
      const bytes = await readFile(pathOf(name));
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      await writeFile(pathOf(name), bytes);
    },
    age: async (name) => {
      const then = Date.now() / 1000 - 2 * 24 * 3600;
      await utimes(pathOf(name), then, then);
    },
    remove: (name) => rm(pathOf(name)),
  };
};

testArchive('file', makePlace);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

void t.test('killed before a call that changes the disk, it is done by the next', async (t) => {
  const folder = t.testdir();
  const chance = chanceOf(t);
  const { first, second } = threeSteps(chance);
  const original = join(folder, 'original');
  await mkdir(original);
  const filled = placeOn(t, `file:${original}`);
  await filled.store([first, second]);
  await filled.archive([first.id]);
  const before = await filled.indexText();
  const nodeArguments = ['--import', resolve('build/test/support/service/fault-at-call.js')];
  let isDone = false;
  const stride = Math.ceil(60 / scaled(4));
  for (let call = 1 + chance.integer(stride); !isDone; call += stride) {
    const root = join(folder, String(call));
    await cp(original, root, { recursive: true });
    const place = placeOn(t, `file:${root}`);
    const env = { FAULT: 'kill', FAULT_CALL: String(call) };
    const { code } = await place.bura(archiving([second.id]), { env, nodeArguments });
    isDone = code === 0;
    const isReplaced = (await place.indexText()) !== before;
    t.ok(isReplaced || !isDone, `call ${call}`);
    await assertArchive(t, place, isReplaced ? second.expected : first.expected);
    await place.archive([second.id]);
    await assertArchive(t, place, second.expected);
    t.equal(await place.objects.removeOrphans(), 0);
    await rm(root, { recursive: true });
  }
});

const END_MS = Date.UTC(2025, 0, 1);

void t.test('more rows than are read at once', async (t) => {
  const folder = t.testdir();
  // A missing store is created.
  const place = placeOn(t, `file:${join(folder, 'store')}`);
  // A batch has 100,000 rows.
  const rows = Array.from({ length: 110_000 }, (_, at) => {
    const timeMs = END_MS - (1 + Math.floor(at / 4)) * HOUR_MS;
    return { station: at % 2 === 0 ? 2 : 5, code: at % 4 < 2 ? 'PM10' : 'SO2', timeMs, value: at };
  });
  await writeCsv(join(folder, 'tables'), rows);
  await place.run(['archive', '--from', join(folder, 'tables')], { stderr: /^$/ });
  const hourly = (await place.files()).filter(({ path }) => path.startsWith('observations/'));
  const count = hourly.reduce((sum, file) => sum + file.rows, 0);
  t.equal(count, rows.length);
  t.match(hourly[0], { from: '2021-11-12T04:00:00Z' });
  const index = await place.indexText();
  for (const [station, stderr] of [
    [2, 'bura: measurements: repeats station 2, component PM10, 2024-12-31 23:00\n'],
    [8, 'bura: measurements.csv.gz, row 110002, column station_id: no station has id 8\n'],
  ] as const) {
    const wrong = join(folder, `wrong-${station}`);
    const row = { station, code: 'PM10', timeMs: END_MS - HOUR_MS, value: 1 };
    await writeCsv(wrong, [...rows, row]);
    await place.run(['archive', '--from', wrong], { code: 1, stderr });
  }
  t.equal(await place.indexText(), index);
});

void t.test('years that are given again: what differs stays, or is taken', async (t) => {
  const folder = t.testdir();
  const place = placeOn(t, `file:${join(folder, 'store')}`);
  const rowsOf = (...values: readonly (number | null)[]) =>
    values.map((value, at) => {
      return { station: 2, code: 'SO2', timeMs: END_MS - (values.length - at) * HOUR_MS, value };
    });
  const [old, changed] = [rowsOf(1, 2, 3, 4), rowsOf(1, 7777, null, 4)];
  const archive = async (rows: typeof old, unit: string, ...flags: readonly string[]) => {
    const from = join(folder, 'tables');
    await rm(from, { recursive: true, force: true });
    await writeCsv(from, rows);
    const components = join(from, 'components.csv');
    await writeFile(components, (await readFile(components, 'utf8')).replaceAll('ppb', unit));
    return await place.bura(['archive', '--from', from, ...flags]);
  };
  const said = 'rows: 0 new, 2 equal, 2 different';
  for (const [rows, flags, stdout, expected] of [
    [old, [], 'rows: 4 new, 0 equal, 0 different\n', old],
    [changed, [], `${said}, left as they are (--overwrite takes them)\n`, old],
    [changed, ['--overwrite'], `${said}, taken\n`, changed],
    [changed, ['--overwrite'], 'rows: 0 new, 4 equal, 0 different\n', changed],
  ] as const) {
    t.match(await archive(rows, 'ppb', ...flags), { code: 0, stdout });
    if (expected === old) await assertArchive(t, place, withPast(undefined, old));
  }
  const stderr =
    /SO2 is in mg\/m3 here, and in ppb in the archive. If it is intended: --allow unit\n$/;
  t.match(await archive(old, 'mg/m3'), { code: 1, stderr });
  const newHour = [{ station: 2, code: 'SO2', timeMs: END_MS, value: 5 }];
  const taken = await archive(newHour, 'mg/m3', '--allow', 'unit');
  t.match(taken, { code: 0, stdout: 'rows: 1 new, 0 equal, 0 different\n' });
  const document = join(folder, 'document.json');
  await writeDocument(document, snapshotDocument({ snapshot_id: 'one' }));
  // The gate of `publish` compares with the active snapshot, which is missing here.
  await place.run(['publish', document, '--archive'], { code: 1, stderr: /--allow unit/ });
  const hint =
    /the archive was left as it is: .* what this snapshot hides, until bura archive one\n$/;
  await place.run(['publish', document], { stdout: hint });
});

void t.test('days of another clock are refused, or all are made anew', async (t) => {
  const folder = t.testdir({ texts: { 'operator.json': '{"time_zone": "America/New_York"}' } });
  const place = placeOn(t, `file:${join(folder, 'store')}`);
  const from = join(folder, 'tables');
  // In New York, the first hour belongs to the year before.
  const rows = [0, 5, 40 * 24].map((hour) => {
    return { station: 2, code: 'SO2', timeMs: END_MS + hour * HOUR_MS, value: hour };
  });
  await writeCsv(from, rows);
  const words = ['archive', '--from', from];
  const env = { TEXTS_DIR: join(folder, 'texts') };
  t.match(await place.bura(words, { env }), { code: 0, stderr: /^$/ });
  const [index, stored] = [await place.indexText(), await place.stored()];
  t.match(JSON.parse(index), { time_zone: 'America/New_York' });
  t.ok(stored.some((name) => name.startsWith('archive/daily/year=2024/')));
  const clocks = /Europe\/Belgrade here \(TIME_ZONE, operator\.json\), and of America\/New_York in/;
  await place.run(words, { code: 1, stderr: clocks });
  await place.run(words, { code: 1, stderr: /If it is intended: --allow zone\n$/ });
  t.same([await place.indexText(), await place.stored()], [index, stored]);
  const stdout = /^ {2}allowed \(zone\): days are those of Europe\/Belgrade here/m;
  await place.run([...words, '--allow', 'zone'], { stdout, stderr: /^$/ });
  await assertArchive(t, place, withPast(undefined, rows));
  const files = await place.files();
  t.match(JSON.parse(await place.indexText()), { time_zone: 'Europe/Belgrade' });
  // `TIME_ZONE` has priority over `operator.json`.
  const both = { ...env, TIME_ZONE: 'Europe/Belgrade' };
  t.match(await place.bura(words, { env: both }), { code: 0, stdout: /, 0 new\)\n$/ });
  for (const { path } of files) await rm(join(folder, 'store', 'demo', 'archive', path));
  await place.run([...words, '--repair'], { stderr: /observations.*: left out\n/ });
  t.same(await place.files(), files, 'lost hours are added again by tables');
  await place.run(['verify', '--archive']);
});

const test = testerOf('file', makePlace);
const generatedMs = ({ document }: Step): number => Date.parse(String(document['generated_at']));

/** The newer archive, with the names of stations and parameters that only the older one has. */
function withNamesOf(older: Expected, newer: Expected, rows: Expected['rows']): Expected {
  const stations = new Map([...older.stations, ...newer.stations]);
  return { rows, stations, parameters: new Map([...older.parameters, ...newer.parameters]) };
}

test('adds years past; what snapshots have said is newer', async (t, place, chance) => {
  const { steps, first, second, third } = threeSteps(chance);
  await place.store(steps);
  await place.archive([first.id, second.id]);
  const from = join(place.folder, 'tables');
  // Rows of hours before the newest snapshot, and for station 5 also of hours after it.
  const rows = pastRows(chance, generatedMs(second) + 3 * DAY_MS).filter(
    ({ station, timeMs }) => station === 5 || timeMs < generatedMs(second),
  );
  await writeCsv(from, rows);
  const stdout = /^reading\n(?:.*\n)*merging\n(?:.*\n)*archiving\n(?:.*\n)*.*tables: archived \(/;
  await place.archive(['--from', from], { stderr: /^$/, stdout });
  const expected = withPast(second.expected, rows, generatedMs(second));
  await assertArchive(t, place, expected);
  const index = await place.indexText();
  await place.archive(['--from', from], { stdout: /, 0 new\)\n$/ });
  t.equal(await place.indexText(), index, 'again');
  await place.run(['verify', '--archive']);
  await place.archive([third.id]);
  const older = (row: { readonly timeMs: number }): boolean =>
    row.timeMs < generatedMs(third) - 30 * DAY_MS;
  const newer = third.expected.rows.filter((row) => !older(row));
  const all = [...expected.rows.filter(older), ...newer].sort(inOrder);
  await assertArchive(t, place, withNamesOf(expected, third.expected, all));
});

test('begins with years: exports and tables give the same bytes', async (t, place, chance) => {
  const { first } = threeSteps(chance);
  const rows = pastRows(chance, generatedMs(first) - 40 * DAY_MS);
  const [tables, exports] = [join(place.folder, 'tables'), join(place.folder, 'exports')];
  await writeCsv(tables, rows);
  await writeExport(exports, rows);
  await writeFile(join(exports, 'other.csv'), 'a,b\n1,2\n');
  const stderr = /^bura: note: other\.csv: no statement of bura\.sql has read it\n$/;
  await place.archive(['--from', exports], { stderr });
  const expected = withPast(undefined, rows);
  await assertArchive(t, place, expected);
  await place.archive(['--from', tables], { stdout: /, 0 new\)\n$/ });
  await place.store([first]);
  await place.archive([first.id]);
  const all = withPast(first.expected, rows).rows;
  await assertArchive(t, place, withNamesOf(expected, first.expected, all));
});

test('makes days of an earlier release anew, and lost ones again', async (t, place, chance) => {
  const steps = worldSteps(chance, [1, 20, 60]);
  const [{ id: first }, { id: second }, third] = steps as [Step, Step, Step];
  await place.store(steps.slice(0, 2));
  const utc = await place.bura(archiving([first, second]), { env: { TIME_ZONE: 'UTC' } });
  t.match(utc, { code: 0, stderr: /^$/ });
  const name = 'archive/index.json';
  const from = await place.objects.read(name);
  // An index of an earlier release has neither a clock nor months.
  const to = (await place.indexText()).replaceAll(
    /"time_zone":"UTC",|\{"path":"monthly[^}]*\},/g,
    '',
  );
  t.equal(await place.objects.change({ name, from, to }), true);
  const file = join(place.folder, 'document.json');
  await writeDocument(file, third.document);
  const gates = ['negative', 'alone', 'unit'].flatMap((gate) => ['--allow', gate]);
  await place.run(['publish', file, '--archive', ...gates], { stderr: /^$/ });
  await assertArchive(t, place, third.expected);
  t.match(JSON.parse(await place.indexText()), { time_zone: 'Europe/Belgrade' });
  const files = await place.files();
  for (const kind of ['daily', 'monthly']) {
    const lost = files.filter(({ path }) => path.startsWith(kind));
    for (const { path } of lost) await place.remove(`archive/${path}`);
    await place.archive([third.id], { code: 1, stderr: new RegExp(`archive/${kind}/`) });
    const stderr = new RegExp(
      `^(?:.*/${kind}/.* is damaged or missing: left out\\n){${lost.length}}$`,
    );
    await place.archive([third.id, '--repair'], { stderr });
    t.same(await place.files(), files, `${kind} files have the same bytes`);
  }
  await place.run(['verify', '--archive']);
});

test('leaves out, and removes, what the active snapshot hides', async (t, place, chance) => {
  const { first } = threeSteps(chance);
  const stations = objectsOf(first.document, 'stations').map((station) => {
    return { ...station, public: station['station_id'] !== 10 };
  });
  await place.store([first]);
  await place.archive([first.id]);
  const file = join(place.folder, 'document.json');
  await writeDocument(file, { ...first.document, snapshot_id: 'hiding', stations });
  await place.run(['publish', file, '--allow', 'negative', '--allow', 'alone'], { stderr: /^$/ });
  const from = join(place.folder, 'tables');
  const rows = pastRows(chance, generatedMs(first));
  await writeCsv(from, rows);
  const before = await place.indexText();
  // Killed at any moment, years are there or not.
  for (let kill = 0; kill < scaled(2); kill += 1) {
    await place.kill(['--from', from], 500 + 4000 * chance.number());
    if ((await place.indexText()) === before) await assertArchive(t, place, first.expected);
  }
  await place.archive(['--from', from]);
  const all = withPast(first.expected, rows, generatedMs(first));
  const shown = all.rows.filter((row) => row.station_id !== '10');
  const names = new Map([...all.stations].filter(([id]) => id !== '10'));
  await assertArchive(t, place, { ...all, rows: shown, stations: names });
});

test('tables that are wrong are refused as bura build refuses them', async (t, place, chance) => {
  const from = join(place.folder, 'tables');
  await writeCsv(from, pastRows(chance, Date.UTC(2025, 0, 1)));
  const table = join(from, 'measurements.csv');
  const text = gunzipSync(await readFile(`${table}.gz`)).toString();
  await rm(`${table}.gz`);
  await writeFile(table, text);
  const last = text.split('\n').at(-2) ?? '';
  const built = ['build', '--from', from, '--out', join(place.folder, 'x.json')];
  for (const [name, line, says] of [
    ['measurements', '2,1,2024-01-01,00:00,much', /row \d+, column value: expected a number/],
    ['measurements', last, /measurements.csv, row \d+: repeats station \d+, component \d, 20/],
    ['stations', '2,Again,S2,1,1,1', /stations.csv, row 6, column station_id: repeats 2/],
  ] as const) {
    const file = join(from, `${name}.csv`);
    const right = await readFile(file);
    await appendFile(file, `${line}\n`);
    const refused = await place.bura(archiving(['--from', from]));
    t.match(refused, { code: 1, stderr: says });
    t.equal(refused.stderr, (await place.bura(built)).stderr);
    await writeFile(file, right);
  }
  for (const day of ['2999-01-01', '0019-01-01']) {
    await writeFile(table, `${text}2,1,${day},00:00,1\n`);
    const stderr = `column date: expected a day from 1900 to now, got "${day}"`;
    await place.archive(['--from', from], { code: 1, stderr });
  }
  await writeFile(table, 'station_id,component_id,date,time,value\n7,1,2024-01-01,00:00,1\n');
  await place.archive(['--from', from], { code: 1, stderr: /no row of a public/ });
  await place.archive(['--from', join(from, 'none')], { code: 1, stderr: /ENOENT/ });
  const stderr = /give either snapshot ids or --from DIR\n$/;
  await place.archive([], { code: 2, stderr });
  await place.archive(['x', '--from', from], { code: 2, stderr });
  const exports = join(place.folder, 'exports');
  await writeExport(exports, pastRows(chance, Date.UTC(2025, 0, 1)));
  for (const [more, says] of [
    ['2;PM10;2022-01-01T00:00:00Z;1', /rows.txt: .*no end/],
    ['\n2;PM10;2022-01-01T00:00:00Z;2\n', /there twice: station 2/],
  ] as const) {
    await appendFile(join(exports, 'rows.txt'), more);
    await place.archive(['--from', exports], { code: 1, stderr: says });
  }
  t.strictSame([await place.indexText(), await place.stored()], ['', []]);
});

test('years are merged anew where a snapshot was archived meanwhile', async (t, place, chance) => {
  const { first, second } = threeSteps(chance);
  await place.store([first, second]);
  await place.archive([first.id]);
  const rows = pastRows(chance, generatedMs(second));
  const from = join(place.folder, 'tables');
  await writeCsv(from, rows);
  const readHiding = () => Promise.resolve(undefined);
  await place.addDuring((of) => readTables(from, { ...of, readHiding }), second);
  await assertArchive(t, place, withPast(second.expected, rows, generatedMs(second)));
});
