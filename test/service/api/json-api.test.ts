/** Every body of the JSON API, and observations, against answers worked out from the document without the service's code. */
import fc from 'fast-check';
import t from 'tap';
import {
  objectsOf,
  snapshotDocument,
  type PlainDocument,
} from '../../support/documents/documents.js';
import { anyDocument } from '../../support/documents/random-documents.js';
import { variedDocument } from '../../support/documents/varied-document.js';
import { allTargets, expectedAnswers } from '../../support/expected/expected-answers.js';
import { ExpectedHvd, type Asked } from '../../support/expected/expected-hvd.js';
import { wrongAnswers } from '../../support/expected/json-answers.js';
import { assertSame } from '../../support/expected/observation-answers.js';
import { atLeast, seedOf } from '../../support/faults/chance.js';
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
    { numRuns: atLeast(DOCUMENTS), seed: seedOf(t), endOnFailure: true },
  );
  t.ok(asked.found > 20 && asked.targets > asked.found, JSON.stringify(asked));
  t.ok(asked.records > 100, JSON.stringify(asked));
});

function documents(): Readonly<Record<string, PlainDocument>> {
  const hidden = objectsOf(snapshotDocument(), 'stations').map((one) => ({
    ...one,
    public: false,
  }));
  return {
    'a Serbian network': variedDocument({ snapshot_id: 'serbia' }),
    'generated within an hour': variedDocument({
      snapshot_id: 'within-an-hour',
      generated_at: '2026-09-09T23:30:15.750Z',
    }),
    'no rows at all': variedDocument({ snapshot_id: 'empty', measurements: [] }),
    'nothing public': snapshotDocument({ snapshot_id: 'hidden', stations: hidden }),
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
