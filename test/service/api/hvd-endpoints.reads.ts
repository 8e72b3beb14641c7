/** The high-value-dataset API except observations and files: the descriptor, the dictionary, filters, refusals. */
import t from 'tap';
import { asker, fieldOf, jsonOf } from '../../support/service/connection.js';
import { variedDocument } from '../../support/documents/varied-document.js';
import { casesOf } from '../../support/readers/cases.js';
import { sharedService } from '../../support/service/shared-service.js';

type Plain = Readonly<Record<string, unknown>>;

const BAD_BOX = '{"detail":"Invalid bbox format. Expected min_lon,min_lat,max_lon,max_lat."}';
const FORBIDDEN = ['validated', 'qa_flag', 'compliance', 'exceedance'];
const TYPES = "'traffic', 'urban', 'background', 'industrial', 'rural' or 'other'";

void t.test('the high-value-dataset API', async (t) => {
  const ask = asker(t, await sharedService());
  const listOf = async (path: string): Promise<readonly Plain[]> =>
    jsonOf(await ask(`/api/v1/${path}`)) as readonly Plain[];

  await t.test('describes the dataset', async (t) => {
    t.strictSame(jsonOf(await ask('/api/v1/metadata')), {
      snapshot_schema_version: '1.2.0',
      hvd_schema_version: '1.0',
      schema_version: '1.0',
      dataset_version: '1.0',
      snapshot_id: '20260910T000000Z-test',
      generated_at_utc: '2026-09-10T00:00:00Z',
      retention_days: 30,
      data_status: 'preliminary',
      aggregation_type: 'hourly_mean',
      averaging_period: '1h',
      supported_windows: ['1h', '1d', '7d', '14d', '30d'],
      counts: variedDocument()['counts'],
      applicable_legislation: 'http://data.europa.eu/eli/reg_impl/2023/138/oj',
      license: {
        name: 'Otvoreni podaci po Zakonu o e-upravi (CC BY-equivalent)',
        url: '/legal/license',
      },
      links: {
        ...Object.fromEntries(
          ['license', 'terms', 'qos', 'contact', 'dataset'].map((name) => [name, `/legal/${name}`]),
        ),
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

  await t.test('compares municipalities whole', async (t) => {
    for (const [municipality, ids] of [
      ['%20beograd%09', ['1', '5']],
      [encodeURIComponent('ČAČAK'.normalize('NFD')), ['3']],
      ['Beo', []],
      ['%25', []],
      // Another script is another name.
      [encodeURIComponent('Niš'), []],
      ['', ['1', '2', '3', '4', '5', '6', '7']],
    ] as const) {
      const stations = await listOf(`stations?municipality=${municipality}`);
      t.same(
        stations.map((station) => station['station_id']),
        ids,
        municipality,
      );
    }
  });

  await t.test('refuses filters with the documented messages', async (t) => {
    for (const box of casesOf('refused', 'boxes')) {
      const answer = await ask(`/api/v1/stations?bbox=${encodeURI(box)}`);
      t.strictSame([answer.status, answer.body.toString()], [400, BAD_BOX], box);
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
          msg: `Input should be ${TYPES}`,
          type: 'enum',
          ctx: { expected: TYPES },
          input: 'Urban',
        },
      ],
    });
  });

  await t.test('has a dictionary in three languages that fits the records', async (t) => {
    const namesOf = (list: unknown) => (list as readonly Plain[]).map((one) => one['name']);
    const fieldsOf = ([first = {}]: readonly Plain[]) => Object.keys(first);
    const { data } = jsonOf(await ask('/api/v1/observations')) as { data: readonly Plain[] };
    const lists = { stations: await listOf('stations'), parameters: await listOf('parameters') };
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
      t.same(
        components.map(({ name, fields }) => [name, namesOf(fields)]),
        Object.entries({ ...lists, observations: data }).map(([name, list]) => [
          name,
          fieldsOf(list),
        ]),
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
      t.same([answer.status, fieldOf(answer, 'location')], [308, '/api/v1/dcat']);
      t.equal(answer.body.length, 0);
    }
  });

  await t.test('names no forbidden field anywhere', async (t) => {
    const { resources } = jsonOf(await ask('/api/v1/bulk')) as { resources: readonly Plain[] };
    const hvd = ['metadata', 'stations', 'parameters', 'observations', 'observations/stream'];
    const paths = [...hvd, 'bulk', 'observations/latest', 'dcat'].map((path) => `/api/v1/${path}`);
    const files = resources.map((one) => String(one['download_url']));
    t.equal(files.length, 8);
    const older = ['/meta', '/stations', '/components', '/1/stations/1/meta'];
    for (const path of [...paths, ...files, ...older]) {
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
