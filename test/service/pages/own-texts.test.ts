/** An operator's own words, languages, licence and name: by files alone, through the running service. */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { chartDocument } from '../../support/documents/chart-document.js';
import { objectsOf, snapshotDocument } from '../../support/documents/documents.js';
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

async function textOf(service: Service, path: string): Promise<string> {
  return (await get(service, path)).body.toString();
}

/** Colours, with a name that would be markup if it were not escaped. */
const SCALES = [
  {
    components: ['PM10'],
    source: 'Air Act <i>"&j',
    date: '2024-10',
    steps: [
      {
        from: 0,
        color: '#50f0e6',
        dark_color: '#123456',
        name: { es: 'Buena <i>"&j', en: 'Good' },
      },
      { from: 30, color: '#960032' },
    ],
  },
];
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg"><path/></svg>';

/** An operator's statements, and by target what is said with them, and expressions of what then is not. */
interface Cases {
  readonly operator: unknown;
  readonly said: Readonly<Record<string, readonly string[]>>;
  readonly 'never said': Readonly<Record<string, string>>;
}
const CASES = JSON.parse(await readFile('test/fixtures/cases/own-texts.json', 'utf8')) as Cases;

/** Spanish of the demonstration, an operator's own terms page, and its statements. */
async function makeTexts(t: Test, operator = CASES.operator): Promise<string> {
  const folder = join(await makeRoot(t), 'texts');
  await mkdir(join(folder, 'en'), { recursive: true });
  await cp('data/demo/texts/es', join(folder, 'es'), { recursive: true });
  const terms = await readFile('texts/en/terms.md', 'utf8');
  await writeFile(join(folder, 'en/terms.md'), terms.replace('# Terms of use', '# Rules of ours'));
  await writeFile(join(folder, 'operator.json'), JSON.stringify(operator));
  return folder;
}

/** Our own texts, and their dates. */
const OURS =
  /Serbia|Article 26|CC BY|99%|24 hours in advance|Text last changed|<footer>\s*<p>[^<]*<time/;

void t.test('files alone add a language, a publisher and a licence', async (t) => {
  const folder = await makeTexts(t);
  const env = { TEXTS_DIR: folder, DEFAULT_LANGUAGE: 'es' };
  const service = await startServing(t, snapshotDocument(), { env });
  t.equal((await get(service, '/')).headers['content-language'], 'es');
  t.equal((await get(service, '/legal/license?language=fr')).status, 422);
  const openapi = await textOf(service, '/openapi.json');
  const spoken = [...openapi.matchAll(/"name":"language","in":"query".*?\}/g)];
  t.ok(spoken.length > 10, `${spoken.length} parameters`);
  for (const [parameter] of spoken) t.match(parameter, /\bes\b/);
  for (const [path, parts] of Object.entries(CASES.said)) {
    const text = await textOf(service, path);
    for (const part of parts) t.match(text, part, path);
  }
  for (const [path, part] of Object.entries(CASES['never said'])) {
    t.notMatch(await textOf(service, path), new RegExp(part), path);
  }
  for (const page of ['license', 'terms', 'qos', 'contact', 'dataset']) {
    const text = await textOf(service, `/legal/${page}?language=en`);
    t.match(text, ' · Air Agency</title>');
    t.match(text, '<p>Licence of the data: Open Data Licence</p>');
    t.match(text, '<a href="https://aire.example/" rel="external">Air Agency</a>');
    t.notMatch(text, OURS, page);
  }

  // The catalogue says so, too.
  const catalogue = await textOf(service, '/api/v1/dcat');
  const { '@graph': graph } = JSON.parse(catalogue) as { '@graph': Record<string, unknown>[] };
  t.equal(graph.length, 16);
  t.match(graph[1]?.['foaf:name'], [
    { '@value': 'Agencia del Aire', '@language': 'es' },
    { '@value': 'Air Agency', '@language': 'en' },
  ]);
  for (const part of ['frequency/HOURLY', 'country/ESP', 'language/SPA']) t.match(catalogue, part);
  const store = await readJsonLd(catalogue);
  const license = 'http://purl.org/dc/terms/license';
  const licenses = store.getObjects(null, license, null).map(({ value }) => value);
  t.strictSame(licenses, ['http://publications.europa.eu/resource/authority/licence/OGL_3_0']);
  t.equal(store.getSubjects(license, null, null).length, 11, 'catalogue, service, distributions');
  t.match(graph[0]?.['dct:license'], {
    '@type': 'dct:LicenseDocument',
    'dct:title': [{}, {}, { '@value': 'Open Data Licence', '@language': 'en' }, {}],
    'foaf:page': { '@id': 'https://aire.example/licencia' },
  });
});

