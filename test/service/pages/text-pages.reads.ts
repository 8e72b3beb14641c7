/** Legal and documentation pages over HTTP: what they say, what comes with them, and where their links lead. */
import t from 'tap';
import { LANGUAGES } from '../../../src/texts/texts.js';
import {
  DOCUMENTATION_PAGES,
  LEGAL_PAGES,
  RECIPES_PATH,
  THEMES,
} from '../../../src/views/pages/page.js';
import { objectsOf, snapshotDocument } from '../../support/documents/documents.js';
import { addressesIn, inlineCode, invalidMarkup, visibleText } from '../../support/readers/html.js';
import { get, getJson } from '../../support/service/requests.js';
import { startServing } from '../../support/service/serve-documents.js';

const ALL = [
  ...LEGAL_PAGES.map((name) => `/legal/${name}`),
  ...DOCUMENTATION_PAGES.map((name) => `/${name}`),
  RECIPES_PATH,
];

const NAME = `<script>alert(1)</script> & "Zavod" 😀`;
const CONTACT = { email: 'vazduh@example.rs', description: '<img src=x onerror=alert(1)>' };

void t.test('with a snapshot', async (t) => {
  const [first = {}, ...others] = objectsOf(snapshotDocument(), 'organizations');
  const organizations = [{ ...first, name: NAME, ...CONTACT }, ...others];
  const document = snapshotDocument({ organizations });
  const service = await startServing(t, document, { env: { DEFAULT_LANGUAGE: 'en' } });

  await t.test('every page answers in every language and theme', async (t) => {
    for (const path of ALL) {
      for (const [at, theme] of [undefined, ...THEMES].entries()) {
        const language = LANGUAGES[at] ?? 'en';
        const query = `?language=${language}${theme === undefined ? '' : `&theme=${theme}`}`;
        const answer = await get(service, path + query);
        const html = answer.body.toString();
        t.equal(answer.status, 200, path + query);
        t.match(html, `<html lang="${language}" data-theme="${theme ?? 'auto'}"`);
        t.match(html, /<title>[^<]{4,}<\/title>/);
        t.match(html, `<a class="brand" href="/?language=${language}`);
        t.match(html, /<meta name="description" content="[^"]{30,}">/);
        t.match(html, `<link rel="canonical" href="${path}?language=${language}">`);
        t.equal(inlineCode(html), undefined, path + query);
        t.strictSame(invalidMarkup(html), [], path + query);
        t.match(answer.headers, {
          'content-type': /^text\/html; charset=utf-8$/,
          'content-language': new RegExp(`^${language}$`),
          'x-content-type-options': /^nosniff$/,
          'referrer-policy': /^strict-origin-when-cross-origin$/,
        });
        const policy = String(answer.headers['content-security-policy']);
        t.match(policy, /^default-src 'none';.* script-src 'self';.* frame-ancestors 'none'/);
        t.notMatch(policy, /unsafe|https?:|\*/);
        // Links keep language and theme, and lead to parts that there are.
        const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
        const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
        for (const address of addressesIn(main)) {
          if (address.startsWith('#')) t.ok(ids.includes(address.slice(1)), address);
          if (/^\/(?:legal|docs|redoc|api-docs|\?)/.test(address)) t.match(address, query);
        }
      }
    }
  });

  await t.test('what the organization says comes out as text', async (t) => {
    for (const path of ['/legal/contact', '/legal/license', '/legal/terms', '/legal/dataset']) {
      const html = (await get(service, path)).body.toString();
      t.ok(visibleText(html).includes(NAME), path);
      t.notMatch(html, /<script>|<img/);
    }
    const contact = (await get(service, '/legal/contact')).body.toString();
    t.match(contact, '<a href="mailto:vazduh@example.rs">vazduh@example.rs</a>');
    t.ok(visibleText(contact).includes('<img src=x onerror=alert(1)>'));
  });

  await t.test(
    'pages about the dataset carry the record of the catalogue as JSON-LD',
    async (t) => {
      const headers = { Host: 'air.example' };
      const catalogue = await get(service, '/api/v1/dcat', { headers });
      const { '@graph': graph } = JSON.parse(catalogue.body.toString()) as {
        '@graph': readonly {
          readonly '@id': string;
          readonly '@type': string;
          readonly 'dct:title'?: readonly Readonly<Record<string, string>>[];
        }[];
      };
      const id = 'http://air.example/api/v1/dcat#observations';
      const node = graph.find((one) => one['@id'] === id);
      for (const language of LANGUAGES) {
        for (const page of ['/', '/legal/dataset']) {
          const html = (
            await get(service, `${page}?language=${language}`, { headers })
          ).body.toString();
          const [, json = ''] =
            /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
          const [title] = node?.['dct:title']?.filter((one) => one['@language'] === language) ?? [];
          t.match(JSON.parse(json), {
            '@type': 'Dataset',
            '@id': id,
            name: title?.['@value'],
            creator: { name: NAME, email: 'vazduh@example.rs' },
            license: 'http://air.example/legal/license',
            distribution: graph
              .filter((one) => one['@type'] === 'dcat:Distribution')
              .map((one) => ({ '@id': one['@id'] })),
          });
          t.match(html, '<link rel="describedby" href="/api/v1/dcat" type="application/ld+json">');
          for (const [, link = ''] of html.matchAll(
            /<link rel="(?:describedby|item)" href="(.*?)"/g,
          )) {
            const answer = await get(service, link, { headers });
            t.equal(answer.status, 200, link);
            t.match(answer.headers['link'], '</api/v1/croissant.json>; rel="describedby"');
          }
        }
      }
      const station = (await get(service, '/?station_id=1', { headers })).body.toString();
      t.notMatch(station, 'ld+json', 'a page about a station');
      const file = await get(service, '/api/v1/bulk/stations.csv');
      t.match(file.headers['link'], '</api/v1/bulk>; rel="collection"');
    },
  );

  await t.test('recipes have the address of the request, and a station', async (t) => {
    const path = '/api-docs/recipes?language=en';
    const headers = { Host: 'air.example:8443' };
    const here = await get(service, path, { headers });
    t.match(visibleText(here.body.toString()), 'http://air.example:8443/api/v1/observations.csv');
    t.match(here.headers.vary, /Host/);
    const known = { 'If-None-Match': here.headers.etag ?? '' };
    t.equal((await get(service, path, { headers: { ...headers, ...known } })).status, 304);
    t.equal((await get(service, path, { headers: known })).status, 200);
    const nobody = await get(service, path, { headers: { Host: '-$(id)-' } });
    t.equal(nobody.status, 200);
    const text = visibleText(nobody.body.toString());
    t.match(text, 'http://localhost:8080/api/v1/observations.csv');
    t.notMatch(nobody.body.toString(), '(id)');
    const [, station = ''] = /station_id=(\d+)&layout=wide/.exec(text) ?? [];
    const { body } = await getJson(service, `/api/v1/stations?station_id=${station}`);
    t.match(body, [{ station_id: station }]);
    t.match(text, `${station} is one of the stations`);
  });
});
