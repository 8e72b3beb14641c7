/** An operator's own words, languages, licence and name: by files alone, through the running service. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { chartDocument } from '../../support/documents/chart-document.js';
import { snapshotDocument, type PlainDocument } from '../../support/documents/documents.js';
import { readJsonLd } from '../../support/readers/shacl.js';
import { runBuras } from '../../support/service/command.js';
import { get } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';
import { waitForChild } from '../../support/service/children.js';
import {
  eventually,
  makeRoot,
  publish,
  startService,
  type Service,
} from '../../support/service/service.js';

const PAGES = ['license', 'terms', 'qos', 'contact', 'dataset'];

async function textOf(service: Service, path: string): Promise<string> {
  return (await get(service, path)).body.toString();
}

const LICENSE_URI = 'http://publications.europa.eu/resource/authority/licence/OGL_3_0';

/** Markup, were it not escaped as text and in attributes. */
const HOSTILE = ' <i>"&j';

const OPERATOR = {
  name: { es: 'Agencia del Aire', en: 'Air Agency' },
  homepage: 'https://aire.example/',
  email: 'datos@aire.example',
  license: {
    name: { en: 'Open Data Licence', es: 'Licencia de Datos Abiertos' },
    url: 'https://aire.example/licencia',
    uri: LICENSE_URI,
  },
  legal_basis: { en: 'The data are published under the Act on Air.' },
  accrual_periodicity: 'HOURLY',
  country: 'ESP',
};

/** Spanish of the demonstration, an operator's own terms page, and its statements. */
async function makeTexts(t: Test, operator: unknown = OPERATOR): Promise<string> {
  const folder = join(await makeRoot(t), 'texts');
  await mkdir(join(folder, 'en'), { recursive: true });
  await cp('data/demo/texts/es', join(folder, 'es'), { recursive: true });
  const terms = await readFile('texts/en/terms.md', 'utf8');
  await writeFile(join(folder, 'en/terms.md'), terms.replace('# Terms of use', '# Rules of ours'));
  await writeFile(join(folder, 'operator.json'), JSON.stringify(operator));
  return folder;
}

