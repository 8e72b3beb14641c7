/** The high-value-dataset API beside observations and files: what each answers, and how it refuses. */
import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { BUILD_ID } from '../../../src/build-id.js';
import {
  Connection,
  fieldOf,
  keptConnection,
  type Answer,
} from '../../support/service/connection.js';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import { ExpectedHvd, listBody, textRecord } from '../../support/expected/expected-hvd.js';
import { scaled, seedOf } from '../../support/faults/chance.js';
import type { Service } from '../../support/service/service.js';
import { startServing } from '../../support/service/serve-documents.js';

type Plain = Readonly<Record<string, unknown>>;

const ID = '20260910T000000Z-test';
const BAD_BOX = '{"detail":"Invalid bbox format. Expected min_lon,min_lat,max_lon,max_lat."}';
const FORBIDDEN = ['validated', 'qa_flag', 'compliance', 'exceedance'];
const FILES = [
  ...['stations.csv', 'stations.geojson', 'parameters.csv', 'parameters.json'],
  'observations_hourly_preliminary_last30days.csv',
  ...['observations_hourly_preliminary_last30days.parquet', 'README.md', 'SHA256SUMS'],
];
/** Answers with absolute links. */
const LINKED = ['/api/v1/dcat', '/openapi.json'] as const;

