/** Answers without a snapshot: 503 for data, errors as ever, and everything else that needs no data. */
import t from 'tap';
import { DOCUMENTED_ENDPOINTS } from '../../../src/http/routes/routes.js';
import { LANGUAGES } from '../../../src/texts/texts.js';
import { DOCUMENTATION_PAGES, LEGAL_PAGES, RECIPES_PATH } from '../../../src/views/pages/page.js';
import { casesOf, namedCasesOf } from '../../support/readers/cases.js';
import { invalidMarkup, visibleText } from '../../support/readers/html.js';
import { readSitemap } from '../../support/readers/sitemap.js';
import { get } from '../../support/service/requests.js';
import { eventually, startService } from '../../support/service/service.js';
import { documentProblem, OpenApi, targetOf } from '../api/openapi-reader.js';

const UNAVAILABLE = '{"detail":"Active snapshot is not available or incompatible."}';
const INVALID = '{"detail":"Invalid request parameters."}';
const SERIES = 'organization_id=1&station_id=1&component_id=8&window=';

/** Values of required parameters. */
const VALUES = Object.fromEntries(namedCasesOf('targets', 'values of parameters'));

/** Beside the pages. */
const WITHOUT_DATA = casesOf('targets', 'without data');

void t.test('without a snapshot', async (t) => {
  // A path that needs escapes in every context.
  const baseUrl = 'https://data.example/air&water';
  const env = { PUBLIC_BASE_URL: `${baseUrl}/` };
  const service = await startService(t, { env, expect: ['store unreachable', 'unavailable'] });

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

  await t.test('the OpenAPI document says of every route what is answered', async (t) => {
    const { headers } = await get(service, '/openapi.json');
    t.equal(headers['cache-control'], 'no-store');
    const openApi = await OpenApi.of(service);
    t.equal(await documentProblem(openApi.text), undefined);
    t.equal(openApi.document.servers[0]?.url, baseUrl);
    t.notMatch(openApi.text, /<example |<base-url>/);
    t.equal(openApi.operations.length, DOCUMENTED_ENDPOINTS.length);
    await eventually('it is known that there is no archive', async () => {
      return (await get(service, '/api/v1/archive')).status === 404;
    });
    for (const operation of openApi.operations) {
      const { path, parameters, responses } = operation;
      if (path === '/api/v1/events') continue;
      const examples = parameters.flatMap(({ name, required, schema, example }) =>
        required ? [[name, String(example ?? schema.enum?.[0])] as const] : [],
      );
      const target = targetOf(operation, { ...Object.fromEntries(examples), ...VALUES });
      const answer = await get(service, target);
      const documented = DOCUMENTED_ENDPOINTS.find((one) => one.path === path)?.operation;
      // A page says that there are no data; a picture cannot.
      const isPage =
        documented?.tag === 'Pages' && documented.refusals?.includes('unavailable') !== true;
      const isThere = isPage || WITHOUT_DATA.includes(path);
      const expected = isThere ? 200 : '503' in responses ? 503 : 308;
      const isArchive = path.startsWith('/api/v1/archive');
      t.equal(answer.status, isArchive ? 404 : expected, path);
      await openApi.check(path, answer);
      if (answer.status !== 503 || /health|archive/.test(path)) continue;
      t.equal(answer.body.toString(), UNAVAILABLE, target);
      const fields = { 'cache-control': 'no-store', 'access-control-allow-origin': '*' };
      t.match(answer.headers, { ...fields, 'retry-after': /^\d+$/ });
      t.same([answer.headers.etag, answer.headers['x-snapshot-id']], [undefined, undefined]);
      const head = await get(service, target, { method: 'HEAD' });
      t.same([head.status, head.body.length], [503, 0], target);
    }
    const line = await service.waitForLog(
      ({ msg, route }) => msg === 'answered with an error' && route === '/meta',
    );
    t.match(line, { level: 'info', status: 503, said: UNAVAILABLE, answers: 1 });
    const routes = service.lines.filter(({ msg }) => msg === line.msg).map(({ route }) => route);
    t.equal(new Set(routes).size, routes.length, 'the log has one line a route');
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
    const headers = { Accept: 'text/html', 'Accept-Language': 'sr-Cyrl' };
    const own = { 'cache-control': 'no-store', 'content-language': 'sr-Cyrl' };
    const page = await get(service, '/', { headers });
    t.match(page.headers, { ...own, vary: 'Accept-Encoding, Accept-Language' });
    const missing = await get(service, '/nothing?language=sr-Cyrl', { headers });
    t.match(missing, { status: 404, headers: own });
    t.match(missing.body.toString(), '<form class="search"');
  });

  await t.test('links are those that the operator states', async (t) => {
    const textOf = async (path: string) => (await get(service, path)).body.toString();
    const [first] = readSitemap(Buffer.from(await textOf('/sitemap.xml')));
    t.equal(first?.loc, `${baseUrl}/?language=sr-Latn`, 'escaped for where it stands');
    t.match(await textOf('/llms.txt'), `(${baseUrl}/meta)`);
    const robots = await textOf('/robots.txt');
    t.match(robots, `Sitemap: ${baseUrl}/sitemap.xml\n`);
    t.match(robots, '\nDisallow: /air&water/portal/export\n');
    t.match(robots, '\nAllow: /air&water/\n');
  });
});
