/** Likely mistakes in documents that keep to the format: each is found where it is, and good data have no findings. */
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import t from 'tap';
import { checkGates, type GateContext } from '../../src/publishing/gates.js';
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
const HOUR_MS = 3_600_000;

async function read(one: PlainDocument): Promise<Snapshot> {
  return await checkDocument(Readable.from([Buffer.from(JSON.stringify(one))]), { name: 'test' });
}

type Change = (document: PlainDocument) => PlainDocument;

async function mistakesOf(change: Change, context: Partial<GateContext> = {}) {
  const snapshot = await read(change(structuredClone(document)));
  const surroundings = { active: undefined, nowMs: NOW, land: LAND, ...context };
  const { findings } = checkGates(snapshot, surroundings);
  return findings.map(({ gate, message }) => `${gate}: ${message}`);
}

/** An island, and a country of two parts around it. */
const PARTS = [[0, 40, 30, 70] as const, [-60, 0, -50, 10] as const];
const LAND = { countries: [[[19, 59, 21, 61] as const], PARTS], isNear: () => true };
const NOWHERE = { countries: [], isNear: () => true };

/** The document with elements of a list changed; default: its rows. */
function elements(
  change: (element: Readonly<Record<string, unknown>>, index: number) => object,
  list = 'measurements',
): Change {
  return (one) => ({ ...one, [list]: objectsOf(one, list).map(change) });
}

void t.test('good data have none', async (t) => {
  t.same(await mistakesOf((one) => one), []);
  t.same(await mistakesOf((one) => one, { active: good }), [], 'beside themselves');
  const nowMs = (await read(snapshotDocument())).header.generatedAtMs;
  t.same(await mistakesOf(() => snapshotDocument(), { nowMs }), []);
});

void t.test('what is later than now, and data that stop long before generated_at', async (t) => {
  const found = await mistakesOf((one) => one, { nowMs: NOW - 5 * HOUR_MS });
  t.match(found[0], /^future: generated_at is \S+Z, and now it is \S+Z$/);
  t.match(found[1], /^future: \d+ rows are later than now, first station RS\w+ \(.*\), .*Z: /);
  t.same(await mistakesOf((one) => one, { nowMs: NOW - HOUR_MS }), [], 'an hour is allowed');
  const later = new Date(NOW + 20 * 24 * HOUR_MS).toISOString();
  t.match(await mistakesOf((one) => ({ ...one, generated_at: later }), { nowMs: NOW * 2 }), [
    /^alone: generated_at is \S+, but the newest row is station \w+ \(.*\), .*Z: [\d.]+$/,
  ]);
});

void t.test('one mistyped year, from which generated_at is made', async (t) => {
  const year = new Date(NOW).getUTCFullYear() + 26;
  const date = `${year}-10-05`;
  const mistyped = elements((row, index) => (index === 7 ? { ...row, date } : row));
  const found = await mistakesOf(
    (one) => ({ ...mistyped(one), generated_at: `${year}-10-06T00:00:00Z` }),
    { active: good },
  );
  const gates = found.map((line) => line.split(':')[0]);
  t.same(new Set(gates), new Set(['future', 'alone', 'drop']));
  t.match(found.join('\n'), /^alone: .*99 of 100 rows end at/m);
  t.match(found.join('\n'), /^drop: 1 rows, and \d+ in the active snapshot/m);
});

void t.test('values that stand for none, and concentrations below zero', async (t) => {
  const of = (value: number, count: number) =>
    mistakesOf(elements((row, index) => (index < count ? { ...row, value } : row)));
  t.match(await of(-999, 6), [
    /^sentinels: 6 rows have a value that usually stands for none, first .*-999$/,
  ]);
  t.match(await of(9999, 6), [/^sentinels/]);
  t.same(await of(-999, 5), [], 'a handful');
  t.match(await of(-0.5, 6), [/^negative: 6 rows have a concentration below zero/]);
  t.same(await of(-0.5, 5), []);
});

void t.test('beside the active snapshot: what is gone, and what jumps', async (t) => {
  const beside = (change: Change) => mistakesOf(change, { active: good });
  t.match(await beside(elements((row) => ({ ...row, value: 1e9 }))), [
    ...[/^jump: \S+ reaches/, /^jump/, /^jump/],
    /^changed: 18 of 18 series have other values, or none, in most hours of the active snapshot, first station/,
  ]);
  // North is at both ends: 360 is no jump from 3.
  const directions = (value: number): Change => {
    const change = elements((row) => ({ ...row, value }));
    const inDegrees = elements((other) => ({ ...other, unit: 'deg true' }), 'components');
    return (one) => inDegrees(change(one));
  };
  const active = await read(directions(3)(structuredClone(document)));
  t.notMatch(await mistakesOf(directions(360), { active }), [/^jump/]);
  const none = await beside(
    elements((row, index) => (index % 5 === 0 ? row : { ...row, value: null })),
  );
  t.match(none[0], /^drop: \d+ rows, and \d+ in the active snapshot$/);
  const stations = (count: number) => {
    const many = [good.stations, good.stations, good.stations].flat().slice(0, count);
    return mistakesOf((one) => one, { active: { ...good, stations: many } });
  };
  t.match(await stations(13), [/^drop: 6 stations, and 13/]);
  t.same(await stations(12), [], 'half is allowed');
  const corrected = elements((row) => {
    const { station_id: station, component_id: component } = row;
    const isOne = station === good.stations[0]?.id && component === good.components[0]?.id;
    return isOne ? { ...row, value: Number(row['value']) + 0.5 } : row;
  });
  t.same(await beside(corrected), [], 'one series that is corrected');
});