void t.test('with a snapshot', async (t) => {
  const document = serbianDocument();
  const expected = new ExpectedHvd(document);
  const service = await startServing(t, document);
  const ask = asker(t, service);

  await t.test('describes the dataset', async (t) => {
    const answer = await ask('/api/v1/metadata');
    t.equal(fieldOf(answer, 'content-type'), 'application/json');
    t.strictSame(jsonOf(answer), {
      snapshot_schema_version: '1.2.0',
      hvd_schema_version: '1.0',
      schema_version: '1.0',
      dataset_version: '1.0',
      snapshot_id: ID,
      generated_at_utc: '2026-09-10T00:00:00Z',
      retention_days: 30,
      data_status: 'preliminary',
      aggregation_type: 'hourly_mean',
      averaging_period: '1h',
      supported_windows: ['1h', '1d', '7d', '14d', '30d'],
      counts: document['counts'],
      applicable_legislation: 'http://data.europa.eu/eli/reg_impl/2023/138/oj',
      license: {
        name: 'Otvoreni podaci po Zakonu o e-upravi (CC BY-equivalent)',
        url: '/legal/license',
      },
      links: {
        license: '/legal/license',
        terms: '/legal/terms',
        qos: '/legal/qos',
        contact: '/legal/contact',
        dataset: '/legal/dataset',
        docs: '/docs',
        redoc: '/redoc',
        openapi: '/openapi.json',
      },
    });
  });

  await t.test('lists stations and parameters with every field, null where unknown', async (t) => {
    const stations = await ask('/api/v1/stations');
    t.equal(stations.body.toString(), JSON.stringify(expected.stations()));
    t.equal(fieldOf(stations, 'x-record-count'), '7');
    const parameters = await ask('/api/v1/parameters');
    t.equal(parameters.body.toString(), JSON.stringify(expected.parameters()));
    t.same(
      expected.parameters().map(({ parameter_code: code }) => code),
      ['Ethyl benzene', 'PM10', 'SO2', 'Угљен'],
    );
  });

  await t.test('filters stations by any combination', async (t) => {
    await fc.assert(
      fc.asyncProperty(anyStationFilter(), async ({ query, passes }) => {
        const wanted = expected.stations().filter(passes);
        const answer = await ask(`/api/v1/stations?${query}`);
        assert.equal(answer.body.toString(), JSON.stringify(wanted), query);
        assert.equal(fieldOf(answer, 'x-record-count'), String(wanted.length));
      }),
      { numRuns: scaled(100), seed: seedOf(t) },
    );
  });

  await t.test('has places that are not known as null, and text as it is', async (t) => {
    const geo = jsonOf(await ask('/api/v1/bulk/stations.geojson'));
    t.match(geo, {
      bbox: [-1.5, -0.5, 1.9, 0.80318],
      features: [
        { geometry: { coordinates: [0.400152, 0.803179] } },
        ...[{}, { geometry: { coordinates: [0, 0] } }, {}],
        ...[{ geometry: null }, {}, { geometry: null }],
      ],
    });
    const csv = (await ask('/api/v1/bulk/stations.csv')).body;
    const records: unknown = parse(csv, { columns: true, record_delimiter: '\r\n' });
    t.same(records, expected.stations().map(textRecord));
  });

  await t.test('compares municipalities whole, whatever their case and outer blanks', async (t) => {
    const idsIn = async (municipality: string): Promise<readonly unknown[]> =>
      (jsonOf(await ask(`/api/v1/stations?municipality=${municipality}`)) as readonly Plain[]).map(
        (station) => station['station_id'],
      );
    t.same(await idsIn('BEOGRAD'), ['1', '5']);
    t.same(await idsIn('%20beograd%09'), ['1', '5']);
    t.same(await idsIn(encodeURIComponent('ниш')), ['2']);
    t.same(await idsIn(encodeURIComponent('čačak')), ['3']);
    t.same(await idsIn(encodeURIComponent('ČAČAK'.normalize('NFD'))), ['3']);
    t.same(await idsIn('Beo'), []);
    t.same(await idsIn('%25'), []);
    t.same(await idsIn('Niš'), [], 'another script is another name');
    t.equal((await idsIn('')).length, 7, 'blank is not supplied');
  });

  await t.test('refuses filters with the documented messages', async (t) => {
    const boxes = [
      ...[
        '1,2,3',
        '1,2,3,4,5',
        '1,2,3,x',
        '1,2,3,',
        ',,,',
        '1;2;3;4',
        'NaN,0,1,1',
        '0,0,Infinity,1',
      ],
      ...[
        '181,0,181,1',
        '-181,0,1,1',
        '0,-91,1,1',
        '0,0,1,90.0001',
        '2,0,1,1',
        '0,2,1,1',
        '0x1,0,2,2',
      ],
      ...['1e999,0,2,2', '%00', 'null', '1,2,3,4%00', '١,٢,٣,٤', '1 2,0,3,4'],
    ];
    for (const box of boxes) {
      const answer = await ask(`/api/v1/stations?bbox=${encodeURI(box)}`);
      t.equal(answer.status, 400, box);
      t.equal(answer.body.toString(), BAD_BOX, box);
    }
    const invalid = await ask('/api/v1/stations?active=maybe&station_type=Urban');
    t.equal(invalid.status, 422);
    t.strictSame(jsonOf(invalid), {
      detail: [
        {
          loc: ['query', 'active'],
          msg: 'Input should be a valid boolean, unable to interpret input',
          type: 'bool_parsing',
          input: 'maybe',
        },
        {
          loc: ['query', 'station_type'],
          msg: "Input should be 'traffic', 'urban', 'background', 'industrial', 'rural' or 'other'",
          type: 'enum',
          ctx: {
            expected: "'traffic', 'urban', 'background', 'industrial', 'rural' or 'other'",
          },
          input: 'Urban',
        },
      ],
    });
  });

  await t.test('has the newest value of every series that has one', async (t) => {
    const latest = '/api/v1/observations/latest';
    const all = expected.latest();
    t.same(
      all.records.map((record) => [
        record['station_id'],
        record['parameter_code'],
        record['value'],
      ]),
      [
        ['1', 'Ethyl benzene', 21.5],
        ['1', 'SO2', 4],
        ['2', 'SO2', -0.5],
      ],
    );
    for (const [query, asked] of [
      ['', {}],
      ['?station_id=1', { stationId: '1' }],
      ['?parameter_code=SO2', { parameterCode: 'SO2' }],
      [
        '?parameter_code=Ethyl+benzene&station_id=2',
        { stationId: '2', parameterCode: 'Ethyl benzene' },
      ],
      ['?station_id=9', { stationId: '9' }],
      ['?station_id=&parameter_code=', {}],
    ] as const) {
      const wanted = expected.latest(asked);
      const answer = await ask(latest + query);
      t.equal(answer.body.toString(), listBody(wanted), query);
      t.equal(fieldOf(answer, 'x-record-count'), String(wanted.records.length));
      t.equal(fieldOf(answer, 'etag'), `W/"${ID}-${BUILD_ID}"`);
    }
  });

  await t.test('has a dictionary in three languages that fits the records', async (t) => {
    const texts = new Set<string>();
    for (const language of ['sr-Latn', 'sr-Cyrl', 'en']) {
      const answer = await ask(`/api/v1/data-dictionary?language=${language}`);
      texts.add(answer.body.toString());
      const { components, ...rest } = jsonOf(answer) as { readonly components: readonly Plain[] };
      t.match(rest, {
        language,
        supported_languages: ['sr-Latn', 'sr-Cyrl', 'en'],
        standard_reference: /./,
        forbidden_fields: FORBIDDEN,
      });
      const fields = Object.fromEntries(
        components.map((component) => [
          String(component['name']),
          (component['fields'] as readonly Plain[]).map((field) => field['name']),
        ]),
      );
      t.same(fields, {
        stations: Object.keys(expected.stations()[0] ?? {}),
        parameters: Object.keys(expected.parameters()[0] ?? {}),
        observations: Object.keys(expected.observations().records[0] ?? {}),
      });
      const known = { 'If-None-Match': fieldOf(answer, 'etag') ?? '' };
      const again = await ask(`/api/v1/data-dictionary?language=${language}`, { fields: known });
      t.equal(again.status, 304);
    }
    t.equal(texts.size, 3);
    const unnamed = await ask('/api/v1/data-dictionary');
    t.match(jsonOf(unnamed), { language: 'sr-Latn' });
    t.match(jsonOf(await ask('/api/v1/data-dictionary?language=')), { language: 'sr-Latn' });
    const refused = await ask('/api/v1/data-dictionary?language=sr');
    t.equal(refused.status, 422);
    t.match(jsonOf(refused), {
      detail: [{ loc: ['query', 'language'], type: 'enum', input: 'sr' }],
    });
  });

  await t.test('redirects the well-known path to the catalogue, for good', async (t) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask('/.well-known/dcat-catalog.jsonld', { method });
      t.equal(answer.status, 308);
      t.equal(fieldOf(answer, 'location'), '/api/v1/dcat');
      t.equal(answer.body.length, 0);
    }
  });

  await t.test('has links in the catalogue that begin as the client came', async (t) => {
    const hosts = [
      ['example.org', 'http://example.org'],
      ['EXAMPLE.org:8080', 'http://example.org:8080'],
      ['127.0.0.1', 'http://127.0.0.1'],
      ['[::1]:80', 'http://[::1]:80'],
      ['bura_api', 'http://bura_api'],
    ] as const;
    for (const [Host, base] of hosts) {
      const fields = { Host, 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' };
      const answer = await ask('/api/v1/dcat', { fields });
      t.equal(fieldOf(answer, 'content-type'), 'application/ld+json');
      t.equal(fieldOf(answer, 'x-record-count'), undefined, 'it is no list');
      t.same(foreignLinks(answer, base), [], Host);
    }
    for (const Host of [
      'a b',
      'a/b',
      'a,b',
      'a@b',
      '[::1',
      '[:::]',
      'a:99999',
      'a:',
      'é',
      '.',
      '"',
    ]) {
      // A malformed request is answered, and its connection closed.
      const connection = await Connection.open(service.port);
      const answer = await connection.ask({ target: '/api/v1/dcat', fields: { Host } });
      connection.close();
      t.equal(answer.status, 400, Host);
      t.equal(answer.body.toString(), '{"detail":"Bad Request"}');
    }
  });

  await t.test('names no forbidden field anywhere', async (t) => {
    const paths = [
      ...['metadata', 'stations', 'parameters', 'observations', 'observations/stream', 'bulk'],
      ...['observations/latest', 'dcat', ...FILES.map((name) => `bulk/${name}`)],
    ].map((path) => `/api/v1/${path}`);
    for (const path of [...paths, '/meta', '/stations', '/components', '/1/stations/1/meta']) {
      const answer = await ask(path);
      t.equal(answer.status, 200, path);
      t.notMatch(answer.body.toString('latin1'), new RegExp(FORBIDDEN.join('|')), path);
    }
    const dictionary = jsonOf(await ask('/api/v1/data-dictionary')) as Plain;
    const { forbidden_fields: named, ...rest } = dictionary;
    t.same(named, FORBIDDEN);
    t.notMatch(JSON.stringify(rest), new RegExp(`"(?:${FORBIDDEN.join('|')})"`));
  });

  await t.test('gives whoever came by another host neither its links nor a 304', async (t) => {
    const date = fieldOf(await ask('/meta'), 'last-modified') ?? '';
    for (const target of LINKED) {
      const tags = new Map<string, string>();
      for (const Host of ['a.example', 'b.example', 'a.example:8080']) {
        const fields = { Host };
        const whole = await ask(target, { fields });
        t.equal(fieldOf(whole, 'vary'), 'Accept-Encoding, Host', target);
        t.equal(fieldOf(whole, 'last-modified'), undefined, 'no date tells one host from another');
        t.equal(whole.body.includes(`"http://${Host}/`), true, target);
        tags.set(Host, fieldOf(whole, 'etag') ?? '');
        const since = { ...fields, 'If-Modified-Since': date };
        t.equal((await ask(target, { fields: since })).status, 200, target);
      }
      t.equal(new Set(tags.values()).size, 3, 'a tag for each base URL');
      for (const [of, tag] of tags) {
        for (const Host of tags.keys()) {
          const answer = await ask(target, { fields: { Host, 'If-None-Match': tag } });
          t.equal(answer.status, of === Host ? 304 : 200, `${target} of ${of} for ${Host}`);
          t.equal(fieldOf(answer, 'vary'), 'Accept-Encoding, Host', `${answer.status}`);
        }
      }
    }
  });
});

