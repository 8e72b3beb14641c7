/** Likely mistakes in documents that keep to the format: each is found where it is, and good data have no findings. */
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import t from 'tap';
import { checkGates } from '../../src/publishing/gates.js';
import { Land } from '../../src/publishing/land.js';
import { checkDocument } from '../../src/publishing/verify-document.js';
import type { Snapshot, Station } from '../../src/snapshot/domain/model.js';
import {
  generateDocument,
  objectsOf,
  snapshotDocument,
  type PlainDocument,
} from '../support/documents/documents.js';

const document = (await json(
  Readable.from(generateDocument({ stations: 6, components: 3, hours: 48 })),
)) as PlainDocument;
const good = await read(document);
const NOW = good.header.generatedAtMs;

async function read(one: PlainDocument): Promise<Snapshot> {
  return await checkDocument(Readable.from([Buffer.from(JSON.stringify(one))]), { name: 'test' });
}

async function mistakesOf(
  change: (document: PlainDocument) => PlainDocument,
  active?: Snapshot,
  nowMs = NOW,
): Promise<readonly string[]> {
  const snapshot = await read(change(structuredClone(document)));
  const { findings } = checkGates(snapshot, { active, nowMs, land: LAND });
  return findings.map(({ gate, message }) => `${gate}: ${message}`);
}

/** An island, and a country of two parts around it. */
const COUNTRIES = [
  [[19, 59, 21, 61]],
  [
    [0, 40, 30, 70],
    [-60, 0, -50, 10],
  ],
] as const;

const LAND = { countries: COUNTRIES, isNear: () => true };
const NOWHERE = { countries: [], isNear: () => true };

/** The document with some of its rows changed. */
function rows(change: (row: Record<string, unknown>, index: number) => unknown) {
  return (one: PlainDocument): PlainDocument => ({
    ...one,
    measurements: (one['measurements'] as Record<string, unknown>[]).map(change),
  });
}

void t.test('good data have none', async (t) => {
  t.same(await mistakesOf((one) => one), []);
  t.same(await mistakesOf((one) => one, good), [], 'beside themselves');
  const small = snapshotDocument();
  const snapshot = await read(small);
  const surroundings = { nowMs: snapshot.header.generatedAtMs, land: LAND };
  t.same(checkGates(snapshot, { ...surroundings, active: undefined }).findings, []);
});

void t.test('what is later than now', async (t) => {
  const early = NOW - 5 * 3_600_000;
  const found = await mistakesOf((one) => one, undefined, early);
  t.match(found[0], /^future: generated_at is \S+Z, and now it is \S+Z$/);
  t.match(found[1], /^future: \d+ rows are later than now, first station RS\w+ \(.*\), .*Z: /);
  t.same(await mistakesOf((one) => one, undefined, NOW - 3_600_000), [], 'an hour is allowed');
});

void t.test('one mistyped year, from which generated_at is made', async (t) => {
  const year = new Date(NOW).getUTCFullYear() + 26;
  const found = await mistakesOf((one) => {
    const changed = rows((row, index) => (index === 7 ? { ...row, date: `${year}-10-05` } : row))(
      one,
    );
    return { ...changed, generated_at: `${year}-10-06T00:00:00Z` };
  }, good);
  const gates = found.map((line) => line.split(':')[0]);
  t.same(new Set(gates), new Set(['future', 'alone', 'drop']));
  t.match(
    found.find((line) => line.startsWith('alone')),
    /99 of 100 rows end at/,
  );
  t.match(
    found.find((line) => line.startsWith('drop')),
    /1 rows, and \d+ in the active snapshot/,
  );
});

void t.test('data that stop long before generated_at', async (t) => {
  const later = new Date(NOW + 20 * 24 * 3_600_000).toISOString();
  const found = await mistakesOf((one) => ({ ...one, generated_at: later }), undefined, NOW * 2);
  t.match(found, [
    /^alone: generated_at is \S+, but the newest row is station \w+ \(.*\), .*Z: [\d.]+$/,
  ]);
});

void t.test('values that stand for none, and concentrations below zero', async (t) => {
  const of = (value: number, count: number) =>
    mistakesOf(rows((row, index) => (index < count ? { ...row, value } : row)));
  t.match(await of(-999, 6), [
    /^sentinels: 6 rows have a value that usually stands for none, first .*-999$/,
  ]);
  t.match(await of(9999, 6), [/^sentinels/]);
  t.same(await of(-999, 5), [], 'a handful');
  t.match(await of(-0.5, 6), [/^negative: 6 rows have a concentration below zero/]);
  t.same(await of(-0.5, 5), []);
});