type Position = readonly [latitude: number, longitude: number];

/** The document with its stations at these positions, one after the other; undefined for none. */
function placed(positions: readonly (Position | undefined)[]): Change {
  return elements(({ latitude: _latitude, longitude: _longitude, ...station }, index) => {
    const [latitude, longitude] = positions[index % positions.length] ?? [];
    return { ...station, ...(latitude !== undefined && { latitude, longitude }) };
  }, 'stations');
}

void t.test('stations in the sea, swapped, or on another continent', async (t) => {
  const at = (position: Position) => {
    const others = Array.from({ length: 5 }, (): Position => [60.1, 20.5]);
    return mistakesOf(placed([position, ...others]));
  };
  t.same(await at([59, 21]), []);
  t.match(await at([0, 0]), [
    /^place: station RS\w+ \(.*\) is at latitude 0, longitude 0, which is in the sea$/,
  ]);
  t.match(await at([20.5, 60.1]), [/in the country of the others when they are swapped$/]);
  t.match(await at([-60, 20]), [/more than 5 degrees outside the country that 5 of 6 are in$/]);
});

void t.test('a network in the sea, by the base map', async (t) => {
  const land = new Land(new URL('../../src/base-map/', import.meta.url));
  const at = (...positions: readonly Position[]) => mistakesOf(placed(positions), { land });
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
    t.same(await at(place), [], place.join());
  }
  const madrid = [40.42, -3.7] as const;
  const mirrored = [40.9, 5.2] as const;
  t.match(await at(mirrored), [
    /^place: 6 of 6 stations are in the sea, first RS\w+ \(.*\) at latitude 40.9, longitude 5.2$/,
  ]);
  t.same(await at(madrid, mirrored), [], 'half of them may be platforms');
  t.match(await at(madrid, mirrored, [37.5, 5.9]), [/^place: 4 of 6 stations/]);
});

/** Positions before and after, and the finding; a degree of a meridian has 111.195 km. */
const MOVES = JSON.parse(
  await readFile('test/fixtures/cases/moved-stations.json', 'utf8'),
) as readonly (readonly [was: Position | null, is: Position | null, says: string | null])[];

void t.test('a station stays in its place, at the antimeridian and the poles too', async (t) => {
  const [first] = objectsOf(document, 'stations');
  const counts = { ...(document['counts'] as object), stations: 1, measurement_rows: 0 };
  const alone = { ...document, counts, stations: [first], measurements: [] };
  const at = (position: Position | null) => placed([position ?? undefined])(alone);
  for (const [was, is, expected] of MOVES) {
    const name = `${String(was)} to ${String(is)}`;
    // Without a country to compare with, a single station may be anywhere.
    const found = await mistakesOf(() => at(is), { active: await read(at(was)), land: NOWHERE });
    const moved = found.filter((one) => !one.startsWith('place'));
    if (expected === null) t.same(moved, [], name);
    else {
      t.match(found[0], new RegExp(expected), name);
      const station = `${String(first?.['station_id'])} \\(`;
      t.match(found[0], new RegExp(`^(?:moved|unlocated): station ${station}`), name);
    }
  }
});

void t.test('hours start at the minute at which they did', async (t) => {
  const late = elements((row) => ({ ...row, time: String(row['time']).replace(':00', ':30') }));
  const change: Change = (one) => ({ ...late(one), hour_minute: 30 });
  t.same(await mistakesOf(change), []);
  const found = await mistakesOf(change, { active: good });
  const message = 'minute: hours start at minute 30, and at minute 0 in the active snapshot';
  t.ok(found.includes(message), found.join());
});

void t.test('codes and units stay what they are, of one and of three hundred', async (t) => {
  const beside = (list: string, member: string, value: (index: number) => unknown) => {
    const change = elements(
      (element, index) => ({ ...element, [member]: value(index) ?? element[member] }),
      list,
    );
    return mistakesOf(change, { active: good });
  };
  const first = (text: string) => (index: number) => (index === 0 ? text : undefined);
  t.match(await beside('components', 'unit', first('mg/m3')), [
    /^unit: component \d+ \(\S+\) has the unit mg\/m3, and \S+ in the active snapshot$/,
  ]);
  for (const notation of ['µg/m³', 'ug.m-3', 'ug m-3']) {
    t.same(await beside('components', 'unit', () => notation), [], notation);
  }
  t.match(await beside('components', 'short_name', first('XY')), [
    /^code: component \d+ has the code XY, and \S+ in the active snapshot$/,
  ]);
  t.match(await beside('stations', 'station_code', first('XY')), [
    /^code: station \d+ \(.*\) has the code XY, and \S+ in the active snapshot$/,
  ]);
  const codes = objectsOf(document, 'stations').map((station) => station['station_code']);
  const exchanged = (index: number) => codes[[1, 0][index] ?? index];
  t.equal((await beside('stations', 'station_code', exchanged)).length, 2);
  t.same(await beside('stations', 'station_name', first('Novo ime')), []);

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
  const renewed = checkGates(of(many.slice(1)), { ...surroundings, active: of(many.slice(0, -1)) });
  t.same(renewed.findings, []);
});
