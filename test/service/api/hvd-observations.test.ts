/** Observations, listed and streamed, against answers worked out from the document without the service's code. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { BUILD_ID } from '../../../src/build-id.js';
import { Connection, fieldOf, type Answer } from '../../support/service/connection.js';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import {
  ExpectedHvd,
  listBody,
  streamBody,
  type Asked,
} from '../../support/expected/expected-hvd.js';
import { onlyMember } from '../../support/readers/gzip-member.js';
import { anyDocument } from '../../support/documents/random-documents.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';
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
  const connection = await Connection.open(service.port);
  t.teardown(() => {
    connection.close();
  });
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

void t.test('of any document, in any window and notation', async (t) => {
  const service = await startServing(t, snapshotDocument());
  let count = 0;
  let records = 0;
  const drawnWithRequests = denseDocument().chain((document) =>
    fc.tuple(
      fc.constant(document),
      fc.array(anyRequest(document), { minLength: 25, maxLength: 40 }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(drawnWithRequests, async ([drawn, requests]) => {
      count += 1;
      const document = { ...drawn, snapshot_id: `drawn-${count}` };
      await publishAndServe(service, document);
      const expected = new ExpectedHvd(document);
      const connection = await Connection.open(service.port);
      try {
        for (const request of requests) {
          await assertSame(connection, expected, request);
          records += expected.observations(request.asked).records.length;
        }
      } finally {
        connection.close();
      }
    }),
    { numRuns: 6, endOnFailure: true },
  );
  t.ok(records > 2000, `${records} records compared`);
});

/** List and stream, plain and compressed: the expected bytes, counted and measured. */
async function assertSame(
  connection: Connection,
  expected: ExpectedHvd,
  { query, asked }: { readonly query: string; readonly asked: Asked },
): Promise<void> {
  const observations = expected.observations(asked);
  for (const [path, body] of [
    [LIST, listBody(observations)],
    [STREAM, streamBody(observations)],
  ] as const) {
    for (const coding of ['identity', 'gzip']) {
      const target = path + query;
      const answer = await connection.ask({ target, fields: { 'Accept-Encoding': coding } });
      assert.equal(answer.status, 200, target);
      const isCompressed = fieldOf(answer, 'content-encoding') === 'gzip';
      const text = (isCompressed ? onlyMember(answer.body) : answer.body).toString();
      if (text !== body) assert.fail(`${target} (${coding}): ${firstDifference(text, body)}`);
      assert.equal(fieldOf(answer, 'x-record-count'), String(observations.records.length), target);
      assert.equal(fieldOf(answer, 'content-length'), String(answer.body.length), target);
    }
  }
}

/** `assert.equal` of megabytes would show them all. */
function firstDifference(actual: string, expected: string): string {
  let at = 0;
  while (actual[at] === expected[at]) at += 1;
  const start = Math.max(0, at - 100);
  return `${actual.slice(start, at + 100)} instead of ${expected.slice(start, at + 100)}`;
}

function withoutDate({ fields }: Answer): readonly string[] {
  return fields
    .filter(([name]) => name !== 'Date')
    .map(([name, value]) => `${name}: ${value}`)
    .toSorted();
}

/** Any document, with a public station and component, and with rows all over the month beside those that were drawn. */
function denseDocument(): fc.Arbitrary<PlainDocument> {
  const values = fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })), {
    minLength: 1,
  });
  return fc
    .tuple(anyDocument(), fc.integer({ min: 1, max: 40 }), values)
    .map(([document, step, cycle]) => {
      const seen = (list: unknown): PlainDocument[] =>
        (list as readonly PlainDocument[]).map((one, at) =>
          at === 0 ? { ...one, public: true } : one,
        );
      const components = seen(document['components']);
      const stations = seen(document['stations']);
      const rows = new Map<string, PlainDocument>();
      const add = (row: PlainDocument): void => {
        const key = [row['station_id'], row['component_id'], row['date'], row['time']].join();
        if (!rows.has(key)) rows.set(key, row);
      };
      for (const row of document['measurements'] as readonly PlainDocument[]) add(row);
      for (const { station_id } of stations) {
        for (const { component_id } of components) {
          for (let hour = rows.size % step; hour < 740; hour += step) {
            const at = new Date(Date.parse('2026-03-29T02:00:00Z') - hour * HOUR_MS).toISOString();
            const value = cycle[hour % cycle.length];
            add({ station_id, component_id, date: at.slice(0, 10), time: at.slice(11, 16), value });
          }
        }
      }
      const measurements = [...rows.values()];
      const counts = { ...(document['counts'] as PlainDocument), measurement_rows: rows.size };
      return { ...document, components, stations, measurements, counts };
    });
}

