/** Every body of the JSON API, and observations, against answers worked out from the document without the service's code. */
import fc from 'fast-check';
import t from 'tap';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import { anyDocument } from '../../support/documents/random-documents.js';
import { allTargets, expectedAnswers } from '../../support/expected/expected-answers.js';
import { ExpectedHvd, type Asked } from '../../support/expected/expected-hvd.js';
import { wrongAnswers } from '../../support/expected/json-answers.js';
import { assertSame } from '../../support/expected/observation-answers.js';
import { scaled, seedOf } from '../../support/faults/chance.js';
import { keptConnection } from '../../support/service/connection.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';

const HOUR_MS = 3_600_000;

/** Each is imported, which takes the time. */
const DOCUMENTS = 3;

const small = snapshotDocument({ snapshot_id: 'small', supported_windows: ['7d', '1h'] });
const service = await startServing(t, small);

await t.test('answers what the document holds, and 404 for the rest', async (t) => {
  t.equal(await wrongAnswers(service, small), '', 'a small document, with few windows');
  const windows = [...expectedAnswers(small).keys()].flatMap(
    (target) => /window=(.*)$/.exec(target)?.[1] ?? [],
  );
  t.same(new Set(windows), new Set(['1h', '7d']), 'and no others');
  for (const [name, document] of Object.entries(documents())) {
    await publishAndServe(service, document);
    t.equal(await wrongAnswers(service, document), '', name);
  }
});

