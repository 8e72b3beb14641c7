/** Any document: both APIs give what was worked out from it without the service's code. */
import fc from 'fast-check';
import t from 'tap';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import { anyDocument } from '../../support/documents/random-documents.js';
import { allTargets, expectedAnswers } from '../../support/expected/expected-answers.js';
import { ExpectedHvd, type Asked } from '../../support/expected/expected-hvd.js';
import { wrongAnswers } from '../../support/expected/json-answers.js';
import { assertSame } from '../../support/expected/observation-answers.js';
import { scaled, seedOf } from '../../support/faults/chance.js';
import { Connection } from '../../support/service/connection.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';

const HOUR_MS = 3_600_000;

/** Each is imported, which takes the time. */
const DOCUMENTS = 4;

void t.test('of any document, in any window and notation', async (t) => {
  const service = await startServing(t, snapshotDocument());
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
      const connection = await Connection.open(service.port);
      try {
        for (const request of requests) {
          await assertSame(connection, expected, request);
          asked.records += expected.observations(request.asked).records.length;
        }
      } finally {
        connection.close();
      }
    }),
    { numRuns: scaled(DOCUMENTS), seed: seedOf(t), endOnFailure: true },
  );
  t.ok(asked.found > 20 && asked.targets > asked.found, JSON.stringify(asked));
  t.ok(asked.records > 100, JSON.stringify(asked));
});

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
