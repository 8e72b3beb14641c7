/** Every body of the JSON API, against answers worked out from the document without the service's code. */
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import { askAll, fieldOf, type Connection } from '../../support/service/connection.js';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import { allTargets, expectedAnswers } from '../../support/expected/expected-answers.js';
import { anyDocument } from '../../support/documents/random-documents.js';
import type { Service } from '../../support/service/service.js';
import { publishAndServe, startServing } from '../../support/service/serve-documents.js';

const NO_DATA = '{"detail":"No public data found for the requested resource."}';
const BAD_REQUEST = '{"detail":"Invalid request parameters."}';

void t.test(
  'answers every endpoint for what the document holds, and 404 for the rest',
  async (t) => {
    const service = await startServing(t, snapshotDocument({ snapshot_id: 'before' }));
    for (const [name, document] of Object.entries(documents())) {
      await publishAndServe(service, document);
      t.equal(await wrongAnswers(service, document), '', name);
    }
  },
);

void t.test('knows no window that the snapshot does not support', async (t) => {
  const document = snapshotDocument({ supported_windows: ['7d', '1h'] });
  const service = await startServing(t, document);
  const expected = expectedAnswers(document);
  const windows = [...expected.keys()].flatMap((target) => /window=(.*)$/.exec(target)?.[1] ?? []);
  t.same(new Set(windows), new Set(['1h', '7d']));
  t.equal(await wrongAnswers(service, document), '');
});

void t.test('answers for any document', async (t) => {
  const service = await startServing(t, snapshotDocument());
  let count = 0;
  const asked = { targets: 0, found: 0 };
  await fc.assert(
    fc.asyncProperty(anyDocument(), async (drawn) => {
      count += 1;
      const document = { ...drawn, snapshot_id: `drawn-${count}` };
      await publishAndServe(service, document);
      const wrong = await wrongAnswers(service, document);
      if (wrong !== '') throw new Error(wrong);
      asked.targets += allTargets(document).length;
      asked.found += expectedAnswers(document).size;
    }),
    { numRuns: 8, endOnFailure: true },
  );
  t.ok(asked.found > 40 && asked.targets > asked.found, JSON.stringify(asked));
});

/** Asks for every target of the document's ids, and says in what the answers differ from the expected ones. */
async function wrongAnswers(service: Service, document: PlainDocument): Promise<string> {
  const expected = expectedAnswers(document);
  const targets = new Set([...allTargets(document), ...expected.keys()]);
  const wrong: string[] = [];
  await askAll(service.port, [...targets], {
    connections: 4,
    take: async (connection, target) => {
      const problem = await difference(connection, { target, expected, document });
      if (problem !== undefined) wrong.push(`${target}: ${problem}`);
    },
  });
  return wrong.slice(0, 5).join('\n');
}

async function difference(
  connection: Connection,
  of: {
    readonly target: string;
    readonly expected: ReadonlyMap<string, unknown>;
    readonly document: PlainDocument;
  },
): Promise<string | undefined> {
  const { target, expected, document } = of;
  const answer = await connection.ask({ target });
  const text = answer.body.toString('utf8');
  if (!expected.has(target)) {
    const [status, body] = isUnsupported(target, document) ? [400, BAD_REQUEST] : [404, NO_DATA];
    return answer.status === status && text === body ? undefined : `${answer.status} ${text}`;
  }
  if (answer.status !== 200) return `${answer.status} ${text}`;
  if (fieldOf(answer, 'x-snapshot-id') !== document['snapshot_id']) return 'another snapshot';
  const wanted = JSON.stringify(sorted(expected.get(target)));
  if (JSON.stringify(sorted(JSON.parse(text))) !== wanted) return `${text} instead of ${wanted}`;
  const compressed = await connection.ask({ target, fields: { 'Accept-Encoding': 'gzip' } });
  const isCompressed = fieldOf(compressed, 'content-encoding') === 'gzip';
  const same = isCompressed ? gunzipSync(compressed.body) : compressed.body;
  return same.equals(answer.body) ? undefined : 'gzip holds something else';
}

function isUnsupported(target: string, document: PlainDocument): boolean {
  const window = /window=(.*)$/.exec(target)?.[1];
  return (
    window !== undefined && !(document['supported_windows'] as readonly unknown[]).includes(window)
  );
}

/** With members in the order of their names: order means nothing in an object, and all in a list. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]): [string, unknown] => [name, sorted(member)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function documents(): Readonly<Record<string, PlainDocument>> {
  const rowsOfDay = (day: string): PlainDocument[] =>
    Array.from({ length: 24 }, (_, hour) => row(11, 5, `${day}T${String(hour).padStart(2, '0')}`));
  return {
    'a small document': snapshotDocument(),
    'a Serbian network': serbian({}),
    'generated within an hour': serbian({
      snapshot_id: 'within-an-hour',
      generated_at: '2026-09-09T23:30:15.750Z',
    }),
    'rows at the edges of every window': serbian({
      snapshot_id: 'edges',
      measurements: [1, 7, 14, 30].flatMap((days) => {
        const edge = Date.parse('2026-09-10T00:00:00Z') - days * 86_400_000;
        return [edge - 3_600_000, edge, edge + 3_600_000].map((at) =>
          row(11, 5, new Date(at).toISOString().slice(0, 13), days + 0.125),
        );
      }),
    }),
    'rows at and after generated_at': serbian({
      snapshot_id: 'after',
      measurements: [...rowsOfDay('2026-09-10'), ...rowsOfDay('2026-09-11')],
    }),
    'only rows that are null': serbian({
      snapshot_id: 'null',
      measurements: rowsOfDay('2026-09-09').map((one) => ({ ...one, value: null })),
    }),
    'no rows at all': serbian({ snapshot_id: 'empty', measurements: [] }),
    'nothing public': serbian({
      snapshot_id: 'hidden',
      stations: [{ ...station(11, 'Kikinda Centar', 'RS1002A'), public: false }],
      measurements: rowsOfDay('2026-09-09'),
    }),
  };
}

/** Stations and codes of the Serbian network, with gaps, nulls and what must not be seen. */
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
