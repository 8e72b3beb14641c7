/** Observations, listed and streamed, against answers worked out from the document without the service's code. */
import { spawnSync } from 'node:child_process';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { BUILD_ID } from '../../../src/build-id.js';
import { fieldOf, keptConnection, type Answer } from '../../support/service/connection.js';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import { ExpectedHvd, type Asked } from '../../support/expected/expected-hvd.js';
import { assertSame } from '../../support/expected/observation-answers.js';
import { startServing } from '../../support/service/serve-documents.js';
import { activePointer } from '../../support/service/service.js';

const HOUR_MS = 3_600_000;
const ID = '20260910T000000Z-test';
const LIST = '/api/v1/observations';
const STREAM = '/api/v1/observations/stream';
const BAD_FROM = '{"detail":"Invalid `from` parameter. Expected ISO 8601 datetime."}';
const BAD_TO = '{"detail":"Invalid `to` parameter. Expected ISO 8601 datetime."}';

const CODES = [
  'PM10',
  'pm10',
  'PM2.5',
  'Ethyl benzene',
  'Угљен-моноксид',
  'a/b&c=d+e%2B"\n?#',
  '🌬',
];

void t.test('of a month with gaps', async (t) => {
  const document = monthDocument();
  const service = await startServing(t, document);
  const expected = new ExpectedHvd(document);
  const connection = keptConnection(t, service.port);
  const same = async (query: string, asked: Asked): Promise<void> => {
    await assertSame(connection, expected, { query, asked });
  };

  await t.test('lists and streams every record in order, nulls too', async (t) => {
    const { records } = expected.observations();
    t.ok(records.length > 1500, `${records.length} records`);
    t.ok(records.some(({ value }) => value === null));
    await same('', {});
    await same('?', {});
    await same('?unknown=1&From=bad', {});
    await same('?from=&to=%20&station_id=&parameter_code=%09', {});
  });

  await t.test('has every combination of filters, known or not', async (t) => {
    const stations = [undefined, '1', '2', '30', '9', '999', '01', '1.0', '-1', 'ž'];
    const codes = [undefined, ...CODES, 'TEST', 'PM', 'Pm10', 'Ethyl+benzene'];
    let found = 0;
    for (const stationId of stations) {
      for (const parameterCode of codes) {
        const query = new URLSearchParams({
          ...(stationId !== undefined && { station_id: stationId }),
          ...(parameterCode !== undefined && { parameter_code: parameterCode }),
        });
        const asked = { stationId, parameterCode };
        await same(`?${query.toString()}`, asked);
        found += expected.observations(asked).records.length > 0 ? 1 : 0;
      }
    }
    t.ok(found >= 20, `${found} combinations have records`);
  });

  await t.test('reads filters as they are escaped and trimmed', async () => {
    await same('?parameter_code=Ethyl%20benzene', { parameterCode: 'Ethyl benzene' });
    await same('?parameter_code=Ethyl+benzene', { parameterCode: 'Ethyl benzene' });
    await same('?parameter_code=+PM10%20&station_id=%091', {
      parameterCode: 'PM10',
      stationId: '1',
    });
    await same('?station_id=1&station_id=', { stationId: '1' });
  });

  await t.test('reads date-times in every notation', async () => {
    const times = [
      ['2026-09-09', '2026-09-09T00:00:00.000Z'],
      ['2026-09-09T20:00', '2026-09-09T20:00:00.000Z'],
      ['2026-09-09T20:00Z', '2026-09-09T20:00:00.000Z'],
      ['2026-09-09t20:00:00z', '2026-09-09T20:00:00.000Z'],
      ['2026-09-09T20:00:01', '2026-09-09T20:00:01.000Z'],
      ['2026-09-09T19:59:59.999Z', '2026-09-09T19:59:59.999Z'],
      ['2026-09-09T20:00:00.000000001Z', '2026-09-09T20:00:00.001Z'],
      ['2026-09-09T20:00:00,5Z', '2026-09-09T20:00:00.500Z'],
      ['2026-09-09T22:00+02:00', '2026-09-09T20:00:00.000Z'],
      ['2026-09-09T22:00%2B02:00', '2026-09-09T20:00:00.000Z'],
      ['2026-09-09T22:00%2B0200', '2026-09-09T20:00:00.000Z'],
      ['2026-09-09T22:00%2B02', '2026-09-09T20:00:00.000Z'],
      ['2026-09-09T14:30:00-05:30', '2026-09-09T20:00:00.000Z'],
      ['2026-09-08T24:00', '2026-09-09T00:00:00.000Z'],
      ['2026-09-08T23:59:60Z', '2026-09-09T00:00:00.000Z'],
      ['2026-08-01', '2026-08-01T00:00:00.000Z'],
      ['0000-01-01', '0000-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
      ['%202026-09-09T20:00:00Z%20', '2026-09-09T20:00:00.000Z'],
    ] as const;
    for (const [written, time] of times) {
      await same(`?from=${written}`, { from: time });
      await same(`?to=${written}`, { to: time });
      await same(`?from=${written}&to=${written}`, { from: time, to: time });
    }
  });

  await t.test('clips windows to what is kept, half-open', async () => {
    const edges = [
      '2026-08-10',
      '2026-08-11',
      '2026-08-12',
      '2026-09-09',
      '2026-09-10',
      '2027-01-01',
    ];
    for (const from of edges) {
      for (const to of edges) {
        const asked = { from: `${from}T00:00:00.000Z`, to: `${to}T00:00:00.000Z` };
        await same(`?from=${from}&to=${to}`, asked);
        await same(`?from=${from}&to=${to}&station_id=1`, { ...asked, stationId: '1' });
      }
    }
  });

  await t.test('refuses what is no date-time, with the documented message', async (t) => {
    const bad = [
      ...['yesterday', '2026-13-01', '2026-02-29', '2026-02-30T00:00Z', '2026-00-10', '2026-9-9'],
      ...['2026-09-09T25:00', '2026-09-09T24:01', '2026-09-09T10', '2026-09-09T10:60'],
      ...['2026-09-09T10:00:61', '2026-09-09T10:30:60', '2026-09-09T10:00:00.Z', '20260909'],
      ...['2026-09-09T10:00%2B25:00', '2026-09-09T10:00%2B02:60', '2026-09-09T10:00:00ZZ'],
      ...['1757376000', '2026-W37-3', '2026-09-09Z', 'null', '%00', '%F0%9F%95%90', '%zz', '-1'],
      ...['0000-01-01T00:00%2B01:00', '9999-12-31T24:00', '%D9%A2%D9%A026-09-09'],
    ];
    for (const path of [LIST, STREAM]) {
      for (const text of bad) {
        for (const [query, body] of [
          [`?from=${text}`, BAD_FROM],
          [`?to=${text}`, BAD_TO],
          [`?to=${text}&from=${text}`, BAD_FROM],
          [`?from=2026-09-09&from=${text}&station_id=999`, BAD_FROM],
        ] as const) {
          const answer = await connection.ask({ target: path + query });
          t.equal(answer.status, 400, query);
          t.equal(answer.body.toString(), body, query);
        }
      }
    }
    await same('?from=yesterday&from=2026-09-09', { from: '2026-09-09T00:00:00.000Z' });
  });

  await t.test('says how the answer is to be cached, named and validated', async (t) => {
    const activatedAt = new Date((await activePointer(service)).activatedAtMs).toUTCString();
    for (const [path, type] of [
      [LIST, 'application/json'],
      [STREAM, 'application/x-ndjson'],
    ] as const) {
      for (const coding of ['identity', 'gzip']) {
        const fields = { 'Accept-Encoding': coding };
        const answer = await connection.ask({ target: path, fields });
        t.equal(fieldOf(answer, 'content-type'), type);
        t.equal(fieldOf(answer, 'content-encoding'), coding === 'gzip' ? 'gzip' : undefined);
        t.equal(fieldOf(answer, 'etag'), `W/"${ID}-${BUILD_ID}"`);
        t.match(fieldOf(answer, 'cache-control'), /^public, max-age=\d+/);
        t.equal(fieldOf(answer, 'vary'), 'Accept-Encoding');
        t.equal(fieldOf(answer, 'last-modified'), activatedAt);
        t.equal(fieldOf(answer, 'x-snapshot-id'), ID);
        t.equal(
          fieldOf(answer, 'content-disposition'),
          path === STREAM ? `inline; filename="observations-${ID}.ndjson"` : undefined,
        );
        const head = await connection.ask({ method: 'HEAD', target: path, fields });
        t.same(withoutDate(head), withoutDate(answer));
        for (const condition of [
          { 'If-None-Match': `"x", W/"${ID}-${BUILD_ID}"` },
          { 'If-Modified-Since': activatedAt },
        ] as Readonly<Record<string, string>>[]) {
          const known = await connection.ask({ target: path, fields: { ...fields, ...condition } });
          t.equal(known.status, 304);
          t.equal(fieldOf(known, 'etag'), `W/"${ID}-${BUILD_ID}"`);
        }
      }
    }
  });

  await t.test('sends gzip that the system and Node can read, in one member', async (t) => {
    for (const query of ['', '?from=2026-08-13T05:00&to=2026-09-09T05:00', '?station_id=30']) {
      for (const path of [LIST, STREAM]) {
        const target = path + query;
        const compressed = await connection.ask({ target, fields: { 'Accept-Encoding': 'gzip' } });
        t.equal(fieldOf(compressed, 'content-encoding'), 'gzip');
        const { status } = spawnSync('gzip', ['-t'], { input: compressed.body });
        t.equal(status, 0, `gzip -t of ${target}`);
        const plain = await connection.ask({ target });
        t.ok(gunzipSync(compressed.body).equals(plain.body), target);
        t.ok(compressed.body.length < plain.body.length / 5, `${compressed.body.length} bytes`);
      }
    }
  });
});

function withoutDate({ fields }: Answer): readonly string[] {
  return fields
    .filter(([name]) => name !== 'Date')
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted();
}

/** Every code at station 1, two of them over the whole month and beyond it; a little at others. */
function monthDocument(): PlainDocument {
  const end = Date.parse('2026-09-10T00:00:00Z');
  const row = (station: number, component: number, hoursBefore: number): PlainDocument => {
    const at = new Date(end - hoursBefore * HOUR_MS).toISOString();
    const value = Number((station + component / 7 + Math.sin(hoursBefore)).toPrecision(6));
    return {
      station_id: station,
      component_id: component,
      date: at.slice(0, 10),
      time: at.slice(11, 16),
      value: hoursBefore % 11 === 0 ? null : value,
    };
  };
  const hours = (from: number, to: number): number[] =>
    Array.from({ length: to - from }, (_, index) => from + index);
  const measurements = [
    ...hours(-3, 735).map((hour) => row(1, 1, hour)),
    ...hours(1, 721).flatMap((hour) => (hour % 7 === 0 ? [] : [row(30, 5, hour)])),
    ...hours(100, 300).map((hour) => row(2, 2, hour)),
    ...CODES.map((_, index) => row(1, index + 1, 740)),
    ...CODES.slice(1).flatMap((_, index) => [row(1, index + 2, 3), row(1, index + 2, 650)]),
    ...hours(1, 30).flatMap((hour) => [row(9, 1, hour), row(2, 99, hour)]),
  ];
  const { stations } = snapshotDocument();
  const first = (stations as readonly PlainDocument[])[0];
  return snapshotDocument({
    components: [
      ...CODES.map((code, index) => ({
        component_id: index + 1,
        short_name: code,
        unit: 'ug.m-3',
      })),
      { component_id: 99, short_name: 'TEST', unit: 'V', public: false },
    ],
    stations: [30, 2, 1, 9].map((id) => ({
      ...first,
      station_id: id,
      public: id !== 9,
      component_ids: null,
    })),
    measurements: measurements.toReversed(),
  });
}
