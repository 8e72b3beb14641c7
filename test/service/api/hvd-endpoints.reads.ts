/** The high-value-dataset API: descriptor, dictionary, messages, and words of a selection that the fuzzer does not draw. */
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { ODD_CODES, variedDocument } from '../../support/documents/varied-document.js';
import { casesOf } from '../../support/readers/cases.js';
import { cellsOf } from '../../support/readers/csv.js';
import { asker, fieldOf, jsonOf } from '../../support/service/connection.js';
import { sharedService } from '../../support/service/shared-service.js';

type Plain = Readonly<Record<string, unknown>>;

const FORBIDDEN = ['validated', 'qa_flag', 'compliance', 'exceedance'];
const TYPES = "'traffic', 'urban', 'background', 'industrial', 'rural' or 'other'";

void t.test('the high-value-dataset API', async (t) => {
  const ask = asker(t, await sharedService());
  const listOf = async (path: string): Promise<readonly Plain[]> =>
    jsonOf(await ask(`/api/v1/${path}`)) as readonly Plain[];

  await t.test('describes the dataset', async (t) => {
    const text = await readFile('test/fixtures/cases/descriptor.json', 'utf8');
    const expected = JSON.parse(text) as Plain;
    const { counts } = variedDocument();
    t.strictSame(jsonOf(await ask('/api/v1/metadata')), { ...expected, counts });
  });

  await t.test('compares municipalities whole', async (t) => {
    for (const [municipality, ids] of [
      ['%20beograd%09', '1,5'],
      [encodeURIComponent('ČAČAK'.normalize('NFD')), '3'],
      ['Beo', ''],
      ['%25', ''],
      // Another script is another name.
      [encodeURIComponent('Niš'), ''],
      ['', '1,2,3,4,5,6,7'],
    ] as const) {
      const stations = await listOf(`stations?municipality=${municipality}`);
      t.equal(stations.map((one) => one['station_id']).join(), ids, municipality);
    }
  });

  await t.test('names all invalid filters with the documented messages', async (t) => {
    const msg = 'Input should be a valid boolean, unable to interpret input';
    const ofType = { loc: ['query', 'station_type'], msg: `Input should be ${TYPES}` };
    t.strictSame(jsonOf(await ask('/api/v1/stations?active=maybe&station_type=Urban')), {
      detail: [
        { loc: ['query', 'active'], msg, type: 'bool_parsing', input: 'maybe' },
        { ...ofType, type: 'enum', ctx: { expected: TYPES }, input: 'Urban' },
      ],
    });
  });

  await t.test('has a dictionary in three languages that fits the records', async (t) => {
    const namesOf = (list: unknown) => (list as readonly Plain[]).map((one) => one['name']);
    const fieldsOf = ([first = {}]: readonly Plain[]) => Object.keys(first);
    const { data } = jsonOf(await ask('/api/v1/observations')) as { data: readonly Plain[] };
    const stations = await listOf('stations');
    const lists = { stations, parameters: await listOf('parameters'), observations: data };
    const supported_languages = ['sr-Latn', 'sr-Cyrl', 'en'];
    const texts = new Set<string>();
    for (const language of supported_languages) {
      const answer = await ask(`/api/v1/data-dictionary?language=${language}`);
      texts.add(answer.body.toString());
      const { components, ...rest } = jsonOf(answer) as { readonly components: readonly Plain[] };
      const found = { language, supported_languages, forbidden_fields: FORBIDDEN };
      t.match(rest, { ...found, standard_reference: /./ });
      t.same(
        components.map(({ name, fields }) => [name, namesOf(fields)]),
        Object.entries(lists).map(([name, list]) => [name, fieldsOf(list)]),
      );
    }
    t.equal(texts.size, 3);
    for (const query of ['', '?language=']) {
      t.match(jsonOf(await ask(`/api/v1/data-dictionary${query}`)), { language: 'sr-Latn' });
    }
    t.equal((await ask('/api/v1/data-dictionary?language=sr')).status, 422);
  });

  await t.test('redirects the well-known path to the catalogue, for good', async (t) => {
    const answer = await ask('/.well-known/dcat-catalog.jsonld');
    t.same([answer.status, fieldOf(answer, 'location')], [308, '/api/v1/dcat']);
  });

  await t.test('filters by values as they are escaped and trimmed', async (t) => {
    const bodyOf = async (query: string): Promise<string> =>
      (await ask(`/api/v1/observations/stream${query}`)).body.toString();
    for (const [query, usual] of [
      ['?unknown=1&From=bad&from=&to=%20&station_id=&parameter_code=%09', ''],
      ['?parameter_code=Ethyl+benzene', '?parameter_code=Ethyl%20benzene'],
      ['?parameter_code=+PM10%20&station_id=%096', '?parameter_code=PM10&station_id=6'],
      ['?station_id=1&station_id=', '?station_id=1'],
      ['?from=2026-09-09T22:00%2B0200', '?from=2026-09-09T20:00:00Z'],
      ['?to=%202026-09-09t20:00:00,5z%20', '?to=2026-09-09T20:00:00.500Z'],
    ] as const) {
      t.equal(await bodyOf(query), await bodyOf(usual), query);
    }
    const counts = [...ODD_CODES.map((_, at) => (at === 0 ? 216 : 2)), 0, 0, 0, 0];
    const codes = ODD_CODES.map((code) => `parameter_code=${encodeURIComponent(code)}`);
    const nobody = ['station_id=06', 'station_id=6.0', 'station_id=-6', 'parameter_code=Pm10'];
    for (const [at, query] of [...codes, ...nobody].entries()) {
      const rows = (await bodyOf(`?${query}`)).match(/\n\{"station_id"/g) ?? [];
      t.equal(rows.length, counts[at], query);
    }
  });

  await t.test('means of days have a decimal point, as all decimals in CSV', async (t) => {
    for (const target of ['/portal/days.csv?station_id=6', '/portal/episode.csv?component_id=8']) {
      const answer = await ask(target);
      t.equal(fieldOf(answer, 'content-type'), 'text/csv; charset=utf-8; header=present');
      const [header = [], ...lines] = cellsOf(answer.body.toString());
      const means = lines.map((cells) => cells[header.indexOf('mean')] ?? '');
      t.match(means.join(' ').trim(), /^(?:-?\d+\.\d+ *)+$/, target);
    }
  });

  await t.test('names no forbidden field anywhere', async (t) => {
    for (const path of casesOf('targets', 'descriptions of data')) {
      const { status, body } = await ask(path);
      t.equal(status, 200, path);
      t.notMatch(body.toString('latin1'), new RegExp(FORBIDDEN.join('|')), path);
    }
  });
});