void t.test('takes what a proxy says for true where it is told to', async (t) => {
  const service = await startServing(t, snapshotDocument(), { env: { TRUST_PROXY: '1' } });
  const ask = asker(t, service);
  const cases = [
    [{}, 'http://localhost'],
    [{ 'X-Forwarded-Host': 'vazduh.example' }, 'http://vazduh.example'],
    [
      { 'X-Forwarded-Host': 'evil.example, vazduh.example', 'X-Forwarded-Proto': 'http, https' },
      'https://vazduh.example',
    ],
    [{ 'X-Forwarded-Proto': 'gopher' }, 'http://localhost'],
  ] as const;
  for (const [fields, base] of cases) {
    t.same(foreignLinks(await ask('/api/v1/dcat', { fields }), base), [], JSON.stringify(fields));
  }
  const bad = await ask('/api/v1/dcat', { fields: { 'X-Forwarded-Host': 'a"b' } });
  t.equal(bad.status, 400);

  for (const target of LINKED) {
    const answer = await ask(target);
    t.equal(
      fieldOf(answer, 'vary'),
      'Accept-Encoding, Host, X-Forwarded-Host, X-Forwarded-Proto',
      target,
    );
    const tag = fieldOf(answer, 'etag') ?? '';
    const https = { 'X-Forwarded-Proto': 'https', 'If-None-Match': tag };
    t.equal((await ask(target, { fields: https })).status, 200, target);
  }
});

