/** Selections: every endpoint that takes the same words leaves the same stations and series, as a filter of a few lines does. */
import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import t from 'tap';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import { cellsOf, longCells, wideCells } from '../../support/expected/expected-csv.js';
import { ExpectedHvd, listBody, streamBody } from '../../support/expected/expected-hvd.js';
import { atLeast, seedOf } from '../../support/faults/chance.js';
import {
  askAll,
  fieldOf,
  keptConnection,
  type Answer,
  type Connection,
} from '../../support/service/connection.js';
import { startServing } from '../../support/service/serve-documents.js';

const HOUR_MS = 3_600_000;
const GENERATED_AT = Date.parse('2026-09-10T00:00:00Z');
const CODES = ['NO2', 'PM10', 'm,p-Xylene', 'm', 'p-Xylene', 'Ethyl "benzene"', 'O3'];
const TYPES = ['traffic', 'urban', undefined] as const;
const TOWNS = ['Niš', 'Novi Sad', 'Beograd ', undefined] as const;
const SELECTIONS = atLeast(75);

type Plain = Readonly<Record<string, unknown>>;

const document = townsDocument();
const expected = new ExpectedHvd(document);

void t.test('with stations of several towns', async (t) => {
  const service = await startServing(t, document);
  const connection = keptConnection(t, service.port);
  const ask = (target: string, fields: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    connection.ask({ target: `/api/v1/${target}`, fields });
  const body = async (target: string): Promise<string> => String((await ask(target)).body);

  await t.test('all forms of an answer agree, with each other and with a filter', async (t) => {
    const seed = seedOf(t);
    const selections = fc.sample(anySelection(), { seed, numRuns: SELECTIONS });
    let [records, found] = [0, 0];
    await askAll(service.port, selections, {
      connections: 4,
      take: async (connection, selection) => {
        const message = selection.words.join('&');
        const own = await assertAgreement(connection, selection, message);
        records += own;
        found += own > 0 ? 1 : 0;
      },
    });
    t.ok(found > SELECTIONS / 5, `${found} selections with ${records} records`);
  });

  await t.test('the newest values by station are those of the list', async (t) => {
    for (const words of ['', 'parameter_code=O3,NO2', 'station_id=nobody']) {
      const { data } = JSON.parse(await body(`observations/latest?${words}`)) as {
        data: readonly Plain[];
      };
      const stations = JSON.parse(await body('stations')) as readonly Plain[];
      const map = JSON.parse(await body(`observations/latest.geojson?${words}`)) as {
        readonly units: Plain;
        readonly features: readonly { readonly geometry: unknown; readonly properties: Plain }[];
      };
      const units = data.map((one) => [one['parameter_code'], one['unit']]);
      t.same(map.units, Object.fromEntries(units));
      const wide = await body(`observations/latest.csv?layout=wide&${words}`);
      const csv = parse(wide, { columns: true }) as readonly Readonly<Record<string, string>>[];
      const own = stations.filter((one) => data.some((x) => x['station_id'] === one['station_id']));
      t.equal(csv.length, own.length);
      t.equal(map.features.length, own.length);
      for (const [index, station] of own.entries()) {
        const { latitude, longitude } = station;
        const newest = data
          .filter((one) => one['station_id'] === station['station_id'])
          .flatMap((one): (readonly [string, unknown])[] => [
            [text(one['parameter_code']), one['value']],
            [`${text(one['parameter_code'])}_time_utc`, one['time_start_utc']],
          ]);
        const { station_id, station_name, municipality } = station;
        const values = { station_id, station_name, municipality, ...Object.fromEntries(newest) };
        t.same(map.features[index]?.properties, values);
        const point = { type: 'Point', coordinates: [longitude, latitude] };
        t.same(map.features[index]?.geometry, latitude === null ? null : point);
        const cells = Object.entries(csv[index] ?? {}).filter(([, cell]) => cell !== '');
        const wanted = Object.entries({ ...values, latitude, longitude });
        t.same(
          Object.fromEntries(cells),
          Object.fromEntries(
            wanted.flatMap(([name, value]) => (value === null ? [] : [[name, text(value)]])),
          ),
        );
      }
    }
    const { status } = await ask('observations/latest.csv?layout=tall');
    t.equal(status, 422);
  });

  await t.test('a comma separates, unless the whole value is a known code', async (t) => {
    const codesOf = async (words: string): Promise<readonly unknown[]> => {
      const { data } = JSON.parse(await body(`observations/latest?${words}`)) as { data: Plain[] };
      return [...new Set(data.map((record) => record['parameter_code']))];
    };
    t.same(await codesOf('parameter_code=m,p-Xylene'), ['m,p-Xylene']);
    t.same(await codesOf('parameter_code=+m,p-Xylene+'), ['m,p-Xylene']);
    t.same(await codesOf('parameter_code=m%2Cp-Xylene'), ['m,p-Xylene']);
    t.same(await codesOf('parameter_code=p-Xylene,m'), ['m', 'p-Xylene']);
    t.same(await codesOf('parameter_code=O3,m,p-Xylene,'), ['O3', 'm', 'p-Xylene']);
    t.same(await codesOf('parameter_code=O3&parameter_code=m,p-Xylene'), ['O3', 'm,p-Xylene']);
    t.same(await codesOf('parameter_code=,'), [], 'a list without values names nothing');
    t.same(await codesOf('parameter_code=&parameter_code=O3'), ['O3'], 'a blank one is not given');
    t.same(await codesOf('parameter_code=+&parameter_code='), await codesOf(''));
  });

  await t.test('more than 500 values are too many, all repeats together', async (t) => {
    const ids = (count: number): string => Array.from({ length: count }, (_, id) => id).join(',');
    // A known code, too, counts as commas separate it.
    const repeated = (count: number): string => 'parameter_code=m,p-Xylene&'.repeat(count);
    const paths = ['observations', 'observations/stream', 'observations.csv'];
    for (const path of [...paths, 'observations/latest', 'observations/latest.csv', 'stations']) {
      for (const [name, within, beyond] of [
        ['station_id', `station_id=${ids(500)},,`, `station_id=${ids(499)}&station_id=1,1`],
        ['parameter_code', `parameter_code=${ids(500)}`, `parameter_code=${ids(501)}`],
        ['parameter_code', repeated(250), repeated(251)],
      ] as const) {
        t.equal((await ask(`${path}?${within}`)).status, 200, path);
        const { status, body } = await ask(`${path}?${beyond}`);
        // No word of stations.
        const isRead = path !== 'stations' || name === 'station_id';
        t.equal(status, isRead ? 400 : 200, path);
        if (isRead) t.equal(String(body), `{"detail":"Too many values in \`${name}\`."}`);
      }
    }
  });

  await t.test('a position that is none is refused, and a blank one is not given', async (t) => {
    const missing = (one: string, beside: string) => `\`${one}\` is missing beside \`${beside}\`.`;
    const degrees = (name: string, value: string, most: number) =>
      `\`${name}\` is "${value}": expected degrees such as 40.42, from -${most} to ${most}.`;
    const metres = (value: string) =>
      `\`radius_m\` is "${value}": expected metres, from 1 to 1,000,000.`;
    for (const [words = '', found = ''] of [
      ['lat=44', missing('lon', 'lat')],
      ['lon=20', missing('lat', 'lon')],
      ['radius_m=100', missing('lat', 'radius_m')],
      ['lat=44&radius_m=5', missing('lon', 'lat')],
      ['lon=20&radius_m=5', missing('lat', 'lon')],
      ['lat=44&lon=20&lon=', missing('lon', 'lat')],
      ['lat=91&lon=20', degrees('lat', '91', 90)],
      ['lat=40,42&lon=3,7', degrees('lat', '40,42', 90)],
      ['lat=44&lon=180.5', degrees('lon', '180.5', 180)],
      ['lat=NaN&lon=20', degrees('lat', 'NaN', 90)],
      ['lat=44&lon=20&radius_m=0.9', metres('0.9')],
      ['lat=44&lon=20&radius_m=1000001', metres('1000001')],
      ['lat=44&lon=20&radius_m=-1', metres('-1')],
    ]) {
      for (const endpoint of ['stations', 'observations.csv', 'observations/latest']) {
        const answer = await ask(`${endpoint}?${words}`);
        t.equal(answer.status, 400, words);
        t.same(JSON.parse(String(answer.body)), { detail: `Invalid position. ${found}` });
      }
    }
    for (const words of ['lat=&lon=+&radius_m=', 'lat=x&lon=y&radius_m=z&lat=&lon=&radius_m=']) {
      t.equal(await body(`stations?${words}`), await body('stations'));
    }
    const near = await body('stations?lat=44.8&lon=20.4&radius_m=');
    t.equal(near, await body('stations?lat=44.8&lon=20.4&radius_m=25000'), '25 km by default');
    t.match(await body('stations?lat=44.8&lon=20.4&radius_m=1'), /^\[\{.*"distance_m":0\}\]$/);
  });

  await t.test('long CSV without a filter is the bulk file, packed too', async (t) => {
    const file = 'bulk/observations_hourly_preliminary_last30days.csv';
    for (const coding of ['identity', 'gzip']) {
      const fields = { 'Accept-Encoding': coding };
      const [whole, bulk] = [await ask('observations.csv', fields), await ask(file, fields)];
      t.equal(fieldOf(whole, 'content-encoding'), fieldOf(bulk, 'content-encoding'));
      t.ok(whole.body.equals(bulk.body), coding);
      t.equal(fieldOf(whole, 'content-type'), 'text/csv; charset=utf-8; header=present');
      t.equal(
        fieldOf(whole, 'content-disposition'),
        'attachment; filename="observations-20260910T000000Z-test.csv"',
      );
      const list = await ask('observations');
      t.equal(fieldOf(whole, 'etag'), fieldOf(list, 'etag'));
      t.equal(fieldOf(whole, 'x-record-count'), fieldOf(list, 'x-record-count'));
      const last = expected.keys.stationIds.at(-1) ?? '';
      const one = await ask(`observations.csv?station_id=${last}`, fields);
      t.ok(one.body.byteLength < whole.body.byteLength, 'the end of the file is not all of it');
    }
  });
});

interface Selected {
  /** Names in the query, each once or repeated. */
  readonly words: readonly string[];
  readonly window: { readonly from?: string; readonly to?: string };
  readonly isGzip: boolean;
  readonly isStation: (station: Plain) => boolean;
  readonly isParameter: (code: unknown) => boolean;
  readonly position: readonly [latitude: number, longitude: number] | undefined;
}

/** Asks for all forms of one selection; answers how many observations it has. */
async function assertAgreement(
  connection: Connection,
  selected: Selected,
  message: string,
): Promise<number> {
  const { words, window, isStation, isParameter, position } = selected;
  const stations = expected.stations().filter(isStation);
  const ids = new Set(stations.map((station) => station['station_id']));
  const isSelected = (record: Plain): boolean =>
    ids.has(record['station_id']) && isParameter(record['parameter_code']);
  const all = expected.observations(window);
  const observations = { ...all, records: all.records.filter(isSelected) };
  const newest = expected.latest();
  const latest = { ...newest, records: newest.records.filter(isSelected) };
  const times = Object.entries(window).map(([name, time]) => `${name}=${time}`);
  const ask = async (path: string, more: readonly string[], records: number): Promise<string> => {
    const answer = await connection.ask({
      target: `/api/v1/${path}?${[...words, ...more].join('&')}`,
      fields: selected.isGzip ? { 'Accept-Encoding': 'gzip' } : {},
    });
    const about = `${path} ${message}`;
    assert.equal(answer.status, 200, about);
    assert.equal(fieldOf(answer, 'x-record-count'), String(records), about);
    const isPacked = fieldOf(answer, 'content-encoding') === 'gzip';
    return String(isPacked ? gunzipSync(answer.body) : answer.body);
  };
  const { length } = observations.records;
  assert.equal(await ask('observations', times, length), listBody(observations), message);
  assert.equal(await ask('observations/stream', times, length), streamBody(observations), message);
  assert.equal(
    await ask('observations/latest', [], latest.records.length),
    listBody(latest),
    message,
  );
  assert.deepEqual(
    cellsOf(await ask('observations.csv', times, length)),
    longCells(expected, observations.records),
    message,
  );
  assert.deepEqual(
    cellsOf(await ask('observations/latest.csv', [], latest.records.length)),
    longCells(expected, latest.records),
    message,
  );
  const wide = wideCells(expected, observations.records);
  const rows = wide.length - 1;
  const layout = [...times, 'layout=wide'];
  assert.deepEqual(cellsOf(await ask('observations.csv', layout, rows)), wide, message);
  const listed = position ? nearestFirst(stations, position) : stations;
  assert.deepEqual(JSON.parse(await ask('stations', [], stations.length)), listed, message);
  return length;
}

function nearestFirst(
  stations: readonly Plain[],
  position: readonly [number, number],
): readonly Plain[] {
  return stations
    .map((station) => ({ station, metres: metresTo(station, position) }))
    .toSorted(
      (a, b) =>
        a.metres - b.metres || Number(a.station['station_id']) - Number(b.station['station_id']),
    )
    .map(({ station, metres }) => ({ ...station, distance_m: Math.round(metres) }));
}

/** A text or a number as a cell. */
function text(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '?';
}

/** By the chord between two points of a sphere, where the service has the haversine. */
function metresTo(station: Plain, [latitude, longitude]: readonly [number, number]): number {
  if (typeof station['latitude'] !== 'number') return Infinity;
  const point = (lat: number, lon: number): readonly number[] => {
    const [north, east] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
    return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
  };
  const from = point(latitude, longitude);
  const to = point(station['latitude'], Number(station['longitude']));
  return 2 * 6_371_008.8 * Math.asin(Math.hypot(...from.map((one, at) => one - (to[at] ?? 0))) / 2);
}

function anySelection(): fc.Arbitrary<Selected> {
  const ids = fc.constantFrom(...expected.keys.stationIds, '999', '01', '', ' 3 ', 'ž');
  const codes = fc.constantFrom(...CODES, 'PM', ' NO2', '');
  const listsOf = (item: fc.Arbitrary<string>): fc.Arbitrary<readonly string[] | undefined> =>
    fc.option(
      fc.array(
        fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(',')),
        { minLength: 1, maxLength: 3 },
      ),
      { nil: undefined, freq: 1 },
    );
  const rarely = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc
      .option(fc.constant(undefined), { nil: null, freq: 7 })
      .chain((none) => (none === null ? value : fc.constant(undefined)));
  const degrees = (from: number, to: number): fc.Arbitrary<number> =>
    fc.integer({ min: from * 100, max: to * 100 }).map((hundredths) => hundredths / 100);
  const hour = fc
    .tuple(fc.integer({ min: -60, max: 5 }), fc.constantFrom(0, 0, 1, HOUR_MS - 1))
    .map(([hours, ms]) => new Date(GENERATED_AT + hours * HOUR_MS + ms).toISOString());
  return fc
    .record({
      stationIds: listsOf(ids),
      codes: listsOf(codes),
      active: rarely(fc.boolean()),
      town: rarely(fc.constantFrom('nIŠ', 'Novi Sad ', 'Beograd', 'Nis')),
      type: rarely(fc.constantFrom('traffic', 'urban', 'rural')),
      box: rarely(fc.tuple(degrees(19, 20), degrees(43, 44), degrees(20, 21), degrees(44, 45))),
      position: rarely(fc.tuple(degrees(43, 45), degrees(19, 21))),
      radius: fc.option(fc.integer({ min: 1, max: 150_000 }), { nil: undefined }),
      from: fc.option(hour, { nil: undefined }),
      to: fc.option(hour, { nil: undefined }),
      isGzip: fc.boolean(),
    })
    .map(({ stationIds, codes, active, town, type, box, position, radius, from, to, isGzip }) => {
      const given = (texts: readonly string[] = []): string[] =>
        texts.map((text) => text.trim()).filter((text) => text !== '');
      const word = (
        name: string,
        value: string | number | boolean | undefined,
      ): readonly string[] =>
        value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`];
      const split = (text: string): string[] => text.split(',').map((item) => item.trim());
      const wantedIds = given(stationIds).flatMap(split);
      const wantedCodes = given(codes).flatMap((text) =>
        CODES.includes(text) ? [text] : split(text),
      );
      return {
        words: [
          ...(stationIds ?? []).flatMap((id) => word('station_id', id)),
          ...(codes ?? []).flatMap((code) => word('parameter_code', code)),
          ...word('active', active),
          ...word('municipality', town),
          ...word('station_type', type),
          ...word('bbox', box?.join(',')),
          ...word('lat', position?.[0]),
          ...word('lon', position?.[1]),
          ...word('radius_m', position && radius),
        ],
        window: { ...(from !== undefined && { from }), ...(to !== undefined && { to }) },
        isGzip,
        position,
        isParameter: (code) => given(codes).length === 0 || wantedCodes.includes(String(code)),
        isStation: (station) => {
          const { latitude: north, longitude: east } = station;
          const [west, south, eastern, northern] = box ?? [-180, -90, 180, 90];
          const isPlaced = typeof north === 'number' && typeof east === 'number';
          const isInside =
            isPlaced && east >= west && east <= eastern && north >= south && north <= northern;
          return (
            (given(stationIds).length === 0 || wantedIds.includes(String(station['station_id']))) &&
            (active === undefined || station['active'] === active) &&
            (town === undefined ||
              String(station['municipality']).toLowerCase() === town.trim().toLowerCase()) &&
            (type === undefined || station['station_type'] === type) &&
            (box === undefined || isInside) &&
            (position === undefined || metresTo(station, position) <= (radius ?? 25_000))
          );
        },
      };
    });
}

/** Stations in towns, some of them nowhere, each with some of the codes, with gaps and nulls. */
function townsDocument(): PlainDocument {
  const ids = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144];
  const { stations } = snapshotDocument();
  const first = (stations as readonly PlainDocument[])[0];
  const places = ids.map((id, at) => ({
    ...first,
    station_id: id,
    station_name: at % 3 === 0 ? `Stanica "${id}", ${at}` : `Станица ${id}`,
    station_type: TYPES[at % TYPES.length],
    municipality: TOWNS[at % TOWNS.length],
    active: at % 5 !== 0,
    latitude: at === 4 ? null : 44.8 - (at * at) / 70,
    longitude: at === 4 ? null : 20.4 - at / 9,
    component_ids: null,
  }));
  const measurements = ids.flatMap((id, at) =>
    CODES.flatMap((_, component) =>
      Array.from({ length: 48 }, (__, hours) => hours + 1)
        .filter((hours) => (at + component) % 4 !== 0 && (hours + at * component) % 5 !== 0)
        .map((hours) => {
          const time = new Date(GENERATED_AT - hours * HOUR_MS).toISOString();
          const value = Number((id / 3 - component + Math.sin(hours)).toPrecision(5));
          return {
            station_id: id,
            component_id: component + 1,
            date: time.slice(0, 10),
            time: time.slice(11, 16),
            value: (hours + component) % 6 === 0 ? null : value,
          };
        }),
    ),
  );
  return snapshotDocument({
    components: CODES.map((code, index) => ({
      component_id: index + 1,
      short_name: code,
      unit: 'ug.m-3',
    })),
    stations: places,
    measurements,
  });
}