void t.test('beside the active snapshot: what is gone, and what jumps', async (t) => {
  const active = good;
  t.match(
    await mistakesOf(
      rows((row) => ({ ...row, value: 1e9 })),
      active,
    ),
    [
      /^jump: \S+ reaches/,
      /^jump/,
      /^jump/,
      /^changed: 18 of 18 series have other values, or none, in most hours of the active snapshot, first station/,
    ],
  );
  // North is at both ends: 360 is no jump from 3.
  const inDegrees = (one: PlainDocument): PlainDocument => ({
    ...one,
    components: objectsOf(one, 'components').map((other) => ({ ...other, unit: 'deg true' })),
  });
  const ofDirections = (value: number) => async () =>
    await read(inDegrees(rows((row) => ({ ...row, value }))(structuredClone(document))));
  const jumped = (one: PlainDocument) => inDegrees(rows((row) => ({ ...row, value: 360 }))(one));
  t.notMatch(await mistakesOf(jumped, await ofDirections(3)()), [/^jump/]);
  const none = await mistakesOf(
    rows((row, index) => (index % 5 === 0 ? row : { ...row, value: null })),
    active,
  );
  t.match(none[0], /^drop: \d+ rows, and \d+ in the active snapshot$/);
  const stations = (count: number): Snapshot => ({
    ...active,
    stations: [active.stations, active.stations, active.stations].flat().slice(0, count),
  });
  t.match(await mistakesOf((one) => one, stations(13)), [/^drop: 6 stations, and 13/]);
  t.same(await mistakesOf((one) => one, stations(12)), [], 'half is allowed');
  const corrected = rows((row) => {
    const { station_id: station, component_id: component } = row;
    const isOne = station === active.stations[0]?.id && component === active.components[0]?.id;
    return isOne ? { ...row, value: Number(row['value']) + 0.5 } : row;
  });
  t.same(await mistakesOf(corrected, active), [], 'one series that is corrected');
});

void t.test('stations in the sea, swapped, or on another continent', async (t) => {
  const at = (latitude: number, longitude: number) =>
    mistakesOf((one) => ({
      ...one,
      stations: (one['stations'] as Record<string, unknown>[]).map((station, index) => ({
        ...station,
        ...(index === 0 ? { latitude, longitude } : { latitude: 60.1, longitude: 20.5 }),
      })),
    }));
  t.same(await at(59, 21), []);
  t.match(await at(0, 0), [
    /^place: station RS\w+ \(.*\) is at latitude 0, longitude 0, which is in the sea$/,
  ]);
  t.match(await at(20.5, 60.1), [/in the country of the others when they are swapped$/]);
  t.match(await at(-60, 20), [/more than 5 degrees outside the country that 5 of 6 are in$/]);
});

void t.test('a network in the sea, by the base map', async (t) => {
  const land = new Land(new URL('../../src/base-map/', import.meta.url));
  const at = async (positions: readonly Position[]) => {
    const all = structuredClone(document);
    const stations = objectsOf(all, 'stations').map((one, index) => {
      const [latitude, longitude] = positions[index % positions.length] ?? [];
      return { ...one, latitude, longitude };
    });
    const snapshot = await read({ ...all, stations });
    const { findings } = checkGates(snapshot, { active: undefined, nowMs: NOW, land });
    return findings.map(({ gate, message }) => `${gate}: ${message}`);
  };
  for (const place of [
    [40.42, -3.7],
    [44.8, 20.5],
    [-34.6, -58.4],
    [-41.3, 174.8],
    [-18.1, 178.4],
    [64.1, -21.9],
    [0.3, 6.7],
    [53.2, 6.5],
    [45.5, -89.9],
  ] as const) {
    t.same(await at([place]), [], place.join());
  }
  const madrid = [40.42, -3.7] as const;
  const mirrored = [40.9, 5.2] as const;
  t.match(await at([mirrored]), [
    /^place: 6 of 6 stations are in the sea, first RS\w+ \(.*\) at latitude 40.9, longitude 5.2$/,
  ]);
  t.same(await at([madrid, mirrored]), [], 'half of them may be platforms');
  t.match(await at([madrid, mirrored, [37.5, 5.9]]), [/^place: 4 of 6 stations/]);
});