void t.test('goes by the base URL that the operator states', async (t) => {
  const service = await startServing(t, snapshotDocument(), {
    env: { PUBLIC_BASE_URL: 'https://vazduh.example/podaci/', TRUST_PROXY: '1' },
  });
  const ask = asker(t, service);
  const fields = { Host: 'a"b', 'X-Forwarded-Host': 'evil.example' };
  const answer = await ask('/api/v1/dcat', { fields });
  t.same(foreignLinks(answer, 'https://vazduh.example/podaci'), []);
  t.equal(fieldOf(answer, 'vary'), 'Accept-Encoding');
  const same = await ask('/api/v1/dcat', {
    fields: { 'If-None-Match': fieldOf(answer, 'etag') ?? '' },
  });
  t.equal(same.status, 304, 'whatever the host');
});

type Ask = (
  target: string,
  request?: { readonly method?: string; readonly fields?: Readonly<Record<string, string>> },
) => Promise<Answer>;

function asker(t: Test, { port }: Service): Ask {
  const connection = keptConnection(t, port);
  return async (target, request = {}) => await connection.ask({ target, ...request });
}

function jsonOf({ body }: Answer): unknown {
  return JSON.parse(body.toString());
}

/** IRIs of the catalogue's own resources that do not begin with the base URL, and whatever else is wrong with it. */
function foreignLinks(answer: Answer, base: string): readonly unknown[] {
  if (answer.status !== 200) return [answer.status];
  const { '@graph': graph } = jsonOf(answer) as { readonly '@graph': readonly Plain[] };
  if (graph.length !== 16) return [`${graph.length} nodes`];
  const ids = graph.map((node) => String(node['@id']));
  const links = [...answer.body.toString().matchAll(/"(https?:[^"]*\/api\/v1[^"]*)"/g)];
  if (links.length < 20) return [`${links.length} links`];
  return [...ids, ...links.map(([, link]) => String(link))].filter(
    (iri) => !iri.startsWith(`${base}/`),
  );
}

interface StationFilter {
  readonly query: string;
  readonly passes: (station: Plain) => boolean;
}

