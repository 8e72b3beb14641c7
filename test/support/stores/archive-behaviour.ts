/** Behaviour of `bura archive`, for every kind of writable store. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import t, { type Test } from 'tap';
import { atLeast, chanceOf, scaled } from '../faults/chance.js';
import { writeDocument } from '../documents/documents.js';
import { addToArchive } from '../../../src/publishing/archive/add-to-archive.js';
import { checkDocument } from '../../../src/publishing/verify-document.js';
import { COMMAND, runBura, type CommandOptions, type CommandResult } from '../service/command.js';
import { kindOf, worldSteps, type ArchivedRow, type Expected, type Step } from './archive-world.js';
import { storedAs } from './new-snapshot.js';
import { writableStore } from './open-writable.js';

/** An empty store, and ways to damage it. */
interface ArchivePlace {
  readonly address: string;
  /** Replaces a byte of an object. */
  readonly flip: (name: string, at: number) => Promise<void>;
  /** Makes an object appear two days older. */
  readonly age: (name: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
}

interface IndexFile {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly rows: number;
  readonly size_bytes: number;
  readonly sha256: string;
}

/** Flags of commands, as the units of the worlds change. */
export const ALLOWED = ['--allow', 'unit'];

export type Place = ArchivePlace & ReturnType<typeof placeOn> & { readonly folder: string };

/** Actions of tests on the archive of a store. */
export function placeOn(t: Test, address: string) {
  const store = writableStore({ address, keyPrefix: 'demo' });
  t.teardown(() => {
    store.close();
  });
  const read = async (name: string): Promise<Buffer> =>
    await buffer(await store.objects.open(`archive/${name}`));
  return {
    objects: store.objects,
    read,
    bura: (words: readonly string[], options: CommandOptions = {}): Promise<CommandResult> =>
      runBura(words, { ...options, env: { SNAPSHOT_STORE: address, ...options.env } }),
    /** Stores the snapshots without activating them. */
    store: async (steps: readonly Step[]): Promise<void> => {
      for (const { id, document } of steps) {
        await store.store(storedAs(id, gzipSync(JSON.stringify(document))));
      }
    },
    indexText: async (): Promise<string> =>
      Buffer.from((await store.objects.read('archive/index.json')) ?? []).toString(),
    files: async (): Promise<readonly IndexFile[]> => {
      const bytes = (await store.objects.read('archive/index.json')) ?? Buffer.from('{"files":[]}');
      return (JSON.parse(Buffer.from(bytes).toString()) as { files: IndexFile[] }).files;
    },
    /** Names of all stored Parquet files, whether the index names them or not. */
    stored: async (): Promise<readonly string[]> => {
      const objects = await store.objects.list('archive');
      return objects.flatMap(({ name }) => (name.endsWith('.parquet') ? name : [])).sort();
    },
  };
}

export type MakePlace = (t: Test, folder: string) => Promise<ArchivePlace>;

/** Registers a test for one kind of store, with an empty store and a folder. */
export function testerOf(kind: string, makePlace: MakePlace) {
  return (name: string, body: (t: Test, place: Place) => Promise<void>): void => {
    void t.test(`${kind}: ${name}`, async (t) => {
      const folder = t.testdir();
      const place = await makePlace(t, folder);
      await body(t, { ...place, folder, ...placeOn(t, place.address) });
    });
  };
}

/** Registers the tests of one kind of store. */
export function testArchive(kind: string, makePlace: MakePlace): void {
  const test = testerOf(kind, makePlace);

  test('is the union of all snapshots, the newest first, row by row', async (t, place) => {
    const chance = chanceOf(t);
    const days = Array.from({ length: atLeast(8) }, () => 1 + chance.integer(18));
    const steps = worldSteps(chance, days);
    await place.store(steps);
    for (const batch of [steps.slice(0, 1), steps.slice(1, 7), steps.slice(7)]) {
      const ids = batch.map(({ id }) => id);
      // The command takes ids in any order.
      const { code, stdout, stderr } = await place.bura([
        'archive',
        ...ids.toReversed(),
        ...ALLOWED,
      ]);
      t.strictSame([code, stderr], [0, '']);
      for (const id of ids) t.match(stdout, `${id}: archived (`);
      await assertArchive(t, place, batch.at(-1)?.expected);
    }
    t.match(await place.bura(['verify', '--archive']), { code: 0, stdout: /is whole: \d+ files/ });
  });

  test('the same rows are the same bytes; older snapshots are refused', async (t, place) => {
    const steps = worldSteps(chanceOf(t), [1, 9, 25]);
    const other = placeOn(t, `file:${join(place.folder, 'other')}`);
    const ids = steps.map(({ id }) => id);
    await other.objects.prepare();
    for (const one of [place, other]) {
      await one.store(steps);
      t.equal((await one.bura(['archive', ...ids, ...ALLOWED])).code, 0);
    }
    const index = await place.indexText();
    // Only `files` is compared: times of replacements are those of the commands.
    const filesOf = (text: string) => (JSON.parse(text) as { readonly files: unknown }).files;
    t.same(filesOf(await other.indexText()), filesOf(index));
    t.match(await place.bura(['archive', ids.at(-1) ?? '', ...ALLOWED]), {
      code: 0,
      stdout: /, 0 new\)/,
    });
    t.equal(await place.indexText(), index, 'again');
    t.match(await place.bura(['archive', ids[0] ?? '', ...ALLOWED]), {
      code: 1,
      stderr: /^bura: step-00: generated \S+Z, the archive has one of \S+Z already\n$/,
    });
    t.match(await place.bura(['archive', 'none']), { code: 1, stderr: /no snapshot "none"\n$/ });
    t.match(await place.bura(['archive', '../x']), { code: 2, stderr: /is not a snapshot id\n$/ });
    t.equal(await place.indexText(), index);
  });

