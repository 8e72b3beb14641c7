/** The high-value-dataset API except observations and files: answers and refusals. */
import { parse } from 'csv-parse/sync';
import t from 'tap';
import { BUILD_ID } from '../../../src/build-id.js';
import { asker, fieldOf, jsonOf } from '../../support/service/connection.js';
import { ODD_CODES, variedDocument } from '../../support/documents/varied-document.js';
import { ExpectedHvd, listBody, textRecord } from '../../support/expected/expected-hvd.js';
import { casesOf } from '../../support/readers/cases.js';
import { sharedService } from '../../support/service/shared-service.js';

type Plain = Readonly<Record<string, unknown>>;

const ID = '20260910T000000Z-test';
const BAD_BOX = '{"detail":"Invalid bbox format. Expected min_lon,min_lat,max_lon,max_lat."}';
const FORBIDDEN = ['validated', 'qa_flag', 'compliance', 'exceedance'];
const FILES = [
  'stations.csv',
  'stations.geojson',
  'parameters.csv',
  'parameters.json',
  'observations_hourly_preliminary_last30days.csv',
  'observations_hourly_preliminary_last30days.parquet',
  'README.md',
  'SHA256SUMS',
];
void t.test('the high-value-dataset API', async (t) => {
  const document = variedDocument();
  const expected = new ExpectedHvd(document);
  const ask = asker(t, await sharedService());

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
      archive: {
        description:
          'Hourly and daily values beyond the retention window, as Parquet, as views for DuckDB and as CSV; 404 where the operator keeps no archive.',
        index: '/api/v1/archive',
        sql: '/api/v1/archive.sql',
        daily_csv: '/api/v1/archive/daily.csv',
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
      ['Ethyl benzene', 'SO2', 'Угљен', ...ODD_CODES].toSorted(),
    );
  });

  await t.test('has places that are not known as null, and text as it is', async (t) => {
    const geo = jsonOf(await ask('/api/v1/bulk/stations.geojson'));
    t.match(geo, {
      bbox: [-1.5, -0.5, 1.9, 0.80318],
      features: [
        { geometry: { coordinates: [0.400152, 0.803179] } },
        {},
        { geometry: { coordinates: [0, 0] } },
        {},
        { geometry: null },
        {},
        { geometry: null },
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
    for (const box of casesOf('refused', 'boxes')) {
      const answer = await ask(`/api/v1/stations?bbox=${encodeURI(box)}`);
      t.equal(answer.status, 400, box);
      t.equal(answer.body.toString(), BAD_BOX, box);
    }
    for (const path of ['observations', 'observations/stream', 'observations.csv']) {
      for (const [query, status] of [
        ['active=maybe', 422],
        ['station_type=lake', 422],
        ['bbox=1,2,3', 400],
      ] as const) {
        t.equal((await ask(`/api/v1/${path}?${query}`)).status, status, `${path} ${query}`);
      }
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
      all.records
        .filter((record) => record['station_id'] !== '6')
        .map((record) => [record['station_id'], record['parameter_code'], record['value']]),
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
    const namesOf = (list: unknown): readonly unknown[] =>
      (list as readonly Plain[]).map((one) => one['name']);
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
      t.same(
        components.map(({ name, fields }) => [name, namesOf(fields)]),
        [
          ['stations', Object.keys(expected.stations()[0] ?? {})],
          ['parameters', Object.keys(expected.parameters()[0] ?? {})],
          ['observations', Object.keys(expected.observations().records[0] ?? {})],
        ],
      );
    }
    t.equal(texts.size, 3);
    for (const query of ['', '?language=']) {
      t.match(jsonOf(await ask(`/api/v1/data-dictionary${query}`)), { language: 'sr-Latn' });
    }
    t.equal((await ask('/api/v1/data-dictionary?language=sr')).status, 422);
  });

  await t.test('redirects the well-known path to the catalogue, for good', async (t) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask('/.well-known/dcat-catalog.jsonld', {}, method);
      t.equal(answer.status, 308);
      t.equal(fieldOf(answer, 'location'), '/api/v1/dcat');
      t.equal(answer.body.length, 0);
    }
  });

  await t.test('names no forbidden field anywhere', async (t) => {
    const paths = [
      'metadata',
      'stations',
      'parameters',
      'observations',
      'observations/stream',
      'bulk',
      'observations/latest',
      'dcat',
      ...FILES.map((name) => `bulk/${name}`),
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
});
