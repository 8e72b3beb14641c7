/** Answers without a snapshot: 503 for data, errors as ever, and everything else that needs no data. */
import t from 'tap';
import { LANGUAGES } from '../../../src/texts/texts.js';
import { DOCUMENTATION_PAGES, LEGAL_PAGES, RECIPES_PATH } from '../../../src/views/pages/page.js';
import { invalidMarkup, visibleText } from '../../support/readers/html.js';
import { readSitemap } from '../../support/readers/sitemap.js';
import { crawl } from '../../support/service/crawl.js';
import { startPathProxy } from '../../support/service/path-proxy.js';
import { get, LEGACY_TARGETS } from '../../support/service/requests.js';
import { startService } from '../../support/service/service.js';

const UNAVAILABLE = '{"detail":"Active snapshot is not available or incompatible."}';

const INVALID = '{"detail":"Invalid request parameters."}';

const SERIES = 'organization_id=1&station_id=1&component_id=8&window=';

const DATA = [...LEGACY_TARGETS, `/portal/export?${SERIES}7d&format=csv`];

void t.test('without a snapshot', async (t) => {
  // A path that needs escapes in every context.
  const proxy = await startPathProxy(t, '/air&water');
  const { baseUrl } = proxy;
  const env = { PUBLIC_BASE_URL: baseUrl };
  const service = await startService(t, { env, expect: ['unavailable'] });
  proxy.forward(service);

  await t.test('data are unavailable', async (t) => {
    for (const target of DATA) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, body } = await get(service, target, { method });
        t.equal(status, 503, target);
        t.equal(body.toString(), method === 'HEAD' ? '' : UNAVAILABLE, target);
        const fields = { 'cache-control': 'no-store', 'access-control-allow-origin': '*' };
        t.match(headers, { ...fields, 'retry-after': /^\d+$/ });
        t.same([headers.etag, headers['x-snapshot-id']], [undefined, undefined]);
      }
    }
  });

  await t.test('which the log says, of many answers once', async (t) => {
    const line = await service.waitForLog(
      ({ msg, route }) => msg === 'answered with an error' && route === '/meta',
    );
    t.match(line, { level: 'info', status: 503, said: UNAVAILABLE, answers: 1 });
    const routes = service.lines.filter(({ msg }) => msg === line.msg).map(({ route }) => route);
    t.equal(new Set(routes).size, routes.length, 'one line a route');
  });

  await t.test('what would be wrong with one is wrong', async (t) => {
    for (const target of ['/measurements?station_id=x', `/portal/export?${SERIES}7d&format=pdf`]) {
      const { status, headers, body } = await get(service, target);
      t.strictSame([status, body.toString()], [400, INVALID], target);
      t.equal(headers['cache-control'], 'no-store');
    }
    t.equal((await get(service, '/x/stations')).status, 422);
    const { status, headers } = await get(service, '/health/ready');
    t.equal(status, 503);
    t.match(headers['retry-after'], /^\d+$/);
  });

  await t.test('every page is there, says so, and is not kept', async (t) => {
    const legal = LEGAL_PAGES.map((name) => `/legal/${name}`);
    for (const path of [...legal, ...DOCUMENTATION_PAGES.map((name) => `/${name}`), RECIPES_PATH]) {
      for (const language of LANGUAGES) {
        const answer = await get(service, `${path}?language=${language}`);
        const fields = { 'cache-control': 'no-store', 'content-language': language };
        t.match(answer, { status: 200, headers: fields }, path);
        t.match(answer.body.toString(), /<h1>/);
        t.strictSame(invalidMarkup(answer.body.toString()), [], path);
      }
      t.equal((await get(service, `${path}?language=de`)).status, legal.includes(path) ? 422 : 200);
    }
    const license = visibleText((await get(service, '/legal/license?language=en')).body.toString());
    t.match(license, /not available at the moment/);
    t.match(license, /Article 26/);
  });

  await t.test('a person who asks for what is not there gets a page in his language', async (t) => {
    for (const [preference, language] of [
      ['sr-Cyrl', 'sr-Cyrl'],
      ['en-GB', 'en'],
    ] as const) {
      const headers = { Accept: 'text/html', 'Accept-Language': preference };
      const own = { 'cache-control': 'no-store', 'content-language': language };
      const page = await get(service, '/', { headers });
      t.match(page.headers, { ...own, vary: 'Accept-Encoding, Accept-Language' });
      const missing = await get(service, `/nothing?language=${language}`, { headers });
      t.match(missing, { status: 404, headers: own });
      t.match(missing.body.toString(), '<form class="search"');
      const chart = await get(service, '/portal/chart.svg', { headers });
      t.equal(chart.status, 503, 'of a picture without data');
    }
  });

  await t.test('what crawlers are told is there, with the links of the operator', async (t) => {
    const textOf = async (path: string): Promise<string> => {
      const { status, body } = await get(service, path);
      t.equal(status, 200, path);
      return body.toString();
    };
    const [first] = readSitemap(Buffer.from(await textOf('/sitemap.xml')));
    t.equal(first?.loc, `${baseUrl}/?language=sr-Latn`, 'escaped for where it stands');
    t.match(await textOf('/llms.txt'), `(${baseUrl}/meta)`);
    const robots = await textOf('/robots.txt');
    t.match(robots, `Sitemap: ${baseUrl}/sitemap.xml\n`);
    t.match(robots, '\nDisallow: /air&water/portal/export\n');
    t.match(robots, '\nAllow: /air&water/\n');
  });

  await t.test('every link is one of this service', async (t) => {
    const { statuses, outside } = await crawl(baseUrl, ['/', '/docs', '/no/such/page']);
    t.strictSame(outside, []);
    t.strictSame(proxy.outside, []);
    const wrong = [...statuses].filter(([, status]) => status >= 400 && status !== 503);
    t.ok(
      wrong.every(([target]) => target.startsWith('/no/such/page')),
      wrong.map(String).join(' '),
    );
    t.ok(statuses.size > 40, `${statuses.size} addresses`);
  });
});