void t.test('what is true is said', async (t) => {
  const PATHS = ['/?language=en', '/legal/dataset?language=en', '/api/v1/dcat'];
  const termsOf = (service: Service) => textOf(service, '/legal/terms?language=en');
  const service = await startServing(t, documentIn('ug/m3'));
  t.match(await textOf(service, '/legal/license?language=en'), /Article 26 .* Republic of Serbia/);
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
function documentIn(unit: string) {
  const components = objectsOf(snapshotDocument(), 'components');
  return snapshotDocument({ components: components.map((one) => ({ ...one, unit })) });
}

void t.test('what is edited while it is served counts from the next start on', async (t) => {
  const folder = await makeTexts(t);
  const root = join(folder, '..');
  const map = join(root, 'map.json');
  const writeLand = async (width: number): Promise<void> => {
    const ring = `[10,40],[${10 + width},40],[${10 + width},50],[10,40]`;
    const land = `"properties":{},"geometry":{"type":"Polygon","coordinates":[[${ring}]]}`;
    const features = `[{"type":"Feature",${land}}]`;
    await writeFile(map, `{"type":"FeatureCollection","features":${features}}`);
  };
  await writeLand(20);
  const env = { TEXTS_DIR: folder, BASE_MAP: map, ADMIN_PORT: '0' };
  const start = async (): Promise<Service> => {
    const service = await startService(t, { root, env, expect: ['front died'] });
    await service.waitForLog('activated');
    return service;
  };
  await publish({ root }, chartDocument());
  const service = await start();
  const targets = [
    '/?language=es',
    '/legal/terms?language=en',
    '/portal/map.svg',
    '/portal/chart.svg?station_id=1&component_id=1&language=es',
    '/api/v1/bulk/README.md',
    '/openapi.json',
  ];
  const answersOf = async (from: Service): Promise<readonly string[]> => {
    const answers = await Promise.all(targets.map(async (target) => await get(from, target)));
    return answers.map(({ status, headers, body }) => [status, headers.etag, body].join(' '));
  };
  const before = await answersOf(service);
  const portal = join(folder, 'es/portal.ftl');
  const messages = await readFile(portal, 'utf8');
  // Half of it is written.
  await writeFile(portal, messages.slice(0, messages.length / 2));
  await writeFile(join(folder, 'operator.json'), '{"name": {"en": "Other');
  await rm(join(folder, 'en/terms.md'));
  await writeLand(30);
  t.same(await answersOf(service), before);
  process.kill((await waitForChild(service.pid, 'front.js')).pid, 'SIGKILL');
  await service.waitForLog('front replaced');
  await eventually('another front answers', async () => {
    const { status } = await get(service, '/health/ready').catch(() => ({ status: 0 }));
    return status === 200;
  });
  t.same(await answersOf(service), before, 'of a front that is started later too');
  await service.stop();
  await writeFile(portal, messages);
  await writeFile(join(folder, 'operator.json'), JSON.stringify(CASES.operator));
  const after = await answersOf(await start());
  t.match(after[1], 'Terms of use', 'ours, where the own one is gone');
  const versionOf = (page = '') => /map\.svg\?theme=light&amp;v=(\w+)/.exec(page)?.[1] ?? '';
  t.not(versionOf(after[0]), versionOf(before[0]), 'another map has another address');
});

void t.test('messages are text anywhere, and promises are those of the operator', async (t) => {
  const availability = { en: '95% a week' };
  const languages = ['es', 'en'];
  const folder = await makeTexts(t, { availability, notice: { en: 'a month before' }, languages });
  await writeFile(join(folder, 'scales.json'), JSON.stringify(SCALES));
  await writeFile(join(folder, 'logo.svg'), LOGO);
  for (const file of ['portal', 'layout', 'dictionary', 'legal', 'documentation']) {
    const path = join(folder, `es/${file}.ftl`);
    const messages = await readFile(path, 'utf8');
    // Markup, were it not escaped as text and in attributes. Messages with plurals go on in other lines.
    await writeFile(path, messages.replace(/^([a-z][\w-]* = .*[^\s{}>])$/gm, '$1 <i>"&j'));
  }
  const service = await startServing(t, chartDocument(), { env: { TEXTS_DIR: folder } });
  t.match(await textOf(service, '/?language=es'), '&lt;i&gt;');
  const targets = [
    ...['/overview?', '/episode?', '/years?', '/legal/dataset?', '/nowhere?', '/api-docs?'],
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

  const qos = await textOf(service, '/legal/qos?language=en');
  t.match(qos, '<dt>Availability</dt><dd>95% a week</dd>');
  t.match(qos, '<dt>Planned maintenance</dt><dd>a month before</dd>');
  t.notMatch(qos, /99%/);
  const license = await textOf(service, '/legal/license?language=en');
  t.notMatch(license, /Serbia|CC BY/, 'no licence is stated');
  t.match(await textOf(service, '/api/v1/metadata'), '"license":{"name":"not stated"');
  t.notOk(service.lines.some(({ msg }) => msg === 'pages use default statements'));
  await checkColours(t, service);

  // Languages that are not offered are unknown.
  t.equal((await get(service, '/?language=sr-Latn')).headers['content-language'], 'es');
  t.equal((await get(service, '/legal/terms?language=sr-Latn')).status, 422);
  for (const path of ['/?language=en', '/sitemap.xml', '/api/v1/dcat']) {
    t.notMatch(await textOf(service, path), /sr-(?:Latn|Cyrl)"/, path);
  }
  t.match(
    await textOf(service, '/openapi.json'),
    'default: `es`.","schema":{"type":"string","enum":["es","en"]}',
  );
  const dictionary = '{"language":"es","supported_languages":["es","en"]';
  t.ok((await textOf(service, '/api/v1/data-dictionary')).startsWith(dictionary));
});

/** The operator's colours and logo in pages and pictures, and in no data. */
async function checkColours(t: Test, service: Service): Promise<void> {
  const source = 'Colours: Air Act &lt;i&gt;&#34;&amp;j, 2024-10<';
  const home = await textOf(service, '/?language=en&station_id=1&component_id=1&theme=dark');
  t.match(home, '<span class="swatch k0-0"></span>&lt; 30 Good</li>');
  t.equal(home.split(`<li class="scale-note">${source}`).length, 3, 'of map and calendar');
  t.match(home, /<td class="k0-1">\d+<\/td>/);
  t.match(home, /class="marker k0-\d"/);
  t.match(await textOf(service, '/episode?language=en&component_id=1'), source.slice(0, -1));
  t.match(await textOf(service, '/overview?language=en'), source.slice(0, -1));
  const chart = '/portal/chart.svg?station_id=1&component_id=1&window=7d&theme=dark&language=en';
  t.match(await textOf(service, chart), source);
  t.match(await textOf(service, chart), '<rect class="band k0-0" fill="#123456"');
  const [, styles = '', logo = ''] =
    /href="(\/assets\/scales-\w+\.css)".*src="(\/assets\/logo-\w+\.svg)"/s.exec(home) ?? [];
  const { headers, body } = await get(service, styles);
  t.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  t.match(body.toString(), '[data-theme=dark] .k0-0{--fill:#123456;--on-fill:#fff}');
  t.match(body.toString(), ' .k0-0{--fill:#50f0e6;--on-fill:#000}');
  const image = await get(service, logo);
  t.equal(image.body.toString(), LOGO);
  t.match(image.headers['content-security-policy'], "default-src 'none'");
  for (const path of ['/api/v1/parameters', '/api/v1/metadata', '/api/v1/observations.csv'])
    t.notMatch(await textOf(service, path), /Air Act|#50f0e6/, path);
}

void t.test('what has a fault is named with its file and line, and not served', async (t) => {
  const folder = await makeTexts(t, { licence: {} });
  await writeFile(join(folder, 'operators.json'), '{}');
  await writeFile(join(folder, 'scales.json'), '{}');
  await writeFile(join(folder, 'logo-dark.svg'), LOGO.replace('path', 'script'));
  const faulty = await makeTexts(t);
  await rm(join(faulty, 'es/legal.ftl'));
  const portal = join(faulty, 'es/portal.ftl');
  const messages = await readFile(portal, 'utf8');
  await writeFile(portal, messages.replace(/^([a-z-]+)( = \S)/m, '$1-other$2'));
  const page = join(faulty, 'es/qos.md');
  await writeFile(page, (await readFile(page, 'utf8')).replace('\n\n', '\n\n<b>fett</b> '));
  const refused = (stderr: RegExp) => ({ code: 2, stdout: '', stderr });
  const cases = [
    [['serve', '--texts-dir', folder], refused(/logo-dark\.svg:1: expected an SVG.*; 3 more/)],
    [['serve', '--texts-dir', join(folder, 'nowhere')], refused(/cannot be read/)],
    [['serve', '--default-language', 'es'], refused(/expected one of sr-Latn, sr-Cyrl, en/)],
    [['serve', '--texts-dir', faulty], refused(/^bura: TEXTS_DIR is .*\n$/)],
    [['texts', 'check', folder], { code: 1, stdout: /operators\.json:1: nobody reads/ }],
    [['texts', 'check', folder], { code: 1, stdout: /operator\.json:1: licence: no such member/ }],
    [
      ['texts', 'check', folder],
      { code: 1, stdout: /scales\.json:1: : expected a list.*found {}/ },
    ],
    [['texts', 'check', faulty], { code: 1, stdout: /es\/legal\.ftl:\d+: .*the file is missing/ }],
  ] as const;
  const results = await runBuras(cases.map(([parameters]) => parameters));
  for (const [at, [parameters, expected]] of cases.entries()) {
    t.match(results[at], expected, parameters.join(' '));
  }
  const said = results.at(-1)?.stdout ?? '';
  t.match(said, new RegExp(`${faulty}/es/portal\\.ftl:\\d+: .*nobody asks`));
  t.match(said, new RegExp(`${faulty}/es/qos\\.md:\\d+: .*HTML`));
});