  test('published with --archive, a snapshot is in it', async (t, place) => {
    const [first, second] = worldSteps(chanceOf(t), [1, 9]);
    for (const step of [first, second]) {
      const file = join(place.folder, 'document.json');
      await writeDocument(file, step?.document ?? {});
      const allowed = ['negative', 'alone', 'drop', 'code', 'unit'].flatMap((one) => [
        '--allow',
        one,
      ]);
      const words = ['publish', file, '--archive', ...allowed];
      t.match(await place.bura([...words, '--dry-run']), { code: 0, stdout: /nothing was/ });
      t.match(await place.bura([...words, '--no-activate']), { code: 2, stderr: /--no-activate/ });
      const { code, stdout, stderr } = await place.bura(words);
      t.strictSame([code, stderr], [0, '']);
      t.match(stdout, /now active\n\S+: archived \(\d+ rows in \d+ files, \d+ new\)\n$/);
      await assertArchive(t, place, step?.expected);
    }
  });

  test('killed at any moment, nothing is lost or half named', async (t, place) => {
    const chance = chanceOf(t);
    const steps = worldSteps(chance, [1, ...Array.from({ length: scaled(2) }, () => 4)]);
    await place.store(steps);
    let before: Expected | undefined;
    let lastsMs = 0;
    for (const { id, expected } of steps) {
      const index = await place.indexText();
      if (before !== undefined) {
        await place.bura(['archive', id, ...ALLOWED], {
          onStart: (child) => {
            // The first part of a command's time is its start.
            const delayMs = lastsMs * (0.4 + 0.6 * chance.number());
            void after(delayMs).then(() => child.kill('SIGKILL'));
          },
        });
        const isDone = (await place.indexText()) !== index;
        await assertArchive(t, place, isDone ? expected : before);
      }
      const startedMs = performance.now();
      t.match(await place.bura(['archive', id, ...ALLOWED]), { code: 0, stderr: '' });
      lastsMs = performance.now() - startedMs;
      await assertArchive(t, place, expected);
      before = expected;
    }
  });

