/** Where absolute links lead: to where the client came from, a trusted proxy says, or the operator states. */
import t from 'tap';
import { snapshotDocument } from '../../support/documents/documents.js';
import { variedDocument } from '../../support/documents/varied-document.js';
import { casesOf } from '../../support/readers/cases.js';
import { asker, askOnce, fieldOf, jsonOf, type Answer } from '../../support/service/connection.js';
import { crawl } from '../../support/service/crawl.js';
import { startPathProxy } from '../../support/service/path-proxy.js';
import { startServing } from '../../support/service/serve-documents.js';
import { sharedService } from '../../support/service/shared-service.js';

/** Answers with absolute links. */
const LINKED = [
  '/api/v1/dcat',
  '/api/v1/croissant.json',
  '/legal/dataset?language=en',
  '/openapi.json',
  '/llms.txt',
  '/robots.txt',
  '/sitemap.xml',
];

/** Where a crawl begins: what leads to all others, and what no page leads to. */
const STARTS = casesOf('targets', 'starts of a crawl');

/** Paths of missing resources, in any language and theme. */
const REFUSED = ['/legal/license', '/no/such/page', '/portal/chart.svg'];

void t.test('without a word of the operator', async (t) => {
  const service = await sharedService();
  const ask = asker(t, service);

  await t.test('has links in the catalogue that begin as the client came', async (t) => {
    for (const Host of ['example.org', 'EXAMPLE.org:8080', '127.0.0.1', '[::1]:80', 'bura_api']) {
      const fields = { Host, 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' };
      const answer = await ask('/api/v1/dcat', fields);
      t.equal(fieldOf(answer, 'content-type'), 'application/ld+json');
      t.same(foreignLinks(answer, `http://${Host.toLowerCase()}`), [], Host);
    }
    for (const Host of casesOf('refused', 'hosts')) {
      // A malformed request is answered, and its connection closed.
      const answer = await askOnce(service, { target: '/api/v1/dcat', fields: { Host } });
      t.equal(answer.status, 400, Host);
      t.equal(answer.body.toString(), '{"detail":"Bad Request"}');
    }
  });

  await t.test('has nothing in the catalogue that leads nowhere', async (t) => {
    const catalogue = await (await fetch(`${service.url}/api/v1/dcat`)).text();
    const links = [...catalogue.matchAll(/"(https?:[^"#]*)[^"]*"/g)].map(([, link = '']) => link);
    const own = new Set(links.filter((link) => link.startsWith(`${service.url}/`)));
    // Access and download, endpoint and its description, dictionary, and pages.
    t.ok(own.size > 15 && own.has(`${service.url}/api/v1`), [...own].join(' '));
    for (const link of own) {
      const { status, body } = await fetch(link);
      t.equal(status, 200, `${link}, after redirects`);
      await body?.cancel();
    }
  });

  await t.test('gives whoever came by another host neither its links nor a 304', async (t) => {
    const date = fieldOf(await ask('/meta'), 'last-modified') ?? '';
    for (const target of LINKED) {
      const tags = new Map<string, string>();
      for (const Host of ['a.example', 'a.example:8080']) {
        const whole = await ask(target, { Host, 'If-Modified-Since': date });
        t.equal(whole.status, 200, 'no date tells one host from another');
        t.equal(fieldOf(whole, 'vary'), 'Accept-Encoding, Host', target);
        t.equal(fieldOf(whole, 'last-modified'), undefined);
        t.ok(whole.body.includes(`http://${Host}/`), target);
        tags.set(Host, fieldOf(whole, 'etag') ?? '');
      }
      t.equal(new Set(tags.values()).size, 2, 'a tag for each base URL');
      for (const [of, tag] of tags) {
        for (const Host of tags.keys()) {
          const answer = await ask(target, { Host, 'If-None-Match': tag });
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
    [{ 'X-Forwarded-Proto': 'HTTPS' }, 'https://localhost'],
    [{ 'X-Forwarded-Proto': 'gopher' }, 'http://localhost'],
  ] as const;
  for (const [fields, base] of cases) {
    t.same(foreignLinks(await ask('/api/v1/dcat', fields), base), [], JSON.stringify(fields));
  }
  const bad = await ask('/api/v1/dcat', { 'X-Forwarded-Host': 'a"b' });
  t.equal(bad.status, 400);

  const vary = 'Accept-Encoding, Host, X-Forwarded-Host, X-Forwarded-Proto';
  for (const target of LINKED) {
    const answer = await ask(target);
    t.equal(fieldOf(answer, 'vary'), vary, target);
    const tag = fieldOf(answer, 'etag') ?? '';
    const https = { 'X-Forwarded-Proto': 'https', 'If-None-Match': tag };
    t.equal((await ask(target, https)).status, 200, target);
  }
});

void t.test('goes by the base URL that the operator states', async (t) => {
  const proxy = await startPathProxy(t, '/otvoreni/podaci');
  const { baseUrl } = proxy;
  const service = await startServing(t, variedDocument(), {
    env: { PUBLIC_BASE_URL: `${baseUrl}/`, TRUST_PROXY: '1' },
  });
  proxy.forward(service);
  const ask = asker(t, service);

  await t.test('whatever the request says', async (t) => {
    const fields = { Host: 'other.example:81', 'X-Forwarded-Host': 'evil.example' };
    const answer = await ask('/api/v1/dcat', fields);
    t.same(foreignLinks(answer, baseUrl), []);
    t.equal(fieldOf(answer, 'vary'), 'Accept-Encoding');
    const same = await ask('/api/v1/dcat', { 'If-None-Match': fieldOf(answer, 'etag') ?? '' });
    t.equal(same.status, 304, 'whatever the host');
    const docs = await asker(t, await sharedService())('/docs?language=en');
    const known = { 'If-None-Match': fieldOf(docs, 'etag') ?? '' };
    t.equal((await ask('/docs?language=en', known)).status, 200, 'pages have other links now');
  });

  await t.test('with its path before every link, and nowhere else', async (t) => {
    const { statuses, outside } = await crawl(baseUrl, STARTS);
    t.same([outside, proxy.outside], [[], []]);
    const refused = [...statuses].filter(([, status]) => status >= 400);
    const paths = new Set(refused.map(([target]) => target.replace(/\?.*/s, '')));
    t.same([...paths].toSorted(), REFUSED);
    t.ok(statuses.size > 70, `${statuses.size} addresses`);
    // As the specification has them.
    t.match(jsonOf(await ask('/api/v1/metadata')), {
      license: { url: '/legal/license' },
      links: { docs: '/docs' },
    });
    const index = (await ask('/api/v1/bulk')).body.toString();
    t.match(index, '"download_url":"/api/v1/bulk/stations.csv"');
  });
});

/** IRIs of the catalogue's own resources that do not begin with the base URL; all of them where some are missing. */
function foreignLinks(answer: Answer, base: string): readonly string[] {
  const { '@graph': graph } = jsonOf(answer) as {
    readonly '@graph': readonly { readonly '@id': string }[];
  };
  const links = [...answer.body.toString().matchAll(/"(https?:[^"]*\/api\/v1[^"]*)"/g)];
  const iris = [...graph.map((node) => node['@id']), ...links.map(([, link]) => String(link))];
  const isWhole = (graph.length === 16 || graph.length === 18) && links.length >= 20;
  return iris.filter((iri) => !isWhole || !iri.startsWith(`${base}/`));
}