/** A station that was at one position and is at another; undefined for none. */
async function movedFrom(was: Position | undefined, is: Position | undefined) {
  const at = (position: Position | undefined) => (one: PlainDocument) => ({
    ...one,
    stations: objectsOf(one, 'stations')
      .slice(0, 1)
      .map((station) => {
        const { latitude: _latitude, longitude: _longitude, ...rest } = station;
        return { ...rest, ...(position && { latitude: position[0], longitude: position[1] }) };
      }),
    counts: { ...(one['counts'] as object), stations: 1, measurement_rows: 0 },
    measurements: [],
  });
  const active = await read(at(was)(structuredClone(document)));
  // Without a country to compare with, a single station may be anywhere.
  const snapshot = await read(at(is)(structuredClone(document)));
  const { findings } = checkGates(snapshot, { active, nowMs: NOW, land: NOWHERE });
  return findings.map(({ gate, message }) => `${gate}: ${message}`);
}
type Position = readonly [latitude: number, longitude: number];

/** Positions before and after, and the finding; a degree of a meridian has 111.195 km. */
const MOVES = JSON.parse(
  await readFile('test/fixtures/cases/moved-stations.json', 'utf8'),
) as readonly (readonly [was: Position | null, is: Position | null, says: string | null])[];

void t.test('a station stays in its place, at the antimeridian and the poles too', async (t) => {
  const id = Number(objectsOf(document, 'stations')[0]?.['station_id']);
  for (const [was, is, expected] of MOVES) {
    const found = await movedFrom(was ?? undefined, is ?? undefined);
    const name = `${String(was)} to ${String(is)}`;
    if (expected === null)
      t.same(
        found.filter((one) => !one.startsWith('place')),
        [],
        name,
      );
    else {
      t.match(found[0], new RegExp(expected), name);
      t.match(found[0], new RegExp(`^(?:moved|unlocated): station ${id} \\(`), name);
    }
  }
});

void t.test('codes and units stay what they are, of one and of three hundred', async (t) => {
  const change =
    (list: string, member: string, value: (index: number) => unknown) => (one: PlainDocument) => ({
      ...one,
      [list]: objectsOf(one, list).map((element, index) => ({
        ...element,
        [member]: value(index) ?? element[member],
      })),
    });
  const first = (text: string) => (index: number) => (index === 0 ? text : undefined);
  t.match(await mistakesOf(change('components', 'unit', first('mg/m3')), good), [
    /^unit: component \d+ \(\S+\) has the unit mg\/m3, and \S+ in the active snapshot$/,
  ]);
  // Another notation is no other unit.
  for (const notation of ['µg/m³', 'ug.m-3', 'ug m-3']) {
    t.same(
      await mistakesOf(
        change('components', 'unit', () => notation),
        good,
      ),
      [],
      notation,
    );
  }
  t.match(await mistakesOf(change('components', 'short_name', first('XY')), good), [
    /^code: component \d+ has the code XY, and \S+ in the active snapshot$/,
  ]);
  t.match(await mistakesOf(change('stations', 'station_code', first('XY')), good), [
    /^code: station \d+ \(.*\) has the code XY, and \S+ in the active snapshot$/,
  ]);
  // Two that are exchanged are both other ones.
  const codes = objectsOf(document, 'stations').map((station) => station['station_code']);
  const exchanged = change('stations', 'station_code', (index) => codes[[1, 0][index] ?? index]);
  t.equal((await mistakesOf(exchanged, good)).length, 2);
  t.same(await mistakesOf(change('stations', 'station_name', first('Novo ime')), good), []);

  const [station] = good.stations;
  if (station === undefined) throw new Error('there is no station');
  const many = Array.from({ length: 300 }, (_, index) => ({ ...station, id: 1000 + index }));
  const of = (stations: readonly Station[]): Snapshot => ({ ...good, stations });
  const surroundings = { nowMs: NOW, land: NOWHERE };
  const moved = many.map(
    (one) => ({ ...one, latitude: station.longitude, longitude: station.latitude }) as Station,
  );
  const { findings } = checkGates(of(moved), { ...surroundings, active: of(many) });
  t.equal(findings.filter(({ gate }) => gate === 'moved').length, 300);
  // A new one and a missing one have no counterpart.
  const beside = checkGates(of(many.slice(1)), { ...surroundings, active: of(many.slice(0, -1)) });
  t.same(beside.findings, []);
});