/** Filters that fit the document or do not, and a window around its edges, written in any way. */
function anyRequest(
  document: PlainDocument,
): fc.Arbitrary<{ readonly query: string; readonly asked: Asked }> {
  const { stationIds, parameterCodes } = new ExpectedHvd(document).keys;
  const generatedAtMs = Date.parse(String(document['generated_at']));
  const time = fc.option(anyTime(generatedAtMs), { nil: undefined });
  return fc
    .record({
      from: time,
      to: time,
      stationId: fc.constantFrom(undefined, undefined, '7', ...stationIds),
      parameterCode: fc.constantFrom(undefined, undefined, 'PM', ...parameterCodes),
    })
    .map(({ from: first, to: second, stationId, parameterCode }) => {
      // Mostly a window, now and then one that is turned round.
      const isTurned = (first?.iso ?? '') > (second?.iso ?? '~') && !first?.iso.endsWith('1Z');
      const [from, to] = isTurned ? [second, first] : [first, second];
      const words = [
        ...(from === undefined ? [] : [`from=${from.written}`]),
        ...(to === undefined ? [] : [`to=${to.written}`]),
        ...(stationId === undefined ? [] : [`station_id=${stationId}`]),
        ...(parameterCode === undefined
          ? []
          : [`parameter_code=${encodeURIComponent(parameterCode)}`]),
      ];
      const asked = { from: from?.iso, to: to?.iso, stationId, parameterCode };
      return { query: `?${words.join('&')}`, asked };
    });
}

interface WrittenTime {
  /** As it stands in a query. */
  readonly written: string;
  readonly iso: string;
}

function anyTime(generatedAtMs: number): fc.Arbitrary<WrittenTime> {
  return fc
    .record({
      hours: fc.oneof(fc.integer({ min: -780, max: 60 }), fc.constantFrom(-720, -719, -1, 0)),
      milliseconds: fc.constantFrom(0, 0, 0, 1, HOUR_MS - 1, HOUR_MS / 2, 61_500),
      isWhole: fc.boolean(),
      offset: fc.constantFrom(0, 60, 120, -330, 840, -720),
      zone: fc.constantFrom('Z', 'none', ':', '', 'plus'),
      isShort: fc.boolean(),
    })
    .map(({ hours, milliseconds, isWhole, offset, zone, isShort }) => {
      const base = isWhole ? Math.floor(generatedAtMs / HOUR_MS) * HOUR_MS : generatedAtMs;
      const epochMs = base + hours * HOUR_MS + milliseconds;
      const minutes = zone === 'Z' || zone === 'none' ? 0 : offset;
      const local = new Date(epochMs + minutes * 60_000).toISOString().slice(0, -1);
      const text = isShort ? shortened(local, zone) : local;
      const isDate = !text.includes('T');
      return {
        written: text + (isDate ? '' : zoneText(zone, minutes)),
        iso: new Date(epochMs).toISOString(),
      };
    });
}

/** Without what is zero anyway. */
function shortened(local: string, zone: string): string {
  if (zone === 'none' && local.endsWith('T00:00:00.000')) return local.slice(0, 10);
  if (local.endsWith(':00.000')) return local.slice(0, 16);
  return local.endsWith('.000') ? local.slice(0, 19) : local;
}

function zoneText(zone: string, minutes: number): string {
  if (zone === 'none') return '';
  if (zone === 'Z') return 'Z';
  const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0');
  // A plus that is not escaped arrives as a blank.
  const sign = minutes < 0 ? '-' : zone === 'plus' ? '+' : '%2B';
  const colon = zone === '' ? '' : ':';
  return `${sign}${two(Math.abs(minutes) / 60)}${colon}${two(Math.abs(minutes) % 60)}`;
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
