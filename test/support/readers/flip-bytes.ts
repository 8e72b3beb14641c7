/**
 * Changes single bytes of a local copy, one at a time, and reads all that is in it after each: a program of its own,
 * since LMDB may end the process that reads a damaged file.
 *
 * Arguments: the copy's directory, names of answers (JSON), the seed, and the numbers of the changes, `from` and `to`.
 * Prints a line when a change begins (`12`) and one when all has been read (`12 same`, `12 found`, `12 wrong: ...`).
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SeriesKey } from '../../../src/snapshot/local/observations/series-list.js';
import { SnapshotError } from '../../../src/snapshot/domain/snapshot-error.js';
import type { StoredSeries } from '../../../src/snapshot/local/observations/stored-series.js';
import { SnapshotReader } from '../../../src/snapshot/local/reader.js';
import { randomNumbers } from '../documents/random.js';

const [directory = '', names = '[]', seed = '0', from = '0', to = '0'] = process.argv.slice(2);
const NAMES = JSON.parse(names) as readonly string[];
const FILES = ['observations.json', 'observations.ndjson', 'observations.ndjson.deflate'];
const ALL = { stationIds: undefined, parameterCodes: undefined };

type Read = readonly [what: string, read: () => unknown];

/** All that can be read of a copy. */
function readsOf(reader: SnapshotReader, series: readonly SeriesKey[]): readonly Read[] {
  const text = (bytes: Uint8Array | undefined): unknown => bytes && Buffer.from(bytes).toString();
  return [
    ['header', () => reader.header],
    ['series', () => reader.seriesList().select(ALL)],
    ...NAMES.flatMap((name) =>
      (['identity', 'gzip'] as const).map((coding): Read => [
        `${coding} ${name}`,
        () => text(reader.answer(name, coding)),
      ]),
    ),
    ...FILES.map((file): Read => [file, () => text(reader.read(file, 0, reader.sizeOf(file)))]),
    ...series.map((key): Read => [key.join('/'), () => recordsOf(reader.series(key))]),
  ];
}

/** All that is stored of one series. */
function recordsOf(series: StoredSeries): unknown {
  const records = Array.from({ length: series.records }, (_, record) => [
    series.hour(record),
    series.value(record),
    series.textStart(record + 1),
  ]);
  return [series.textOffset, series.runs(), records];
}

/** What each read gives, as text; undefined where damage was found. */
async function readAll(series: readonly SeriesKey[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const reader = attempt(() => new SnapshotReader(directory));
  if (reader === undefined) return found;
  for (const [what, read] of readsOf(reader, series)) {
    const value = attempt(() => JSON.stringify({ value: read() }));
    if (value !== undefined) found.set(what, value);
  }
  await reader.close();
  return found;
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof SnapshotError && error.code === 'copy_damaged') return undefined;
    throw error;
  }
}

async function readSeries(): Promise<readonly SeriesKey[]> {
  const reader = new SnapshotReader(directory);
  const series = reader.seriesList().select(ALL);
  await reader.close();
  return series;
}

const say = (line: string): void => {
  writeSync(1, `${line}\n`);
};
const file = openSync(join(directory, 'data.mdb'), 'r+');
const { size } = fstatSync(file);
const byte = Buffer.alloc(1);
const series = await readSeries();
const right = await readAll(series);
const random = randomNumbers(Number(seed));
for (let change = 0; change < Number(to); change += 1) {
  const offset = Math.floor(random() * size);
  const mask = 1 + Math.floor(random() * 255);
  if (change < Number(from)) continue;
  say(String(change));
  readSync(file, byte, 0, 1, offset);
  const original = byte.readUInt8();
  writeSync(file, Uint8Array.of(original ^ mask), 0, 1, offset);
  const read = await readAll(series);
  writeSync(file, Uint8Array.of(original), 0, 1, offset);
  const wrong = [...read].filter(([what, value]) => right.get(what) !== value);
  if (wrong.length > 0) say(`${change} wrong: byte ${offset}: ${JSON.stringify(wrong[0])}`);
  else say(`${change} ${read.size === right.size ? 'same' : 'found'}`);
}
closeSync(file);
