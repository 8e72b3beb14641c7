/** The archive in a folder has the behaviour of every writable store; and the state after a kill between two calls. */
import { cp, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import t from 'tap';
import { chanceOf, scaled } from '../../support/faults/chance.js';
import {
  ALLOWED,
  assertArchive,
  placeOn,
  testArchive,
  type MakePlace,
} from '../support/archive/archive-behaviour.js';
import { worldSteps } from '../support/archive/archive-world.js';
import { testPast } from '../support/archive/past-behaviour.js';
import { writeCsv } from '../support/archive/past-world.js';

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
  const [first, second] = worldSteps(chance, [1, 9]);
  if (first === undefined || second === undefined) throw new Error('too few steps');
  const original = join(folder, 'original');
  await mkdir(original);
  const filled = placeOn(t, `file:${original}`);
  await filled.store([first, second]);
  t.equal((await filled.bura(['archive', first.id, ...ALLOWED])).code, 0);
  const before = await filled.indexText();
  let isDone = false;
  const stride = Math.ceil(60 / scaled(4));
  for (let call = 1 + chance.integer(stride); !isDone; call += stride) {
    const root = join(folder, String(call));
    await cp(original, root, { recursive: true });
    const place = placeOn(t, `file:${root}`);
    const { code } = await place.bura(['archive', second.id, ...ALLOWED], {
      env: { FAULT: 'kill', FAULT_CALL: String(call) },
      nodeArguments: ['--import', resolve('build/test/support/service/fault-at-call.js')],
    });
    isDone = code === 0;
    const isReplaced = (await place.indexText()) !== before;
    t.ok(isReplaced || !isDone, `call ${call}`);
    await assertArchive(t, place, isReplaced ? second.expected : first.expected);
    t.match(await place.bura(['archive', second.id, ...ALLOWED]), { code: 0, stderr: '' });
    await assertArchive(t, place, second.expected);
    t.equal(await place.objects.removeOrphans(), 0);
    await rm(root, { recursive: true });
  }
});

void t.test('more rows than are read at once', async (t) => {
  const folder = t.testdir();
  // A missing store is created.
  const place = placeOn(t, `file:${join(folder, 'store')}`);
  // A batch has 100,000 rows.
  const endMs = Date.UTC(2025, 0, 1);
  const rows = Array.from({ length: 110_000 }, (_, at) => {
    const timeMs = endMs - (1 + Math.floor(at / 4)) * 3_600_000;
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
  const words = ['archive', '--from', join(folder, 'wrong')];
  await writeCsv(join(folder, 'wrong'), [
    ...rows,
    { station: 2, code: 'PM10', timeMs: endMs - 3_600_000, value: 1 },
  ]);
  t.match(await place.bura(words), {
    code: 1,
    stderr: 'bura: measurements: repeats station 2, component PM10, 2024-12-31 23:00\n',
  });
  await rm(join(folder, 'wrong'), { recursive: true });
  await writeCsv(join(folder, 'wrong'), [
    ...rows,
    { station: 8, code: 'PM10', timeMs: endMs - 3_600_000, value: 1 },
  ]);
  t.match(await place.bura(words), {
    code: 1,
    stderr: 'bura: measurements.csv.gz, row 110002, column station_id: no station has id 8\n',
  });
  t.equal(await place.indexText(), index);
});