void t.test('with a folder of its own', async (t) => {
  const folder = await makeTexts(t);
  const service = await startServing(t, snapshotDocument(), {
    env: { TEXTS_DIR: folder, DEFAULT_LANGUAGE: 'es' },
  });

  await t.test('a language is added by files alone', async (t) => {
    t.equal((await get(service, '/')).headers['content-language'], 'es');
    t.equal((await get(service, '/legal/license?language=fr')).status, 422);
    const openapi = await textOf(service, '/openapi.json');
    const spoken = [...openapi.matchAll(/"name":"language","in":"query".*?\}/g)];
    t.ok(spoken.length > 10, `${spoken.length} parameters`);
    for (const [parameter] of spoken) t.match(parameter, /\bes\b/);
    t.match(openapi, '"enum":["sr-Latn","sr-Cyrl","en","es"]');
    await says(t, '/', [
      '<html lang="es" data-theme="auto" data-locale="es-ES">',
      '<a href="/?language=es" lang="es" hreflang="es"',
    ]);
    await says(t, '/legal/license?language=es', ['<h1>Licencia</h1>']);
    const list = '"supported_languages":["sr-Latn","sr-Cyrl","en","es"]';
    await says(t, '/api/v1/data-dictionary?language=es', [list]);
    await says(t, '/sitemap.xml', ['hreflang="es"']);
    await says(t, '/api/v1/bulk/README.md', ['# Calidad del aire'], /Kvalitet/);
    // A page is replaced, and the others stay.
    await says(t, '/legal/terms?language=en', ['<h1>Rules of ours</h1>']);
    await says(t, '/legal/terms?language=sr-Latn', ['<h1>Uslovi korišćenja</h1>']);
  });

  await t.test('everything says who publishes, and under which licence', async (t) => {
    for (const page of PAGES) {
      await says(
        t,
        `/legal/${page}?language=en`,
        [
          ' · Air Agency</title>',
          '<p>Licence of the data: Open Data Licence</p>',
          '<a href="https://aire.example/" rel="external">Air Agency</a>',
        ],
        // No date of our own texts, either.
        /Serbia|Article 26|CC BY|99%|24 hours in advance|Text last changed|<footer>\s*<p>[^<]*<time/,
      );
    }
    await says(
      t,
      '/legal/license?language=en',
      [
        '<a href="https://aire.example/licencia">Open Data Licence</a>',
        'The data are published under the Act on Air.',
      ],
      // Nothing is said that another licence may not allow.
      /For any purpose/,
    );
    const promised = /<dt>(?:Availability|Planned maintenance)<\/dt>/;
    await says(t, '/legal/qos?language=en', ['<dt>Refresh</dt><dd>hourly</dd>'], promised);
    await says(t, '/legal/contact?language=es', ['mailto:datos@aire.example']);
    const license = '"license":{"name":"Open Data Licence","url":"/legal/license"}';
    await says(t, '/api/v1/metadata', [license]);
    await says(t, '/llms.txt', ['[Air Agency](https://aire.example/)', ': Open Data Licence']);
    const readme = ['Publisher: Air Agency', '<https://aire.example/licencia>'];
    await says(t, '/api/v1/bulk/README.md', readme);
    await says(t, '/portal/chart.svg?station_id=1&language=en&width=900', [], /CC BY/);
  });

  await t.test('the catalogue says so too, in sixteen nodes', async (t) => {
    const text = await textOf(service, '/api/v1/dcat');
    const { '@graph': graph } = JSON.parse(text) as { '@graph': Record<string, unknown>[] };
    t.equal(graph.length, 16);
    t.match(graph[1]?.['foaf:name'], [
      { '@value': 'Agencia del Aire', '@language': 'es' },
      { '@value': 'Air Agency', '@language': 'en' },
    ]);
    for (const part of ['/frequency/HOURLY', '/country/ESP', '/language/SPA', '/licence/OGL_3_0']) {
      t.match(text, part);
    }
    const store = await readJsonLd(text);
    const license = 'http://purl.org/dc/terms/license';
    t.strictSame(
      store.getObjects(null, license, null).map(({ value }) => value),
      [LICENSE_URI],
    );
    t.equal(store.getSubjects(license, null, null).length, 11, 'catalogue, service, distributions');
    t.match(graph[0]?.['dct:license'], {
      '@type': 'dct:LicenseDocument',
      'dct:title': [{}, {}, { '@value': 'Open Data Licence', '@language': 'en' }, {}],
      'foaf:page': { '@id': 'https://aire.example/licencia' },
    });
  });

  async function says(t: Test, path: string, parts: readonly string[], not?: RegExp) {
    const text = await textOf(service, path);
    for (const part of parts) t.match(text, part, path);
    if (not !== undefined) t.notMatch(text, not, path);
  }
});

void t.test('what is true is said', async (t) => {
  const PATHS = ['/?language=en', '/legal/dataset?language=en', '/api/v1/dcat'];
  const termsOf = (service: Service) => textOf(service, '/legal/terms?language=en');
  const service = await startServing(t, documentIn('ug/m3'));
  const license = await textOf(service, '/legal/license?language=en');
  t.match(license, /Article 26 .* Republic of Serbia/);
  t.match(await textOf(service, '/legal/qos?language=en'), '<dd>99% a month</dd>');
  const terms = await termsOf(service);
  t.match(terms, '<strong>No log of requests.</strong>');
  t.notMatch(terms, /nobody has validated them|have not been verified/);
  t.match(await textOf(service, '/api/v1/dcat'), '/frequency/DAILY');
  for (const path of PATHS) {
    t.notMatch(await textOf(service, path), /weather|meteorolog/i, `${path}: none is measured`);
  }

  const env = { ACCESS_LOG: '0.01', ACCESS_LOG_ADDRESS: '1' };
  const logged = await startServing(t, documentIn('Cel'), { env });
  for (const path of PATHS) t.match(await textOf(logged, path), /weather|meteorolog/i, path);
  const others = await termsOf(logged);
  t.match(others, 'and the address that it came from');
  t.notMatch(others, /No log of requests|not the address that it came from/);
  await logged.stop();
  const without = await startService(t, { root: logged.root, env: { ACCESS_LOG: '1' } });
  await without.waitForLog('activated');
  t.match(await termsOf(without), /without addresses\..*not the address that it came from/);
});