/** Values that fit some stations, edges of boxes among them. */
function anyStationFilter(): fc.Arbitrary<StationFilter> {
  const degrees = (...edges: number[]): fc.Arbitrary<number> => fc.constantFrom(...edges);
  const box = fc
    .tuple(
      degrees(-180, -1.5, 0.1, 0.400152, 0.400153, 1.9),
      degrees(-90, -0.5, 0.32, 0.803179, 0.80318),
      degrees(180, 1.9, 0.400152, 0.4, -1.5),
      degrees(90, 0.803179, 0.32, 0.3, -0.5),
    )
    .filter(([west, south, east, north]) => west <= east && south <= north);
  return fc
    .record(
      {
        active: fc.constantFrom('true', 'TRUE', '1', 'false', 'False', '0'),
        municipality: fc.constantFrom('Beograd', 'bEOGRAD ', 'НИШ', 'čačak', 'Niš', 'Novi Sad'),
        station_type: fc.constantFrom('traffic', 'urban', 'background', 'industrial', 'other'),
        bbox: box,
      },
      { requiredKeys: [] },
    )
    .map((filter) => {
      const { active, municipality, station_type: type, bbox } = filter;
      const query = new URLSearchParams(
        Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
      );
      const passes = (station: Plain): boolean =>
        (active === undefined || station['active'] === /^(?:true|1)$/i.test(active)) &&
        (municipality === undefined ||
          String(station['municipality']).toLowerCase() === municipality.trim().toLowerCase()) &&
        (type === undefined || station['station_type'] === type) &&
        (bbox === undefined || isInside(station, bbox));
      return { query: query.toString(), passes };
    });
}

function isInside(
  { longitude, latitude }: Plain,
  [west, south, east, north]: readonly [number, number, number, number],
): boolean {
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return false;
  return west <= longitude && longitude <= east && south <= latitude && latitude <= north;
}

/** Stations that differ in what they are filtered by; forbidden names wherever a document may have names of its own. */
function serbianDocument(): PlainDocument {
  const forbidden = { validated: true, qa_flag: 'V', compliance: 'yes', exceedance: 3 };
  const plain = snapshotDocument();
  // Where zero is, and close together: a map of half the Earth takes seconds.
  const places: Readonly<Record<number, PlainDocument>> = {
    1: { latitude: 0.803179, longitude: 0.400152 },
    2: { latitude: 0.32, longitude: 1.9, municipality: 'Ниш' },
  };
  const more = (list: unknown): PlainDocument[] =>
    (list as readonly PlainDocument[]).map((one) => ({ ...one, ...forbidden, extra: [forbidden] }));
  const station = (id: number, members: PlainDocument): PlainDocument => ({
    station_id: id,
    station_name: `Stanica ${id}`,
    station_code: `RS${id}`,
    organization_id: 1,
    network_id: 2,
    ...forbidden,
    ...members,
  });
  return snapshotDocument({
    organizations: more(plain['organizations']),
    networks: more(plain['networks']),
    components: [
      ...more(plain['components']),
      { component_id: 20, short_name: ' Угљен ', unit: ' mg.m-3 ', description: ' Гас ' },
      { component_id: 21, short_name: 'PM10', unit: 'ug.m-3', ...forbidden },
    ],
    stations: [
      ...more(plain['stations']).map((one) => ({ ...one, ...places[Number(one['station_id'])] })),
      station(3, { municipality: 'Čačak', station_type: 'traffic', latitude: 0, longitude: 0 }),
      station(4, { station_type: 'urban', latitude: 0.80318, longitude: 0.4, active: false }),
      station(5, {
        municipality: ' BEOGRAD',
        station_type: 'industrial',
        notes: ' ',
        address: 'Trg 1',
      }),
      station(6, { latitude: -0.5, longitude: -1.5, elevation_m: -1.25, end_date: '2026-01-01' }),
    ],
    measurements: [
      ...(plain['measurements'] as readonly PlainDocument[]),
      { station_id: 1, component_id: 1, date: '2026-08-30', time: '05:00', value: 4, ...forbidden },
      { station_id: 3, component_id: 1, date: '2026-08-30', time: '05:00', value: null },
      { station_id: 3, component_id: 1, date: '2026-08-30', time: '06:00', value: null },
      { station_id: 4, component_id: 1, date: '2026-08-10', time: '23:00', value: 1 },
      { station_id: 4, component_id: 1, date: '2026-09-10', time: '00:00', value: 1 },
    ],
  });
}
