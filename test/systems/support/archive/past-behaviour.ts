/** Behaviour of `bura archive --from`, for every kind of writable store. */
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readTables } from '../../../../src/publishing/archive/read-tables.js';
import { writeDocument } from '../../../support/documents/documents.js';
import { scaled } from '../../../support/faults/chance.js';
import { archiving, testerOf, type MakePlace } from './archive-place.js';
import { inOrder, threeSteps, type Expected, type Step } from './archive-world.js';
import { assertArchive } from './assert-archive.js';
import { pastRows, withPast, writeCsv, writeExport } from './past-world.js';

const DAY_MS = 24 * 3_600_000;

function generatedMs({ document }: Step): number {
  return Date.parse(String(document['generated_at']));
}

/** The newer archive, with the names of stations and parameters that only the older one has. */
function withNamesOf(older: Expected, newer: Expected, rows: Expected['rows']): Expected {
  return {
    rows,
    stations: new Map([...older.stations, ...newer.stations]),
    parameters: new Map([...older.parameters, ...newer.parameters]),
  };
}

/** Registers the tests of one kind of store. */
export function testPast(kind: string, makePlace: MakePlace): void {
  const test = testerOf(kind, makePlace);

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
    await place.archive(['--from', from], {
      stderr: /^$/,
      stdout: /^reading\n(?:.*\n)*merging\n(?:.*\n)*archiving\n(?:.*\n)*.*tables: archived \(/,
    });
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

  test('leaves out, and removes, what the active snapshot hides', async (t, place, chance) => {
    const { first } = threeSteps(chance);
    const stations = (first.document['stations'] as { station_id: number }[]).map((station) => {
      return { ...station, public: station.station_id !== 10 };
    });
    await place.store([first]);
    await place.archive([first.id]);
    const file = join(place.folder, 'document.json');
    await writeDocument(file, { ...first.document, snapshot_id: 'hiding', stations });
    await place.run(['publish', file, '--allow', 'negative', '--allow', 'alone'], { stderr: /^$/ });
    const from = join(place.folder, 'tables');
    const rows = pastRows(chance, generatedMs(first));
    await writeCsv(from, rows);
    await place.archive(['--from', from]);
    const {
      rows: all,
      stations: names,
      parameters,
    } = withPast(first.expected, rows, generatedMs(first));
    await assertArchive(t, place, {
      rows: all.filter((row) => row.station_id !== '10'),
      stations: new Map([...names].filter(([id]) => id !== '10')),
      parameters,
    });
  });

  test('tables that are wrong are refused as bura build refuses them', async (t, place, chance) => {
    const from = join(place.folder, 'tables');
    await writeCsv(from, pastRows(chance, Date.UTC(2025, 0, 1)));
    const table = join(from, 'measurements.csv');
    const text = gunzipSync(await readFile(`${table}.gz`)).toString();
    await rm(`${table}.gz`);
    await writeFile(table, text);
    const last = text.split('\n').at(-2) ?? '';
    const wrong: readonly (readonly [file: string, line: string, says: RegExp])[] = [
      [
        'measurements',
        '2,1,2024-01-01,00:00,much',
        /row \d+, column value: expected a number or nothing, got "much"/,
      ],
      [
        'measurements',
        '77,1,2024-01-01,00:00,1',
        /row \d+, column station_id: no station has id 77/,
      ],
      [
        'measurements',
        '2,99,2024-01-01,00:00,1',
        /row \d+, column component_id: no component has id 99/,
      ],
      ['measurements', '2,1,2024-02-30,00:00,1', /row \d+, column date: .*got "2024-02-30"/],
      ['measurements', '2,1,2024-02-01,00:30,1', /row \d+, column time: .*got "00:30"/],
      ['measurements', last, /measurements.csv, row \d+: repeats station \d+, component \d, 20/],
      ['stations', '2,Again,S2,1,1,1', /stations.csv, row 6, column station_id: repeats 2/],
      ['stations', '3,Other,S3,8,1,1', /row 6, column organization_id: no organization has id 8/],
    ];
    const built = ['build', '--from', from, '--out', join(place.folder, 'x.json')];
    for (const [name, line, says] of wrong) {
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

  test('killed at any moment, years are there or not', async (t, place, chance) => {
    const { first } = threeSteps(chance);
    await place.store([first]);
    await place.archive([first.id]);
    const before = await place.indexText();
    const rows = pastRows(chance, generatedMs(first));
    const from = join(place.folder, 'tables');
    await writeCsv(from, rows);
    const expected = withPast(first.expected, rows, generatedMs(first));
    for (let kill = 0; kill < scaled(3); kill += 1) {
      await place.kill(['--from', from], 500 + 4000 * chance.number());
      const isDone = (await place.indexText()) !== before;
      await assertArchive(t, place, isDone ? expected : first.expected);
    }
    await place.archive(['--from', from]);
    await assertArchive(t, place, expected);
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
}