/** A document whose components are all measured in one unit. */
function documentIn(unit: string): PlainDocument {
  const document = snapshotDocument();
  const components = document['components'] as Record<string, unknown>[];
  return { ...document, components: components.map((one) => ({ ...one, unit })) };
}

void t.test('what is edited while it is served counts from the next start on', async (t) => {
  const folder = await makeTexts(t);
  const map = join(folder, '..', 'map.json');
  const writeLand = async (width: number): Promise<void> => {
    const corner = [10, 40];
    const ring = [corner, [10 + width, 40], [10 + width, 50], corner];
    const geometry = { type: 'Polygon', coordinates: [ring] };
    const features = [{ type: 'Feature', properties: {}, geometry }];
    await writeFile(map, JSON.stringify({ type: 'FeatureCollection', features }));
  };
  await writeLand(20);
  const options = {
    root: join(folder, '..'),
    env: { TEXTS_DIR: folder, BASE_MAP: map, ADMIN_PORT: '0' },
    expect: ['front died'],
  };
  await publish({ root: options.root }, chartDocument());
  const service = await startService(t, options);
  await service.waitForLog('activated');
  const targets = [
    '/?language=es',
    '/legal/terms?language=en',
    '/portal/map.svg',
    '/portal/chart.svg?station_id=1&component_id=1&language=es',
    '/api/v1/bulk/README.md',
    '/openapi.json',
  ];
  const answers = async (from: Service): Promise<readonly string[]> =>
    await Promise.all(
      targets.map(async (target) => {
        const { status, headers, body } = await get(from, target);
        return `${target} ${status} ${String(headers.etag)} ${body.toString()}`;
      }),
    );
  const before = await answers(service);
  const portal = join(folder, 'es/portal.ftl');
  const messages = await readFile(portal, 'utf8');
  // Half of it is written.
  await writeFile(portal, messages.slice(0, messages.length / 2));
  await writeFile(join(folder, 'operator.json'), '{"name": {"en": "Other');
  await rm(join(folder, 'en/terms.md'));
  await writeLand(30);
  t.same(await answers(service), before);
  const front = await waitForChild(service.pid, 'front.js');
  process.kill(front.pid, 'SIGKILL');
  await service.waitForLog('front replaced');
  await eventually('another front answers', async () => {
    const { status } = await get(service, '/health/ready').catch(() => ({ status: 0 }));
    return status === 200;
  });
  t.same(await answers(service), before, 'of a front that is started later too');
  await service.stop();
  await writeFile(portal, messages);
  await writeFile(join(folder, 'operator.json'), JSON.stringify(OPERATOR));
  const next = await startService(t, options);
  await next.waitForLog('activated');
  const after = await answers(next);
  t.match(after[1], 'Terms of use', 'ours, where the own one is gone');
  const versionOf = (page = '') => /map\.svg\?theme=light&amp;v=(\w+)/.exec(page)?.[1] ?? '';
  t.not(versionOf(after[0]), versionOf(before[0]), 'another map has another address');
});