await t.test('of any document, in any window', async (t) => {
  const connection = keptConnection(t, service.port);
  let count = 0;
  const asked = { targets: 0, found: 0, records: 0 };
  const drawnWithRequests = denseDocument().chain((document) =>
    fc.tuple(
      fc.constant(document),
      fc.array(anyRequest(document), { minLength: 15, maxLength: 25 }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(drawnWithRequests, async ([drawn, requests]) => {
      count += 1;
      const document = { ...drawn, snapshot_id: `drawn-${count}` };
      await publishAndServe(service, document);
      const wrong = await wrongAnswers(service, document);
      if (wrong !== '') throw new Error(wrong);
      asked.targets += allTargets(document).length;
      asked.found += expectedAnswers(document).size;
      const expected = new ExpectedHvd(document);
      for (const request of requests) {
        await assertSame(connection, expected, request);
        asked.records += expected.observations(request.asked).records.length;
      }
    }),
    { numRuns: scaled(DOCUMENTS), seed: seedOf(t), endOnFailure: true },
  );
  t.ok(asked.found > 20 && asked.targets > asked.found, JSON.stringify(asked));
  t.ok(asked.records > 100, JSON.stringify(asked));
});

function documents(): Readonly<Record<string, PlainDocument>> {
  return {
    'a Serbian network': serbian({}),
    'generated within an hour': serbian({
      snapshot_id: 'within-an-hour',
      generated_at: '2026-09-09T23:30:15.750Z',
    }),
    'no rows at all': serbian({ snapshot_id: 'empty', measurements: [] }),
    'nothing public': serbian({
      snapshot_id: 'hidden',
      stations: [{ ...station(11, 'Kikinda Centar', 'RS1002A'), public: false }],
      measurements: rowsOfDay(11, 5, '2026-09-09'),
    }),
  };
}

/**
 * Stations and codes of the Serbian network, with gaps, nulls and what must not be seen; series with rows at the edges of
 * every window, and with rows at and after `generated_at` alone; a station with nothing but nulls.
 */
function serbian(overrides: PlainDocument): PlainDocument {
  return snapshotDocument({
    snapshot_id: 'serbia',
    organizations: [
      { organization_id: 3, name: 'Покрајински секретаријат', short_name: 'АПВ', site: null },
      { organization_id: 1, name: ' Agencija za zaštitu životne sredine ', short_name: 'SEPA' },
      { organization_id: 2, name: 'Bez stanica', short_name: 'BS', validated: true },
    ],
    components: [
      { component_id: 8, short_name: 'NO2', unit: 'ug.m-3', cas_number: '10102-44-0' },
      { component_id: 5, short_name: 'PM10', unit: ' ug.m-3', group: { qa_flag: 1, kind: 'PM' } },
      { component_id: 6, short_name: 'PM2.5', unit: 'ug.m-3', description: ' ' },
      { component_id: 9, short_name: 'PM10', unit: 'V', public: false },
    ],
    stations: [
      station(17, 'Užice Čajetina „Zlatibor"', 'RS1044A', { notes: '<b>&"\u2028', active: false }),
      station(11, 'Kikinda Centar', 'RS1002A', {
        city: 'Kikinda ',
        municipality: null,
        latitude: 45.821483,
        longitude: 20.454008,
        elevation_m: 78,
        component_ids: [6, 9, 5],
        owner: { exceedance: 2, name: 'Град' },
        network_code: 'somebody else’s',
      }),
      station(12, 'Нови Сад СПЕНС', 'RS1007A', { organization_id: 3, network_id: 2 }),
      station(13, 'Tajna', 'RS1999A', { public: false }),
      station(18, 'Bez vrednosti', 'RS1018A'),
    ],
    measurements: [
      row(11, 5, '2026-09-09T21', 12.34),
      row(11, 5, '2026-09-09T23', 0),
      row(11, 6, '2026-09-09T23', null),
      row(11, 6, '2026-09-09T22', 1e-7),
      row(11, 8, '2026-09-09T22', 41.5),
      row(11, 9, '2026-09-09T23', 1),
      row(13, 5, '2026-09-09T23', 2),
      row(12, 5, '2026-09-03T00', 0.1 + 0.2),
      row(12, 8, '2026-08-11T00', -273.15),
      row(12, 8, '2026-08-10T23', 1e21),
      row(17, 8, '2026-09-09T00', 123456789.125),
      row(17, 5, '2026-09-10T00', 99),
      row(17, 5, '2026-09-10T05', 99),
      ...[1, 7, 14, 30].flatMap((days) => {
        const edge = Date.parse('2026-09-10T00:00:00Z') - days * 86_400_000;
        return [edge - 3_600_000, edge, edge + 3_600_000].map((at) =>
          row(12, 6, new Date(at).toISOString().slice(0, 13), days + 0.125),
        );
      }),
      ...rowsOfDay(17, 6, '2026-09-10'),
      ...rowsOfDay(17, 6, '2026-09-11'),
      ...rowsOfDay(18, 5, '2026-09-09').map((one) => ({ ...one, value: null })),
      ...rowsOfDay(12, 9, '2026-09-09'),
    ],
    ...overrides,
  });
}

function station(id: number, name: string, code: string, more: PlainDocument = {}): PlainDocument {
  return {
    station_id: id,
    station_name: name,
    station_code: code,
    organization_id: 1,
    network_id: 1,
    ...more,
  };
}

/** A row of every hour. */
function rowsOfDay(stationId: number, componentId: number, day: string): PlainDocument[] {
  return Array.from({ length: 24 }, (_, hour) =>
    row(stationId, componentId, `${day}T${String(hour).padStart(2, '0')}`),
  );
}

/** @param at `YYYY-MM-DDTHH`. */
function row(
  stationId: number,
  componentId: number,
  at: string,
  value: number | null = 7.25,
): PlainDocument {
  const [date, hour] = at.split('T');
  return {
    station_id: stationId,
    component_id: componentId,
    date,
    time: `${String(hour)}:00`,
    value,
  };
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
      const isTurned = (first ?? '') > (second ?? '~') && first?.endsWith('1Z') !== true;
      const [from, to] = isTurned ? [second, first] : [first, second];
      const words = { from, to, station_id: stationId, parameter_code: parameterCode };
      const given = Object.entries(words).flatMap(([name, text]) =>
        text === undefined ? [] : [`${name}=${encodeURIComponent(text)}`],
      );
      return { query: `?${given.join('&')}`, asked: { from, to, stationId, parameterCode } };
    });
}

/** Around the edges of windows and of hours; every notation: `date-time.unit.ts`. */
function anyTime(generatedAtMs: number): fc.Arbitrary<string> {
  return fc
    .record({
      hours: fc.oneof(fc.integer({ min: -780, max: 60 }), fc.constantFrom(-720, -719, -1, 0)),
      milliseconds: fc.constantFrom(0, 0, 0, 1, HOUR_MS - 1, HOUR_MS / 2, 61_500),
      isWhole: fc.boolean(),
    })
    .map(({ hours, milliseconds, isWhole }) => {
      const base = isWhole ? Math.floor(generatedAtMs / HOUR_MS) * HOUR_MS : generatedAtMs;
      return new Date(base + hours * HOUR_MS + milliseconds).toISOString();
    });
}
