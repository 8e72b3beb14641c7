/** The archive in a folder has the behaviour of every writable store; and the state after a kill between two calls. */
import { cp, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import t from 'tap';
import { snapshotDocument, writeDocument } from '../../support/documents/documents.js';
import { chanceOf, scaled } from '../../support/faults/chance.js';
import { testArchive } from '../support/archive/archive-behaviour.js';
import { archiving, placeOn, type MakePlace } from '../support/archive/archive-place.js';
import { threeSteps } from '../support/archive/archive-world.js';
import { assertArchive } from '../support/archive/assert-archive.js';
import { testPast } from '../support/archive/past-behaviour.js';
import { withPast, writeCsv } from '../support/archive/past-world.js';

const makePlace: MakePlace = async (_t, folder) => {
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
testPast('file', makePlace);

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
  let isDone = false;
  const stride = Math.ceil(60 / scaled(4));
  for (let call = 1 + chance.integer(stride); !isDone; call += stride) {
    const root = join(folder, String(call));
    await cp(original, root, { recursive: true });
    const place = placeOn(t, `file:${root}`);
    const { code } = await place.bura(archiving([second.id]), {
      env: { FAULT: 'kill', FAULT_CALL: String(call) },
      nodeArguments: ['--import', resolve('build/test/support/service/fault-at-call.js')],
    });
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

const HOUR_MS = 3_600_000;
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
  t.match(await place.bura(['archive', '--from', join(folder, 'tables')]), { code: 0, stderr: '' });
  const hourly = (await place.files()).filter(({ path }) => path.startsWith('observations/'));
  t.equal(
    hourly.reduce((sum, file) => sum + file.rows, 0),
    rows.length,
  );
  t.match(hourly[0], { from: '2021-11-12T04:00:00Z' });
  const index = await place.indexText();
  for (const [station, stderr] of [
    [2, 'bura: measurements: repeats station 2, component PM10, 2024-12-31 23:00\n'],
    [8, 'bura: measurements.csv.gz, row 110002, column station_id: no station has id 8\n'],
  ] as const) {
    const wrong = join(folder, `wrong-${station}`);
    const row = { station, code: 'PM10', timeMs: END_MS - HOUR_MS, value: 1 };
    await writeCsv(wrong, [...rows, row]);
    t.match(await place.bura(['archive', '--from', wrong]), { code: 1, stderr });
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
  const wrong =
    /SO2 is in mg\/m3 here, and in ppb in the archive. If it is intended: --allow unit\n$/;
  t.match(await archive(old, 'mg/m3'), { code: 1, stderr: wrong });
  const newHour = [{ station: 2, code: 'SO2', timeMs: END_MS, value: 5 }];
  const taken = await archive(newHour, 'mg/m3', '--allow', 'unit');
  t.match(taken, { code: 0, stdout: 'rows: 1 new, 0 equal, 0 different\n' });

  const document = join(folder, 'document.json');
  await writeDocument(document, snapshotDocument({ snapshot_id: 'one' }));
  // The gate of `publish` compares with the active snapshot, which is missing here.
  const words = ['publish', document];
  t.match(await place.bura([...words, '--archive']), { code: 1, stderr: /--allow unit/ });
  const plain = await place.bura(words);
  const hint =
    /the archive was left as it is: .* what this snapshot hides, until bura archive one\n$/;
  t.match(plain, { code: 0, stdout: hint });
});
