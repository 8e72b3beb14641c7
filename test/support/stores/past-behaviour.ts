/** Behaviour of `bura archive --from`, for every kind of writable store. */
import { execFileSync } from 'node:child_process';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { addToArchive } from '../../../src/publishing/archive/add-to-archive.js';
import { readTables } from '../../../src/publishing/archive/read-tables.js';
import { writeDocument } from '../documents/documents.js';
import { chanceOf, scaled } from '../faults/chance.js';
import { COMMAND } from '../service/command.js';
import { ALLOWED, assertArchive, testerOf, type MakePlace } from './archive-behaviour.js';
import { inOrder, worldSteps, type Step } from './archive-world.js';
import { pastRows, withPast, writeCsv, writeExport } from './past-world.js';

const DAY_MS = 24 * 3_600_000;

function generatedMs({ document }: Step): number {
  return Date.parse(String(document['generated_at']));
}

/** Registers the tests of one kind of store. */
export function testPast(kind: string, makePlace: MakePlace): void {
  const test = testerOf(kind, makePlace);

  test('adds years past; what snapshots have said is newer', async (t, place) => {
    const chance = chanceOf(t);
    const steps = worldSteps(chance, [1, 9, 25]);
    const [first, second, third] = steps;
    if (first === undefined || second === undefined || third === undefined) throw new Error();
    await place.store(steps);
    t.equal((await place.bura(['archive', first.id, second.id, ...ALLOWED])).code, 0);
    const from = join(place.folder, 'tables');
    // Rows of hours before the newest snapshot, and for station 5 also of hours after it.
    const rows = pastRows(chance, generatedMs(second) + 3 * DAY_MS).filter(
      ({ station, timeMs }) => station === 5 || timeMs < generatedMs(second),
    );
    await writeCsv(from, rows);
    const { code, stdout, stderr } = await place.bura(['archive', '--from', from, ...ALLOWED]);
    t.strictSame([code, stderr], [0, '']);
    t.match(
      stdout,
      /^reading\n(?:.*\n)*merging\n(?:.*\n)*archiving\n(?:.*\n)*.*tables: archived \(/,
    );
    const expected = withPast(second.expected, rows, generatedMs(second));
    await assertArchive(t, place, expected);
    const index = await place.indexText();
    t.match(await place.bura(['archive', '--from', from, ...ALLOWED]), {
      code: 0,
      stdout: /, 0 new\)\n$/,
    });
    t.equal(await place.indexText(), index, 'again');
    t.match(await place.bura(['verify', '--archive']), { code: 0 });
    t.equal((await place.bura(['archive', third.id, ...ALLOWED])).code, 0);
    const older = (row: { readonly timeMs: number }): boolean =>
      row.timeMs < generatedMs(third) - 30 * DAY_MS;
    const newer = third.expected.rows.filter((row) => !older(row));
    await assertArchive(t, place, {
      rows: [...expected.rows.filter(older), ...newer].sort(inOrder),
      stations: new Map([...expected.stations, ...third.expected.stations]),
      parameters: new Map([...expected.parameters, ...third.expected.parameters]),
    });
  });

  test('begins with years: exports and tables give the same bytes', async (t, place) => {
    const chance = chanceOf(t);
    const [step] = worldSteps(chance, [1]);
    if (step === undefined) throw new Error();
    const rows = pastRows(chance, generatedMs(step) - 40 * DAY_MS);
    const [tables, exports] = [join(place.folder, 'tables'), join(place.folder, 'exports')];
    await writeCsv(tables, rows);
    await writeExport(exports, rows);
    await writeFile(join(exports, 'other.csv'), 'a,b\n1,2\n');
    const { code, stderr } = await place.bura(['archive', '--from', exports, ...ALLOWED]);
    const note = 'bura: note: other.csv: no statement of bura.sql has read it\n';
    t.strictSame([code, stderr], [0, note]);
    const expected = withPast(undefined, rows);
    await assertArchive(t, place, expected);
    t.match(await place.bura(['archive', '--from', tables, ...ALLOWED]), {
      code: 0,
      stdout: /, 0 new\)\n$/,
    });
    await place.store([step]);
    t.match(await place.bura(['archive', step.id, ...ALLOWED]), { code: 0, stderr: '' });
    await assertArchive(t, place, {
      rows: withPast(step.expected, rows).rows,
      stations: new Map([...expected.stations, ...step.expected.stations]),
      parameters: new Map([...expected.parameters, ...step.expected.parameters]),
    });
  });

  test('leaves out, and removes, what the active snapshot hides', async (t, place) => {
    const chance = chanceOf(t);
    const [step] = worldSteps(chance, [1]);
    if (step === undefined) throw new Error();
    const stations = (step.document['stations'] as { station_id: number }[]).map((station) => {
      return { ...station, public: station.station_id !== 10 };
    });
    await place.store([step]);
    t.equal((await place.bura(['archive', step.id, ...ALLOWED])).code, 0);
    const file = join(place.folder, 'document.json');
    await writeDocument(file, { ...step.document, snapshot_id: 'hiding', stations });
    const allowed = ['negative', 'alone'].flatMap((one) => ['--allow', one]);
    t.match(await place.bura(['publish', file, ...allowed]), { code: 0, stderr: '' });
    const from = join(place.folder, 'tables');
    const rows = pastRows(chance, generatedMs(step));
    await writeCsv(from, rows);
    t.match(await place.bura(['archive', '--from', from, ...ALLOWED]), { code: 0, stderr: '' });
    const expected = withPast(step.expected, rows, generatedMs(step));
    const { rows: all, stations: names, parameters } = expected;
    await assertArchive(t, place, {
      rows: all.filter((row) => row.station_id !== '10'),
      stations: new Map([...names].filter(([id]) => id !== '10')),
      parameters,
    });
  });

  test('tables that are wrong are refused as bura build refuses them', async (t, place) => {
    const from = join(place.folder, 'tables');
    await writeCsv(from, pastRows(chanceOf(t), Date.UTC(2025, 0, 1)));
    const table = join(from, 'measurements.csv');
    const text = gunzipSync(await readFile(`${table}.gz`)).toString();
    await rm(`${table}.gz`);
    const last = text.split('\n').at(-2) ?? '';
    const wrong: readonly (readonly [string, string, RegExp])[] = [
      [
        table,
        '2,1,2024-01-01,00:00,much',
        /row \d+, column value: expected a number or nothing, got "much"/,
      ],
      [table, '77,1,2024-01-01,00:00,1', /row \d+, column station_id: no station has id 77/],
      [table, '2,99,2024-01-01,00:00,1', /row \d+, column component_id: no component has id 99/],
      [table, '2,1,2024-02-30,00:00,1', /row \d+, column date: .*got "2024-02-30"/],
      [table, '2,1,2024-02-01,00:30,1', /row \d+, column time: .*got "00:30"/],
      [table, last, /measurements.csv, row \d+: repeats station \d+, component \d, 20/],
      [
        join(from, 'stations.csv'),
        '2,Again,S2,1,1,1',
        /stations.csv, row 6, column station_id: repeats 2/,
      ],
      [
        join(from, 'stations.csv'),
        '3,Other,S3,8,1,1',
        /row 6, column organization_id: no organization has id 8/,
      ],
    ];
    await writeFile(table, text);
    for (const [file, line, message] of wrong) {
      const right = await readFile(file);
      await appendFile(file, `${line}\n`);
      const refused = await place.bura(['archive', '--from', from, ...ALLOWED]);
      t.match(refused, { code: 1, stderr: message });
      const built = await place.bura([
        'build',
        '--from',
        from,
        '--out',
        join(place.folder, 'x.json'),
      ]);
      t.equal(refused.stderr, built.stderr);
      await writeFile(file, right);
    }
    for (const day of ['2999-01-01', '0019-01-01']) {
      await writeFile(table, `${text}2,1,${day},00:00,1\n`);
      const message = `column date: expected a day from 1900 to now, got "${day}"`;
      t.match(await place.bura(['archive', '--from', from, ...ALLOWED]), {
        code: 1,
        stderr: message,
      });
    }
    await writeFile(table, 'station_id,component_id,date,time,value\n7,1,2024-01-01,00:00,1\n');
    t.match(await place.bura(['archive', '--from', from, ...ALLOWED]), {
      code: 1,
      stderr: /no row of a public/,
    });
    t.match(await place.bura(['archive', '--from', join(from, 'none')]), {
      code: 1,
      stderr: /ENOENT/,
    });
    t.match(await place.bura(['archive']), {
      code: 2,
      stderr: /give either snapshot ids or --from DIR\n$/,
    });
    t.match(await place.bura(['archive', 'x', '--from', from]), {
      code: 2,
      stderr: /give either snapshot ids or --from DIR\n$/,
    });
    t.strictSame([await place.indexText(), await place.stored()], ['', []]);
  });

  test('an export that may be cut, or an hour that is there twice, is refused', async (t, place) => {
    const from = join(place.folder, 'exports');
    await writeExport(from, pastRows(chanceOf(t), Date.UTC(2025, 0, 1)));
    await appendFile(join(from, 'rows.txt'), '2;PM10;2022-01-01T00:00:00Z;1');
    t.match(await place.bura(['archive', '--from', from, ...ALLOWED]), {
      code: 1,
      stderr: /rows.txt: .*no end/,
    });
    await appendFile(join(from, 'rows.txt'), '\n2;PM10;2022-01-01T00:00:00Z;2\n');
    t.match(await place.bura(['archive', '--from', from, ...ALLOWED]), {
      code: 1,
      stderr: /there twice: station 2/,
    });
    t.strictSame([await place.indexText(), await place.stored()], ['', []]);
  });

  test('killed at any moment, years are there or not', async (t, place) => {
    const chance = chanceOf(t);
    const [step] = worldSteps(chance, [1]);
    if (step === undefined) throw new Error();
    await place.store([step]);
    t.equal((await place.bura(['archive', step.id, ...ALLOWED])).code, 0);
    const before = await place.indexText();
    const rows = pastRows(chance, generatedMs(step));
    const from = join(place.folder, 'tables');
    await writeCsv(from, rows);
    const expected = withPast(step.expected, rows, generatedMs(step));
    const words = ['archive', '--from', from, ...ALLOWED];
    for (let kill = 0; kill < scaled(3); kill += 1) {
      await place.bura(words, {
        onStart: (child) => {
          void after(500 + 4000 * chance.number()).then(() => child.kill('SIGKILL'));
        },
      });
      const isDone = (await place.indexText()) !== before;
      await assertArchive(t, place, isDone ? expected : step.expected);
    }
    t.match(await place.bura(words), { code: 0, stderr: '' });
    await assertArchive(t, place, expected);
  });

  test('years are merged anew where a snapshot was archived meanwhile', async (t, place) => {
    const chance = chanceOf(t);
    const [first, second] = worldSteps(chance, [1, 25]);
    if (first === undefined || second === undefined) throw new Error();
    await place.store([first, second]);
    t.equal((await place.bura(['archive', first.id, ...ALLOWED])).code, 0);
    const rows = pastRows(chance, generatedMs(second));
    const from = join(place.folder, 'tables');
    await writeCsv(from, rows);
    let merges = 0;
    const readHiding = () => Promise.resolve(undefined);
    await addToArchive(place.objects, (of) => readTables(from, { ...of, readHiding }), {
      signal: new AbortController().signal,
      refuse: () => undefined,
      onProgress: (step, done) => {
        if (step !== 'archiving' || done > 0) return;
        merges += 1;
        if (merges > 1) return;
        execFileSync(process.execPath, [COMMAND, 'archive', second.id, ...ALLOWED], {
          env: { SNAPSHOT_STORE: place.address },
        });
      },
    });
    t.equal(merges, 2);
    await assertArchive(t, place, withPast(second.expected, rows, generatedMs(second)));
  });
}