void t.test('a message is text wherever it stands', async (t) => {
  const folder = await makeTexts(t);
  for (const file of ['portal', 'layout', 'dictionary', 'legal', 'documentation']) {
    const path = join(folder, `es/${file}.ftl`);
    const messages = await readFile(path, 'utf8');
    // Messages with plurals go on in other lines.
    await writeFile(path, messages.replace(/^([a-z][\w-]* = .*[^\s{}>])$/gm, `$1${HOSTILE}`));
  }
  const service = await startServing(t, chartDocument(), { env: { TEXTS_DIR: folder } });
  t.match(await textOf(service, '/?language=es'), '&lt;i&gt;');
  const targets = [
    ...['overview', 'episode', 'years', 'legal/dataset', 'nowhere', 'api-docs'].map(
      (path) => `/${path}?`,
    ),
    ...['component_id=1', 'component_id=2&compare=2'].flatMap((query) => [
      `/?station_id=1&window=30d&${query}&`,
      `/portal/station-modal?station_id=1&${query}&`,
      `/portal/chart.svg?station_id=1&${query}&`,
      `/portal/chart.svg?station_id=1&width=200&height=150&${query}&`,
      `/episode?${query}&`,
    ]),
  ];
  for (const target of targets) {
    const html = await textOf(service, `${target}language=es`);
    const text = html.replace(/<script type="application\/ld\+json">.*?<\/script>/gs, '');
    t.equal(/.{0,80}(?:<i>|"&j).{0,40}/.exec(text)?.[0], undefined, target);
  }
});

void t.test('promises are those of operator.json', async (t) => {
  const folder = await makeTexts(t, {
    availability: { en: '95% a week' },
    notice: { en: 'a month before' },
  });
  const service = await startServing(t, snapshotDocument(), { env: { TEXTS_DIR: folder } });
  const qos = await textOf(service, '/legal/qos?language=en');
  t.match(qos, '<dt>Availability</dt><dd>95% a week</dd>');
  t.match(qos, '<dt>Planned maintenance</dt><dd>a month before</dd>');
  t.notMatch(qos, /99%/);
  const license = await textOf(service, '/legal/license?language=en');
  t.notMatch(license, /Serbia|CC BY/, 'no licence is stated');
  t.match(await textOf(service, '/api/v1/metadata'), '"license":{"name":"not stated"');
  t.notOk(service.lines.some(({ msg }) => msg === 'pages use default statements'));
});

void t.test('what has a fault is named with its file and line, and not served', async (t) => {
  const folder = await makeTexts(t, { licence: {} });
  await writeFile(join(folder, 'operators.json'), '{}');
  const faulty = await makeTexts(t);
  await rm(join(faulty, 'es/legal.ftl'));
  const portal = join(faulty, 'es/portal.ftl');
  const messages = await readFile(portal, 'utf8');
  await writeFile(portal, messages.replace(/^([a-z-]+)( = \S)/m, '$1-other$2'));
  const page = join(faulty, 'es/qos.md');
  await writeFile(page, (await readFile(page, 'utf8')).replace('\n\n', '\n\n<b>fett</b> '));
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['serve', '--texts-dir', folder], /operator\.json:1: licence: no such member/],
    [['serve', '--texts-dir', join(folder, 'nowhere')], /cannot be read/],
    [['serve', '--default-language', 'es'], /expected one of sr-Latn, sr-Cyrl, en/],
    [['serve', '--texts-dir', faulty], /^bura: TEXTS_DIR is .*\n$/],
  ];
  const lists = cases.map(([parameters]) => parameters);
  const checks = [folder, faulty].map((one) => ['texts', 'check', one]);
  const results = await runBuras([...lists, ...checks]);
  for (const [at, [parameters, expected]] of cases.entries()) {
    t.match(results[at], { code: 2, stdout: '', stderr: expected }, parameters.join(' '));
  }
  const [unknown, three] = results.slice(cases.length);
  t.match(unknown, { code: 1, stdout: /operators\.json:1: nobody reads/ });
  t.equal(three?.code, 1);
  for (const [file, problem] of [
    ['legal.ftl', 'the file is missing'],
    ['portal.ftl', 'nobody asks'],
    ['qos.md', 'HTML'],
  ] as const) {
    t.match(three?.stdout, new RegExp(`${faulty}/es/${file}:\\d+: .*${problem}`));
  }
});