  test('of two at once neither is lost', async (t, place) => {
    const steps = worldSteps(chanceOf(t), [1, 9, 25]);
    const [first, second, third] = steps.map(({ id }) => id);
    await place.store(steps);
    const twice = ['archive', first ?? '', ...ALLOWED];
    for (const { code } of await Promise.all([place.bura(twice), place.bura(twice)]))
      t.equal(code, 0);
    await assertArchive(t, place, steps[0]?.expected);
    const [older, newer] = await Promise.all([
      place.bura(['archive', second ?? '', ...ALLOWED]),
      place.bura(['archive', third ?? '', ...ALLOWED]),
    ]);
    t.match(newer, { code: 0, stderr: '' });
    if (older.code === 0) {
      await assertArchive(t, place, steps[2]?.expected);
    } else t.match(older, { code: 1, stderr: /the archive has one of .* already/ });
    t.match(await place.bura(['verify', '--archive']), { code: 0 });
  });

  test('who finds that the index was replaced meanwhile merges anew', async (t, place) => {
    const [first, second, third] = worldSteps(chanceOf(t), [1, 9, 25]);
    if (first === undefined || second === undefined || third === undefined) throw new Error();
    await place.store([first, second]);
    t.equal((await place.bura(['archive', first.id, ...ALLOWED])).code, 0);
    const bytes = Readable.from([Buffer.from(JSON.stringify(third.document))]);
    let merges = 0;
    const snapshot = await checkDocument(bytes, { name: third.id });
    await addToArchive(place.objects, snapshot, {
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
    await assertArchive(t, place, third.expected);
  });

  test('verifying names each file that is damaged or gone', async (t, place) => {
    t.match(await place.bura(['verify', '--archive']), { code: 1, stderr: /has no archive\n$/ });
    const steps = worldSteps(chanceOf(t), [1, 9]);
    await place.store(steps);
    t.equal((await place.bura(['archive', ...steps.map(({ id }) => id), ...ALLOWED])).code, 0);
    const [one, other] = await place.files();
    await place.flip(`archive/${one?.path ?? ''}`, 100);
    await place.remove(`archive/${other?.path ?? ''}`);
    const { code, stdout, stderr } = await place.bura(['verify', '--archive']);
    t.equal(code, 1);
    t.match(stderr, /^bura: the archive is damaged: 2 of \d+ files\n$/);
    t.match(stdout, `archive/${one?.path ?? ''} has ${one?.size_bytes ?? 0} bytes, SHA-256`);
    t.match(stdout, `archive/${other?.path ?? ''} is missing`);
  });

  test('a damaged file is made again, by beginning anew and by repairing', async (t, place) => {
    const steps = worldSteps(chanceOf(t), [1, 9]);
    const ids = steps.map(({ id }) => id);
    await place.store(steps);
    t.equal((await place.bura(['archive', ...ids, ...ALLOWED])).code, 0);
    const damage = async (folder: RegExp): Promise<void> => {
      for (const { path } of await place.files()) {
        if (folder.test(path)) await place.flip(`archive/${path}`, 100);
      }
      t.match(await place.bura(['verify', '--archive']), { code: 1 });
    };
    await damage(/./);
    await place.remove('archive/index.json');
    t.equal((await place.bura(['archive', ...ids, ...ALLOWED])).code, 0);
    t.match(await place.bura(['verify', '--archive']), { code: 0 });
    await assertArchive(t, place, steps[1]?.expected);

    await damage(/^(?:daily|stations|parameters)/);
    const again = ['archive', ids[1] ?? '', ...ALLOWED];
    t.match(await place.bura(again), { code: 1, stderr: /the index says/ });
    t.match(await place.bura([...again, '--repair']), {
      code: 0,
      stderr: /note: archive\/stations\/\w+\.parquet is damaged or missing: left out\n/,
    });
    t.match(await place.bura(['verify', '--archive']), { code: 0 });
    await assertArchive(t, place, steps[1]?.expected);
  });

  test('an empty index is an error, and no archive', async (t, place) => {
    const [step] = worldSteps(chanceOf(t), [1]);
    if (step === undefined) throw new Error();
    await place.store([step]);
    // For the script of a Redis store, an empty text means no content.
    const to = place.objects.address.startsWith('redis') ? '\n' : '';
    await place.objects.change({ name: 'archive/index.json', from: undefined, to });
    for (const words of [
      ['archive', step.id],
      ['verify', '--archive'],
      ['prune', '--keep', '1'],
    ]) {
      const stderr = /the index of the archive is malformed: it is not JSON in UTF-8\n$/;
      t.match(await place.bura(words), { code: 1, stderr }, words.join(' '));
    }
    t.equal(await place.indexText(), to);
  });

  test('what was replaced stays for a day, after a second publish too', async (t, place) => {
    const steps = worldSteps(chanceOf(t), [1, 9, 25]);
    const [first = '', second = '', third = ''] = steps.map(({ id }) => id);
    await place.store(steps);
    t.equal((await place.bura(['archive', first, ...ALLOWED])).code, 0);
    for (const name of await place.stored()) await place.age(name);
    for (const id of [second, third]) {
      t.equal((await place.bura(['archive', id, ...ALLOWED])).code, 0);
    }
    const all = await place.stored();
    t.match(await place.bura(['prune', '--keep', '9']), { code: 0, stdout: /^(?!.*archive)/ });
    t.strictSame(await place.stored(), all);
    t.ok(all.length > (await place.files()).length);
  });

  test('pruning keeps what is named, and what was replaced for a day', async (t, place) => {
    const steps = worldSteps(chanceOf(t), [1, 9]);
    const [first, second] = steps.map(({ id }) => id);
    await place.store(steps);
    t.equal((await place.bura(['archive', first ?? '', ...ALLOWED])).code, 0);
    t.equal((await place.bura(['archive', second ?? '', ...ALLOWED])).code, 0);
    const named = (await place.files()).map(({ path }) => `archive/${path}`).sort();
    const all = await place.stored();
    t.ok(all.length > named.length);
    const prune = () => place.bura(['prune', '--keep', '9']);
    // Two-day-old files that were replaced just now stay: their day counts from the replacement.
    for (const name of all) await place.age(name);
    t.match(await prune(), { code: 0, stdout: /^(?!.*archive)/ });
    t.strictSame(await place.stored(), all, 'their readers finish');
    const index = 'archive/index.json';
    const from = await place.objects.read(index);
    const to = String(from && Buffer.from(from)).replaceAll(
      /(?<="replaced_at_utc":")\d{4}/g,
      '2020',
    );
    t.equal(await place.objects.change({ name: index, from, to }), true);
    const removed = all.length - named.length;
    t.match(await prune(), { code: 0, stdout: `files of the archive removed: ${removed}\n` });
    t.strictSame(await place.stored(), named);
    await assertArchive(t, place, steps[1]?.expected);
  });
}

/** Reads every file of the archive with hyparquet, and compares it with the expected rows. */
export async function assertArchive(
  t: Test,
  place: Pick<Place, 'files' | 'read'>,
  expected: Expected | undefined,
): Promise<void> {
  if (expected === undefined) throw new Error('there is no such step');
  const files = await place.files();
  const paths = files.map(({ path }) => path);
  t.strictSame(paths, paths.toSorted());
  const found = new Map<string, Record<string, unknown>[]>();
  for (const { path, rows, size_bytes: size, sha256, ...times } of files) {
    const bytes = await place.read(path);
    const digest = createHash('sha256').update(bytes).digest('hex');
    t.strictSame([bytes.length, digest], [size, sha256]);
    const read = await rowsOf(bytes);
    for (const [name, type] of timeTypesOf(bytes)) t.strictSame(type, MILLIS, `${path} ${name}`);
    const [folder = ''] = path.split(/\/[^/]+$/);
    t.equal(path, `${folder}/${sha256}.parquet`);
    found.set(folder, read);
    const keys = read.map((row) => timeOf(row['time_start_utc'] ?? row['date'])).sort();
    t.strictSame(
      { rows, ...times },
      { rows: read.length, from: keys[0] ?? null, to: keys.at(-1) ?? null },
    );
  }
  const byMonth = groupBy(expected.rows, ({ timeMs }) => {
    const [year = '', month = ''] = new Date(timeMs).toISOString().split('-');
    return `observations/year=${year}/month=${month}`;
  });
  const byYear = groupBy(
    expected.rows,
    ({ timeMs }) => `daily/year=${new Date(timeMs).getUTCFullYear()}`,
  );
  t.strictSame(
    [...found.keys()].sort(),
    [...byMonth.keys(), ...byYear.keys(), 'parameters', 'stations'].sort(),
  );
  for (const [folder, rows] of byMonth)
    t.strictSame(found.get(folder), rows.map(observationOf), folder);
  for (const [folder, rows] of byYear) assertDays(t, found.get(folder) ?? [], rows);
  const listed = (folder: string, key: string, name: string) =>
    new Map(found.get(folder)?.map((row) => [row[key], row[name]]));
  t.strictSame(listed('stations', 'station_id', 'station_name'), expected.stations);
  t.strictSame(listed('parameters', 'parameter_code', 'description'), expected.parameters);
}

/** The type of times, the same as in the bulk file. */
const MILLIS = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' };

function timeTypesOf(bytes: Buffer): readonly (readonly [string, unknown])[] {
  const { schema } = parquetMetadata(new Uint8Array(bytes).buffer);
  return schema.flatMap((one) =>
    one.name.endsWith('_utc') ? [[one.name, one.logical_type] as const] : [],
  );
}

async function rowsOf(bytes: Buffer): Promise<Record<string, unknown>[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
  return await parquetReadObjects({ file });
}

function timeOf(value: unknown): string | undefined {
  return value instanceof Date ? `${value.toISOString().slice(0, 19)}Z` : undefined;
}

function observationOf(row: ArchivedRow) {
  const { station_id, parameter_code, timeMs, value, unit, publishedMs, updatedMs } = row;
  return {
    station_id,
    parameter_code,
    time_start_utc: new Date(timeMs),
    time_end_utc: new Date(timeMs + 3_600_000),
    value,
    unit,
    data_status: 'preliminary',
    aggregation_type: 'hourly_mean',
    published_at_utc: new Date(publishedMs),
    updated_at_utc: new Date(updatedMs),
    coverage: null,
  };
}

function assertDays(
  t: Test,
  found: readonly Record<string, unknown>[],
  rows: readonly ArchivedRow[],
): void {
  const days = groupBy(rows, ({ station_id, parameter_code, timeMs, unit }) => {
    const kind = kindOf(unit);
    return [station_id, parameter_code, new Date(timeMs).toISOString().slice(0, 10), kind].join(
      '|',
    );
  });
  const expected = [...days].map(([key, hours]) => {
    const values = hours.flatMap(({ value }) => value ?? []);
    const isEmpty = values.length === 0;
    const isDirection = key.endsWith('°');
    return [
      key.slice(0, key.lastIndexOf('|')),
      hours.at(-1)?.unit,
      isEmpty ? null : ((isDirection ? meanDirection(values) : meanOf(values))?.toFixed(6) ?? null),
      isEmpty || isDirection ? null : Math.min(...values),
      isEmpty || isDirection ? null : Math.max(...values),
      values.length,
      new Date(Math.min(...hours.map(({ publishedMs }) => publishedMs))),
      new Date(Math.max(...hours.map(({ updatedMs }) => updatedMs))),
      'preliminary',
    ];
  });
  const read = found.map((row) => [
    [row['station_id'], row['parameter_code'], timeOf(row['date'])?.slice(0, 10)].join('|'),
    row['unit'],
    typeof row['mean'] === 'number' ? row['mean'].toFixed(6) : row['mean'],
    ...['minimum', 'maximum', 'hours', 'published_at_utc', 'updated_at_utc', 'data_status'].map(
      (name) => row[name],
    ),
  ]);
  t.strictSame(read.map(String).sort(), expected.map(String).sort());
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The angle of the sum of unit vectors, clockwise from north, to nine digits; undefined where they cancel out. */
function meanDirection(degrees: readonly number[]): number | undefined {
  const turns = degrees.map((one) => (one * Math.PI) / 180);
  const [east, north] = [meanOf(turns.map(Math.sin)), meanOf(turns.map(Math.cos))];
  if (Math.hypot(east, north) < 1e-9) return undefined;
  const angle = (Math.atan2(east, north) * 180) / Math.PI;
  return Number((((angle % 360) + 360) % 360).toFixed(9));
}

function groupBy<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const key = keyOf(one);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}
