/** Random valid snapshot documents, small and odd: for properties that must hold of any. */
import fc from 'fast-check';
import type { PlainDocument } from './documents.js';

const HOUR_MS = 3_600_000;

const GENERATED_AT_MS = Date.parse('2026-03-29T00:00:00Z');

const id = fc.oneof(
  fc.integer({ min: 0, max: 20 }),
  fc.maxSafeInteger().map((one) => Math.abs(one)),
);

const name = fc.oneof(
  fc.constantFrom(
    'Novi Sad Liman',
    'Ниш О.Ш. Свети Сава',
    ' Beočin Centar ',
    'Đ"\\/<>',
    '',
    '=1+1',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);

const additional = fc.dictionary(
  fc.constantFrom('note', 'validated', 'qa_flag', 'phone', 'x y', 'Ћ'),
  fc.jsonValue({ maxDepth: 1, stringUnit: 'grapheme' }).map((value): unknown => value),
  { maxKeys: 3 },
);

/** A member that is absent, null or there. */
function optional<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> {
  return fc.option(fc.option(value, { nil: undefined }), { nil: null });
}

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -50, max: 500, noNaN: true }),
  fc.integer({ min: -10, max: 400 }),
);

interface Ids {
  readonly organizations: readonly number[];
  readonly networks: readonly number[];
  readonly components: readonly number[];
  readonly stations: readonly number[];
}

/** One to three organizations, up to five stations and four components, rows around all edges of all windows. */
export function anyDocument(): fc.Arbitrary<PlainDocument> {
  const ids = (maxLength: number): fc.Arbitrary<number[]> =>
    fc.uniqueArray(id, { minLength: 1, maxLength, size: 'max' });
  return fc
    .record({ organizations: ids(3), networks: ids(2), components: ids(4), stations: ids(5) })
    .chain((drawn) => documentOf(drawn));
}

function documentOf(ids: Ids): fc.Arbitrary<PlainDocument> {
  return fc
    .record({
      schema_version: fc.constant('1.2.0'),
      snapshot_id: fc.constant('drawn'),
      generated_at: fc
        .oneof(fc.constant(0), fc.integer({ min: 0, max: HOUR_MS - 1 }))
        .map((late) => new Date(GENERATED_AT_MS + late).toISOString()),
      supported_windows: fc.shuffledSubarray(['1h', '1d', '7d', '14d', '30d'], { minLength: 1 }),
      organizations: eachOf(ids.organizations, (one) =>
        withMore({ organization_id: fc.constant(one), name, short_name: name }),
      ),
      networks: eachOf(ids.networks, (one) =>
        withMore({ network_id: fc.constant(one), network_code: name, name, short_name: name }),
      ),
      components: eachOf(ids.components, (one) =>
        withMore({
          component_id: fc.constant(one),
          short_name: fc.constantFrom(`PM${one}`, ` K ${one} `, `Угљен ${one}`),
          unit: fc.constantFrom('ug.m-3', 'mg.m-3 ', '°C', ''),
          public: optional(fc.boolean()),
          cas_number: optional(name),
          description: optional(name),
        }),
      ),
      stations: eachOf(ids.stations, (one) => stationOf(one, ids)),
      measurements: fc.uniqueArray(rowOf(ids), {
        minLength: 10,
        maxLength: 150,
        size: 'max',
        selector: (row) =>
          [row['station_id'], row['component_id'], row['date'], row['time']].join(),
      }),
    })
    .map((document) => ({ ...document, counts: countsOf(document) }));
}

function stationOf(stationId: number, ids: Ids): fc.Arbitrary<PlainDocument> {
  // Close together: a map of half the Earth takes seconds.
  const degrees = fc.double({ min: -1, max: 1, noNaN: true });
  const place = fc.record({ latitude: degrees, longitude: degrees });
  const rest = withMore({
    station_id: fc.constant(stationId),
    station_name: name,
    station_code: name,
    organization_id: fc.constantFrom(...ids.organizations),
    network_id: fc.constantFrom(...ids.networks),
    city: optional(name),
    municipality: optional(name),
    station_type: optional(fc.constantFrom('traffic', 'urban', 'rural')),
    elevation_m: optional(number),
    start_date: optional(fc.constantFrom('2008-02-29', '1999-12-31')),
    notes: optional(name),
    active: optional(fc.boolean()),
    public: optional(fc.boolean()),
    component_ids: optional(fc.subarray([...ids.components])),
  });
  return fc.tuple(rest, fc.option(place)).map(([station, at]) => ({ ...station, ...at }));
}

function rowOf(ids: Ids): fc.Arbitrary<PlainDocument> {
  const edges = [0, 1, 7, 14, 30].flatMap((days) => [days * 24 - 1, days * 24, days * 24 + 1]);
  const hoursBefore = fc.oneof(
    fc.integer({ min: -30, max: 30 }),
    fc.integer({ min: -30, max: 760 }),
    fc.constantFrom(...edges),
  );
  return fc
    .record({
      station_id: fc.constantFrom(...ids.stations),
      component_id: fc.constantFrom(...ids.components),
      hoursBefore,
      value: fc.option(number, { freq: 4 }),
    })
    .map(({ hoursBefore: hours, ...row }) => {
      const at = new Date(GENERATED_AT_MS - hours * HOUR_MS).toISOString();
      return { ...row, date: at.slice(0, 10), time: at.slice(11, 16) };
    });
}

function eachOf(
  ids: readonly number[],
  draw: (id: number) => fc.Arbitrary<PlainDocument>,
): fc.Arbitrary<PlainDocument[]> {
  return fc.tuple(...ids.map((one) => draw(one)));
}

/** Members that no one knows come first, so that they win over none of the documented ones. */
function withMore(
  members: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<PlainDocument> {
  return fc.tuple(additional, fc.record(members)).map(([more, known]) => ({ ...more, ...known }));
}

function countsOf(document: PlainDocument): PlainDocument {
  const length = (list: string): number => (document[list] as readonly unknown[]).length;
  return {
    organizations: length('organizations'),
    networks: length('networks'),
    stations: length('stations'),
    components: length('components'),
    measurement_rows: length('measurements'),
  };
}
